"""Presentation mode: the canvases alone, everything larger, for those in the last row."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QLabel, QMainWindow, QToolBar

from mlviz.interaction.tool_state import ToolState
from mlviz.ui.canvas.panel_grid import PanelGrid
from mlviz.ui.shell.appearance import Appearance

_IDLE_MS = 3000
"""A cursor that rests this long is only in the way."""
_BANNER_MS = 1600
"""How long a value stands over the picture."""


class Presentation:
    """Starts and ends a presentation, and does what is done only then."""

    def __init__(self, window: QMainWindow, appearance: Appearance, hand: ToolState, panels: PanelGrid) -> None:
        self._window, self._appearance, self._panels = window, appearance, panels
        self.banner = QLabel(window, alignment=Qt.AlignmentFlag.AlignCenter)
        """A few words over the picture, for a moment."""
        self.banner.setObjectName("banner")
        self.banner.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.banner.hide()
        self._quiet = QTimer(window, singleShot=True, interval=_BANNER_MS)
        self._quiet.timeout.connect(self.banner.hide)
        self._idle = QTimer(window, singleShot=True, interval=_IDLE_MS)
        self._idle.timeout.connect(self.hide_cursor)
        hand.follow(self._idle.start)

    def show(self, on: bool) -> None:
        """Start or leave."""
        window = self._window
        # First, since hiding what has the keyboard passes it on to the next in line, another canvas perhaps.
        self._panels.canvas.setFocus()
        for bar in (window.menuBar(), window.statusBar(), *window.findChildren(QToolBar)):
            bar.setVisible(not on)
        if on != window.isFullScreen():
            # Not showNormal: a maximized window is to be maximized again.
            window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)
        self._appearance.present(on)
        self._panels.canvas.setFocus()
        self.banner.hide()
        self._idle.start()

    def say(self, words: str) -> None:
        """Show a few words large for a moment, where nothing else shows them: the side panels and toolbar are away."""
        if not self._appearance.presenting:
            return
        self.banner.setText(words)
        self.banner.adjustSize()
        canvas = self._panels.canvas
        corner = canvas.mapTo(self._window, canvas.rect().topLeft())
        width = min(self.banner.width(), canvas.width() - 16)
        self.banner.resize(width, self.banner.height())
        self.banner.move(corner.x() + (canvas.width() - width) // 2, corner.y() + canvas.height() // 8)
        self.banner.show()
        self.banner.raise_()
        self._quiet.start()

    def hide_cursor(self) -> None:
        """Hide the mouse's cursor in a presentation; the canvas shows it again as soon as it moves."""
        if self._appearance.presenting and not self._panels.canvas.busy:
            for canvas in self._panels.canvases:
                canvas.setCursor(Qt.CursorShape.BlankCursor)
