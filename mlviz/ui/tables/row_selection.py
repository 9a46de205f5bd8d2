"""The selection of the table of the points, which is that of the canvas, both ways."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QItemSelection, QItemSelectionModel, QItemSelectionRange
from PySide6.QtWidgets import QTableView

from mlviz.numerics.arrays import Rows
from mlviz.ui.desk import Desk

_Flag = QItemSelectionModel.SelectionFlag
_MOST_RUNS = 1000
"""A selection in more pieces is told to Qt only near the rows that are seen: it takes long over each piece."""
_NEAR = 500
"""How many rows above and below those that are seen."""
_NONE: Rows = np.empty(0, dtype=np.intp)


class RowSelection(QItemSelectionModel):
    """Selects on the canvas what is selected in the view, and there what is selected on the canvas."""

    def __init__(self, view: QTableView, desk: Desk) -> None:
        super().__init__(view.model(), view)
        self._view, self._desk = view, desk
        self._hidden = _NONE
        """The selected rows that Qt was not told of."""
        self._adds = self._following = False
        view.setSelectionModel(self)
        view.verticalScrollBar().valueChanged.connect(self._follow_scroll)
        self.selectionChanged.connect(self._follow_view)
        desk.hand.listen(self.follow_hand)

    @property
    def ranges(self) -> Sequence[QItemSelectionRange]:
        """The selected cells that Qt was told of."""
        return self.selection().toList()

    @property
    def rows(self) -> Rows:
        """The rows with a selected cell, ascending."""
        spans = [np.arange(r.top(), r.bottom() + 1) for r in self.ranges]
        return np.unique(np.concatenate((self._hidden, *spans)))

    def select(self, what: Any, command: _Flag) -> None:
        """Select cells instead of those there are, or besides."""
        self._adds = not command & _Flag.Clear
        super().select(what, command)

    def reset(self) -> None:
        """Forget everything: the rows are others."""
        self._hidden = _NONE
        super().reset()

    def follow_hand(self) -> None:
        """Select what is selected on the canvas."""
        rows = self._desk.hand.selection(self._desk.store.scene.dataset)
        if not self._view.isVisible() or np.array_equal(rows, self.rows):
            return
        if len(rows):
            self._view.scrollTo(self.model().index(int(rows[0]), 0))
        self._show(rows)

    def _follow_view(self) -> None:
        if self._following or not self._view.isVisible():
            return
        if not self._adds:
            self._hidden = _NONE
        hand, rows, data = self._desk.hand, self.rows, self._desk.store.scene.dataset
        if not np.array_equal(rows, hand.selection(data)):
            hand.select(rows, data)

    def _follow_scroll(self) -> None:
        if len(self._hidden):
            self._show(self.rows)

    def _show(self, rows: Rows) -> None:
        """Tell Qt of selected rows: of all, or of those near the rows that are seen."""
        near = np.ones(len(rows), dtype=bool)
        if np.count_nonzero(np.diff(rows) != 1) >= _MOST_RUNS:
            top = self._view.rowAt(0)
            seen = self._view.viewport().height() // max(1, self._view.rowHeight(top))
            near = abs(rows - (top + seen / 2)) <= seen / 2 + _NEAR
        self._hidden, shown = rows[~near], rows[near]
        model, chosen = self.model(), QItemSelection()
        for run in np.split(shown, np.flatnonzero(np.diff(shown) != 1) + 1) if len(shown) else ():
            chosen.select(model.index(int(run[0]), 0), model.index(int(run[-1]), model.columnCount() - 1))
        self._following = True
        self.select(chosen, _Flag.ClearAndSelect)
        self._following = False
