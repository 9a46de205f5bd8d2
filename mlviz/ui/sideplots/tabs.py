"""The side plots of the current panel, in tabs below the canvas; each can be larger, or in a window of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from mlviz.draw.plot import Plot
from mlviz.ui.paint.axes import Style
from mlviz.ui.sideplots.pane import PlotPane
from mlviz.ui.widgets.parts import enlarged_font, lay_out, named, plain_label, tool_button

_LEAST = 120
"""Height of the tabs at least."""
_ANY_HEIGHT = 0xFFFFFF
"""What Qt takes for no limit, pixels."""
_SLICE = "cut"
"""Id of the plot along the line of the slice."""
_WINDOW_SIZE = 720, 480


class SideTabs(QWidget):
    """One tab a plot. A tab stays while its plot comes back, so that following a drag rebuilds nothing.

    `cover` puts a widget over the current canvas.
    """

    dragged = Signal(str, object, bool)
    """A handle was dragged: path, value, whether it was let go."""
    picked = Signal(object)
    """An `Area` of a plot was clicked."""
    pointed = Signal(object)
    """The mouse has come upon an `Area` of a plot, or upon none: None."""
    closed = Signal()
    removed = Signal(str)
    """The tab of the plot of that id is gone, and what stood beside it with it."""
    saving = Signal(object)
    """The plot in front is to be written as a picture."""
    companion: Callable[[Plot], QWidget | None] = staticmethod(lambda plot: None)
    """What stands beside a plot in its tab, made with the tab."""

    def __init__(self, style: Style, cover: Callable[[QWidget], None]) -> None:
        super().__init__(minimumHeight=_LEAST)
        self._style, self._cover = style, cover
        self.plots: dict[str, PlotPane] = {}
        self._pages: dict[str, QWidget] = {}
        """The page of each plot's tab."""
        self._wanted = ""
        """The id of a plot that comes to the front as soon as it is there."""
        self._chosen = " "
        """The id of the plot that somebody wanted to see: it stays in front, whatever else there is to be seen."""
        self.tabs = named(QTabWidget(documentMode=True), "Side plots")
        words = "Side plots appear here when the method has something to plot or a study is chosen from the Study menu."
        self._stack = QStackedWidget()
        self._empty = plain_label(words, margin=12, wordWrap=True)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.tabs)
        lay_out(QVBoxLayout(self), self._stack)
        self.tabs.tabBarDoubleClicked.connect(self.toggle_full)
        self.tabs.tabBarClicked.connect(self._choose)
        self.tabs.currentChanged.connect(self._front_changed)
        self._heights: list[int] = []
        """The sizes of what stands above it and its own, while it is as low as the names of its tabs."""
        self._in_sight = QTimer(self, singleShot=True, interval=0)
        self._in_sight.timeout.connect(self._bring_in_sight)

    def show_plots(self, plots: Sequence[Plot], held: bool = False) -> None:
        """Show these plots, one a tab. Those that are missing while the hand holds something may be back: they fade."""
        wanted = {plot.id: plot for plot in plots}
        first = next(iter(wanted), "")
        anew = first not in self.plots and not held and self.front != self._chosen
        for name in [name for name in self.plots if name not in wanted]:
            if held:
                self.plots[name].fade()
                continue
            gone = self.plots.pop(name)
            self._bring_home(gone)
            page = self._pages.pop(name)
            self.removed.emit(name)
            self.tabs.removeTab(self.tabs.indexOf(page))
            page.deleteLater()
        if wanted and self.tabs.cornerWidget() is None:
            self._add_buttons()
        for place, plot in enumerate(wanted.values()):
            if plot.id in self.plots:
                self.plots[plot.id].set_plot(plot)
                self.tabs.setTabText(self.tabs.indexOf(self._pages[plot.id]), plot.title)
                continue
            self.plots[plot.id] = pane = PlotPane(plot, self._style)
            pane.dragged.connect(self.dragged)
            pane.picked.connect(self.picked)
            pane.pointed.connect(self.pointed)
            beside = self.companion(plot)
            self._pages[plot.id] = page = pane.page if beside is None else QWidget()
            if beside is not None:
                lay_out(QHBoxLayout(page), (pane.page, 1), beside, spacing=0)
                pane.beside = beside
            self.tabs.insertTab(place, page, plot.title)
        if self._wanted in self.plots:
            self.bring_to_front(self._wanted)
        elif anew and first:  # another method: what it is about, not what it has in common with the one before
            self.tabs.setCurrentWidget(self._pages[first])
        self._stack.setCurrentIndex(int(bool(self.plots)))
        self._make_room()

    @property
    def front(self) -> str:
        """The id of the plot in front, "" where there is none."""
        front = self.tabs.currentWidget()
        return next((name for name, page in self._pages.items() if page is front), "")

    @property
    def in_sight(self) -> str:
        """The id of the plot in front where it is to be seen, here or elsewhere; "" where it is hidden."""
        pane = self.plots.get(self.front)
        return self.front if pane is not None and pane.isVisibleTo(pane.window()) else ""

    def bring_to_front(self, plot_id: str) -> None:
        """Show that plot in front, now or as soon as it is there."""
        self._wanted, self._chosen = "" if plot_id in self._pages else plot_id, plot_id
        if plot_id in self._pages:
            self.tabs.setCurrentWidget(self._pages[plot_id])

    def _choose(self, place: int) -> None:
        page = self.tabs.widget(place)
        self._chosen = next((name for name, own in self._pages.items() if own is page), self._chosen)

    def _add_buttons(self) -> None:
        """Add what shows a plot elsewhere. The window is not kept waiting for it when it opens, without plots."""
        large = tool_button("Full size", "Full size", "Show this plot on the whole canvas, or here again: F8, Escape.")
        large.clicked.connect(self.toggle_full)
        save = tool_button("Save...", "Save plot", "Write this plot as PNG, SVG or PDF.", self._save)
        apart = tool_button("Window", "Window", "Show this plot in a window of its own: Shift+F8.", self.open_window)
        close = tool_button(
            "×", "Close the side plots", "Close the side plots (Shift+F9 opens them).", self.closed.emit
        )
        corner = QWidget()
        lay_out(QHBoxLayout(corner), large, apart, save, close, spacing=2)
        self.tabs.setCornerWidget(corner)
        self._enlarge()

    def _save(self) -> None:
        if self.front:
            self.saving.emit(self.plots[self.front].plot)

    def open_slice(self) -> bool:
        """Bring the plot along the line of the slice to the front; whether there is one."""
        if _SLICE in self.plots:
            self.bring_to_front(_SLICE)
        return _SLICE in self.plots

    def set_style(self, style: Style) -> None:
        """Paint in another style."""
        self._style = style
        for pane in self.plots.values():
            pane.set_style(style)
        self._enlarge()

    def _enlarge(self) -> None:
        """Write names and buttons as large as the words of the pictures."""
        corner = self.tabs.cornerWidget()
        buttons = [] if corner is None else corner.findChildren(QAbstractButton)
        for part in (self._empty, self.tabs, *buttons):
            part.setFont(enlarged_font(self._style.text))

    def toggle_full(self) -> None:
        """Show the plot in front on the whole canvas, or in its tab again."""
        if not self.back() and self.front:
            pane = self.plots[self.front]
            self._bring_home(pane)
            pane.go_away()
            self._cover(pane)
            self._make_room()

    def back(self) -> bool:
        """Show a plot that covers a canvas in its tab again; whether there was one."""
        covering = self._covering
        for pane in covering:
            pane.go_home()
        self._make_room()
        return bool(covering)

    @property
    def _covering(self) -> list[PlotPane]:
        return [pane for pane in self.plots.values() if not pane.home and pane.window() is self.window()]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The name of the tab in front stays in sight."""
        super().resizeEvent(event)
        self._in_sight.start()

    def _front_changed(self) -> None:
        """Another tab has a plot of its own to show, where one covers a canvas."""
        if self._covering and self.plots.get(self.front) not in self._covering:
            self.back()
        self._in_sight.start()

    def _bring_in_sight(self) -> None:
        """Let the bar of tabs show the one in front: told of its size it scrolls there."""
        bar = self.tabs.tabBar()
        QApplication.sendEvent(bar, QResizeEvent(bar.size(), bar.size()))

    def _make_room(self) -> None:
        """Leave the height to a plot that covers a canvas, but for the names of the tabs, and take it again after."""
        low, above = bool(self._covering), self.parentWidget()
        if low == bool(self._heights) or not isinstance(above, QSplitter):
            return
        if low:
            self._heights = above.sizes()
            corner = self.tabs.cornerWidget()
            names = max(self.tabs.tabBar().sizeHint().height(), corner.sizeHint().height() if corner else 0)
            self.setFixedHeight(names)
            above.setSizes([sum(self._heights) - names, names])
        else:
            self.setMinimumHeight(_LEAST)
            self.setMaximumHeight(_ANY_HEIGHT)
            above.setSizes(self._heights)
            self._heights = []

    def open_window(self) -> None:
        """Show the plot in front in a window of its own; closed, it gives it back."""
        if not self.front:
            return
        pane = self.plots[self.front]
        self._bring_home(pane)
        window = QDialog(self.window())
        window.setWindowTitle(f"{pane.plot.title} – mlviz")
        window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        window.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        window.resize(*_WINDOW_SIZE)
        pane.go_away()
        lay_out(QVBoxLayout(window), pane)
        window.finished.connect(pane.go_home)
        window.show()
        pane.show()

    def _bring_home(self, pane: PlotPane) -> None:
        if pane.window() is not self.window():
            pane.window().close()
        pane.go_home()
