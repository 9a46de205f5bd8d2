"""How a table is written: what was found, and a chooser to overrule each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from mlviz.data.tables.reading import FORMAT_CHOICES, Format
from mlviz.ui.widgets.parts import chooser, labelled, lay_out

LABELS = {
    "encoding": "&Encoding",
    "separator": "&Between cells",
    "comma": "&Decimal sign",
    "header": "&First row",
}
_LONGER = {"point": "Point: 1.5", "comma": "Comma: 1,5", "names": "Names the columns", "sample": "Is a sample"}
"""What some choices are called where there is more room."""


def _named(field: str) -> dict[Any, str]:
    names = FORMAT_CHOICES[field]
    if field == "separator":
        return {key: name.capitalize() for key, name in names.items()}
    return {key: _LONGER.get(name, name) for key, name in names.items()}


class FormatRow(QWidget):
    """Four choosers side by side; the first entry of each is what the file itself suggests."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = lay_out(QHBoxLayout(self), spacing=10)
        self.boxes = {field: self._chooser(LABELS[field], _named(field)) for field in FORMAT_CHOICES}
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
