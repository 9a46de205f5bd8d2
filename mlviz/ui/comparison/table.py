"""The table of a comparison on the screen: it follows the hand, its rows are the canvases, its heads order them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from mlviz.picture.comparison import FIT_TIME, HERE, Column, Comparison, Row
from mlviz.ui.widgets.parts import as_tooltip, named

_NAME_WIDTH = 250
"""Width of the column of names, pixels; longer names end in dots, and are whole in the tooltip."""
_LEAST_WIDTH, _MOST_WIDTH, _AIR = 64, 190, 18
_WIDEST = {FIT_TIME: "0000.0 ms", HERE: "versicolor"}
"""Words for which there is room in a column, whatever stands there."""
_TIP = (
    "A click on a row goes to its canvas, a click on a head orders the rows by that column, once more the other way "
    "round. By keys: arrows, then Return orders by the column of the marked cell."
)


class ComparisonTable(QTableWidget):
    """One row a canvas. Rows keep their places while the hand holds something, whatever numbers come."""

    chosen = Signal(int)
    """The row of that canvas was clicked, or reached with the keys."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "Comparison of the canvases", _TIP)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setWordWrap(False)
        self.setFrameShape(QTableWidget.Shape.NoFrame)
        self.verticalHeader().hide()
        head = self.horizontalHeader()
        head.setSectionsClickable(True)
        head.setHighlightSections(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        head.sectionClicked.connect(self.order_by)
        self.rows: list[Row] = []
        """In the order in which they stand."""
        self._comparison: Comparison | None = None
        self._by: str | None = None
        """The name of the column by which the rows are ordered; None for the canvases themselves."""
        self._falling = False
        self.itemSelectionChanged.connect(self._tell_chosen)

    def show_comparison(self, comparison: Comparison, current: int, held: bool = False) -> None:
        """Show the table; while something is `held`, rows keep their order and columns their width."""
        before, self._comparison = self._comparison, comparison
        same = before is not None and [c.name for c in before.columns] == [c.name for c in comparison.columns]
        if held and len(self.rows) == len(comparison.rows):
            self.rows = [comparison.rows[row.panel] for row in self.rows]
        else:
            self.rows = comparison.ordered(self._place, self._falling)
        with QSignalBlocker(self):
            if not same:
                self._show_heads(comparison.columns)
            if self.rowCount() != len(self.rows):
                self.setRowCount(len(self.rows))
            numbers = [_has_numbers(comparison.rows, k) for k in range(len(comparison.columns))]
            for place, row in enumerate(self.rows):
                self._put(place, 0, f"{row.panel + 1}  {row.name}", row.name)
                for k, fact in enumerate(row.cells):
                    self._put(place, k + 1, "–" if fact is None else str(fact), right=numbers[k])
        self.show_current(current)

    def show_current(self, current: int) -> None:
        """Mark the row of the current canvas."""
        place = next((k for k, row in enumerate(self.rows) if row.panel == current), -1)
        if place >= 0 and self._marked != place:
            with QSignalBlocker(self):
                how = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
                self.setCurrentCell(place, max(0, self.currentColumn()), how)
            self.viewport().update()

    def order_by(self, section: int) -> None:
        """Order by a column, the other way round where they are so already; the first one is that of the canvases."""
        if self._comparison is None:
            return
        name = None if section == 0 else self._comparison.columns[section - 1].name
        self._falling = not self._falling if name == self._by and name is not None else False
        self._by = name
        head = self.horizontalHeader()
        head.setSortIndicatorShown(name is not None)
        order = Qt.SortOrder.DescendingOrder if self._falling else Qt.SortOrder.AscendingOrder
        head.setSortIndicator(section, order)
        marked = self.rows[self._marked].panel if 0 <= self._marked < len(self.rows) else 0
        self.show_comparison(self._comparison, marked)

    def text(self, separator: str) -> str:
        """The table as it stands here, as separated values."""
        return "" if self._comparison is None else self._comparison.text(self.rows, separator)

    def wanted_height(self, rows: int) -> int:
        """The height of a table with so many rows, with room for a scroll bar, whether there is one or not."""
        bar = self.horizontalScrollBar().sizeHint().height()
        return self.horizontalHeader().height() + rows * self.verticalHeader().defaultSectionSize() + bar

    def enlarge(self) -> None:
        """Give rows and columns the height and width of the present font."""
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 4)
        self.horizontalHeader().setFixedHeight(self.fontMetrics().height() + 6)
        if self._comparison is not None:
            self._show_heads(self._comparison.columns)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return orders by the column of the marked cell; what a table has no use for is left to the window."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.order_by(max(0, self.currentColumn()))
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right):
            super().keyPressEvent(event)
        else:
            event.ignore()

    @property
    def _place(self) -> int | None:
        """The place of the column by which the rows are ordered; None where there is none of that name now."""
        names = [column.name for column in self._comparison.columns] if self._comparison else []
        return names.index(self._by) if self._by in names else None

    @property
    def _marked(self) -> int:
        """The row that is marked; -1 for none."""
        rows = self.selectionModel().selectedRows()
        return rows[0].row() if rows else -1

    def _show_heads(self, columns: Sequence[Column]) -> None:
        self.setColumnCount(len(columns) + 1)
        helps = ["The canvases, in their order.", *(column.help for column in columns)]
        metrics = self.horizontalHeader().fontMetrics()
        for k, name in enumerate(["canvas", *(column.name for column in columns)]):
            item = QTableWidgetItem(name)
            item.setFont(self.font())  # a head does not inherit it below a style sheet
            item.setToolTip(as_tooltip(helps[k]))
            if k:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.setHorizontalHeaderItem(k, item)
            widest = max(metrics.horizontalAdvance(words) for words in (name, _WIDEST.get(name, "")))
            wide = min(max(_LEAST_WIDTH, widest + 2 * _AIR), round(_MOST_WIDTH * metrics.height() / 14))
            self.setColumnWidth(k, wide if k else round(_NAME_WIDTH * metrics.height() / 14))
        head = self.horizontalHeader()
        place = self._place
        head.setSortIndicatorShown(place is not None)
        if place is not None:
            head.setSortIndicator(
                place + 1, Qt.SortOrder.DescendingOrder if self._falling else Qt.SortOrder.AscendingOrder
            )

    def _put(self, row: int, column: int, words: str, tip: str = "", right: bool = False) -> None:
        """Write into a cell, if something else stands there: most numbers stay in most frames."""
        item = self.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            self.setItem(row, column, item)
        if item.text() != words:
            item.setText(words)
            item.setToolTip(as_tooltip(tip or words))
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        if item.textAlignment() != side | Qt.AlignmentFlag.AlignVCenter:
            item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)

    def _tell_chosen(self) -> None:
        if 0 <= self._marked < len(self.rows):
            self.chosen.emit(self.rows[self._marked].panel)


def _has_numbers(rows: Sequence[Row], column: int) -> bool:
    """Whether a number stands in that column, so that all of it is written to the right."""
    facts = [row.cells[column] for row in rows]
    return any(fact is not None and not isinstance(fact.value, str) for fact in facts)
