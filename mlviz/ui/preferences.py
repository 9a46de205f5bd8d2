"""What is remembered from one run to the next: theme and recent files. Never the scene."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings

THEMES = ("system", "light", "dark")
RECENT = 8


class Preferences:
    """A small text file in the user's configuration folder."""

    def __init__(self, settings: QSettings | None = None) -> None:
        self._settings = settings or QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "mlviz", "mlviz")

    @property
    def theme(self) -> str:
        """One of `THEMES`."""
        theme = str(self._settings.value("theme", "system"))
        return theme if theme in THEMES else "system"

    @theme.setter
    def theme(self, theme: str) -> None:
        self._settings.setValue("theme", theme)

    @property
    def recent(self) -> tuple[Path, ...]:
        """The files opened and saved last, newest first; those that are gone are left out."""
        stored = self._settings.value("recent", [])
        names = [stored] if isinstance(stored, str) else list(stored) if isinstance(stored, list) else []
        return tuple(path for path in map(Path, names) if path.is_file())

    def remember(self, path: Path) -> None:
        """Put a file at the head of the recent ones."""
        here = path.resolve()
        others = [p for p in self.recent if p != here]
        self._settings.setValue("recent", [str(p) for p in (here, *others)][:RECENT])
