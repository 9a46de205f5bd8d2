"""How a table is written: what was found, and a chooser to overrule each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from mlviz.data.tables.decoding import ENCODINGS
from mlviz.data.tables.reading import Format
from mlviz.data.tables.records import SEPARATORS

_DECIMAL = {False: "point: 1.5", True: "comma: 1,5"}
_HEADER = {True: "names the columns", False: "is a sample"}


class FormatRow(QWidget):
    """Four choosers side by side; the first entry of each is what the file itself suggests."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(10)
        self.encoding = self._chooser("&Encoding", ENCODINGS)
        self.separator = self._chooser("&Between cells", {key: name.capitalize() for key, name in SEPARATORS.items()})
        self.decimal = self._chooser("&Decimal sign", {key: name.capitalize() for key, name in _DECIMAL.items()})
        self.header = self._chooser("&First row", {key: name.capitalize() for key, name in _HEADER.items()})

    @property
    def wanted(self) -> Format:
        """What was chosen; None where the file is to tell."""
        boxes = (self.encoding, self.separator, self.decimal, self.header)
        return Format(*(box.currentData() for box in boxes))

    def want(self, wanted: Format) -> None:
        """Choose without telling."""
        for box, value in self._boxes(wanted):
            with QSignalBlocker(box):
                box.setCurrentIndex(max(0, box.findData(value)) if value is not None else 0)

    def show_found(self, found: Format) -> None:
        """Name at the first entries what was found; where something is overruled it is not known."""
        for box, value in self._boxes(found):
            if box.currentIndex() == 0:
                words = box.itemText(box.findData(value)) if value is not None else ""
                box.setItemText(0, f"{words} (found)")
            else:
                box.setItemText(0, "As found")

    def _boxes(self, values: Format) -> tuple[tuple[QComboBox, Any], ...]:
        return (
            (self.encoding, values.encoding),
            (self.separator, values.separator),
            (self.decimal, values.comma),
            (self.header, values.header),
        )

    def _chooser(self, text: str, options: Mapping[Any, str]) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(text.replace("&", ""))
        box.addItem("As found", None)
        for value, name in options.items():
            box.addItem(name, value)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(14)
        box.currentIndexChanged.connect(self.changed)
        label = QLabel(text)
        label.setBuddy(box)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(label)
        column.addWidget(box)
        self._row.addLayout(column, 1)
        return box
