"""The strip under several canvases: a head that opens the table of the comparison, and what is done with that."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QMimeData, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from mlviz.draw.numbers import counted
from mlviz.files.atomic import write_atomically
from mlviz.picture import PanelPicture
from mlviz.picture.comparison import compared
from mlviz.scene.change import Change
from mlviz.ui.canvas.panel_grid import PanelGrid
from mlviz.ui.comparison.table import ComparisonTable
from mlviz.ui.desk import Desk
from mlviz.ui.documents.documents import Documents
from mlviz.ui.documents.saving import ask_name, write_and_say
from mlviz.ui.widgets.parts import enlarged_font, lay_out, named, tool_button

_FOLLOW_MS = 100
"""The table is written anew at most this often: pictures come first."""
_KEPT, _OPEN = "comparison", "open"
"""The name under which it is kept whether the table is open, and the word for that it is."""
_TIP = "Open or close the table of the canvases: errors, times and facts, one row per canvas."


class ComparisonStrip(QWidget):
    """Closed until somebody has opened it; from then on as it was left. A single canvas has none."""

    def __init__(self, desk: Desk, documents: Documents, panels: PanelGrid) -> None:
        super().__init__()
        self._desk, self._documents, self._panels = desk, documents, panels
        self._pictures: dict[int, PanelPicture] = {}
        """The newest one of each canvas that told its facts."""
        self._factor, self._presenting = 1.0, False
        self.opened = desk.preferences.kept(_KEPT) == _OPEN
        """Whether the table is wanted where there is something to compare."""
        self.table: ComparisonTable | None = None
        """Made when it is first seen."""
        beside = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        self.head = named(QToolButton(autoRaise=True, toolButtonStyle=beside), "Comparison", f"{_TIP} (Shift+F7)", _TIP)
        self.head.setText("Comparison")
        self.head.clicked.connect(self.toggle)
        copy = tool_button("Copy", "Copy the table", "Put the table on the clipboard, for a spreadsheet.", self.copy)
        save = tool_button("Save as CSV...", "Save the table", "Write the table into a file.", self.ask_save)
        self._buttons = (copy, save)
        line = lay_out(QHBoxLayout(), self.head, None, *self._buttons, margins=(6, 0, 8, 0), spacing=4)
        lay_out(QVBoxLayout(self), line, spacing=0)
        self._soon = QTimer(self, singleShot=True, interval=_FOLLOW_MS)
        self._soon.timeout.connect(self._write)
        self.show_parts(False)
        desk.store.listen(self._changed)
        panels.current_changed.connect(self._show_current)

    def toggle(self) -> None:
        """Open the table or close it, and remember that."""
        self.opened = not self.opened
        self._desk.preferences.keep(_KEPT, _OPEN if self.opened else "closed")
        self.show_parts(self._presenting)

    def show_parts(self, presenting: bool) -> None:
        """Show what there is to be seen: nothing below one canvas, in a presentation the table alone."""
        self._presenting = presenting
        n = len(self._desk.store.scene.panels)
        shown = self.opened and n > 1
        if shown and self.table is None:
            self._make_table()
        if self.table is not None:
            self.table.setFixedHeight(self.table.wanted_height(n))
            self.table.setVisible(shown)
        self.head.setArrowType(Qt.ArrowType.DownArrow if self.opened else Qt.ArrowType.RightArrow)
        self.head.setVisible(not presenting)
        for button in self._buttons:
            button.setVisible(shown and not presenting)
        self.setVisible(n > 1 and (shown or not presenting))
        if shown:
            self._write()

    def show_picture(self, picture: PanelPicture) -> None:
        """Follow a canvas, a moment later: whoever makes and paints pictures is not kept waiting."""
        if len(self._desk.store.scene.panels) > 1 and (picture.has_facts or picture.message is not None):
            self._pictures[picture.panel] = picture
            self._follow()

    def enlarge(self, factor: float) -> None:
        """Show the table so many times as large as usual."""
        if factor != self._factor:
            self._factor = factor
            self._size_table()
            self.show_parts(self._presenting)

    def copy(self) -> None:
        """Put the table on the clipboard, as it stands: for a spreadsheet, and as CSV."""
        if self.table is not None:
            data = QMimeData()
            data.setText(self.table.text("\t"))
            data.setData("text/csv", self.table.text(",").encode("utf-8"))
            QGuiApplication.clipboard().setMimeData(data)
            self._desk.say(f"Table of {counted(self.table.rowCount(), 'canvas', 'canvases')} copied to the clipboard.")

    def ask_save(self) -> None:
        """Write the table as CSV under a name to be chosen."""
        path = self._documents.path
        start = self._documents.folder / f"{path.stem if path else 'comparison'}.csv"
        target = ask_name(self._desk.parent, "Save the comparison", start, "CSV (*.csv)", ".csv")
        if target is None or self.table is None:
            return
        content = self.table.text(",").encode("utf-8")
        said = f"Comparison written to {target.name}"
        write_and_say(self._desk, target, partial(write_atomically, target, content), said)

    def _changed(self, change: Change) -> None:
        """Rows are in order again when the hand rests; another number of canvases needs another height."""
        if change.count:
            self.show_parts(self._presenting)
        elif self.opened and (change.none or change.panels or change.classes):
            self._follow()

    def _show_current(self, index: int) -> None:
        if self._shown and self.table is not None:
            self.table.show_current(index)

    def _choose(self, index: int) -> None:
        """Make the canvas of a row the current one; the keyboard stays in the table if it is there."""
        self._panels.choose(index)
        if self.table is not None and not self.table.hasFocus():
            self._panels.canvas.setFocus()

    def _follow(self) -> None:
        """Write the table anew in a moment."""
        if self._shown and not self._soon.isActive():
            self._soon.start()

    @property
    def _shown(self) -> bool:
        """Whether the table is to be seen."""
        return self.opened and len(self._desk.store.scene.panels) > 1

    def _make_table(self) -> None:
        self.table = ComparisonTable()
        self.table.chosen.connect(self._choose)
        layout = self.layout()
        assert layout is not None
        layout.addWidget(self.table)
        QWidget.setTabOrder(self.head, self.table)
        self._size_table()

    def _size_table(self) -> None:
        if self.table is None:
            return
        font = enlarged_font(self._factor)
        for part in (self.table, self.table.horizontalHeader()):
            part.setFont(font)
        self.table.enlarge()

    def _write(self) -> None:
        if self.table is not None and self._shown:
            table = compared(self._desk.store.scene, self._pictures)
            self.table.show_comparison(table, self._panels.current, self._desk.store.gesturing)
