"""Pinning the outline of a fit to the current canvas, and what becomes of pins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from mlviz.draw.plot import ghost
from mlviz.picture import PanelPicture
from mlviz.picture.pinned_fits import pin_of
from mlviz.scene.pins import is_pinned, pin_names, with_pin, with_pins
from mlviz.scene.scene import Pin
from mlviz.spec.outside import readable_name
from mlviz.ui.canvas.panel_grid import PanelGrid
from mlviz.ui.desk import Desk
from mlviz.ui.widgets.dialogs import ask
from mlviz.ui.widgets.parts import accept_or_cancel, lay_out, named, plain_label

_WHAT = "Pins without a tick are removed. F2 or a double click changes a name; an empty one is told by what differs."


class PinsDialog(QDialog):
    """One line a pin: a tick for those that stay, and the name."""

    def __init__(self, pins: Sequence[Pin], names: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self._pins, self._names = tuple(pins), tuple(names)
        self.setWindowTitle("Pins")
        head = plain_label(_WHAT, wordWrap=True)
        self.list = named(QListWidget(), "Pins", _WHAT)
        for name in names:
            item = QListWidgetItem(name, self.list)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
        self.list.setCurrentRow(0)
        buttons = accept_or_cancel(self, tip="Keep those with a tick, under these names.")
        lay_out(QVBoxLayout(self), head, self.list, buttons, margins=None)
        self.list.setFocus()

    def pins(self) -> tuple[Pin, ...]:
        """The pins that stay, with their names."""
        kept = []
        for k, (pin, name) in enumerate(zip(self._pins, self._names, strict=True)):
            item = self.list.item(k)
            if item.checkState() == Qt.CheckState.Checked:
                typed = readable_name(item.text())
                kept.append(pin if typed == name else replace(pin, name=typed))
        return tuple(kept)


class FitPins:
    """What commands do to the pins of the current canvas; `pictures` are the newest of the panels."""

    def __init__(self, desk: Desk, panels: PanelGrid, pictures: Mapping[int, PanelPicture]) -> None:
        self._desk, self._panels, self._pictures = desk, panels, pictures

    @property
    def there(self) -> bool:
        """Whether the current canvas has pins."""
        return bool(self._desk.store.scene.panels[self._panels.current].pins)

    def pin_present(self) -> None:
        """Pin what the current canvas shows."""
        scene, index = self._desk.store.scene, self._panels.current
        picture = self._pictures.get(index)
        shown = picture is not None and picture.message is None and picture.key == scene.dataset.key
        self._pin(pin_of(scene, index, ghost(picture.plot.marks)) if picture and shown else None)

    def pin_former(self) -> None:
        """Pin what the current canvas showed before the last change."""
        former, index = self._panels.canvas.former, self._panels.current
        there = former.scene is not None and index < len(former.scene.panels)
        self._pin(pin_of(former.scene, index, former.marks) if there and former.scene else None)

    def ask(self) -> None:
        """Rename pins, or remove some."""
        scene, index = self._desk.store.scene, self._panels.current
        dialog = PinsDialog(scene.panels[index].pins, pin_names(scene, index), self._desk.parent)
        if ask(dialog):
            self._desk.store.push(with_pins(scene, index, dialog.pins()), "change pins")

    def remove_all(self) -> None:
        """Remove the pins."""
        self._desk.store.push(with_pins(self._desk.store.scene, self._panels.current, ()), "remove pins")

    def _pin(self, pin: Pin | None) -> None:
        scene, index = self._desk.store.scene, self._panels.current
        if pin is None:
            hidden = "The answer is hidden: reveal it first."
            nothing = "There is no line and no centre here that could be pinned."
            self._desk.say(hidden if scene.hides_answer else nothing)
        elif is_pinned(scene, index, pin):
            self._desk.say("That fit is pinned already.")
        else:
            self._desk.store.push(with_pin(scene, index, pin), "pin fit")
            name = pin_names(self._desk.store.scene, index)[-1]
            self._desk.say(f"Pinned: {name}. It stays beside all that comes after; View, Compare removes it.")
