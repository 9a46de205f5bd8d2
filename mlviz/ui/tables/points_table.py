"""The table of the points: a window of its own beside the canvas, where they are read, edited and pasted as numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QTableView, QVBoxLayout

from mlviz.data.dataset import Dataset
from mlviz.data.tables import editing
from mlviz.data.tables.editing import BadCell
from mlviz.scene import edits
from mlviz.scene.change import Change
from mlviz.scene.values import present_value_column, scale_of
from mlviz.ui.desk import Desk
from mlviz.ui.paint.samples import class_icon, shaded_icon
from mlviz.ui.tables.row_selection import RowSelection
from mlviz.ui.widgets.parts import lay_out, named, note

_SIZE = (560, 520)
_Standard = QKeySequence.StandardKey
_Select = QItemSelectionModel.SelectionFlag
Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole
_Flag = Qt.ItemFlag
_ROOT = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_MARKS: dict[int, tuple[Any, Any]] = {
    _Role.AccessibleTextRole: ("no", "yes"),
    _Role.CheckStateRole: (Qt.CheckState.Unchecked, Qt.CheckState.Checked),
}
"""What a mark that is not set, or set, shows in each role."""
_LONG = 12
"""A number of more signs is shown with six digits; editing shows all of them."""


class PointsModel(QAbstractTableModel):
    """Follows the store; `refused` carries the sentence about an entry that can't be taken."""

    refused = Signal(str)

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        desk.store.listen(self._follow)

    @property
    def dataset(self) -> Dataset:
        """The samples shown."""
        return self._desk.store.scene.dataset

    @property
    def _valued(self) -> str | None:
        """The column whose values samples tell by their colour."""
        return present_value_column(self._desk.store.scene)

    def change(self, dataset: Dataset, what: str) -> None:
        """Make an edit of its own step of undo of it."""
        if dataset is not self.dataset:
            store = self._desk.store
            store.push(edits.with_samples(store.scene, dataset), what)

    def _follow(self, change: Change) -> None:
        if not (change.samples or change.colours or change.panels):
            return
        before, now = change.old.dataset, change.new.dataset
        if len(before) != len(now) or editing.column_headers(before) != editing.column_headers(now):
            # The store has swapped already, so there is nothing to be done between the two.
            self.beginResetModel()
            self.endResetModel()
        elif len(now):
            self.dataChanged.emit(self.index(0, 0), self.index(len(now) - 1, self.columnCount() - 1))

    def rowCount(self, parent: Index = _ROOT) -> int:
        """One row a sample."""
        return 0 if parent.isValid() else len(self.dataset)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """The columns, the class and two marks."""
        return 0 if parent.isValid() else len(self.dataset.columns) + 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> Any:
        """Names above, numbers of the samples beside."""
        if role == _Role.DisplayRole:
            across = orientation == Qt.Orientation.Horizontal
            return editing.column_headers(self.dataset)[section] if across else section + 1
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Everything can be changed; the marks are ticks."""
        usual = _Flag.ItemIsEnabled | _Flag.ItemIsSelectable
        marks = index.column() > len(self.dataset.columns)
        return usual | (_Flag.ItemIsUserCheckable if marks else _Flag.ItemIsEditable)

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        """What a cell shows."""
        data, row, column = self.dataset, index.row(), index.column()
        d = len(data.columns)
        if row >= len(data):
            return None
        if column > d:
            ticked = data.held_out[row] if column == d + 1 else not data.active[row]
            return _MARKS.get(role, (None, None))[int(ticked)]
        if role in (_Role.DisplayRole, _Role.EditRole):
            text = editing.text(data, row, column)
            shorten = role == _Role.DisplayRole and column < d and len(text) > _LONG
            beside_icon = shorten and data.columns[column] == self._valued
            return f"{data.X[row, column]:{'.4g' if beside_icon else '.6g'}}" if shorten else text
        if role == _Role.TextAlignmentRole and column < d:
            return _RIGHT
        if role == _Role.DecorationRole and column < d and data.columns[column] == self._valued:
            scale = scale_of(data, data.columns[column])
            return shaded_icon(int(scale.shades(data.X[row, column])), self._desk.style().theme)
        if role == _Role.DecorationRole and column == d:
            style = self._desk.style()
            return class_icon(style.number(int(data.labels[row])), style.theme)
        return None

    def setData(self, index: Index, value: Any, role: int = _Role.EditRole) -> bool:
        """Take what was typed or ticked; what makes no sense is refused, and the old value stays."""
        if role == _Role.CheckStateRole:
            value = "yes" if Qt.CheckState(value) == Qt.CheckState.Checked else "no"
        elif role != _Role.EditRole:
            return False
        try:
            changed = editing.with_cell(self.dataset, index.row(), index.column(), str(value))
        except BadCell as problem:
            self.refused.emit(str(problem))
            return False
        self.refused.emit("")
        self.change(changed, "edit point")
        return True


class PointsTable(QDialog):
    """All points with class and marks. Its selection is that of the canvas, both ways."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.parent)
        self.setWindowTitle("Points")
        self._desk = desk
        self.model = PointsModel(desk, self)
        self.view = named(QTableView(), "Points")
        self.view.setTabKeyNavigation(False)
        self.view.setAlternatingRowColors(True)
        self.view.setModel(self.model)
        self.selection = RowSelection(self.view, desk)
        across = self.view.horizontalHeader()
        across.setDefaultSectionSize(92)
        across.setStretchLastSection(True)
        across.setHighlightSections(False)
        # With that of the table it would ask whether a column is selected as a whole, cell by cell, to paint itself.
        across.setSelectionModel(QItemSelectionModel(self.model, self))
        self.view.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        self.problem = named(note("problem"), "What was refused")
        self._lay_out()
        self._connect()
        self.resize(*_SIZE)

    def open_beside(self) -> None:
        """Show the table, the selected points in sight."""
        self.problem.clear()
        self.show()
        self.raise_()
        self.activateWindow()
        self.view.setFocus()
        self.selection.follow_hand()
        if not self.view.currentIndex().isValid() and self.model.rowCount():
            self.selection.setCurrentIndex(self.model.index(0, 0), _Select.NoUpdate)

    def paste(self) -> None:
        """Put the block on the clipboard at the current cell; below the last point it makes new ones."""
        text = QGuiApplication.clipboard().text()
        at, data = self.view.currentIndex(), self.model.dataset
        if not text.strip():
            self.problem.setText("There is no table on the clipboard.")
            return
        row, column = (at.row(), at.column()) if at.isValid() else (len(data), 0)
        try:
            changed, n = editing.with_pasted_cells(data, row, column, text, self._desk.hand.code)
        except BadCell as problem:
            self.problem.setText(str(problem))
        else:
            self.problem.clear()
            self._change(changed, f"paste {n:,} row{'' if n == 1 else 's'}", row, column)

    def copy(self) -> None:
        """Put the selected cells, and those between them, on the clipboard."""
        if ranges := self.selection.ranges:
            rows = self.selection.rows
            columns = range(min(r.left() for r in ranges), max(r.right() for r in ranges) + 1)
            text = editing.copy_cells(self.model.dataset, slice(int(rows[0]), int(rows[-1]) + 1), columns)
            QGuiApplication.clipboard().setText(text)

    def add_row(self) -> None:
        """Add a point at the mean of the others, ready to be typed over."""
        data = self.model.dataset
        self._change(editing.with_more_rows(data, 1, self._desk.hand.code), "add point", len(data), 0)

    def delete_rows(self) -> None:
        """Remove the points with a selected cell."""
        rows = self.selection.rows
        if len(rows):
            left = self.model.dataset.erase(rows)
            row, column = min(int(rows[0]), len(left) - 1), self.view.currentIndex().column()
            self._change(left, "delete points", row, column)

    def _change(self, dataset: Dataset, what: str, row: int, column: int) -> None:
        """Make an edit, and put the cursor there."""
        self.model.change(dataset, what)
        if row >= 0:
            at = self.model.index(row, max(column, 0))
            self.selection.setCurrentIndex(at, _Select.ClearAndSelect)
            self.view.scrollTo(at)

    def _connect(self) -> None:
        self.model.refused.connect(self.problem.setText)
        store = self._desk.store
        for key, run in (
            (QKeySequence(_Standard.Paste), self.paste),
            (QKeySequence(_Standard.Copy), self.copy),
            (QKeySequence(_Standard.Undo), store.undo),
            (QKeySequence("Ctrl+Shift+Z"), store.redo),
            (QKeySequence("Ctrl+Y"), store.redo),
            (QKeySequence("Ctrl+Return"), self.add_row),
        ):
            QShortcut(key, self, run)
        # Not where a cell is being edited: there it removes a letter.
        QShortcut(
            QKeySequence(_Standard.Delete), self.view, self.delete_rows, context=Qt.ShortcutContext.WidgetShortcut
        )

    def _lay_out(self) -> None:
        buttons = lay_out(
            QHBoxLayout(),
            _button("&Add a point", "A point at the mean of the others, to be typed over (Ctrl+Enter).", self.add_row),
            _button("&Delete", "Remove the points with a selected cell (Delete).", self.delete_rows),
            _button("&Paste", "Put a block from a spreadsheet at the current cell (Ctrl+V).", self.paste),
            None,
            _button("&Close", "", self.close),
        )
        lay_out(QVBoxLayout(self), (self.view, 1), self.problem, buttons, margins=None)


def _button(text: str, tip: str, run: Callable[[], object]) -> QPushButton:
    """A button that Return in the table does not press."""
    button = QPushButton(text, autoDefault=False)
    button.setToolTip(tip)
    button.clicked.connect(run)
    return button
