"""The hints on the screen: a line below the axes of the canvases, for some seconds or till the next press."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer

from mlviz.ui.canvas.canvas import Canvas
from mlviz.ui.canvas.panel_grid import PanelGrid
from mlviz.ui.guide.hints import HINTS, Moment
from mlviz.ui.widgets.parts import plain_label
from mlviz.ui.widgets.preferences import Preferences

SHOWN_MS = 10_000
"""A hint stays so long where nothing is pressed."""
_AIR, _BELOW = 12, 2
"""How far it is from the sides of the canvases at least, and from their lower edge, pixels."""
_SEEN = "seen"


class HintLine(QObject):
    """Shows each hint once, and one at a time; what was shown is kept in the preferences."""

    def __init__(self, panels: PanelGrid, preferences: Preferences, written: Callable[[str], str]) -> None:
        """`written` puts keys and names of commands into words."""
        super().__init__(panels)
        self._panels, self._preferences, self._written = panels, preferences, written
        self._watched: list[Canvas] = []
        self.label = plain_label("", panels, objectName="hint", wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self.label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.label.hide()
        self._quiet = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._quiet.timeout.connect(self.hide)
        panels.resized.connect(self._place)
        self._read()

    def offer(self, moment: Moment) -> bool:
        """Show the first of those left that applies; whether there was one."""
        hint = next((hint for hint in self.left if hint.applies(moment)), None)
        if hint is None:
            return False
        self.left.remove(hint)
        self._preferences.keep(f"hints/{hint.id}", _SEEN)
        self._show(self._written(hint.words))
        return True

    def hide(self) -> None:
        """It has been read, or is in the way."""
        self._quiet.stop()
        for canvas in self._watched:
            canvas.removeEventFilter(self)
        self._watched.clear()
        self.label.hide()

    def forget(self) -> None:
        """Show all of them again, each at its time."""
        for hint in HINTS:
            self._preferences.keep(f"hints/{hint.id}", "")
        self._read()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Go at the next press of a button or key on a canvas."""
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.KeyPress):
            self.hide()
        return False

    def _read(self) -> None:
        self.left = [hint for hint in HINTS if self._preferences.kept(f"hints/{hint.id}") != _SEEN]
        """The hints that were not shown yet."""

    def _place(self) -> None:
        # Over the whole caption or legend, which is at hand again soon: half of a line would be read as a fault.
        strip = self._panels.lowest_words.adjusted(_AIR, 0, -_AIR, -_BELOW)
        height = max(strip.height(), self.label.heightForWidth(strip.width()))
        self.label.setGeometry(strip.left(), strip.bottom() + 1 - height, strip.width(), height)

    def _show(self, words: str) -> None:
        self.label.setText(words)
        self._place()
        self.label.show()
        self.label.raise_()
        # Only now: no event of a canvas goes through here otherwise.
        self._watched = list(self._panels.canvases)
        for canvas in self._watched:
            canvas.installEventFilter(self)
        self._quiet.start()
