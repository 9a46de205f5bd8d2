"""How a table is written: what was found, and a chooser to overrule each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from mlviz.data.tables.decoding import ENCODINGS
from mlviz.data.tables.reading import Format
from mlviz.data.tables.records import SEPARATORS
from mlviz.ui.widgets.parts import chooser, labelled, lay_out

_CHOICES: dict[str, tuple[str, Mapping[Any, str]]] = {
    "encoding": ("&Encoding", ENCODINGS),
    "separator": ("&Between cells", {key: name.capitalize() for key, name in SEPARATORS.items()}),
    "comma": ("&Decimal sign", {False: "Point: 1.5", True: "Comma: 1,5"}),
    "header": ("&First row", {True: "Names the columns", False: "Is a sample"}),
}
"""Label and options of each field of a `Format`."""


class FormatRow(QWidget):
    """Four choosers side by side; the first entry of each is what the file itself suggests."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = lay_out(QHBoxLayout(self), spacing=10)
        self.boxes = {field: self._chooser(text, options) for field, (text, options) in _CHOICES.items()}
        """The choosers by the fields of a `Format`."""

    @property
    def wanted(self) -> Format:
        """What was chosen; None where the file is to tell."""
        return Format(**{field: box.currentData() for field, box in self.boxes.items()})

    def want(self, wanted: Format) -> None:
        """Choose without telling."""
        for field, box in self.boxes.items():
            with QSignalBlocker(box):
                box.setCurrentIndex(max(0, box.findData(getattr(wanted, field))))

    def show_found(self, found: Format) -> None:
        """Name at the first entries what was found; where something is overruled it is not known."""
        for field, box in self.boxes.items():
            value = getattr(found, field)
            words = box.itemText(box.findData(value)) if value is not None else ""
            box.setItemText(0, "As found" if box.currentIndex() else f"{words} (found)")

    def _chooser(self, text: str, options: Mapping[Any, str]) -> QComboBox:
        box = chooser(text.replace("&", ""))
        for value, name in {None: "As found", **options}.items():
            box.addItem(name, value)
        box.currentIndexChanged.connect(self.changed)
        self._row.addLayout(labelled(QVBoxLayout(), text, box, spacing=2), 1)
        return box
