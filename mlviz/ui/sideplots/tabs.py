"""The side plots of the current panel, in tabs below the canvas."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from mlviz.draw.plot import Plot
from mlviz.ui.paint.axes import Style
from mlviz.ui.sideplots.sideplot import SidePlot
from mlviz.ui.widgets.parts import lay_out, named, plain_label, tool_button

_LEAST = 120
"""Height of the tabs at least."""
_SLICE = "cut"
"""Id of the plot along the line of the slice."""


class SideTabs(QWidget):
    """One tab a plot. A tab stays while its plot comes back, so that following a drag rebuilds nothing."""

    dragged = Signal(str, float, bool)
    """A handle was dragged: path, value, whether it was let go."""
    closed = Signal()

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self.plots: dict[str, SidePlot] = {}
        self.tabs = named(QTabWidget(documentMode=True), "Side plots")
        close = tool_button(
            "×", "Close the side plots", "Close the side plots (Shift+F9 opens them).", self.closed.emit
        )
        self.tabs.setCornerWidget(close)
        words = "Side plots appear here when the method has something to plot."
        self._stack = QStackedWidget()
        self._stack.addWidget(plain_label(words, margin=12, wordWrap=True))
        self._stack.addWidget(self.tabs)
        lay_out(QVBoxLayout(self), self._stack)
        self.setMinimumHeight(_LEAST)

    def show_plots(self, plots: Sequence[Plot], held: bool = False) -> None:
        """Show these plots, one a tab. Those that are missing while the hand holds something may be back: they fade."""
        wanted = {plot.id: plot for plot in plots}
        for name in [name for name in self.plots if name not in wanted]:
            if held:
                self.plots[name].fade()
                continue
            gone = self.plots.pop(name)
            self.tabs.removeTab(self.tabs.indexOf(gone))
            gone.deleteLater()
        for place, plot in enumerate(wanted.values()):
            if plot.id in self.plots:
                self.plots[plot.id].set_plot(plot)
                continue
            self.plots[plot.id] = side = SidePlot(plot, self._style)
            side.dragged.connect(self.dragged)
            self.tabs.insertTab(place, side, plot.title)
        self._stack.setCurrentIndex(int(bool(self.plots)))

    @property
    def front(self) -> str:
        """The id of the plot in front, "" where there is none."""
        front = self.tabs.currentWidget()
        return next((name for name, plot in self.plots.items() if plot is front), "")

    def open_slice(self) -> bool:
        """Bring the plot along the line of the slice to the front; whether there is one."""
        if _SLICE in self.plots:
            self.tabs.setCurrentWidget(self.plots[_SLICE])
        return _SLICE in self.plots

    def set_style(self, style: Style) -> None:
        """Paint in another style."""
        self._style = style
        for plot in self.plots.values():
            plot.set_style(style)
