"""Mouse and keyboard on a canvas: from Qt's events to pointers of the tools.

The keyboard nudges the selection, and has a cursor with which every tool works without a mouse.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent

from mlviz.interaction.gesture import Pointer
from mlviz.interaction.note_tools import shift_note
from mlviz.interaction.selection import shift_selection
from mlviz.interaction.tool_state import Place, ToolState
from mlviz.numerics.arrays import Array
from mlviz.ui.canvas.panel_view import PanelView
from mlviz.ui.paint.axes import AxesFrame
from mlviz.ui.widgets.burst import Burst

_NOTCH = 120.0
"""One step of a mouse wheel, in eighths of a degree; a touchpad sends many small parts of it."""
_NOTCH_PX = 60.0
"""How far a touchpad moves what it scrolls while it sends as much, where it does not say so itself."""
_MOST_NOTCHES = 50.0
"""No hand turns a wheel farther at once; a broken driver says so."""
Button = Literal["left", "middle", "right"]
BUTTONS: dict[Qt.MouseButton, Button] = {
    Qt.MouseButton.LeftButton: "left",
    Qt.MouseButton.MiddleButton: "middle",
    Qt.MouseButton.RightButton: "right",
}
ALT, _SHIFT, _CONTROL = (
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)
ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}
_PRESS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Insert)
_STEP = 10.0
"""How far an arrow key moves the cursor, pixels; a selection goes one pixel. Shift swaps the two."""


def pointer_of(
    event: QMouseEvent, kind: Literal["press", "drag", "release"], frame: AxesFrame, last: Pointer | None
) -> Pointer:
    """Where the mouse is on the frame; `last` is the pointer before it in the same gesture."""
    pixel = np.array(event.position().toTuple())
    x0, x1, y0, y1 = frame.limits
    # A sample must not be dragged out of sight.
    under = frame.to_data(pixel)[0]
    place = np.minimum(np.maximum(under, (x0, y0)), (x1, y1))
    keys = event.modifiers()
    button = BUTTONS.get(event.button(), "left") if kind == "press" or last is None else last.button
    beyond = None if (under == place).all() else under
    return Pointer(place, pixel, kind, button, _SHIFT in keys, _CONTROL in keys, beyond)


def wheel_of(event: QWheelEvent) -> tuple[float, float]:
    """How far a wheel or a touchpad was turned: pixels to the right, which pan, and notches, which zoom.

    The larger part counts, since no finger moves quite straight. Some systems turn a wheel with Shift or Alt into a
    sideways one: with these keys both parts are notches.
    """
    pixels, angle = np.array(event.pixelDelta().toTuple()), np.array(event.angleDelta().toTuple())
    if not pixels.any():
        pixels = angle * (_NOTCH_PX / _NOTCH)
    notches = np.clip(angle / _NOTCH if angle.any() else pixels / _NOTCH_PX, -_MOST_NOTCHES, _MOST_NOTCHES)
    sideways = abs(pixels[0]) > abs(pixels[1])
    if event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier):
        return 0.0, float(notches[0 if sideways else 1])
    return (float(pixels[0]), 0.0) if sideways else (0.0, float(notches[1]))


class Keyboard:
    """The keys that belong to the canvas; all others, Delete and digits too, are those of commands.

    Return or Insert brings the cursor up; then arrows move it, and Return is a click of the active tool there.

    Shift and Ctrl with Return mean what they mean with a click; Escape puts the cursor away.
    """

    def __init__(
        self,
        view: PanelView,
        hand: ToolState,
        burst: Burst,
        point: Callable[[Pointer], None],
        hover: Callable[[Place | None], None],
        cancel: Callable[[], bool],
        busy: Callable[[], bool],
        holds: Callable[[], bool],
    ) -> None:
        """The cursor clicks by `point` and is told to `hover`.

        Escape is `cancel`, where the canvas `holds` something; nothing is nudged while the mouse is `busy`.
        """
        self._view, self._hand, self.burst = view, hand, burst
        self._point, self._hover, self._cancel, self._busy, self._holds = point, hover, cancel, busy, holds
        self.cursor: Place | None = None
        """Where the cursor is; None while it is not in use."""

    @property
    def _selected(self) -> bool:
        scene = self._view.store.scene
        return len(self._hand.selection(scene.dataset)) > 0 or self._hand.note in scene.notes

    def wants(self, event: QKeyEvent) -> bool:
        """Whether a key is the canvas's just now, although a command of the window may have it as a shortcut."""
        key, selected = event.key(), self._selected
        if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            return key in _PRESS
        if key in ARROWS:
            return selected or self.cursor is not None
        if key == Qt.Key.Key_Escape:
            return selected or self.cursor is not None or self._holds()
        return key in _PRESS

    def press(self, event: QKeyEvent) -> None:
        """Do what the key says; `wants` has said yes."""
        key, frame = event.key(), self._view.frame()
        x0, x1, y0, y1 = frame.limits
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in ARROWS:
            way = np.array(ARROWS[Qt.Key(key)], dtype=np.float64)
            if self._selected:
                self._nudge(way * (_STEP if shift else 1.0))
            else:
                x, y = (np.array(self.cursor) + way * (1.0 if shift else _STEP) * self._view.unit()).tolist()
                self.put((min(max(x, x0), x1), min(max(y, y0), y1)))
        elif key == Qt.Key.Key_Escape:
            self._cancel()
        elif self.cursor is None:
            self.put(self._hand.cursor or ((x0 + x1) / 2, (y0 + y1) / 2))
        else:
            control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            place = np.array(self.cursor)
            for kind in ("press", "release"):
                self._point(Pointer(place, frame.to_pixels(place)[0], kind, "left", shift, control))

    def _nudge(self, pixels: Array) -> None:
        """Move the selection by pixels (2,), right and up; in quick succession it is one step of undo."""
        if not self._busy():
            view, unit = self._view, self._view.unit()
            what, shift, key = (view.store, self._hand), pixels * unit, self.burst.key()
            if not shift_note(*what, shift, unit, key):
                shift_selection(*what, view.axes, shift, unit, key)

    def put(self, place: Place | None) -> None:
        """Put the cursor there, or away."""
        if place != self.cursor:
            self.cursor = place
            self._hover(place)
