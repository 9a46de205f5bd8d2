"""Pinning the outline of a fit to the current canvas, and what becomes of pins."""

from __future__ import annotations

from mlviz.draw.plot import ghost
from mlviz.picture.pinned_fits import pin_of
from mlviz.scene.pins import is_pinned, pin_names, with_pin, with_pins
from mlviz.scene.scene import Pin
from mlviz.ui.comparison.pins_dialog import PinsDialog
from mlviz.ui.shell.window_parts import WindowParts
from mlviz.ui.widgets.dialogs import ask

_NOTHING = "There is no line and no centre here that could be pinned."


def pin_present(window: WindowParts) -> None:
    """Pin what the current canvas shows."""
    picture = window.pictures.get(window.current)
    shown = picture is not None and picture.message is None and picture.key == window.store.scene.dataset.key
    _pin(window, pin_of(window.store.scene, window.current, ghost(picture.plot.marks)) if picture and shown else None)


def pin_former(window: WindowParts) -> None:
    """Pin what the current canvas showed before the last change."""
    former = window.canvas.former
    there = former.scene is not None and window.current < len(former.scene.panels)
    _pin(window, pin_of(former.scene, window.current, former.marks) if there and former.scene else None)


def ask_pins(window: WindowParts) -> None:
    """Rename pins of the current canvas, or remove some."""
    scene, index = window.store.scene, window.current
    dialog = PinsDialog(scene.panels[index].pins, pin_names(scene, index), window)
    if ask(dialog):
        window.store.push(with_pins(scene, index, dialog.pins()), "change pins")


def remove_all(window: WindowParts) -> None:
    """Remove the pins of the current canvas."""
    window.store.push(with_pins(window.store.scene, window.current, ()), "remove pins")


def _pin(window: WindowParts, pin: Pin | None) -> None:
    if pin is None or is_pinned(window.store.scene, window.current, pin):
        window.say(_NOTHING if pin is None else "That fit is pinned already.")
        return
    window.store.push(with_pin(window.store.scene, window.current, pin), "pin fit")
    name = pin_names(window.store.scene, window.current)[-1]
    window.presentation.say(f"pinned: {name}")
    window.say(f"Pinned: {name}. It stays beside all that comes after; View, Compare removes it.")
