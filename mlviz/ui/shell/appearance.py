"""How the window looks: its theme, which of its parts are to be seen, and the style of its pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from mlviz.ui.paint.axes import Style
from mlviz.ui.shell.player import ICONS
from mlviz.ui.shell.presentation import LARGER
from mlviz.ui.widgets import theme

if TYPE_CHECKING:
    from mlviz.ui.shell.window import MainWindow

SHEET = """
QLabel#heading { font-weight: bold; padding-top: 4px; }
QLabel#note { color: palette(placeholder-text); }
QLabel#problem { color: palette(link); }
QFrame#panel { border: 2px solid transparent; }
QFrame#panel[current="true"], QFrame#panel[reached="true"] { border-color: palette(highlight); }
QLabel#shout { background: palette(highlight); color: palette(highlighted-text); border-radius: 10px;
    padding: 10px 28px; font-size: 36px; font-weight: bold; }
"""
"""What the style of the widgets leaves open: headings, and the frame around the current canvas."""


class Appearance(QObject):
    """Owns what is a matter of taste, and dresses all parts of the window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._theme = "light"
        self.sidebar_wanted = True
        """Whether sidebar and side plots are to be seen when nothing is presented."""
        self.legend_wanted = True
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_desktop)

    @property
    def style(self) -> Style:
        """How pictures are painted at present."""
        larger = LARGER if self._window.presenting else {}
        return Style(theme=self._theme, legend=self.legend_wanted, **larger)

    def set_theme(self, name: str) -> None:
        """Use a theme from now on: "light", "dark" or "system"."""
        self._window.preferences.theme = name
        self._theme = theme.apply(QApplication.instance(), name)
        self.apply_theme()

    def toggle_sidebar(self) -> None:
        """Show or hide what stands beside and below the canvas."""
        self.sidebar_wanted = not self.sidebar_wanted
        self.show_parts()

    def toggle_legend(self) -> None:
        """Show or hide the legends."""
        self.legend_wanted = not self.legend_wanted
        self.apply_theme()

    def show_parts(self) -> None:
        """Show what stands beside and below the canvas, or hide it."""
        window = self._window
        wanted = self.sidebar_wanted and not window.presenting
        window.sidebar.setVisible(wanted)
        window.sides.setVisible(wanted and bool(window.sidebar.panel.pipeline.algorithm.charts))

    def apply_theme(self) -> None:
        """Show everything in the present theme and size."""
        window = self._window
        # Set anew each time, since it takes the colours from the palette when it is set.
        window.setStyleSheet(SHEET)
        window.panels.set_style(self.style)
        window.sides.set_style(self.style)
        window.actions_.show_icons(theme.icon, self._theme)
        window.presets.show_icons(self._theme)
        window.player.show_icons({name: theme.icon(name) for name in ICONS})

    def _follow_desktop(self) -> None:
        if self._window.preferences.theme == "system":
            self.set_theme("system")
