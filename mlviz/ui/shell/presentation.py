"""Presentation mode: the canvases alone, everything larger, for those in the last row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QLabel

if TYPE_CHECKING:
    from mlviz.ui.shell.window import MainWindow

LARGER = {"text": 1.6, "lines": 1.5, "points": 1.4}
"""How much larger than usual the pictures' text, lines and points are."""
IDLE_MS = 3000
"""A cursor that rests this long is only in the way."""
BANNER_MS = 1600
"""How long a value stands over the picture."""


class Presentation:
    """Whether the window presents, and what it does only then."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.on = False
        self.banner = QLabel(window, alignment=Qt.AlignmentFlag.AlignCenter)
        """A few words over the picture, for a moment."""
        self.banner.setObjectName("shout")
        self.banner.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.banner.hide()
        self._quiet = QTimer(window, singleShot=True, interval=BANNER_MS)
        self._quiet.timeout.connect(self.banner.hide)
        self._idle = QTimer(window, singleShot=True, interval=IDLE_MS)
        self._idle.timeout.connect(self.hide_cursor)
        window.hand.follow(self._stir)

    def show(self, on: bool) -> None:
        """Start or leave."""
        window, self.on = self._window, on
        # First, since hiding what has the keyboard passes it on to the next in line, another canvas perhaps.
        window.canvas.setFocus()
        for part in (window.menuBar(), window.actions_.toolbar, window.status):
            part.setVisible(not on)
        if on != window.isFullScreen():
            # Not showNormal: a maximized window is to be maximized again.
            window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)
        window.player.enlarge(LARGER["text"] if on else 1.0)
        window.appearance.show_parts()
        window.appearance.apply_theme()
        window.canvas.setFocus()
        window.actions_.refresh()
        self.banner.hide()
        self._stir()

    def say(self, words: str) -> None:
        """Show a few words large for a moment, where nothing else shows them: the side panels and toolbar are away."""
        if not self.on:
            return
        self.banner.setText(words)
        self.banner.adjustSize()
        canvas = self._window.canvas
        corner = canvas.mapTo(self._window, canvas.rect().topLeft())
        width = min(self.banner.width(), canvas.width() - 16)
        self.banner.resize(width, self.banner.height())
        self.banner.move(corner.x() + (canvas.width() - width) // 2, corner.y() + canvas.height() // 8)
        self.banner.show()
        self.banner.raise_()
        self._quiet.start()

    def hide_cursor(self) -> None:
        """Hide the mouse's cursor; the canvas shows it again as soon as it moves."""
        if self.on and not self._window.canvas.busy:
            for canvas in self._window.canvases:
                canvas.setCursor(Qt.CursorShape.BlankCursor)

    def _stir(self) -> None:
        if self.on:
            self._idle.start()
        else:
            self._idle.stop()
