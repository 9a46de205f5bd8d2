"""Between the window and tables: open one, paste one, choose its columns anew, and write the samples as one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QMimeData, QTimer
from PySide6.QtGui import QGuiApplication

from mlviz.data.dataset import Dataset
from mlviz.data.tables.appending import Value, append
from mlviz.data.tables.formulas import is_formula
from mlviz.data.tables.reading import AS_FOUND, BadTable, Table, TableFile, read_bytes, write_table
from mlviz.interaction.values import present_value
from mlviz.scene import edits
from mlviz.scene.canvas_axes import axes_of_view, fitted_limits
from mlviz.scene.files.opening import with_columns, with_table
from mlviz.scene.scene import Scene
from mlviz.scene.values import present_value_column
from mlviz.spec.outside import listed
from mlviz.ui.desk import Desk
from mlviz.ui.documents.documents import Documents
from mlviz.ui.documents.saving import ask_name, write_and_say
from mlviz.ui.tables.dialog import AT_ONCE_BYTES, AxesDialog, TableChoice, TableDialog
from mlviz.ui.tables.points_table import PointsTable
from mlviz.ui.widgets.dialogs import ask

_CLIPBOARD = "the clipboard"


@dataclass(frozen=True, eq=False)
class _Source:
    """The table behind the samples on the canvas, as long as these are its own."""

    key: str
    name: str
    content: bytes
    choice: TableChoice


class Importer:
    """Asks what of a table becomes samples, and remembers the table while they are shown."""

    def __init__(self, desk: Desk, documents: Documents) -> None:
        self._desk, self._documents = desk, documents
        self._source: _Source | None = None
        self._points: PointsTable | None = None
        self.quoting = False
        """Whether names that a spreadsheet would run as formulas are written with an apostrophe before them."""

    def show_points(self) -> None:
        """Show the points as a table beside the window."""
        if self._points is None:
            self._points = PointsTable(self._desk)
        self._points.open_beside()

    def close(self) -> None:
        """Close the table with the window."""
        if self._points is not None:
            self._points.close()

    def open(self, path: Path) -> None:
        """Ask what of the table in a file is wanted and show it; raises `BadTable` or OSError."""
        self._ask(TableFile(read_bytes(path)), path.name, path)

    def paste(self) -> None:
        """Take what is on the clipboard."""
        self.take(QGuiApplication.clipboard().mimeData())

    @staticmethod
    def takes(data: QMimeData) -> bool:
        """Whether something dropped or pasted can be a file or a table."""
        return any(url.isLocalFile() for url in data.urls()) or data.hasText()

    def take(self, data: QMimeData | None) -> None:
        """Open a file that was dropped or pasted, or take text as a table; an empty clipboard has neither."""
        files = [url.toLocalFile() for url in data.urls() if url.isLocalFile()] if data is not None else []
        if len(files) > 1:
            self._desk.complain(f"These are {len(files)} files; one at a time can be opened.")
        elif files:
            # After the drop is over: a dialog inside it would freeze the desktop it came from.
            QTimer.singleShot(0, self._desk.parent, lambda: self._documents.open(Path(files[0])))
        elif data is not None and data.text().strip():
            text = data.text()
            QTimer.singleShot(0, self._desk.parent, lambda: self.take_text(text))
        else:
            self._desk.say("There is no table on the clipboard.")

    def take_text(self, text: str) -> None:
        """Append points given as text; where it is not clear how, ask."""
        file = TableFile(text.encode("utf-8", errors="replace"))
        try:
            table = file.read(AS_FOUND) if len(file.content) <= AT_ONCE_BYTES else None
            if table is not None and _plain(table, self._value is not None):
                self._append_plain(table)
            else:
                self._ask(file, _CLIPBOARD)
        except BadTable as problem:
            self._desk.complain(f"The text was not taken. {problem}")

    def ask_columns(self) -> None:
        """Choose the columns on the axes; everything else about its table too, while that is at hand."""
        desk, source = self._desk, self._source
        scene = desk.store.scene
        if source is None or source.key != scene.dataset.key:
            asked = AxesDialog("Columns on the axes", scene.dataset.columns, scene.axes, desk.parent)
            if ask(asked):
                desk.store.push(with_columns(scene, scene.dataset, asked.axes), "choose columns")
            return
        dialog = TableDialog(
            TableFile(source.content), source.name, desk.parent, scene, choice=source.choice, theme=desk.style().theme
        )
        if ask(dialog) and (dataset := dialog.dataset) is not None:
            desk.store.push(with_columns(scene, dataset, dialog.axes), "choose columns")
            self._source = _Source(dataset.key, source.name, source.content, dialog.choice)

    def ask_save(self) -> None:
        """Write the samples as CSV under a name to be chosen."""
        documents = self._documents
        start = documents.folder / f"{documents.path.stem if documents.path else 'data'}.csv"
        path = ask_name(self._desk.parent, "Save data", start, "CSV (*.csv)", ".csv")
        if path is None:
            return
        dataset = self._desk.store.scene.dataset
        run = listed(filter(is_formula, (*dataset.columns, dataset.class_column, *dataset.names())))
        what = f"An apostrophe stands before {run}" if self.quoting else f"A spreadsheet takes {run} for a formula"
        advice = "" if self.quoting else '; "Quote formulas in CSV" prevents that'
        said = f"{_samples(dataset)} written to {path.name}{f'. {what}{advice}' if run else ''}"
        write_and_say(self._desk, path, partial(write_table, dataset, path, self.quoting), said)

    def toggle_quoting(self) -> None:
        """Write such names with an apostrophe before them from now on, or as they are."""
        self.quoting = not self.quoting

    def _ask(self, file: TableFile, name: str, path: Path | None = None) -> None:
        desk = self._desk
        scene = desk.store.scene
        dialog = TableDialog(
            file, name, desk.parent, scene, desk.hand.code, theme=desk.style().theme, value=self._value
        )
        if dialog.problem:
            dialog.deleteLater()
            raise BadTable(dialog.problem)
        if not ask(dialog) or (dataset := dialog.dataset) is None:
            return
        if dialog.append.isChecked():
            desk.store.push(_appended(scene, dataset), f"append {name}")
        else:
            shown = with_table(scene, dataset, dialog.axes)
            self._source = _Source(dataset.key, name, file.content, dialog.choice)
            if path is not None:
                self._documents.show_table(shown, path)
            else:
                desk.store.push(shown, f"paste {_samples(dataset)}")

    @property
    def _value(self) -> Value | None:
        """The column of values over the plane, and the present one; None where points have none."""
        scene = self._desk.store.scene
        name = present_value_column(scene)
        return None if name is None else (name, present_value(scene, self._desk.hand, name))

    def _append_plain(self, table: Table) -> None:
        scene = self._desk.store.scene
        selection = table.select(None, table.guess_class() or "")
        more = selection.dataset
        x, y = more.columns[:2]
        joined, how = append(scene.dataset, scene.axes, more, (x, y), self._desk.hand.code, self._value)
        self._desk.store.push(_appended(scene, joined), f"paste {_samples(more)}")
        self._desk.say(" ".join((f"{_samples(more)} pasted.", how, *selection.notes)))


def _plain(table: Table, valued: bool) -> bool:
    """Whether text can mean one thing only: two columns of numbers, words for classes perhaps, and no row skipped.

    Where points have values, a third column of numbers is theirs.
    """
    words = [field for field in table.fields if not field.numeric]
    clear = (
        len(table.numeric) in ((2, 3) if valued else (2,))
        and len(words) <= 1
        and all(field.codes is not None for field in words)
    )
    if not clear:  # before the rest, which looks at every column
        return False
    complete = all(not np.isnan(table.column(name).values).any() for name in table.numeric)
    known = table.guess_class() == words[0].name if words else table.guess_class() is None
    return complete and known and not table.skipped


def _samples(dataset: Dataset) -> str:
    return f"{len(dataset):,} sample{'' if len(dataset) == 1 else 's'}"


def _appended(scene: Scene, dataset: Dataset) -> Scene:
    """With more samples, and limits that show them."""
    changed = edits.with_samples(scene, dataset)
    new = axes_of_view(changed).places(dataset)[len(scene.dataset) :]
    x0, x1, y0, y1 = scene.view.limits
    inside = (new >= (x0, y0)).all() and (new <= (x1, y1)).all()
    return changed if inside else changed.with_view(limits=fitted_limits(changed))
