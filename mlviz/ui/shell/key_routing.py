"""Which keys belong to the control that has the keyboard, although a command of the window has them as shortcut too."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QTabBar,
    QWidget,
)

_ARROWS = frozenset(
    {
        Qt.Key.Key_Left,
        Qt.Key.Key_Right,
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
    }
)
_BUTTON = frozenset({Qt.Key.Key_Space})


def belongs_to(event: QKeyEvent, widget: QWidget | None) -> bool:
    """Whether the key moves or presses that widget. Letters and digits are always the window's, but in a text field."""
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier != Qt.KeyboardModifier.NoModifier:
        return False
    match widget:
        case QAbstractSlider() | QAbstractSpinBox():
            return event.key() in _ARROWS
        case QComboBox() | QAbstractItemView():
            return event.key() in _ARROWS | _BUTTON
        case QAbstractButton():
            return event.key() in _BUTTON
        case QTabBar():
            return event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right)
    return False
