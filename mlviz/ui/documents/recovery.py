"""Unsaved work outlives the program: a copy of it is kept at all times, and offered when a program ended badly."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths

from mlviz.recovery.copies import Copy, CopySlot, LeftoverCopy, find_leftover_copies, keep_for_later
from mlviz.scene.scene import Scene
from mlviz.ui.documents.recovery_dialog import RecoveryDialog
from mlviz.ui.widgets.dialogs import ask

if TYPE_CHECKING:
    from mlviz.ui.shell.window import MainWindow


def usual_folder() -> Path:
    """Where copies are kept: the user's folder for the state of programs."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericStateLocation)) / "mlviz"


class Recovery:
    """Has a copy written at the end of every gesture, as long as something is unsaved, and offers what others left."""

    def __init__(self, window: MainWindow, folder: Path | None) -> None:
        """Without a `folder` no copies are kept."""
        self._window = window
        self._folder = folder
        self._place: CopySlot | None = None
        self._unsaved: object = None
        self._origin: LeftoverCopy | None = None
        """The copy that was recovered; it goes when there is a newer one, or when the work is saved or given up."""
        self._told = False
        if folder is None:
            return
        try:
            self._place = CopySlot(folder)
        except OSError as error:
            self._tell(error.strerror or str(error))
            return
        window.link.kept.connect(self._answered)
        window.store.listen(self._follow)
        window.link.keep(self._place.path, None)

    def update(self) -> None:
        """Have the copy follow what is unsaved, unless a gesture is under way."""
        window = self._window
        if self._place is None or window.store.gesturing:
            return
        documents = window.documents
        unsaved = documents.unsaved
        if unsaved == self._unsaved:
            return
        self._unsaved = unsaved
        file = None if documents.path is None else str(documents.path.resolve())
        copy = None if unsaved is None else Copy(window.store.scene, file, documents.digest, time.time())
        window.link.keep(self._place.path, copy)

    def start(self, path: Path | None) -> None:
        """The program starts, with a file or without."""
        if path is not None:
            self._window.documents.open(path)
        else:
            self.offer()

    def ask(self) -> None:
        """Show what other programs left behind, if there is anything."""
        if self._window.documents.may_discard() and not self.offer():
            self._window.say("No program has left unsaved work behind.")

    def offer(self, file: Path | None = None) -> bool:
        """Offer what is left behind, of a file or all of it; whether there was something.

        With a file, true only if its copy was recovered: then there is no need to open it.
        """
        if self._folder is None:
            return False
        found = find_leftover_copies(self._folder)
        wanted = [left for left in found.left if file is None or left.about.file == str(file.resolve())]
        _release(left for left in found.left if left not in wanted)
        if found.problems:
            self._window.complain("\n\n".join(found.problems))
        if not wanted:
            return False
        dialog = RecoveryDialog(wanted, file, self._window)
        ask(dialog)
        keep_for_later([left for left in dialog.left if left is not dialog.chosen])
        if dialog.chosen is not None:
            self._recover(dialog.chosen)
        return file is None or dialog.chosen is not None

    def close(self) -> None:
        """The program ends in good order, and the worker has ended: nothing is left."""
        self._forget_origin()
        if self._place is not None:
            self._place.give_up()

    def _recover(self, left: LeftoverCopy) -> None:
        self._forget_origin()
        self._origin = left
        documents = self._window.documents
        documents.restore(left.scene, None if left.about.file is None else Path(left.about.file), left.about.digest)
        self._window.say(f"Recovered {documents.name}; it is not saved yet")

    def _follow(self, old: Scene, new: Scene) -> None:
        self.update()

    def _answered(self, problem: str) -> None:
        if problem:
            self._tell(problem)
        else:
            self._forget_origin()

    def _forget_origin(self) -> None:
        if self._origin is not None:
            self._origin.discard()
            self._origin = None

    def _tell(self, problem: str) -> None:
        """Say that there is no copy, once: a class should not be disturbed by it again and again."""
        if not self._told:
            self._told = True
            self._window.say(f"No copy is kept in {_short(self._folder)}: {problem}. Save now and then.")


def _short(folder: Path | None) -> str:
    return str(folder).replace(str(Path.home()), "~", 1)


def _release(copies: Iterable[LeftoverCopy]) -> None:
    for left in copies:
        left.release()
