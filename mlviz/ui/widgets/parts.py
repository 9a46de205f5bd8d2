"""What windows, dialogs and menus are put together from: rows and columns, small widgets, entries."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLayout,
    QMenu,
    QMenuBar,
    QToolButton,
    QWidget,
)

from mlviz.spec.outside import shortened

Box = TypeVar("Box", bound=QBoxLayout)
Widget = TypeVar("Widget", bound=QWidget)
Part = QWidget | QLayout | int | None
"""What stands in a row or column; a number is a gap of so many pixels, None takes the room that is left."""
Margins = tuple[int, int, int, int]


def lay_out(
    layout: Box,
    *parts: Part | tuple[Part, int],
    margins: Margins | None = (0, 0, 0, 0),
    spacing: int | None = None,
) -> Box:
    """Put the parts into a row or column, a part in a pair with how much of the free room it takes; returns the layout.

    Without margins or spacing of its own it has those of the style.
    """
    if margins is not None:
        layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    for entry in parts:
        part, stretch = entry if isinstance(entry, tuple) else (entry, 0)
        if isinstance(part, QWidget):
            layout.addWidget(part, stretch)
        elif isinstance(part, QLayout):
            layout.addLayout(part, stretch)
        elif part is None:
            layout.addStretch(1)
        else:
            layout.addSpacing(part)
    return layout


def plain_label(text: str = "", parent: QWidget | None = None, **options: Any) -> QLabel:
    """A label that shows its text as it is: names in files may look like markup."""
    return QLabel(text, parent, textFormat=Qt.TextFormat.PlainText, **options)


def as_tooltip(text: str) -> str:
    """The text for a tooltip, which would take tags for markup."""
    if "<" not in text:
        return text
    return f"<qt>{html.escape(text).replace(chr(10), '<br>')}</qt>"


def named(widget: Widget, name: str, tip: str = "", description: str = "") -> Widget:
    """The widget with a name and a description for screen readers, and a tooltip."""
    widget.setAccessibleName(name)
    widget.setAccessibleDescription(description)
    widget.setToolTip(as_tooltip(tip))
    return widget


def labelled(layout: Box, text: str, widget: QWidget, stretch: int = 0, spacing: int | None = None) -> Box:
    """The widget below or beside its label, whose key goes to it."""
    label = plain_label(text)
    label.setBuddy(widget)
    return lay_out(layout, label, (widget, stretch), spacing=spacing)


def chooser(name: str, options: Iterable[str] = (), at: str = "", tip: str = "") -> QComboBox:
    """A list of names to choose one of, no wider than it must be."""
    box = named(QComboBox(), name, tip)
    offer(box, options, at)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(16)
    return box


def offer(box: QComboBox, options: Iterable[str], at: str) -> None:
    """Fill a list of names, which are its data: its texts are their ends where they are very long."""
    for name in options:
        box.addItem(shortened(name), name)
    box.setCurrentIndex(box.findData(at))


def note(kind: str = "note", words: str = "") -> QLabel:
    """A label for a sentence or two, in the colours of a "note" or a "problem"."""
    return plain_label(words, objectName=kind, wordWrap=True)


def enlarged_font(factor: float) -> QFont:
    """The font of the program, so many times as large."""
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() * factor)
    return font


def tool_button(text: str, name: str, tip: str, clicked: Callable[[], object] | None = None) -> QToolButton:
    """A small button with a text on it."""
    button = named(QToolButton(), name, tip)
    button.setText(text)
    if clicked is not None:
        button.clicked.connect(clicked)
    return button


def accept_or_cancel(dialog: QDialog, accept: str = "", tip: str = "") -> QDialogButtonBox:
    """The buttons that end a dialog: one that accepts it, "OK" or another word, by Return too, and Cancel."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
    button = buttons.button(QDialogButtonBox.StandardButton.Ok)
    button.setText(accept or button.text())
    button.setDefault(True)
    button.setToolTip(as_tooltip(tip))
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return buttons


def add_submenu(menu: QMenu | QMenuBar, title: str, before: QAction | None = None) -> QMenu:
    """A new menu in another one or in the bar, above an entry of it or at its end; its entries show their tooltips."""
    made = QMenu(title, menu, toolTipsVisible=True)
    if before is None:
        menu.addMenu(made)
    else:
        menu.insertMenu(before, made)
    return made


def add_entry(menu: QMenu, text: str, tip: str, run: Callable[[], object]) -> QAction:
    """A new entry at the end of a menu."""
    action = menu.addAction(text)
    action.setToolTip(as_tooltip(tip))
    action.triggered.connect(run)
    return action
