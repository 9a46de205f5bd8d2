"""The samples as a table for Qt: what each cell shows, and what becomes of what is typed."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QIcon

from mlviz.data import cell_edits
from mlviz.data.cell_edits import BadCell
from mlviz.data.dataset import Dataset
from mlviz.state.scene import Scene
from mlviz.state.store import Store
from mlviz.ui.class_bar import class_icon

Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole
_Flag = Qt.ItemFlag
_ROOT = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LONG = 12
"""A number of more signs is shown with six digits; editing shows all of them."""


class PointsModel(QAbstractTableModel):
    """Follows the store; `refused` carries the sentence about an entry that can't be taken."""

    refused = Signal(str)

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._store = store
        self._theme = "light"
        self._icons: dict[int, QIcon] = {}
        store.listen(self._follow)

    @property
    def dataset(self) -> Dataset:
        """The samples shown."""
        return self._store.scene.dataset

    def show_theme(self, theme: str) -> None:
        """Take the symbols of a theme."""
        if theme != self._theme:
            self._theme, self._icons = theme, {}

    def change(self, dataset: Dataset, what: str) -> None:
        """Make an edit of its own step of undo of it."""
        if dataset is not self.dataset:
            self._store.push(self._store.scene.replace(dataset=dataset), what)

    def _follow(self, old: Scene, new: Scene) -> None:
        before, now = old.dataset, new.dataset
        if before is now:
            return
        if len(before) != len(now) or cell_edits.headers(before) != cell_edits.headers(now):
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
        if role != _Role.DisplayRole:
            return None
        return cell_edits.headers(self.dataset)[section] if orientation == Qt.Orientation.Horizontal else section + 1

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
            if role == _Role.AccessibleTextRole:
                return "yes" if ticked else "no"
            return (
                (Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked) if role == _Role.CheckStateRole else None
            )
        if role in (_Role.DisplayRole, _Role.EditRole):
            return self.text(row, column, short=role == _Role.DisplayRole)
        if role == _Role.TextAlignmentRole and column < d:
            return _RIGHT
        if role == _Role.DecorationRole and column == d:
            code = int(data.labels[row])
            if code not in self._icons:
                self._icons[code] = class_icon(code, self._theme)
            return self._icons[code]
        return None

    def text(self, row: int, column: int, short: bool = False) -> str:
        """A cell as text; all digits of a number unless `short`."""
        data = self.dataset
        d = len(data.columns)
        if column < d:
            whole = repr(float(data.X[row, column])).removesuffix(".0")
            return f"{data.X[row, column]:.6g}" if short and len(whole) > _LONG else whole
        if column == d:
            return data.class_name(int(data.labels[row]))
        return "yes" if (data.held_out[row] if column == d + 1 else not data.active[row]) else "no"

    def setData(self, index: Index, value: Any, role: int = _Role.EditRole) -> bool:
        """Take what was typed or ticked; what makes no sense is refused, and the old value stays."""
        if role == _Role.CheckStateRole:
            value = "yes" if Qt.CheckState(value) == Qt.CheckState.Checked else "no"
        elif role != _Role.EditRole:
            return False
        try:
            changed = cell_edits.typed(self.dataset, index.row(), index.column(), str(value))
        except BadCell as problem:
            self.refused.emit(str(problem))
            return False
        self.refused.emit("")
        self.change(changed, "edit point")
        return True
