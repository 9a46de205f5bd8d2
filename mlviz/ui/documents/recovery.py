"""Unsaved work outlives the program: a copy of it is kept at all times, and offered when a program ended badly."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QStandardPaths, SignalInstance

from mlviz.recovery.copies import Copy, CopySlot, LeftoverCopy, find_leftover_copies, keep_for_later
from mlviz.scene.change import Change
from mlviz.ui.desk import Desk
from mlviz.ui.documents.documents import Documents
from mlviz.ui.documents.recovery_dialog import RecoveryDialog
from mlviz.ui.widgets.dialogs import ask


def usual_folder() -> Path:
    """Where copies are kept: the user's folder for the state of programs."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericStateLocation)) / "mlviz"


class CopyLink(Protocol):
    """What has copies written; `kept` tells when the newest is, or why it could not be."""

    @property
    def kept(self) -> SignalInstance:
        """Carries "", or the reason."""

    def keep(self, path: Path, copy: Copy | None) -> None:
        """Have a copy written, or the one there is removed."""


class Recovery:
    """Has a copy written at the end of every gesture, as long as something is unsaved, and offers what others left."""

    def __init__(self, desk: Desk, link: CopyLink, documents: Documents, folder: Path | None) -> None:
        """Without a `folder` no copies are kept."""
        self._desk, self._link, self._documents = desk, link, documents
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
        link.kept.connect(self._answered)
        desk.store.listen(self._follow)
        link.keep(self._place.path, None)

    def update(self) -> None:
        """Have the copy follow what is unsaved, unless a gesture is under way."""
        store, documents = self._desk.store, self._documents
        if self._place is None or store.gesturing:
            return
        unsaved = documents.unsaved
        if unsaved == self._unsaved:
            return
        self._unsaved = unsaved
        file = None if documents.path is None else str(documents.path.resolve())
        copy = None if unsaved is None else Copy(store.scene, file, documents.digest, time.time())
        self._link.keep(self._place.path, copy)

    def start(self, path: Path | None) -> None:
        """The program starts, with a file or without."""
        if path is not None:
            self._documents.open(path)
        else:
            self.offer()

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
        found = find_leftover_copies(self._folder)
        wanted = [left for left in found.left if file is None or left.about.file == str(file.resolve())]
        _release(left for left in found.left if left not in wanted)
        if found.problems:
            self._desk.complain("\n\n".join(found.problems))
        if not wanted:
            return False
        dialog = RecoveryDialog(wanted, file, self._desk.parent)
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
        documents = self._documents
        documents.restore(left.scene, None if left.about.file is None else Path(left.about.file), left.about.digest)
        self._desk.say(f"Recovered {documents.name}; it is not saved yet")

    def _follow(self, change: Change) -> None:
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
            self._desk.say(f"No copy is kept in {_short(self._folder)}: {problem}. Save now and then.")


def _short(folder: Path | None) -> str:
    return str(folder).replace(str(Path.home()), "~", 1)


def _release(copies: Iterable[LeftoverCopy]) -> None:
    for left in copies:
        left.release()
