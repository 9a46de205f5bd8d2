"""The door of the window: opening files, the dialog about tables, text pasted, and copies offered at the start."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from PySide6.QtCore import QObject, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLabel, QMessageBox, QWidget

from mlviz.picture import draw
from mlviz.recovery.copies import Copy
from mlviz.recovery.slots import CopySlot
from mlviz.scene.defaults import default_scene
from mlviz.ui.app import make_application
from mlviz.ui.documents.recovery import RecoveryDialog
from mlviz.ui.shell.window import MainWindow
from mlviz.ui.tables.dialog import TableDialog
from mlviz.ui.widgets.preferences import Preferences
from tests.closing import close_without_asking
from tests.fuzz.live import check_picture
from tests.fuzz.oracle import Channels, Outcome, check_sentence, watched
from tests.monkey import hand

_LOOK_MS = 1
_GOOD = "canary-good"


class InlineLink(QObject):
    """Answers at once and in this process, so that whatever is raised has its traceback; or only looks at requests."""

    pictured = Signal(object)
    begun = Signal(int, object)
    status = Signal(str)

    def __init__(self, answers: bool = True) -> None:
        super().__init__()
        self.outcome = Outcome()
        """What is wrong with a request or its pictures is blamed here."""
        self._answers = answers
        self._ids = 0

    def request(self, scene: Any, sizes: Any, draft: bool = False, front: Any = None) -> int:
        """Draw the scene."""
        self._ids += 1
        if len(sizes) != len(scene.panels):
            told = f"{len(sizes)} sizes for {len(scene.panels)} panels"
            self.outcome.blame("a request with a wrong number of sizes", told)
            return self._ids
        for picture in draw(scene, sizes) if self._answers else ():
            check_picture(self.outcome, picture, scene)
            self.pictured.emit(picture)
        return self._ids

    def close(self) -> None:
        """Nothing is running."""


class Door:
    """One window for many inputs; its questions are answered at random."""

    def __init__(self, folder: Path, answers: bool = True) -> None:
        make_application([])
        self.folder = folder
        self.copies = folder / "copies"
        self.copies.mkdir()
        settings = QSettings(str(folder / "preferences.ini"), QSettings.Format.IniFormat)
        self.link = InlineLink(answers)
        self.window = MainWindow(None, self.link, Preferences(settings), self.copies)  # type: ignore[arg-type]
        self.window.resize(1000, 700)
        self.window.show()
        self._outcome, self._rng, self._offered = Outcome(), Random(0), False
        self._timer = QTimer(self.window, interval=_LOOK_MS)
        self._timer.timeout.connect(self._answer)
        self._answering = False

    def close(self) -> None:
        """End the window."""
        close_without_asking(self.window)
        self.window.deleteLater()  # a window that is left slows down all others

    @property
    def blamed(self) -> bool:
        """Whether something went wrong already in what is being tried."""
        return bool(self._outcome.faults)

    def open(self, path: Path, rng: Random, folder: Path) -> Outcome:
        """Open the file, or take its text as if it were pasted."""
        plain = os.path.isfile(path) and not path.is_symlink()  # the text of a device is not for the clipboard
        pasted = path.suffix == ".csv" and plain and rng.random() < 0.25

        def act() -> None:
            if pasted:
                self.window.importing.take_text(path.read_bytes().decode("utf-8", errors="replace"))
            else:
                self.window.documents.open(path)

        return self.tried(act, rng)

    def recover(self, path: Path, rng: Random, folder: Path) -> Outcome:
        """Start with that copy among those that are left, and a good one; the good one has to be offered."""

        def act() -> None:
            (self.copies / "canary-bad.copy").write_bytes(path.read_bytes())
            slot = CopySlot(self.copies / f"{_GOOD}.copy")
            slot.write(Copy(default_scene(), f"/tmp/{_GOOD}.mlviz", "", 1e9))
            slot.release()
            self._offered = False
            self.window.recovery.offer()
            if not self._offered and not self._outcome.faults:
                self._outcome.blame("a good copy is not offered beside a bad one")

        outcome = self.tried(act, rng)
        for left in self.copies.glob("canary-*"):
            left.unlink()
        return outcome

    def tried(self, act: Any, rng: Random) -> Outcome:
        """Do something with the window, and blame whatever comes of it that must not."""
        self._outcome = self.link.outcome = outcome = Outcome()
        self._rng = rng
        channels = Channels()
        with channels.taken(), _no_native_dialogs(), watched(outcome):
            self._timer.start()
            before = self.window.store.scene
            act()
            QApplication.processEvents()
            if self.window.store.scene is not before:
                outcome.kind = "picture"
            self.window.grab()
            self._look_at(self.window)
        self._timer.stop()
        for said in channels.said:
            if said:
                outcome.blame("the window prints something", said)
        self._start_anew(outcome)
        return outcome

    def _start_anew(self, outcome: Outcome) -> None:
        with watched(Outcome(faults=outcome.faults)):
            for dialog in [w for w in QApplication.topLevelWidgets() if w is not self.window and w.isVisible()]:
                dialog.close()
            self.window.documents._take(default_scene(), None, "")
            QApplication.processEvents()

    def _answer(self) -> None:
        """Look at the dialog that waits, and answer it."""
        dialog = QApplication.activeModalWidget()
        if dialog is None or self._answering or not dialog.isVisible():
            return
        self._answering = True
        try:
            self._look_at(dialog)
            match dialog:
                case QMessageBox():
                    self._answer_box(dialog)
                case TableDialog():
                    self._answer_table(dialog)
                case RecoveryDialog():
                    rows = [dialog.list.item(i).text() for i in range(dialog.list.count())]
                    self._offered = any(_GOOD in row for row in rows)
                    dialog.list.setCurrentRow(self._rng.randrange(len(rows)))
                    dialog.grab()
                    if self._rng.random() < 0.7:
                        dialog._recover()
                    else:
                        dialog.reject()
                case QDialog():
                    dialog.reject()
        except BaseException:
            dialog.close()  # or it would be asked again for ever
            raise
        finally:
            self._answering = False

    def _answer_box(self, box: QMessageBox) -> None:
        if box.icon() == QMessageBox.Icon.Question:
            self._rng.choice(
                [b for b in box.buttons() if box.buttonRole(b) == QMessageBox.ButtonRole.DestructiveRole]
                or box.buttons()
            ).click()
            return
        self._outcome.kind = "sentence"
        for part in box.text().split("\n\n"):
            check_sentence(self._outcome, part.replace(str(self.folder), ""), "a message box")
        if "Something went wrong" in box.text():
            self._outcome.blame("the window says that something went wrong", box.text())
        box.accept()

    def _answer_table(self, dialog: TableDialog) -> None:
        for _ in range(self._rng.choice((0, 0, 0, 1, 3))):
            hand.poke(self._rng, [dialog])
            self._outcome.asked += 1
            if not dialog.isVisible():
                return
        dialog.grab()
        self._look_at(dialog)
        if dialog.buttons.button(dialog.buttons.StandardButton.Ok).isEnabled() and self._rng.random() < 0.9:
            dialog.accept()
        else:
            self._outcome.kind = "sentence" if not self._outcome.faults else "fault"
            check_sentence(self._outcome, dialog.notes.toPlainText()[:600] or "cancelled", "the table dialog")
            dialog.reject()

    def _look_at(self, root: QWidget) -> None:
        """Blame what renders markup that came with a file."""
        for widget in (root, *root.findChildren(QWidget)):
            tip = widget.toolTip()
            if _rendered(tip, Qt.TextFormat.AutoText):
                self._outcome.blame(f"markup in a tooltip of {type(widget).__name__}", tip[:500])
            if isinstance(widget, QLabel) and _rendered(widget.text(), widget.textFormat()):
                self._outcome.blame(f"markup in a label of {type(widget.parent()).__name__}", widget.text()[:500])
            if isinstance(widget, QMessageBox) and _rendered(widget.text(), widget.textFormat()):
                self._outcome.blame("markup in a message box", widget.text()[:500])


def _rendered(text: str, text_format: Qt.TextFormat) -> bool:
    """Whether text from a file is shown as markup: escaped it may be."""
    unescaped = any(f"<{tag}" in text and "canary" in text for tag in ("b>canary", "img", "a href", "h1>", "script"))
    auto = text_format == Qt.TextFormat.AutoText and GuiQt.mightBeRichText(text)
    return unescaped and (auto or text_format in (Qt.TextFormat.RichText, Qt.TextFormat.MarkdownText))


@contextlib.contextmanager
def _no_native_dialogs() -> Iterator[None]:
    kept = QFileDialog.getOpenFileName, QFileDialog.getSaveFileName
    QFileDialog.getOpenFileName = QFileDialog.getSaveFileName = lambda *_: ("", "")  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        QFileDialog.getOpenFileName, QFileDialog.getSaveFileName = kept  # type: ignore[method-assign]
