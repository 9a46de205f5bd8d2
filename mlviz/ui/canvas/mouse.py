"""The mouse on a canvas: from Qt's events to pointers of the tools."""

from __future__ import annotations

from typing import Literal

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent

from mlviz.interaction.gesture import Pointer
from mlviz.ui.paint.axes import AxesFrame

NOTCH = 120.0
"""One step of a mouse wheel."""
Button = Literal["left", "middle", "right"]
BUTTONS: dict[Qt.MouseButton, Button] = {
    Qt.MouseButton.LeftButton: "left",
    Qt.MouseButton.MiddleButton: "middle",
    Qt.MouseButton.RightButton: "right",
}


def pointer_of(
    event: QMouseEvent, kind: Literal["press", "drag", "release"], frame: AxesFrame, last: Pointer | None
) -> Pointer:
    """Where the mouse is on the frame; `last` is the pointer before it in the same gesture."""
    pixel = np.array(event.position().toTuple())
    x0, x1, y0, y1 = frame.limits
    # A sample must not be dragged out of sight.
    place = np.clip(frame.to_data(pixel)[0], (x0, y0), (x1, y1))
    keys = event.modifiers()
    button = BUTTONS.get(event.button(), "left") if kind == "press" or last is None else last.button
    shift = bool(keys & Qt.KeyboardModifier.ShiftModifier)
    return Pointer(place, pixel, kind, button, shift, bool(keys & Qt.KeyboardModifier.ControlModifier))
