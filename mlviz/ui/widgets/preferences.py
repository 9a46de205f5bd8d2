"""What is remembered from one run to the next: theme, recent files, the last choices, hints shown. Never the scene."""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSettings

from mlviz.draw.palette import THEMES

_THEMES = ("system", *THEMES[:2])
RECENT = 8
"""How many recent files are shown; twice as many are stored, since a stick that is not plugged in comes back."""


class Preferences:
    """A small text file in the user's configuration folder, shared by all windows of all running programs.

    Each recent file has an entry of its own, and what is written is merged entry by entry with what is there: the
    files of two windows stand in one list.
    """

    def __init__(self, settings: QSettings | None = None) -> None:
        self._settings = settings or QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "mlviz", "mlviz")
        # The theme of this window stays its own while another one chooses.
        theme = self.kept("theme")
        self.theme = theme if theme in _THEMES else "system"
        """One of `_THEMES`."""
        self._told = False
        self.tell: Callable[[str], object] = lambda sentence: None
        """Called with a sentence, once, when the file can't be written."""

    def choose_theme(self, theme: str) -> None:
        """Remember a theme."""
        if theme != self.theme:
            self.theme = theme
            self.keep("theme", theme)

    def kept(self, name: str) -> str:
        """What was kept under that name; "" where nothing was."""
        return str(self._settings.value(name, ""))

    def keep(self, name: str, words: str) -> None:
        """Keep a word or two of what was chosen."""
        self._settings.setValue(name, words)
        self._write()

    @property
    def recent(self) -> tuple[Path, ...]:
        """The files opened and saved last, newest first; those that are gone are left out."""
        self._settings.sync()
        return tuple([path for path in map(Path, self._stored().values()) if path.is_file()][:RECENT])

    def remember(self, path: Path) -> None:
        """Put a file at the head of the recent ones."""
        here = os.path.realpath(path)
        key = hashlib.sha256(here.encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self._settings.sync()
        self._settings.setValue(f"recent/{key}", [f"{time.time():.6f}", here])
        for old in list(self._stored())[2 * RECENT :]:
            self._settings.remove(f"recent/{old}")
        self._write()

    def forget_recent(self) -> None:
        """Empty the list of recent files."""
        self._settings.sync()
        for key in self._stored():
            self._settings.remove(f"recent/{key}")
        self._write()

    def _stored(self) -> dict[str, str]:
        """Key and path of the recent files, newest first; what somebody wrote there by hand wrongly is left out."""
        self._settings.beginGroup("recent")
        entries = {key: self._settings.value(key) for key in self._settings.childKeys()}
        self._settings.endGroup()
        proper = {key: entry for key, entry in entries.items() if isinstance(entry, list) and len(entry) == 2}
        order = sorted(proper, key=lambda key: str(proper[key][0]), reverse=True)
        return {key: str(proper[key][1]) for key in order}

    def _write(self) -> None:
        self._settings.sync()
        if self._settings.status() != QSettings.Status.NoError and not self._told:
            self._told = True
            path = Path(self._settings.fileName())
            self.tell(f"Theme, recent files and choices can't be remembered in {path}: {_reason(path.parent)}.")


def _reason(folder: Path) -> str:
    """Why nothing can be written into a folder, which Qt does not say."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(4096))
    except OSError as error:
        return error.strerror or str(error)
    return "the file is locked or damaged"
