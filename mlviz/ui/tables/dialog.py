"""Which columns of a table are shown, which one names the classes, and what happens to the points there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QPlainTextEdit,
    QProgressBar,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from mlviz.data.dataset import Dataset
from mlviz.data.tables.appending import Axes, Value, append
from mlviz.data.tables.departures import SKIPPED
from mlviz.data.tables.reading import AS_FOUND, BadTable, Format, Table, TableFile, parse_table
from mlviz.data.tables.table import Selection
from mlviz.draw.palette import class_number
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.scene import Scene
from mlviz.spec.sentences import with_capital
from mlviz.ui.paint.samples import class_icon
from mlviz.ui.tables.format_row import FormatRow
from mlviz.ui.tables.preview import MOST_COLUMNS, ColumnList, ImportPreview, TablePreview
from mlviz.ui.widgets.background import Background
from mlviz.ui.widgets.parts import accept_or_cancel, chooser, labelled, lay_out, named, offer

_NO_CLASS = "(none: all in one class)"
_SIZE = (860, 620)
AT_ONCE_BYTES = 2**20
"""A table that is not longer is read in less time than a process needs to start."""
_TOO_MUCH = "The table could not be read; most likely it is too large for the memory of this machine."


class AxesDialog(QDialog):
    """Asks for the two columns on the axes."""

    def __init__(self, title: str, columns: Sequence[str], axes: Axes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.x_axis = chooser("Horizontal axis", columns, axes[0])
        self.y_axis = chooser("Vertical axis", columns, axes[1])
        form = QFormLayout()
        form.addRow("&Horizontal axis", self.x_axis)
        form.addRow("&Vertical axis", self.y_axis)
        lay_out(QVBoxLayout(self), form, accept_or_cancel(self), margins=None)

    @property
    def axes(self) -> Axes:
        """The two columns chosen."""
        return self.x_axis.currentData() or "", self.y_axis.currentData() or ""


@dataclass(frozen=True)
class TableChoice:
    """What was chosen of a table, so that the question can be asked again."""

    format: Format = AS_FOUND
    kept: tuple[str, ...] | None = None
    axes: Axes | None = None
    classes: str | None = None
    """None is a guess, "" none."""


class TableDialog(QDialog):
    """Shows how a table was understood, asks for columns, axes and classes, and says what will be left out.

    A long table is read while the dialog is open already; Escape gives that up. The samples can come to those of the
    `present` scene, unless this is asked again, with a `choice`; those without a class then go into class `code`, and
    those without a value over the plane get `value`.
    """

    def __init__(
        self,
        file: TableFile,
        name: str,
        parent: QWidget | None = None,
        present: Scene | None = None,
        code: int = 0,
        choice: TableChoice | None = None,
        theme: str = "light",
        value: Value | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Table: {name}")
        self._value = value
        self._file, self._name, self._theme, self._code = file, name, theme, code
        self._scene = present or default_scene()
        self._present = present if present is not None and len(present.dataset) and choice is None else None
        self._choice = choice or TableChoice()
        self.table: Table | None = None
        """The table as it was read last; None when it could not be."""
        self.dataset: Dataset | None = None
        """The samples chosen, with those on the canvas where they are appended; None where that makes no samples."""
        self.problem = ""
        """Why there is no table at all; empty where there is one, or may be one still."""
        self.format = FormatRow()
        self.format.want(self._choice.format)
        self.preview = TablePreview()
        self.columns = ColumnList()
        self.x_axis = chooser("Horizontal axis")
        self.y_axis = chooser("Vertical axis")
        self.classes = chooser("Class column", tip="The column that says which class a row belongs to.")
        self.replace = QRadioButton("&Replace the points on the canvas")
        self.append = QRadioButton()
        """Checked where the samples come to those on the canvas."""
        self.notes = named(QPlainTextEdit(readOnly=True, tabChangesFocus=True), "What is left out")
        self.progress = QProgressBar(maximum=0, textVisible=False)
        self.buttons = accept_or_cancel(self, "&Open")
        self.ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        self._lay_out()
        self.reader = Background(_TOO_MUCH, self)
        self.reader.done.connect(self._take)
        self.reader.failed.connect(self._refuse)
        self._connect()
        self._read()

    @property
    def axes(self) -> Axes:
        """The two columns chosen."""
        return self.x_axis.currentData() or "", self.y_axis.currentData() or ""

    @property
    def choice(self) -> TableChoice:
        """Everything chosen."""
        return TableChoice(self.format.wanted, self.columns.kept, self.axes, self._class_wanted())

    def done(self, result: int) -> None:
        """Close; whatever is still being read is given up."""
        self.reader.stop()
        super().done(result)

    def _read(self) -> None:
        """Read the table as it is wanted; anew when that changes."""
        self.notes.setPlainText(f"Reading {self._name} ...")
        self.table = self.dataset = None
        self.problem = ""
        self.ok.setEnabled(False)
        if len(self._file.content) > AT_ONCE_BYTES:
            self.reader.start(parse_table, self._file.content, self.format.wanted)
            self.progress.show()
            return
        try:
            self._take(self._file.read(self.format.wanted))
        except BadTable as problem:
            self._refuse(str(problem))

    def _refuse(self, problem: str) -> None:
        self.progress.hide()
        self.columns.clear()
        self.preview.setRowCount(0)
        self.problem = problem
        self.notes.setPlainText(problem)

    def _take(self, table: Table) -> None:
        """Show a table that was read."""
        self.progress.hide()
        self.table = table
        self.format.show_found(table.format)
        wanted = self._choice.classes
        guess = wanted if wanted == "" or wanted in table.class_columns else table.guess_class()
        axes, kept = self._choice.axes, self._choice.kept
        if axes is None or not set(axes) <= set(table.numeric):
            found = table.guess_axes(guess) or table.numeric[:1]
            axes = (found[0], found[-1]) if found else ("", "")
        for box, options, at in (
            (self.x_axis, table.numeric, axes[0]),
            (self.y_axis, table.numeric, axes[1]),
            (self.classes, (_NO_CLASS, *table.class_columns), guess or _NO_CLASS),
        ):
            with QSignalBlocker(box):
                box.clear()
                offer(box, options, at)
        if kept is None or not set(kept) <= set(table.numeric):
            kept = table.usual_columns(guess)
        self.columns.show_table(table, kept)
        self.preview.show_table(table)
        self._choose()
        digits = any(map(str.isdigit, "".join(cell for line in table.opening for cell in line.cells)))
        if self.dataset is None and not digits:
            self.problem = self.notes.toPlainText().partition("\n")[0]  # nothing to choose would make numbers of it

    def _class_wanted(self) -> str:
        return "" if self.classes.currentData() == _NO_CLASS else self.classes.currentData()

    def _choose(self) -> None:
        """Select anew, and say how many samples that makes."""
        table, wanted = self.table, self._class_wanted()
        if table is None:
            return
        self.columns.show_axes(self.axes)
        inputs = [name for name in self.columns.kept if name != wanted or name in self.axes]
        selection: Selection | None = None
        how: tuple[str, ...] = ()
        try:
            if len(table.numeric) > 1 and self.axes[0] == self.axes[1]:
                raise BadTable("The axes show the same column; choose another one for one of them.")
            selection = table.select(inputs, wanted, alone=True, shown=[*filter(None, self.axes)])
            self.dataset = selection.dataset
            if self._present is not None and self.append.isChecked():
                present = self._present
                self.dataset, told = append(
                    present.dataset, present.axes, self.dataset, self.axes, self._code, self._value
                )
                how = (told,)
        except BadTable as problem:
            self.dataset = None
            self.notes.setPlainText("\n".join((str(problem), *table.notes)))
        else:
            n, k = len(selection.dataset), len(selection.dataset.class_names)
            classes = f" in {k} classes" if k > 1 else ""
            rows = "" if n == len(table) else f" of {len(table):,} rows"
            said = [f"{n:,} sample{'' if n == 1 else 's'}{classes}{rows}.", *how, *selection.notes]
            if len(table.columns) > MOST_COLUMNS:
                said.append(f"Shown here: the first {MOST_COLUMNS} of {len(table.columns):,} columns.")
            self.notes.setPlainText("\n".join(said))
        self._show_fate(table, selection, inputs, wanted)
        self.ok.setText("&Append" if self.append.isChecked() else "&Open")
        self.ok.setEnabled(self.dataset is not None)

    def _show_fate(self, table: Table, selection: Selection | None, inputs: Sequence[str], classes: str) -> None:
        left_out: dict[int, str] = {}
        for some in (table if selection is None else selection).departures:
            if some.kind in SKIPPED or some.kind == "lines above":
                reason = with_capital(some.what)
                left_out |= dict.fromkeys(some.lines[: len(table.opening)].tolist(), reason)
        self.preview.show_fate(table, ImportPreview(set(inputs), classes or None, left_out, self._icons()))

    def _icons(self) -> dict[str, QIcon]:
        """The symbols of the classes as they will be on the canvas, by their names."""
        if self.dataset is None:
            return {}
        names, appended = self.dataset.class_names, self._present is not None and self.append.isChecked()
        shown = edits.with_samples(self._scene, self.dataset)
        colours = shown.colours if appended else edits.colours_in_place(self._scene, names)
        return {name: class_icon(class_number(code, colours), self._theme) for code, name in enumerate(names)}

    def _connect(self) -> None:
        self.format.changed.connect(self._read)
        self.columns.ticked.connect(self._choose)
        for box in (self.x_axis, self.y_axis, self.classes):
            box.currentIndexChanged.connect(self._choose)
        self.append.toggled.connect(self._choose)

    def _lay_out(self) -> None:
        self.notes.setFixedHeight(6 * self.fontMetrics().lineSpacing())
        self.columns.setFixedWidth(230)
        beside = labelled(QVBoxLayout(), "Columns to &keep", self.columns)
        pairs = (("&Horizontal axis", self.x_axis), ("&Vertical axis", self.y_axis), ("&Class column", self.classes))
        choosers = [(labelled(QVBoxLayout(), text, box, spacing=2), 1) for text, box in pairs]
        middle = lay_out(QHBoxLayout(), (self.preview, 1), beside, spacing=10)
        below = (lay_out(QHBoxLayout(), *choosers, spacing=10), self._points(), self.notes, self.progress, self.buttons)
        lay_out(QVBoxLayout(self), self.format, (middle, 1), *below, margins=None, spacing=10)
        self.resize(*_SIZE)

    def _points(self) -> QHBoxLayout:
        """Replace or append; nothing to ask where the canvas is empty."""
        n = len(self._present.dataset) if self._present is not None else 0
        self.append.setText(f"A&ppend to the {n:,} point{'' if n == 1 else 's'} on the canvas")
        for button in (self.replace, self.append):
            button.setVisible(self._present is not None)
        self.replace.setChecked(True)
        return lay_out(QHBoxLayout(), self.replace, self.append, None)
