"""The columns of a table with a tick at those that are kept."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from mlviz.data.tables.table import Column, Table

_CHECKED, _UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
_NAME = Qt.ItemDataRole.UserRole


class ColumnList(QListWidget):
    """Columns of numbers can be ticked; the ones on the axes always are."""

    ticked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Columns to keep")
        self.setUniformItemSizes(True)
        self.itemChanged.connect(lambda _: self.ticked.emit())

    @property
    def kept(self) -> tuple[str, ...]:
        """The names of the columns with a tick, in the order of the table."""
        items = (self.item(row) for row in range(self.count()))
        return tuple(item.data(_NAME) for item in items if item.checkState() == _CHECKED)

    def show_table(self, table: Table, kept: tuple[str, ...]) -> None:
        """List the columns of a table, those that are kept with a tick."""
        with QSignalBlocker(self):
            self.clear()
            for field in table.fields:
                item = QListWidgetItem(f"{field.name}   {_content(field)}", self)
                item.setData(_NAME, field.name)
                item.setCheckState(_CHECKED if field.name in kept else _UNCHECKED)
                if not field.numeric:
                    item.setFlags(Qt.ItemFlag.NoItemFlags)
                    item.setToolTip("Text; it can be the class column.")
            self.setCurrentRow(0)

    def show_axes(self, axes: tuple[str, str]) -> None:
        """Keep the columns on the axes ticked."""
        with QSignalBlocker(self):
            for row in range(self.count()):
                item = self.item(row)
                if item.flags() == Qt.ItemFlag.NoItemFlags:
                    continue
                on_axis = item.data(_NAME) in axes
                usual = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
                item.setFlags(usual if on_axis else usual | Qt.ItemFlag.ItemIsUserCheckable)
                item.setToolTip("On an axis." if on_axis else "Space or a click keeps it or leaves it out.")
                if on_axis:
                    item.setCheckState(_CHECKED)


def _content(field: Column) -> str:
    """What is in a column, in a few words."""
    if not field.numeric:
        n = len(field.words)
        return f"text, {n} word{'' if n == 1 else 's'}" if field.codes is not None else "text"
    gaps = int(np.isnan(field.values).sum())
    return f"numbers, {gaps:,} gap{'s' if gaps > 1 else ''}" if gaps else "numbers"
