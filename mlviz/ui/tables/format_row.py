"""How a table is written: what was found, and a chooser to overrule each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from mlviz.data.tables.decoding import ENCODINGS
from mlviz.data.tables.reading import Format
from mlviz.data.tables.records import SEPARATORS
from mlviz.ui.tables.chooser import chooser, labelled
from mlviz.ui.widgets.parts import lay_out

_DECIMAL = {False: "Point: 1.5", True: "Comma: 1,5"}
_HEADER = {True: "Names the columns", False: "Is a sample"}


class FormatRow(QWidget):
    """Four choosers side by side; the first entry of each is what the file itself suggests."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = lay_out(QHBoxLayout(self), spacing=10)
        self.encoding = self._chooser("&Encoding", ENCODINGS)
        self.separator = self._chooser("&Between cells", {key: name.capitalize() for key, name in SEPARATORS.items()})
        self.decimal = self._chooser("&Decimal sign", _DECIMAL)
        self.header = self._chooser("&First row", _HEADER)

    @property
    def wanted(self) -> Format:
        """What was chosen; None where the file is to tell."""
        return Format(*(box.currentData() for box, _ in self._boxes(Format())))

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
        box = chooser(text.replace("&", ""))
        for value, name in {None: "As found", **options}.items():
            box.addItem(name, value)
        box.currentIndexChanged.connect(self.changed)
        self._row.addLayout(labelled(text, box, spacing=2), 1)
        return box
