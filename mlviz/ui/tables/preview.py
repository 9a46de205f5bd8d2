"""The first lines of a table as they are in the file, and what becomes of each."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QFont, QIcon, QPalette
from PySide6.QtWidgets import QTableWidget, QTableWidgetItem, QWidget

from mlviz.data.tables.cells import is_missing
from mlviz.data.tables.records import TableLine
from mlviz.data.tables.table import Table
from mlviz.ui.widgets.parts import named

MOST_COLUMNS = 40
"""More columns than these are named in the list beside; here they would only be slow."""
_WIDEST = 180
_Flag = Qt.ItemFlag
_REASONS = {
    "above": "Above the table: left out.",
    "units": "Names the units of the columns: left out.",
    "footer": "Has text below numbers at the end of the table: left out.",
    "ragged": "Has more or less cells than the other rows: left out.",
}


@dataclass(frozen=True)
class ImportPreview:
    """What becomes of a table: the columns that are kept, the class column, and the lines skipped with the reason."""

    kept: Set[str]
    classes: str | None
    skipped: Mapping[int, str]
    icons: Mapping[str, QIcon]
    """The symbols of the classes by name."""


class TablePreview(QTableWidget):
    """Rows that become samples in full colour, the rest dimmed, with the reason as a tooltip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        self.setHorizontalHeaderLabels(list(names))
        self.setVerticalHeaderLabels([str(line.number) for line in lines])
        for i, line in enumerate(lines):
            self._fill(i, line, table)
        for j in range(len(names)):
            self._fit(j)

    def show_fate(self, table: Table, fate: ImportPreview) -> None:
        """Dim what is left out, and mark the classes."""
        for i, line in enumerate(_below_header(table)):
            reason = fate.skipped.get(line.number) or _REASONS.get(line.role, "")
            for j, name in enumerate(table.columns[: self.columnCount()]):
                item = self.item(i, j)
                if item is not None:
                    used = not reason and (name in fate.kept or name == fate.classes)
                    self._paint(item, used, bool(reason), bool(reason) and _is_gap(item, line, name, fate))
                    item.setToolTip(reason)
                    icon = fate.icons.get(" ".join(item.text().split())) if name == fate.classes and used else None
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
        numeric = [field.numeric for field in table.fields]
        for j, cell in enumerate(line.cells[:width]):
            item = QTableWidgetItem(" ".join(cell.split()))
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
    named = fate.skipped.get(line.number, "").endswith(f" in {name}")
    if named and is_missing(item.text()):
        item.setText(item.text() or "–")
    return named
