"""How the window looks: its theme, which of its parts are to be seen, the style of its pictures; presentations."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMainWindow, QToolBar

from mlviz.draw.palette import Colours
from mlviz.interaction.tool_state import ToolState
from mlviz.ui.canvas.panel_grid import PanelGrid
from mlviz.ui.canvas.spotlight import Spotlight
from mlviz.ui.paint.axes import Style
from mlviz.ui.widgets import theme
from mlviz.ui.widgets.parts import plain_label
from mlviz.ui.widgets.preferences import Preferences

_PRESENTED: dict[str, Any] = {"text": 1.6, "lines": 1.5, "points": 1.4, "smallest": 18}
"""How much larger than usual the pictures' text, lines and points are in a presentation, and its smallest letters."""
_SIDES, _OPEN = "side plots", "open"
"""The name under which it is kept whether they are wanted, and the word for that they are."""
_IDLE_MS = 3000
"""A cursor that rests this long is only in the way."""
_BANNER_MS = 1600
"""How long a value stands over the picture."""
_WAY_OUT = "Escape ends the presentation"
STYLE_SHEET = """
QLabel#heading { font-weight: bold; padding-top: 4px; }
QLabel#note { color: palette(placeholder-text); }
QLabel#problem { color: palette(link); }
QFrame#panel { border: 2px solid transparent; }
QFrame#panel[current="true"], QFrame#panel[reached="true"] { border-color: palette(highlight); }
QToolButton#link { color: palette(link); }
QToolButton#tile { background: palette(base); border-radius: 4px; }
QToolButton#tile:!focus { border: 1px solid palette(placeholder-text); }
QToolButton#tile:hover { background: palette(midlight); }
QFrame#card { background: palette(base); border: 1px solid palette(highlight); border-radius: 8px; }
QLabel#hint { background: palette(base); color: palette(text); border: 1px solid palette(highlight);
    border-radius: 6px; padding: 3px 8px; }
QLabel#banner { background: palette(highlight); color: palette(highlighted-text); border-radius: 10px;
    padding: 10px 28px; font-size: 36px; font-weight: bold; }
"""
"""What the style of the widgets leaves open: headings, and the frame around the current canvas."""


class Appearance(QObject):
    """Owns what is a matter of taste, and tells the parts of the window how they are to look."""

    styled = Signal(object)
    """The `Style` in which everything is shown from now on."""
    parts_changed = Signal()
    """Other parts of the window than before are to be seen."""

    def __init__(self, preferences: Preferences, parent: QObject) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._theme = "light"
        self.presenting = False
        """Whether the canvases stand alone, everything larger."""
        self.sidebar_wanted = True
        """Whether sidebar and side plots are to be seen when nothing is presented."""
        self.sides_wanted = preferences.kept(_SIDES) == _OPEN
        """Whether the side plots are to be seen where the sidebar is: once somebody has asked for them."""
        self.sides_presented = False
        """The same in a presentation, which begins with the canvases alone."""
        self.legend_wanted = True
        self.colours: Colours = ()
        """Of the scene's classes."""
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_desktop)

    @property
    def sides_unknown(self) -> bool:
        """Whether nobody has opened or closed the side plots so far."""
        return not self._preferences.kept(_SIDES)

    @property
    def style(self) -> Style:
        """How pictures are painted at present."""
        presented = _PRESENTED if self.presenting else {}
        return Style(theme=self._theme, legend=self.legend_wanted, colours=self.colours, **presented)

    def set_theme(self, name: str) -> None:
        """Use a theme from now on: "light", "dark" or "system"."""
        self._preferences.choose_theme(name)
        self._theme = theme.apply(QApplication.instance(), name)
        self.styled.emit(self.style)

    def toggle_sidebar(self) -> None:
        """Show or hide what stands beside and below the canvas."""
        self.sidebar_wanted = not self.sidebar_wanted
        self.parts_changed.emit()

    @property
    def sides_shown(self) -> bool:
        """Whether the side plots are to be seen now."""
        return self.sides_presented if self.presenting else self.sides_wanted

    def toggle_sides(self) -> None:
        """Show or hide the side plots, in a presentation until it ends."""
        if self.presenting:
            self.sides_presented = not self.sides_presented
            self.parts_changed.emit()
            return
        self.sides_wanted = not self.sides_wanted
        self._preferences.keep(_SIDES, _OPEN if self.sides_wanted else "closed")
        self.parts_changed.emit()

    def toggle_legend(self) -> None:
        """Show or hide the legends."""
        self.legend_wanted = not self.legend_wanted
        self.styled.emit(self.style)

    def _follow_desktop(self) -> None:
        if self._preferences.theme == "system":
            self.set_theme("system")


class Presentation:
    """Presentation mode: the canvases alone, everything larger, for those in the last row."""

    def __init__(self, window: QMainWindow, appearance: Appearance, hand: ToolState, panels: PanelGrid) -> None:
        self._window, self._appearance, self._panels = window, appearance, panels
        self.banner = plain_label("", window, objectName="banner", alignment=Qt.AlignmentFlag.AlignCenter)
        """A few words over the picture, for a moment."""
        self.banner.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.banner.hide()
        self.spotlight = Spotlight(window)
        self._quiet = QTimer(window, singleShot=True, interval=_BANNER_MS)
        self._quiet.timeout.connect(self.banner.hide)
        self._idle = QTimer(window, singleShot=True, interval=_IDLE_MS)
        self._idle.timeout.connect(self.hide_cursor)
        hand.follow(self._idle.start)
        panels.resized.connect(self._place)

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
        self._appearance.presenting, self._appearance.sides_presented = on, False
        self._appearance.parts_changed.emit()
        self._appearance.styled.emit(self._appearance.style)
        self._panels.canvas.setFocus()
        self.spotlight.switch(False)
        self.banner.hide()
        self.say(_WAY_OUT)
        self._idle.start()

    def toggle_spotlight(self) -> None:
        """Dim all but a circle around the cursor, or show all again."""
        self.spotlight.switch(not self.spotlight.on)

    def say(self, words: str) -> None:
        """Show a few words large for a moment, where nothing else shows them: the side panels and toolbar are away."""
        if not self._appearance.presenting:
            return
        self.banner.setText(words)
        self.banner.show()
        self.banner.raise_()
        self._place()
        self._quiet.start()

    def _place(self) -> None:
        """Put the banner over the canvas, or in lines over all where that is too narrow; also when the window grows."""
        if self.banner.isHidden():
            return
        self.banner.setWordWrap(False)
        self.banner.adjustSize()
        canvas, most = self._panels.canvas, self._panels.width() - 16
        under = canvas if self.banner.width() <= canvas.width() - 16 else self._panels
        corner = under.mapTo(self._window, under.rect().topLeft())
        if self.banner.width() > most:
            self.banner.setWordWrap(True)
            self.banner.resize(most, self.banner.heightForWidth(most))
        left = corner.x() + (under.width() - self.banner.width()) // 2
        self.banner.move(left, corner.y() + canvas.height() // 8)

    def hide_cursor(self) -> None:
        """Hide the mouse's cursor in a presentation; the canvas shows it again as soon as it moves."""
        if self._appearance.presenting and not self._panels.canvas.busy:
            for canvas in self._panels.canvases:
                canvas.setCursor(Qt.CursorShape.BlankCursor)
