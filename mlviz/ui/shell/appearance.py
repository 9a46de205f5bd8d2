"""How the window looks: its theme, which of its parts are to be seen, and the style of its pictures."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from mlviz.ui.paint.axes import Style
from mlviz.ui.widgets import theme
from mlviz.ui.widgets.preferences import Preferences

_LARGER = {"text": 1.6, "lines": 1.5, "points": 1.4}
"""How much larger than usual the pictures' text, lines and points are in a presentation."""
SHEET = """
QLabel#heading { font-weight: bold; padding-top: 4px; }
QLabel#note { color: palette(placeholder-text); }
QLabel#problem { color: palette(link); }
QFrame#panel { border: 2px solid transparent; }
QFrame#panel[current="true"], QFrame#panel[reached="true"] { border-color: palette(highlight); }
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
        self.legend_wanted = True
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_desktop)

    @property
    def style(self) -> Style:
        """How pictures are painted at present."""
        return Style(theme=self._theme, legend=self.legend_wanted, **(_LARGER if self.presenting else {}))

    def set_theme(self, name: str) -> None:
        """Use a theme from now on: "light", "dark" or "system"."""
        self._preferences.choose_theme(name)
        self._theme = theme.apply(QApplication.instance(), name)
        self.styled.emit(self.style)

    def present(self, on: bool) -> None:
        """Show the canvases alone and everything larger, or all as usual."""
        self.presenting = on
        self.parts_changed.emit()
        self.styled.emit(self.style)

    def toggle_sidebar(self) -> None:
        """Show or hide what stands beside and below the canvas."""
        self.sidebar_wanted = not self.sidebar_wanted
        self.parts_changed.emit()

    def toggle_legend(self) -> None:
        """Show or hide the legends."""
        self.legend_wanted = not self.legend_wanted
        self.styled.emit(self.style)

    def _follow_desktop(self) -> None:
        if self._preferences.theme == "system":
            self.set_theme("system")
