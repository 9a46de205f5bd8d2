"""The file behind the window: new, open, save, and the question before anything unsaved is given up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox

from mlviz.data.tables.reading import BadTable
from mlviz.files.atomic import digest_of
from mlviz.scene.defaults import first_scene
from mlviz.scene.files import opening, scene_file
from mlviz.scene.files.scene_file import BadScene
from mlviz.scene.scene import Scene
from mlviz.ui.desk import Desk
from mlviz.ui.documents.saving import ask_about_change, ask_name, not_written
from mlviz.ui.paint.scene_view import without_hover
from mlviz.ui.widgets.dialogs import ask

_SCENES = "Scenes (*.mlviz *.json)"
_TABLES = "Tables (*.csv *.tsv *.txt *.dat)"
_EVERYTHING = "All files (*)"
Answer = QMessageBox.StandardButton


class Documents:
    """Which file the scene came from, and whether it has changed since."""

    def __init__(
        self,
        desk: Desk,
        open_table: Callable[[Path], None],
        offer_copy: Callable[[Path], bool],
        changed: Callable[[], None],
    ) -> None:
        """`offer_copy` offers unsaved work on a file, and says whether that was taken instead of the file.

        `changed` is called when the file has become another one, or what is in it.
        """
        self._desk = desk
        self._open_table, self._offer_copy, self._changed = open_table, offer_copy, changed
        self.path: Path | None = None
        self.folder = Path.home()
        self.digest = ""
        """The content of the file at `path` as it was last read or written here."""
        self._saved: tuple[object, ...] = _content(desk.store.scene)
        self._noticed = ""

    @property
    def modified(self) -> bool:
        """Whether there is something that saving would keep. A look (limits, step) is not worth a question."""
        return _content(self._desk.store.scene) != self._saved

    @property
    def unsaved(self) -> tuple[object, ...] | None:
        """What would be lost now, to be compared with what would have been a moment ago; None when nothing would."""
        return (self.path, *_content(self._desk.store.scene)) if self.modified else None

    @property
    def name(self) -> str:
        """The name for the title."""
        return self.path.name if self.path else "untitled"

    def new(self) -> None:
        """An empty canvas with the defaults."""
        if self.may_discard():
            self._take(first_scene(), None, "")

    def ask_open(self, tables: bool = False) -> None:
        """Ask for a scene or a table and open it."""
        both = f"Scenes and tables ({_SCENES[8:-1]} {_TABLES[8:-1]})"
        filters = ";;".join((_TABLES, _EVERYTHING) if tables else (both, _SCENES, _TABLES, _EVERYTHING))
        name, _ = QFileDialog.getOpenFileName(self._desk.parent, "Open", str(self.folder), filters)
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> None:
        """Open a scene or a table, whichever the file holds; a bad file gives a sentence and changes nothing."""
        try:
            if opening.is_scene_file(path):
                digest, (scene, notes) = digest_of(path), scene_file.load_with_notes(path)
                if self.may_discard() and not self._offer_copy(path):
                    self._take(scene, path, digest)
                    self._desk.preferences.remember(path)
                    if notes:
                        self._desk.say(" ".join(notes))
            else:
                self._open_table(path)
        except (BadScene, BadTable) as error:
            told = str(error)
            link = ". " if told[:1].isupper() else ": "  # a place in the file keeps its small letter
            self._desk.complain(f"{path.name} was not opened{link}{told}")
        except OSError as error:
            self._desk.complain(f"{path.name} was not opened: {error.strerror or error}.")

    def save(self) -> bool:
        """Save under the present name, asking for one where there is none; whether it is saved."""
        return self._write(self.path) if self.path else self.ask_save()

    def ask_save(self) -> bool:
        """Save under a name to be chosen; whether it is saved."""
        start = self.path or self.folder / "untitled.mlviz"
        path = ask_name(self._desk.parent, "Save scene", start, _SCENES, ".mlviz")
        return path is not None and self._write(path, agreed=True)

    def may_discard(self) -> bool:
        """Ask what is to become of unsaved changes; whether to go on."""
        if not self.modified:
            return True
        question = f"Save the changes to {self.name}?"
        answers = Answer.Save | Answer.Discard | Answer.Cancel
        box = QMessageBox(QMessageBox.Icon.Question, "Unsaved changes", question, answers, self._desk.parent)
        box.setDefaultButton(Answer.Save)
        answer = ask(box)
        return self.save() if answer == Answer.Save else answer == Answer.Discard

    def show_table(self, scene: Scene, path: Path) -> None:
        """Show the scene with the samples of a table; where nothing was unsaved before, nothing is now."""
        if not self.modified:
            # Another start, not an edit of the scene before: saving must not put it into that one's file.
            self.path, self.digest, self._saved = None, "", _content(scene)
        self._desk.store.push(scene, f"open {path.name}")
        self.folder = path.parent
        self._desk.preferences.remember(path)

    def restore(self, scene: Scene, path: Path | None, digest: str) -> None:
        """Show unsaved work that was recovered; `digest` is what its file was when that work began."""
        self._take(scene, path, digest)
        self._saved = ()
        self._changed()

    def look_at_disk(self) -> None:
        """Say in passing that the file was changed by another program, once for each change."""
        if self.path is not None and self._changed_on_disk(self.path):
            now = digest_of(self.path)
            if now != self._noticed:
                self._noticed = now
                self._desk.say(f"{self.name} was changed by another program; opening it again shows the changes.")

    def _changed_on_disk(self, path: Path) -> bool:
        return path.is_file() and digest_of(path) != self.digest

    def _take(self, scene: Scene, path: Path | None, digest: str) -> None:
        self.path, self.digest = path, digest
        if path is not None:
            self.folder = path.parent
        self._saved = _content(scene)
        self._desk.hand.pinned = scene.view.probe is not None
        self._desk.store.reset(scene)

    def _write(self, path: Path, agreed: bool = False) -> bool:
        """Write the scene; what another program has put there meanwhile is replaced only if `agreed`."""
        if not agreed and self._changed_on_disk(path):
            answer = ask_about_change(self._desk.parent, path)
            if answer != "save":
                return answer == "elsewhere" and self.ask_save()
        scene = without_hover(self._desk.store.scene, self._desk.hand)
        try:
            scene_file.save(scene, path)
        except (OSError, BadScene) as error:
            bad = f"{path.name} was not saved. {error}"
            self._desk.complain(not_written(path, error, "saved") if isinstance(error, OSError) else bad)
            return False
        self.path, self.digest = path, digest_of(path)
        self.folder, self._saved = path.parent, _content(scene)
        self._desk.preferences.remember(path)
        self._changed()
        self._desk.say(f"Saved as {path.name}")
        return True


def _content(scene: Scene) -> tuple[object, ...]:
    drawn = scene.attempts, scene.notes, scene.strokes
    return scene.dataset.key, scene.panels, scene.seed, scene.axes, scene.colours, *drawn
