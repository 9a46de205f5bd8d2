"""The keyboard on a canvas: nudging the selection, and a cursor with which every tool works without a mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent

from mlviz.interaction.gesture import Pointer
from mlviz.interaction.selection import delete_selection, relabel_selection, shift_selection
from mlviz.interaction.tool_state import Place
from mlviz.numerics.arrays import Array

if TYPE_CHECKING:
    from mlviz.ui.canvas.canvas import Canvas

REST_MS = 800
"""Keys are one step of undo until the hand rests this long."""
ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}
PRESS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Insert)
REMOVE = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
STEP = 10.0
"""How far an arrow key moves the cursor, pixels; a selection goes one pixel. Shift swaps the two."""


class Keyboard:
    """Return or Insert brings the cursor up; then arrows move it, and Return is a click of the active tool there.

    Shift and Ctrl with Return mean what they mean with a click; Escape puts the cursor away.
    """

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self.cursor: Place | None = None
        """Where the cursor is; None while it is not in use."""
        self._key: object = None
        self._pushing = False
        self._rest = QTimer(canvas, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self.settle)

    def wants(self, event: QKeyEvent) -> bool:
        """Whether a key is the canvas's just now, although a command of the window may have it as a shortcut."""
        key, selected = event.key(), self._canvas.selected
        if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            return key in PRESS
        if key in ARROWS:
            return selected or self.cursor is not None
        if key in REMOVE or Qt.Key.Key_1 <= key <= Qt.Key.Key_9:
            return selected
        if key == Qt.Key.Key_Escape:
            return selected or self.cursor is not None or self._canvas.holds
        return key in PRESS

    def press(self, event: QKeyEvent) -> None:
        """Do what the key says; `wants` has said yes."""
        key, canvas = event.key(), self._canvas
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in ARROWS:
            way = np.array(ARROWS[Qt.Key(key)], dtype=np.float64)
            if canvas.selected:
                self.nudge(way * (STEP if shift else 1.0))
            else:
                self._move_cursor(way * (1.0 if shift else STEP))
        elif key in REMOVE:
            delete_selection(canvas.store, canvas.hand)
        elif Qt.Key.Key_1 <= key <= Qt.Key.Key_9:
            relabel_selection(canvas.store, canvas.hand, key - Qt.Key.Key_1)
        elif key == Qt.Key.Key_Escape:
            canvas.cancel()
        elif self.cursor is None:
            x0, x1, y0, y1 = canvas.frame().limits
            self.put(canvas.hand.cursor or ((x0 + x1) / 2, (y0 + y1) / 2))
        else:
            self._click(shift, bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))

    def nudge(self, pixels: Array) -> None:
        """Move the selection by pixels (2,), right and up; in quick succession it is one step of undo."""
        canvas = self._canvas
        if canvas.busy:
            return
        self._key, self._pushing = self._key or object(), True
        shift_selection(canvas.store, canvas.hand, pixels * canvas.unit(), canvas.unit(), self._key)
        self._pushing = False
        self._rest.start()

    def settle(self) -> None:
        """The hand rests: what comes next is another step of undo."""
        if self._key is not None:
            self._key = None
            self._rest.stop()
            self._canvas.store.settle()

    def interrupted(self) -> None:
        """The scene was changed: if not by these keys, what they were doing is over, and settled or not by others."""
        if not self._pushing:
            self._key = None
            self._rest.stop()

    def put(self, place: Place | None) -> None:
        """Put the cursor there, or away."""
        if place != self.cursor:
            self.cursor = place
            self._canvas.hover(place)

    def _move_cursor(self, pixels: Array) -> None:
        x0, x1, y0, y1 = self._canvas.frame().limits
        x, y = (np.array(self.cursor) + pixels * self._canvas.unit()).tolist()
        self.put((min(max(x, x0), x1), min(max(y, y0), y1)))

    def _click(self, shift: bool, control: bool) -> None:
        place = np.array(self.cursor)
        pixel = self._canvas.frame().to_pixels(place)[0]
        for kind in ("press", "release"):
            self._canvas.point(Pointer(place, pixel, kind, "left", shift, control))
