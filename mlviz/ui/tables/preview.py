"""What a table holds: columns, with a tick at those that are kept, and first lines with what becomes of each."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QBrush, QFont, QIcon, QPalette
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QTableWidget, QTableWidgetItem

from mlviz.data.tables.columns import Column
from mlviz.data.tables.formulas import name_in
from mlviz.data.tables.records import TableLine
from mlviz.data.tables.table import Table
from mlviz.spec.outside import shortened
from mlviz.ui.widgets.parts import as_tooltip, named

MOST_COLUMNS = 40
"""More columns than these are named in the list beside; here they would only be slow."""
_WIDEST = 180
_Flag = Qt.ItemFlag
_CHECKED, _UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
_NAME = Qt.ItemDataRole.UserRole


class ColumnList(QListWidget):
    """Columns of numbers can be ticked; the ones on the axes always are."""

    ticked = Signal()

    def __init__(self) -> None:
        super().__init__()
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
                item = QListWidgetItem(f"{shortened(field.name)}   {_content(field)}", self)
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


@dataclass(frozen=True)
class ImportPreview:
    """What becomes of a table: the columns that are kept, the class column, and the lines left out with the reason."""

    kept: Set[str]
    classes: str | None
    left_out: Mapping[int, str]
    icons: Mapping[str, QIcon]
    """The symbols of the classes by name."""


class TablePreview(QTableWidget):
    """Rows that become samples in full colour, the rest dimmed, with the reason as a tooltip."""

    def __init__(self) -> None:
        super().__init__()
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        named(self, "First rows of the table")
        self.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
        self.horizontalHeader().setHighlightSections(False)
        self.verticalHeader().setHighlightSections(False)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        self.verticalHeader().setToolTip("Lines of the file")

    def show_table(self, table: Table) -> None:
        """Fill in the first lines of a table."""
        lines = _below_header(table)
        names = table.columns[:MOST_COLUMNS]
        self.clear()
        self.clearSpans()
        self.setRowCount(len(lines))
        self.setColumnCount(len(names))
        self.setHorizontalHeaderLabels(list(map(shortened, names)))
        self.setVerticalHeaderLabels([str(line.number) for line in lines])
        for i, line in enumerate(lines):
            self._fill(i, line, table)
        for j in range(len(names)):
            self._fit(j)

    def show_fate(self, table: Table, fate: ImportPreview) -> None:
        """Dim what is left out, and mark the classes."""
        for i, line in enumerate(_below_header(table)):
            reason = fate.left_out.get(line.number, "")
            for j, name in enumerate(table.columns[: self.columnCount()]):
                item = self.item(i, j)
                if item is not None:
                    used = not reason and (name in fate.kept or name == fate.classes)
                    self._paint(item, used, bool(reason), bool(reason) and _is_gap(item, line, name, fate))
                    item.setToolTip(as_tooltip(reason))
                    icon = fate.icons.get(name_in(line.cells[j])) if name == fate.classes and used else None
                    item.setIcon(icon or QIcon())
        if fate.classes in table.columns[: self.columnCount()]:
            self._fit(table.columns.index(fate.classes))

    def _fit(self, column: int) -> None:
        """Make a column as wide as its cells, but for very long ones."""
        self.resizeColumnToContents(column)
        self.setColumnWidth(column, min(self.columnWidth(column) + 8, _WIDEST))

    def _fill(self, i: int, line: TableLine, table: Table) -> None:
        width = self.columnCount()
        if line.role == "above" and len(line.cells) < 2 < width:
            self.setSpan(i, 0, 1, width)
        numeric = [field.numeric for field in table.fields[:width]]
        for j, cell in enumerate(line.cells[:width]):
            item = QTableWidgetItem(shortened(" ".join(cell.split())))
            item.setFlags(_Flag.ItemIsEnabled | _Flag.ItemIsSelectable)
            if numeric[j] and line.role != "above":
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.setItem(i, j, item)

    def _paint(self, item: QTableWidgetItem, used: bool, skipped: bool, gap: bool) -> None:
        role = QPalette.ColorRole.Text if used else QPalette.ColorRole.PlaceholderText
        item.setForeground(QBrush(self.palette().color(QPalette.ColorRole.BrightText if gap else role)))
        font = QFont(self.font())
        font.setStrikeOut(skipped and not gap)
        font.setBold(gap)
        item.setFont(font)


def _below_header(table: Table) -> list[TableLine]:
    return [line for line in table.opening if line.role != "header"]


def _is_gap(item: QTableWidgetItem, line: TableLine, name: str, fate: ImportPreview) -> bool:
    """Whether this is the cell that costs the row."""
    named = fate.left_out.get(line.number, "").endswith(f" in {name}")
    if named and not item.text():
        item.setText("–")
    return named
