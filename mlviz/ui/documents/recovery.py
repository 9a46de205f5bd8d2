"""Unsaved work outlives the program: a copy of it is kept at all times, and offered when a program ended badly."""

from __future__ import annotations

import datetime
import os
import time
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt, QTimer
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from mlviz.recovery.copies import Copy
from mlviz.recovery.keeper import CopyKeeper
from mlviz.recovery.slots import CopySlot, LeftoverCopy, find_leftover_copies, keep_for_later
from mlviz.ui.desk import Desk
from mlviz.ui.documents.documents import Documents
from mlviz.ui.paint.scene_view import without_hover
from mlviz.ui.widgets.dialogs import ask, confirm
from mlviz.ui.widgets.parts import as_tooltip, lay_out, named, plain_label

STROKE_MS = 1000
"""How old a change may become, in a gesture that goes on, before there is a copy of it."""
_PUT_OFF = "put off"
"""The preference that holds the marks of copies that were left for later."""
_ROWS = 6
"""How many copies are seen without scrolling."""


def usual_folder() -> Path:
    """Where copies are kept: the user's folder for the state of programs."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericStateLocation)) / "mlviz"


class Recovery:
    """Has a copy written at the end of every gesture, as long as something is unsaved, and offers what others left.

    Of a long gesture, such as a stroke of the brush, there is one a second.
    """

    def __init__(self, desk: Desk, documents: Documents, folder: Path | None) -> None:
        """Without a `folder` no copies are kept."""
        self._desk, self._documents = desk, documents
        self._folder = folder
        self._keeper: CopyKeeper | None = None
        self._unsaved: object = None
        self._told = False
        self._stroke = QTimer(desk.parent, singleShot=True, interval=STROKE_MS)
        self._stroke.timeout.connect(lambda: self._write(awaited=False))
        if folder is None:
            return
        desk.store.listen(lambda change: self.update())
        try:
            self._keeper = CopyKeeper(CopySlot.new(folder))
        except OSError as error:
            self._tell(error.strerror or str(error))

    def update(self) -> None:
        """Have the copy follow what is unsaved: at once, or soon while a gesture is under way."""
        if self._keeper is None:
            return
        if not self._desk.store.gesturing:
            self._stroke.stop()
            self._write()
        elif not self._stroke.isActive():
            self._stroke.start()

    def _write(self, awaited: bool = True) -> None:
        store, documents = self._desk.store, self._documents
        assert self._keeper is not None
        unsaved = documents.unsaved
        if unsaved == self._unsaved:
            return
        self._unsaved = unsaved
        file = None if documents.path is None else os.path.realpath(documents.path)
        scene = without_hover(store.scene, self._desk.hand)
        copy = None if unsaved is None else Copy(scene, file, documents.digest, time.time())
        problem = self._keeper.keep(copy, awaited)
        if problem:
            self._tell(problem)

    def ask(self) -> None:
        """Show what other programs left behind, if there is anything."""
        if self._documents.may_discard() and not self.offer():
            self._desk.say("No program has left unsaved work behind.")

    def offer(self, file: Path | None = None, again: bool = True) -> bool:
        """Offer what is left behind, of a file or all of it; whether there was something.

        With a file, true only if its copy was recovered: then there is no need to open it. What was put off is offered
        `again`, or only told of where there is nothing else.
        """
        if self._folder is None:
            return False
        left, problems = find_leftover_copies(self._folder)
        wanted = [leftover for leftover in left if file is None or leftover.copy.file == os.path.realpath(file)]
        for leftover in left:
            if leftover not in wanted:
                leftover.slot.release()
        if problems:
            self._desk.complain("\n\n".join(problems))
        if not wanted:
            return False
        put_off = set(self._desk.preferences.kept(_PUT_OFF).split())
        if not again and put_off.issuperset(leftover.mark for leftover in wanted):
            keep_for_later(wanted)
            self._desk.say("Unsaved work that you left for later is in the File menu: Recover unsaved work.")
            return True
        dialog = RecoveryDialog(wanted, file, self._desk.parent)
        ask(dialog)
        later = [leftover for leftover in dialog.left if leftover is not dialog.chosen]
        kept = {leftover.mark for leftover in left if leftover not in wanted} & put_off
        self._desk.preferences.keep(_PUT_OFF, " ".join(sorted(kept.union(leftover.mark for leftover in later))))
        keep_for_later(later)
        if dialog.chosen is not None:
            self._recover(dialog.chosen)
        return file is None or dialog.chosen is not None

    def close(self) -> None:
        """The program ends in good order: nothing is left."""
        self._stroke.stop()
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
        if copy.lost:
            self._desk.complain(f"All points are recovered, but not how they were shown. {copy.lost}")

    def _tell(self, problem: str) -> None:
        """Say that there is no copy, once: a class should not be disturbed by it again and again."""
        if not self._told:
            self._told = True
            folder = str(self._folder).replace(str(Path.home()), "~", 1)
            self._desk.say(f"No copy is kept in {folder}: {problem}. Save now and then.")


class RecoveryDialog(QDialog):
    """Shows the copies; afterwards `chosen` is the one to recover, if any, and `left` are those not discarded."""

    def __init__(self, left: Sequence[LeftoverCopy], file: Path | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Recover unsaved work")
        self.left = list(left)
        self.chosen: LeftoverCopy | None = None
        what = "unsaved work" if file is None else f"unsaved changes to {file.name}"
        later = "keeps it" if file is None else f"keeps it and opens {file.name} as it was saved"
        words = f"mlviz was not closed properly and left {what}.\n\nRecover opens it, Later {later}."
        self.list = named(QListWidget(), "Unsaved work")
        for leftover in self.left:
            item = QListWidgetItem(describe(leftover.copy), self.list)
            item.setToolTip(as_tooltip(leftover.copy.file or "never saved"))
        self.list.setCurrentRow(0)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setSpacing(3)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        row = self.list.sizeHintForRow(0) + 2 * self.list.spacing()
        self.list.setFixedHeight(row * min(len(self.left), _ROWS) + 2 * (self.list.frameWidth() + self.list.spacing()))
        self.list.itemDoubleClicked.connect(self._recover)
        buttons = QDialogButtonBox()
        buttons.addButton("&Recover", QDialogButtonBox.ButtonRole.AcceptRole).setDefault(True)
        buttons.addButton("&Later", QDialogButtonBox.ButtonRole.RejectRole)
        buttons.addButton("&Discard...", QDialogButtonBox.ButtonRole.DestructiveRole).clicked.connect(self._discard)
        buttons.accepted.connect(self._recover)
        buttons.rejected.connect(self.reject)
        lay_out(QVBoxLayout(self), plain_label(words, wordWrap=True), self.list, buttons, margins=None, spacing=12)
        self.setMinimumWidth(520)
        self.list.setFocus()

    def _recover(self) -> None:
        self.chosen = self.left[self.list.currentRow()]
        self.accept()

    def _discard(self) -> None:
        row = self.list.currentRow()
        if confirm(self, "Discard unsaved work", f"Give up this work for good?\n\n{describe(self.left[row].copy)}"):
            self.left.pop(row).slot.remove()
            self.list.takeItem(row)
            if not self.left:
                self.reject()


def describe(copy: Copy) -> str:
    """File, number of points and time of a copy."""
    name = Path(copy.file).name if copy.file else "untitled"
    n = len(copy.scene.dataset)
    when = format_time(datetime.datetime.fromtimestamp(copy.when), datetime.datetime.now())
    return f"{name}, {n:,} point{'' if n == 1 else 's'}, {when}"


def format_time(when: datetime.datetime, now: datetime.datetime) -> str:
    """A time as one says it: "today 14:03", "yesterday 9:30", "28 November 2026 14:03"."""
    days = (now.date() - when.date()).days
    day = {0: "today", 1: "yesterday"}.get(days, f"{when.day} {when:%B %Y}")
    return f"{day} {when.hour}:{when:%M}"
