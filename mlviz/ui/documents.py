"""The file behind the window: new, open, save, and the question before anything unsaved is given up."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QMessageBox

from mlviz.data.dataset import Dataset
from mlviz.data.tables import BadTable, Table, read_table, write_table
from mlviz.state import edits, opening, scene_file
from mlviz.state.default import default_scene
from mlviz.state.scene import Scene
from mlviz.state.scene_file import BadScene
from mlviz.ui.table_dialog import AxesDialog, TableDialog

if TYPE_CHECKING:
    from mlviz.ui.window import MainWindow

SCENES = "Scenes (*.mlviz *.json)"
TABLES = "Tables (*.csv *.tsv *.txt *.dat)"
EVERYTHING = "All files (*)"
Answer = QMessageBox.StandardButton


class Documents:
    """Which file the scene came from, and whether it has changed since."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.path: Path | None = None
        self.folder = Path.home()
        self._saved = _content(window.store.scene)
        self._table: tuple[str, Table] | None = None

    @property
    def modified(self) -> bool:
        """Whether there is something that saving would keep. A look (limits, step) is not worth a question."""
        return _content(self._window.store.scene) != self._saved

    @property
    def name(self) -> str:
        """The name for the title."""
        return self.path.name if self.path else "untitled"

    def new(self) -> None:
        """An empty canvas with the defaults."""
        if self.may_discard():
            self._take(default_scene(), None)

    def ask_open(self, tables: bool = False) -> None:
        """Ask for a scene or a table and open it."""
        both = f"Scenes and tables ({SCENES[8:-1]} {TABLES[8:-1]})"
        filters = ";;".join((TABLES, EVERYTHING) if tables else (both, SCENES, TABLES, EVERYTHING))
        name, _ = QFileDialog.getOpenFileName(self._window, "Open", str(self.folder), filters)
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> None:
        """Open a scene or a table, whichever the file holds; a bad file gives a sentence and changes nothing."""
        try:
            if opening.is_scene_file(path):
                scene = scene_file.load(path)
                if self.may_discard():
                    self._take(scene, path)
                    self._window.preferences.remember(path)
            else:
                self._open_table(path, read_table(path))
        except (BadScene, BadTable) as error:
            self._window.complain(f"{path.name} was not opened. {error}")
        except OSError as error:
            self._window.complain(f"{path.name} was not opened: {error.strerror or error}.")

    def save(self) -> bool:
        """Save under the present name, asking for one where there is none; whether it is saved."""
        return self._write(self.path) if self.path else self.ask_save()

    def ask_save(self) -> bool:
        """Save under a name to be chosen; whether it is saved."""
        start = self.path or self.folder / "untitled.mlviz"
        name, _ = QFileDialog.getSaveFileName(self._window, "Save scene", str(start), SCENES)
        return bool(name) and self._write(_with_suffix(name, ".mlviz"))

    def ask_save_table(self) -> None:
        """Write the samples as CSV under a name to be chosen."""
        start = self.folder / f"{self.path.stem if self.path else 'data'}.csv"
        name, _ = QFileDialog.getSaveFileName(self._window, "Save data", str(start), "CSV (*.csv)")
        if not name:
            return
        path = _with_suffix(name, ".csv")
        try:
            write_table(self._window.store.scene.dataset, path)
        except OSError as error:
            self._window.complain(f"{path.name} was not written: {error.strerror or error}.")
        else:
            self._window.say(f"{len(self._window.store.scene.dataset)} samples written to {path.name}")

    def ask_columns(self) -> None:
        """Choose the columns on the axes; and the class column too, while the table it came from is at hand."""
        scene = self._window.store.scene
        if self._table is not None and self._table[0] == scene.dataset.key:
            table = self._table[1]
            dialog: AxesDialog = TableDialog(table, self.name, self._window)
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

    def may_discard(self) -> bool:
        """Ask what is to become of unsaved changes; whether to go on."""
        if not self.modified:
            return True
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Unsaved changes")
        box.setText(f"Save the changes to {self.name}?")
        box.setStandardButtons(Answer.Save | Answer.Discard | Answer.Cancel)
        box.setDefaultButton(Answer.Save)
        answer = box.exec()
        return self.save() if answer == Answer.Save else answer == Answer.Discard

    def _open_table(self, path: Path, table: Table) -> None:
        if len(table.numeric) < 2:
            table.select()  # says what is missing
        dialog = TableDialog(table, path.name, self._window)
        if not dialog.exec():
            return
        dataset = dialog.dataset()
        scene = _shown(edits.with_dataset(self._window.store.scene, dataset, standardize=True), dataset, dialog.axes)
        if not self.modified:
            self._saved = _content(scene)  # a table alone is nothing that would be lost
        self._window.store.push(scene, f"open {path.name}")
        self._table = (dataset.key, table)
        self.folder = path.parent
        self._window.preferences.remember(path)

    def _take(self, scene: Scene, path: Path | None) -> None:
        self.path = path
        if path is not None:
            self.folder = path.parent
        self._table = None
        self._saved = _content(scene)
        self._window.store.reset(scene)

    def _write(self, path: Path) -> bool:
        scene = self._window.store.scene
        try:
            scene_file.save(scene, path)
        except OSError as error:
            self._window.complain(f"{path.name} was not saved: {error.strerror or error}. Choose another place.")
            return False
        except BadScene as error:
            self._window.complain(f"{path.name} was not saved. {error}")
            return False
        self.path, self.folder, self._saved = path, path.parent, _content(scene)
        self._window.preferences.remember(path)
        self._window.refresh_title()
        self._window.say(f"Saved as {path.name}")
        return True


def _content(scene: Scene) -> tuple[object, ...]:
    return scene.dataset.key, scene.panels, scene.seed, scene.axes


def _shown(scene: Scene, dataset: Dataset, axes: tuple[str, str]) -> Scene:
    scene = scene.replace(dataset=dataset).with_view(axes=axes, equal=False, step=None, probe=None)
    return scene.with_view(limits=opening.fitted_limits(scene))


def _with_suffix(name: str, suffix: str) -> Path:
    path = Path(name)
    return path if path.suffix else path.with_suffix(suffix)
