"""The side plots of the current panel, in tabs below the canvas."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from mlviz.draw.plot import Plot
from mlviz.ui.paint.axes import Style
from mlviz.ui.sideplots.sideplot import SidePlot
from mlviz.ui.widgets.parts import lay_out, named, plain_label

_LEAST, _LEAST_EQUAL = 120, 230
"""Height of the tabs at least, and where a plot with equal units, which is as narrow as it is low, is in front."""
_SLICE = "cut"
"""Id of the plot along the line of the slice."""


class SideTabs(QWidget):
    """One tab a plot. A tab stays while its plot comes back, so that following a drag rebuilds nothing."""

    dragged = Signal(str, float, bool)
    """A handle was dragged: path, value, whether it was let go."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self.plots: dict[str, SidePlot] = {}
        self.tabs = named(QTabWidget(documentMode=True), "Side plots")
        words = "The side plots of this method appear here when there is something to plot."
        self._stack = QStackedWidget()
        self._stack.addWidget(plain_label(words, margin=12, wordWrap=True))
        self._stack.addWidget(self.tabs)
        lay_out(QVBoxLayout(self), self._stack)
        self.setMinimumHeight(_LEAST)
        self.tabs.currentChanged.connect(self._give_room)

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
        self._give_room()
        self._stack.setCurrentIndex(int(bool(self.plots)))

    @property
    def front(self) -> str:
        """The id of the plot in front, "" where there is none."""
        front = self.tabs.currentWidget()
        return next((name for name, plot in self.plots.items() if plot is front), "")

    def _give_room(self) -> None:
        front = self.tabs.currentWidget()
        equal = isinstance(front, SidePlot) and front.plot.equal
        self.setMinimumHeight(_LEAST_EQUAL if equal else _LEAST)

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
