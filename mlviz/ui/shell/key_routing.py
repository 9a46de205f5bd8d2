"""Which keys belong to the control that has the keyboard, although a command of the window has them as shortcut too.

And which digit a key stands for, whatever the keyboard has printed on it.
"""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
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


_DONE = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape})


def ends_typing(event: QKeyEvent, widget: QWidget | None) -> bool:
    """Whether the key ends typing in that field, whose keyboard the canvas has again then."""
    return isinstance(widget, (QAbstractSpinBox, QLineEdit)) and event.key() in _DONE


PEEK = "G"
"""The key that shows the fit before the last change, as long as it is held."""


def peeks(event: QKeyEvent) -> bool:
    """Whether the key is that one."""
    return QKeySequence(event.key()) == QKeySequence(PEEK)


_DIGIT_ROWS = {"darwin": (18, 19, 20, 21, 23, 22, 26, 28, 25), "win32": tuple(range(2, 11))}
"""What each system calls the keys of the digits 1 to 9; the others call them 10 to 18."""


def digit_at(event: QKeyEvent, system: str = sys.platform) -> int | None:
    """The digit, 1 to 9, whose place a key has that is pressed alone; None for other keys, and where it types a digit.

    On a French keyboard the digits need Shift.
    """
    typed = Qt.Key.Key_0 <= event.key() <= Qt.Key.Key_9
    if typed or event.modifiers() != Qt.KeyboardModifier.NoModifier:
        return None
    row = _DIGIT_ROWS.get(system, tuple(range(10, 19)))
    place = event.nativeVirtualKey() if system == "darwin" else event.nativeScanCode()
    return row.index(place) + 1 if place in row else None
