"""The one question about unsaved work that was left behind: recover it, keep it for later, or give it up."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mlviz.recovery.copies import Copy
from mlviz.recovery.slots import LeftoverCopy
from mlviz.ui.widgets.dialogs import confirm
from mlviz.ui.widgets.parts import lay_out, named

_ROWS = 6
"""How many copies are seen without scrolling."""


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
            item.setToolTip(leftover.copy.file or "never saved")
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
        lay_out(QVBoxLayout(self), QLabel(words, wordWrap=True), self.list, buttons, margins=None, spacing=12)
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
