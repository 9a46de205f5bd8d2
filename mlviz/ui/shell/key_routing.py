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
_KEYS: tuple[tuple[tuple[type[QWidget], ...], frozenset[Qt.Key]], ...] = (
    ((QAbstractSlider, QAbstractSpinBox), _ARROWS),
    ((QComboBox, QAbstractItemView), _ARROWS | _BUTTON),
    ((QAbstractButton,), _BUTTON),
    ((QTabBar,), frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right})),
)
"""Which keys mean something to which widgets."""


def belongs_to(event: QKeyEvent, widget: QWidget | None) -> bool:
    """Whether the key moves or presses that widget. Letters and digits are always the window's, but in a text field."""
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier != Qt.KeyboardModifier.NoModifier:
        return False
    return any(isinstance(widget, kinds) and event.key() in keys for kinds, keys in _KEYS)
