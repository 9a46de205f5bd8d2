"""How a table is written: what was found, and a chooser to overrule each."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from mlviz.data.tables.reading import AS_FOUND, FORMAT_CHOICES, Format
from mlviz.ui.widgets.parts import chooser, labelled, named

LABELS = {
    "encoding": "&Encoding",
    "separator": "&Between cells",
    "comma": "&Decimal sign",
    "header": "&First row",
    "missing": "&Missing values",
    "missing_class": "C&lass missing",
    "by_value": "Class &numbers",
}
_LONGER = {
    "point": "Point: 1.5",
    "comma": "Comma: 1,5",
    "names": "Names the columns",
    "sample": "Is a sample",
    "usual": "Usual marks (NA, ?, -)",
    "empty": "Empty cells only",
    "skipped": "Row is skipped",
    "class": "Code is a class",
    "spelling": "By spelling: 1, 01",
    "value": "By value: 1 = 01",
}
"""What some choices are called where there is more room."""


def _named(field: str) -> dict[Any, str]:
    names = FORMAT_CHOICES[field]
    if field == "separator":
        return {key: name.capitalize() for key, name in names.items()}
    return {key: _LONGER.get(name, name) for key, name in names.items()}


_IN_A_ROW = 4


class FormatRow(QWidget):
    """Choosers in two rows; the first entry of each is what the file itself suggests, or what is usual."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setHorizontalSpacing(10)
        grid.setContentsMargins(0, 0, 0, 0)
        self.boxes = {field: self._chooser(field) for field in FORMAT_CHOICES}
        """The choosers by the fields of a `Format`."""
        for i, (field, box) in enumerate(self.boxes.items()):
            grid.addLayout(labelled(QVBoxLayout(), LABELS[field], box, spacing=2), i // _IN_A_ROW, i % _IN_A_ROW)
        codes = self.boxes["missing"]
        codes.setToolTip("What stands for a missing value beside an empty cell; other codes can be typed: usual, -999")
        codes.setEditable(True)
        codes.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        typed = named(QLineEdit(), codes.accessibleName())
        typed.editingFinished.connect(lambda: _choose(codes, typed.text()))
        codes.setLineEdit(typed)

    @property
    def wanted(self) -> Format:
        """What was chosen; None where the file is to tell."""
        return Format(**{field: box.currentData() for field, box in self.boxes.items()})

    def want(self, wanted: Format) -> None:
        """Choose without telling."""
        for field, box in self.boxes.items():
            with QSignalBlocker(box):
                _choose(box, getattr(wanted, field))

    def show_found(self, found: Format) -> None:
        """Name at the first entries what was found; where something is overruled it is not known."""
        for field, box in self.boxes.items():
            if box.itemData(0) is None:
                words = box.itemText(box.findData(getattr(found, field)))
                box.setItemText(0, "As found" if box.currentIndex() else f"{words} (found)")

    def _chooser(self, field: str) -> QComboBox:
        box = chooser(LABELS[field].replace("&", ""))
        if getattr(AS_FOUND, field) is None:
            box.addItem("As found", None)
        for value, name in _named(field).items():
            box.addItem(name, value)
        box.currentIndexChanged.connect(self.changed)
        return box


def _choose(box: QComboBox, value: Any) -> None:
    """Choose an entry by its value or its words; what was typed becomes one."""
    index = max(box.findData(value), box.findText(value) if isinstance(value, str) else -1)
    if index < 0:
        box.addItem(value, value)
        index = box.count() - 1
    box.setCurrentIndex(index)
