"""The room of one side plot, which is lent to other places of the window."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QRectF, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from mlviz.draw.plot import Plot, full_limits
from mlviz.spec.outside import shortened
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.stack import paint_plot
from mlviz.ui.paint.strokes import colour
from mlviz.ui.sideplots import loading
from mlviz.ui.widgets.parts import enlarged_font, lay_out, named, plain_label

_SOON_MS = 20
"""So many milliseconds after the canvas beside it a new plot is shown: the canvas comes first under the hand."""
_AWAY = "This plot is shown elsewhere: full size on a canvas, or in a window of its own. Escape there brings it back."


class PlotPane(QWidget):
    """Shows a plot where it is to be seen. `dragged` carries the path of a handle, its value, whether it was let go.

    It is at home on the page of its tab, which says so while it is elsewhere. A plot without marks has a sentence in
    the place of its horizontal label, which is shown instead.
    """

    dragged = Signal(str, object, bool)
    picked = Signal(object)
    """An `Area` of the plot was clicked."""
    pointed = Signal(object)
    """The mouse has come upon an `Area` of the plot, or upon none: None."""

    def __init__(self, plot: Plot, style: Style) -> None:
        super().__init__()
        self.page = QStackedWidget()
        self.page.addWidget(plain_label(_AWAY, margin=12, wordWrap=True))
        self._words = plain_label(margin=12, wordWrap=True)
        self.beside: QWidget | None = None
        """What stands beside it in its tab, and goes with it."""
        self._style = style
        self._view: Any = None
        """The `PlotView`, which is not there before it is needed."""
        self._columns = lay_out(QHBoxLayout(self), (self._words, 1), spacing=0)
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self._follow)
        self.setMinimumSize(140, 100)
        self.set_plot(plot)
        self.go_home()

    def set_plot(self, plot: Plot) -> None:
        """Show this plot, soon."""
        self.plot = plot
        self._show_words()
        if self.home:
            self.page.setCurrentWidget(self)
        self._faded = False
        named(self, plot.title, description=f"{shortened(plot.y_label)} over {shortened(plot.x_label)}")
        if not self._soon.isActive():
            self._soon.start()

    def fade(self) -> None:
        """Show the plot as one of what was before, until there is a new one."""
        self._faded = True
        self._follow()

    def set_style(self, style: Style) -> None:
        """Paint in another style."""
        self._style = style
        self._show_words()
        self._follow()

    @property
    def home(self) -> bool:
        """Whether it is on the page of its tab."""
        return self.parent() is self.page

    def go_home(self) -> None:
        """Be on the page of its tab."""
        self.page.addWidget(self)
        self.page.setCurrentWidget(self)
        tab = self.page.parentWidget()
        if self.beside is not None and tab is not None and (columns := tab.layout()) is not None:
            columns.addWidget(self.beside)

    def go_away(self) -> None:
        """Be about to be shown elsewhere, with what stands beside it; its tab says so."""
        self.page.setCurrentIndex(0)
        if self.beside is not None:
            self._columns.addWidget(self.beside)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what was missed while it was hidden."""
        super().showEvent(event)
        self._follow()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the plot as a file would have it, while what it can be pointed into with is being loaded."""
        if self._view is not None and self.plot.marks:
            return
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), colour(self._style.colors.paper))
            if self.plot.marks:
                plot = replace(self.plot, title="")
                paint_plot(painter, QRectF(self.rect()), plot, full_limits(plot), self._style)

    def _show_words(self) -> None:
        """Show the sentence of a plot without marks in its place."""
        font = enlarged_font(self._style.text)
        self._words.setFont(font)
        self._words.setText(self.plot.x_label)
        self._words.setVisible(not self.plot.marks)
        if self._view is not None:
            self._view.setVisible(bool(self.plot.marks))

    def _follow(self) -> None:
        if not self.isVisible() or not self.plot.marks:
            return
        if not loading.loaded():
            self.update()
            self._soon.start()
            return
        if self._view is None:
            self._view = loading.new_view(self.plot, self._style)
            self._view.dragged.connect(self.dragged)
            self._view.picked.connect(self.picked)
            self._view.pointed.connect(self.pointed)
            self._columns.insertWidget(0, self._view, 1)
            self._view.show()
        self._view.show_plot(self.plot, self._style, self._faded)
