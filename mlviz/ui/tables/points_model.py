"""The samples as a table for Qt: what each cell shows, and what becomes of what is typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from mlviz.data.dataset import Dataset
from mlviz.data.tables import editing
from mlviz.data.tables.editing import BadCell
from mlviz.scene.change import Change
from mlviz.scene.history import Store
from mlviz.ui.paint.samples import class_icon

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

    def __init__(self, store: Store, theme: Callable[[], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._theme = theme
        store.listen(self._follow)

    @property
    def dataset(self) -> Dataset:
        """The samples shown."""
        return self._store.scene.dataset

    def change(self, dataset: Dataset, what: str) -> None:
        """Make an edit of its own step of undo of it."""
        if dataset is not self.dataset:
            self._store.push(self._store.scene.replace(dataset=dataset), what)

    def _follow(self, change: Change) -> None:
        if not change.samples:
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
            return f"{data.X[row, column]:.6g}" if shorten else text
        if role == _Role.TextAlignmentRole and column < d:
            return _RIGHT
        if role == _Role.DecorationRole and column == d:
            return class_icon(int(data.labels[row]), self._theme())
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
