"""Before and after a file is written: its name, what it would replace, and the sentence when it was not."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget

from mlviz.ui.desk import Desk
from mlviz.ui.widgets.dialogs import ask, confirm

Answer = QMessageBox.StandardButton
_ADVICE = {
    errno.ENOSPC: "Make room there or choose another place.",
    errno.EDQUOT: "Make room there or choose another place.",
    errno.ENOENT: "Choose another place.",
    errno.EROFS: "Choose another place.",
    errno.EACCES: "Choose another place.",
    errno.EPERM: "Choose another place.",
    errno.EIO: "Choose another place, and have a look at that disk.",
    errno.ENAMETOOLONG: "Choose a shorter name.",
}


def ask_name(parent: QWidget, title: str, start: Path, kinds: str, suffix: str, must: bool = False) -> Path | None:
    """Ask for the name of a file to write; None when there is to be none. It `must` end as said, or only usually."""
    QTimer.singleShot(0, parent, _name_the_folder)
    name, _ = QFileDialog.getSaveFileName(parent, title, str(start), kinds)
    if not name:
        return None
    path = Path(name) if Path(name).suffix else Path(name).with_suffix(suffix)
    if must and path.suffix.lower() != suffix:
        path = path.with_name(path.name + suffix)
    # The dialog has asked about the name that was typed, not about the one with an ending.
    typed = path == Path(name) or not path.exists()
    return path if typed or confirm(parent, title, f"{path.name} exists already. Replace it?") else None


def _name_the_folder() -> None:
    """Say that the file goes into the folder: where the desktop has no dialog of its own, Qt's says "Look in:"."""
    dialog = QApplication.activeModalWidget()
    if isinstance(dialog, QFileDialog) and dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave:
        dialog.setLabelText(QFileDialog.DialogLabel.LookIn, "Save in:")


def not_written(path: Path, error: OSError, what: str = "written") -> str:
    """The sentence that names the file, the reason, and what to do."""
    reason = error.strerror or str(error)
    advice = _ADVICE.get(error.errno or 0, "")
    return f"{path.name} was not {what} in {path.parent}: {reason}. {advice}".rstrip()


def write_and_say(desk: Desk, path: Path, write: Callable[[], None], said: str) -> None:
    """Write a file and say so, or why it was not written."""
    try:
        write()
    except OSError as error:
        desk.complain(not_written(path, error))
    else:
        desk.say(said)


def ask_about_change(parent: QWidget, path: Path) -> str:
    """A file is no longer what was read or written last; what now? "save", "elsewhere" or ""."""
    what = f"{path.name} was changed by another program since it was opened or saved here."
    now = "Saving now replaces those changes by what is on the canvas."
    box = QMessageBox(QMessageBox.Icon.Question, "Changed on disk", what, parent=parent, informativeText=now)
    anyway = box.addButton("&Save anyway", QMessageBox.ButtonRole.DestructiveRole)
    elsewhere = box.addButton("Save &as another...", QMessageBox.ButtonRole.AcceptRole)
    box.addButton(Answer.Cancel)
    box.setDefaultButton(elsewhere)
    ask(box)
    if box.clickedButton() is anyway:
        return "save"
    return "elsewhere" if box.clickedButton() is elsewhere else ""
