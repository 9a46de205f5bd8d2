"""Lists of names to choose one of, and a label above them."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QComboBox, QLabel, QVBoxLayout, QWidget

from mlviz.ui.widgets.parts import lay_out, named


def chooser(name: str, options: Iterable[str] = (), at: str = "", tip: str = "") -> QComboBox:
    """A list of names to choose one of, no wider than it must be."""
    box = named(QComboBox(), name, tip)
    box.addItems(list(options))
    box.setCurrentText(at)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(16)
    return box


def labelled(text: str, widget: QWidget, spacing: int | None = None) -> QVBoxLayout:
    """The widget below its label, whose key goes to it."""
    label = QLabel(text)
    label.setBuddy(widget)
    return lay_out(QVBoxLayout(), label, widget, spacing=spacing)
