"""Unsaved work outlives the program: a copy of it is kept at all times, and offered when a program ended badly."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from mlviz.recovery.copies import Copy
from mlviz.recovery.keeper import CopyKeeper
from mlviz.recovery.slots import CopySlot, LeftoverCopy, find_leftover_copies, keep_for_later
from mlviz.scene.change import Change
from mlviz.ui.desk import Desk
from mlviz.ui.documents.documents import Documents
from mlviz.ui.documents.recovery_dialog import RecoveryDialog
from mlviz.ui.widgets.dialogs import ask


def usual_folder() -> Path:
    """Where copies are kept: the user's folder for the state of programs."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericStateLocation)) / "mlviz"


class Recovery:
    """Has a copy written at the end of every gesture, as long as something is unsaved, and offers what others left."""

    def __init__(self, desk: Desk, documents: Documents, folder: Path | None) -> None:
        """Without a `folder` no copies are kept."""
        self._desk, self._documents = desk, documents
        self._folder = folder
        self._keeper: CopyKeeper | None = None
        self._unsaved: object = None
        self._told = False
        if folder is None:
            return
        desk.store.listen(self._follow)
        try:
            self._keeper = CopyKeeper(CopySlot.new(folder))
        except OSError as error:
            self._tell(error.strerror or str(error))

    def update(self) -> None:
        """Have the copy follow what is unsaved, unless a gesture is under way."""
        store, documents = self._desk.store, self._documents
        if self._keeper is None or store.gesturing:
            return
        unsaved = documents.unsaved
        if unsaved == self._unsaved:
            return
        self._unsaved = unsaved
        file = None if documents.path is None else str(documents.path.resolve())
        copy = None if unsaved is None else Copy(store.scene, file, documents.digest, time.time())
        problem = self._keeper.keep(copy)
        if problem:
            self._tell(problem)

    def ask(self) -> None:
        """Show what other programs left behind, if there is anything."""
        if self._documents.may_discard() and not self.offer():
            self._desk.say("No program has left unsaved work behind.")

    def offer(self, file: Path | None = None) -> bool:
        """Offer what is left behind, of a file or all of it; whether there was something.

        With a file, true only if its copy was recovered: then there is no need to open it.
        """
        if self._folder is None:
            return False
        left, problems = find_leftover_copies(self._folder)
        wanted = [leftover for leftover in left if file is None or leftover.copy.file == str(file.resolve())]
        for leftover in left:
            if leftover not in wanted:
                leftover.slot.release()
        if problems:
            self._desk.complain("\n\n".join(problems))
        if not wanted:
            return False
        dialog = RecoveryDialog(wanted, file, self._desk.parent)
        ask(dialog)
        keep_for_later([leftover for leftover in dialog.left if leftover is not dialog.chosen])
        if dialog.chosen is not None:
            self._recover(dialog.chosen)
        return file is None or dialog.chosen is not None

    def close(self) -> None:
        """The program ends in good order: nothing is left."""
        if self._keeper is not None:
            self._keeper.close()

    def _recover(self, leftover: LeftoverCopy) -> None:
        """Show the copy and go on where its program ended: in its slot, which holds it until there is a newer one."""
        if self._keeper is None:
            self._keeper = CopyKeeper(leftover.slot)
        else:
            self._keeper.adopt(leftover.slot)
        documents, copy = self._documents, leftover.copy
        documents.restore(copy.scene, None if copy.file is None else Path(copy.file), copy.digest)
        self._desk.say(f"Recovered {documents.name}; it is not saved yet")

    def _follow(self, change: Change) -> None:
        self.update()

    def _tell(self, problem: str) -> None:
        """Say that there is no copy, once: a class should not be disturbed by it again and again."""
        if not self._told:
            self._told = True
            folder = str(self._folder).replace(str(Path.home()), "~", 1)
            self._desk.say(f"No copy is kept in {folder}: {problem}. Save now and then.")
