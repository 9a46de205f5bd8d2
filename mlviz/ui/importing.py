"""Between the window and tables: open one, choose its columns anew, and write the samples as one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from mlviz.data.dataset import Dataset
from mlviz.data.tables import Table, read_table, write_table
from mlviz.state import edits, opening
from mlviz.state.scene import Scene
from mlviz.ui.documents import with_suffix
from mlviz.ui.table_dialog import AxesDialog, TableDialog

if TYPE_CHECKING:
    from mlviz.ui.window import MainWindow


class Importing:
    """Asks which columns of a table are shown, and remembers the table while its samples are."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._table: tuple[str, Table] | None = None

    def open(self, path: Path) -> None:
        """Ask for the columns of a table in a file and show them; raises `BadTable` or OSError."""
        table = read_table(path)
        if len(table.numeric) < 2:
            table.select()  # says what is missing
        dialog = TableDialog(table, path.name, self._window)
        if not dialog.exec():
            return
        dataset = dialog.dataset()
        scene = _shown(edits.with_dataset(self._window.store.scene, dataset, standardize=True), dataset, dialog.axes)
        self._window.documents.show_table(scene, path)
        self._table = (dataset.key, table)

    def ask_columns(self) -> None:
        """Choose the columns on the axes; and the class column too, while the table it came from is at hand."""
        scene = self._window.store.scene
        if self._table is not None and self._table[0] == scene.dataset.key:
            table = self._table[1]
            dialog: AxesDialog = TableDialog(table, self._window.documents.name, self._window)
        else:
            table = None
            dialog = AxesDialog("Columns on the axes", scene.dataset.columns, scene.axes, self._window)
        if not dialog.exec():
            return
        dataset = scene.dataset
        if table is not None and isinstance(dialog, TableDialog):
            dataset = dialog.dataset()
            self._table = (dataset.key, table)
        self._window.store.push(_shown(scene, dataset, dialog.axes), "choose columns")

    def ask_save(self) -> None:
        """Write the samples as CSV under a name to be chosen."""
        documents = self._window.documents
        start = documents.folder / f"{documents.path.stem if documents.path else 'data'}.csv"
        name, _ = QFileDialog.getSaveFileName(self._window, "Save data", str(start), "CSV (*.csv)")
        if not name:
            return
        path = with_suffix(name, ".csv")
        dataset = self._window.store.scene.dataset
        try:
            write_table(dataset, path)
        except OSError as error:
            self._window.complain(f"{path.name} was not written: {error.strerror or error}.")
        else:
            self._window.say(f"{len(dataset)} samples written to {path.name}")


def _shown(scene: Scene, dataset: Dataset, axes: tuple[str, str]) -> Scene:
    scene = scene.replace(dataset=dataset).with_view(axes=axes, equal=False, step=None, probe=None)
    return scene.with_view(limits=opening.fitted_limits(scene))
