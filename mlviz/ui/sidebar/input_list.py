"""Which columns the method reads: a list in which they are ticked."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from mlviz.scene.edits import offered_inputs
from mlviz.scene.scene import Panel, Scene, roles
from mlviz.spec.outside import shortened
from mlviz.ui.controls.collapsible_form import Fold
from mlviz.ui.widgets.parts import lay_out, named, tool_button

_TIP = "Which columns the method reads. Where they are not just those of the axes, the caption says what is drawn."
_TARGET = "The method predicts this column, so it can't read it."
_LAST = "The method needs at least one input."
_FREE = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEnabled
_MOST_ROWS = 6
"""So many columns are seen at once."""
_ROOM = 1
"""Pixels around each row."""


class InputList(Fold):
    """A row for each column, under a head that tells how many are read where it is not the usual ones."""

    ticked = Signal(str, bool)
    chosen = Signal(object)
    """All columns at once, as a tuple, or None for the usual ones."""

    def __init__(self) -> None:
        inner = QWidget()
        super().__init__("Inputs", _TIP, inner)
        self.columns = named(QListWidget(), "Inputs", _TIP, _TIP)
        self.columns.setSpacing(_ROOM)
        self.columns.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.columns.itemChanged.connect(self._tick)
        self.all = tool_button("All", "All columns", "Read all columns.", lambda: self.chosen.emit(self._offered))
        on_axes = "Read the columns on the axes, whichever these are."
        self.on_axes = tool_button("On the axes", "Inputs on the axes", on_axes, lambda: self.chosen.emit(None))
        beside = lay_out(QHBoxLayout(), self.all, self.on_axes, None, spacing=4)
        lay_out(QVBoxLayout(inner), self.columns, beside, margins=(14, 0, 0, 0), spacing=2)
        self._offered: tuple[str, ...] = ()
        self._shown: tuple[object, ...] = ()
        self._rows: list[str] = []

    def show_inputs(self, scene: Scene, panel: Panel) -> None:
        """Show which columns the panel reads; hidden where there is nothing to choose."""
        self._offered, role = offered_inputs(scene, panel), roles(scene, panel)
        projects = panel.pipeline.preprocessor.projects
        usual = "all of them" if projects else "those on the axes"
        columns = scene.dataset.columns
        shown = columns, self._offered, role.inputs, panel.inputs, usual
        if shown == self._shown:
            return
        self._shown = shown
        self.setVisible(len(columns) > 2 or panel.inputs is not None)
        self.on_axes.setHidden(projects)  # it reads all columns, of which only a projection is on the axes
        rows = list(dict.fromkeys((*columns, *role.inputs)))
        with QSignalBlocker(self.columns):
            if rows != self._rows:
                self._rows = rows
                self.columns.clear()
                self.columns.addItems([shortened(name) for name in rows])
                height = (self.columns.sizeHintForRow(0) + 2 * _ROOM) * min(len(rows), _MOST_ROWS)
                self.columns.setFixedHeight(height + 2 * (self.columns.frameWidth() + _ROOM))
            for k, name in enumerate(rows):
                item = self.columns.item(k)
                reason = _TARGET if name == role.target else _LAST if role.inputs == (name,) else ""
                item.setFlags(_FREE if not reason else _FREE & ~Qt.ItemFlag.ItemIsEnabled)
                item.setToolTip(reason)
                item.setCheckState(Qt.CheckState.Checked if name in role.inputs else Qt.CheckState.Unchecked)
        self.show_words("" if panel.inputs is None else f"{len(role.inputs)} of {len(self._offered)} columns", usual)

    def _tick(self, item: QListWidgetItem) -> None:
        self.ticked.emit(self._rows[self.columns.row(item)], item.checkState() is Qt.CheckState.Checked)
