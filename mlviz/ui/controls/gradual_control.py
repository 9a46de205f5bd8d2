"""What the controls have in common that are dragged, and that can be typed into."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget


class GradualControl(QWidget):
    """A control whose value goes through others on its way while the hand holds it."""

    moved = Signal(object)
    """The value under the hand."""
    released = Signal()
    """A slider was let go: the gesture is over."""
    refused = Signal(str)
    """What was typed can't be taken, and why."""

    def show_value(self, value: Any) -> None:
        """Show a value; nothing is emitted."""
        raise NotImplementedError

    def held(self) -> bool:
        """Whether a slider is being dragged."""
        raise NotImplementedError
