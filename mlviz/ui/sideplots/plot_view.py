"""A side plot on the screen: the picture of a figure in a box of pyqtgraph, that zooms and pans and has handles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QGraphicsView, QSizePolicy

from mlviz.draw import palette
from mlviz.draw.legend import Arranged
from mlviz.draw.marks import Points, Polygons
from mlviz.draw.plot import Area, Limits, Plot, full_limits
from mlviz.numerics.arrays import Array
from mlviz.ui.paint.aside import made_aside
from mlviz.ui.paint.axes import AxesFrame, Style, equal_area, forward, plot_area
from mlviz.ui.paint.axis_painter import axis_ticks
from mlviz.ui.paint.layers import LegendLayer, Sheet
from mlviz.ui.paint.legend import Aside, paint_legend, size_of
from mlviz.ui.paint.painter import paint_marks
from mlviz.ui.paint.stack import FrameContent, named_marks, paint_stack, stack
from mlviz.ui.paint.strokes import colour
from mlviz.ui.sideplots.axis import ChartAxis
from mlviz.ui.sideplots.cards import beside, named_at, paint_card
from mlviz.ui.sideplots.handles import Grip
from mlviz.ui.sideplots.reading import area_at, value_at

_REACH_PX = 10
"""How near the mouse must come to a handle to take hold of it."""
_STEADY_PX = 2
"""A hand that moves less drags nothing."""
_FADED = 0.5
"""How much of the paper lies over a plot that is one of what was before."""
_FARTHEST, _NEAREST = 100.0, 1e-6
"""How far beyond its ends an axis can be looked at, and how little of it, in lengths of it."""
_LARGEST = 1e307
"""With larger numbers pyqtgraph fails."""
# Without a limit to the events of the mouse: the hand is followed to where it lets go.
pg.setConfigOptions(antialias=True, mouseRateLimit=-1)


class PlotView(pg.GraphicsView):
    """Shows one plot. `dragged` carries the path of a handle, its value, and whether it was let go.

    The marks are the background, painted by the painter of figures; axes and handles are pyqtgraph's; what is read
    under the cursor lies in front. Places are pixels of this widget, and inside the box those of the axes: logarithms
    where they are log axes.
    """

    dragged = Signal(str, object, bool)
    picked = Signal(object)
    """An `Area` was clicked."""
    pointed = Signal(object)
    """The mouse has come upon an `Area`, or upon none: None."""
    plot: Plot | None = None
    legend: Arranged | None = None
    """The legend as it was painted last."""

    def __init__(self, plot: Plot, style: Style) -> None:
        super().__init__(useOpenGL=False)
        self._box = pg.ViewBox(enableMenu=False, defaultPadding=0.0)
        self._box.disableAutoRange()
        self._axes = (ChartAxis(False), ChartAxis(True))
        for item in (self._box, *self._axes):
            self.scene().addItem(item)
        for axis in self._axes:
            axis.linkToView(self._box)
        self._grips: list[Grip] = []
        self._style = style
        self._mouse: QPointF | None = None
        """Where the mouse is that drags nothing; None where it is elsewhere."""
        self._area: Area | None = None
        """What is pointed at that can be clicked."""
        self._read: tuple[Array, str] | None = None
        """The value under the cursor: its place (2,) and what it says."""
        self._whole: Limits | None = None
        """The limits of all of the plot."""
        self._legend = QRectF()
        """Where the legend is."""
        self._aside: Aside | None = None
        """The room of a legend beside the axes."""
        self._pressed: QPointF | None = None
        """Where the button went down and the mouse still is."""
        self._zoomed = False
        """Whether other limits are to be seen than the plot's own."""
        self._box.sigRangeChangedManually.connect(self._zoom)
        self.scene().setClickRadius(_REACH_PX)
        self.scene().setMoveDistance(_STEADY_PX)
        # pyqtgraph's scene would ask for as much room as it had last, and the canvas beside it would move.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseTracking(True)
        self.setAntialiasing(True)
        self._restyle()
        self.show_plot(plot, style)

    def show_plot(self, plot: Plot, style: Style, faded: bool = False) -> None:
        """Show this plot in this style, `faded` as one of what was before; a handle that is held stays in the hand."""
        former, self.plot, self._faded = self.plot, plot, faded
        if former is None or _axes_of(former) != _axes_of(plot):
            self._zoomed = False
            for axis, scale in zip(self._axes, (plot.x_scale, plot.y_scale), strict=True):
                axis.setLogMode(scale == "log", scale == "log")
            self._box.setAspectLocked(plot.equal)
        if style != self._style:
            self._style = style
            self._restyle()
        self._arrange()
        self._show_handles()

    def close(self) -> bool:
        """Close like any widget: pyqtgraph takes the scene apart, and what comes later then crashes."""
        return QGraphicsView.close(self)

    def event(self, event: QEvent) -> bool:
        """Paint for another screen."""
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._restyle()
        return bool(super().event(event))

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Fill another size; pyqtgraph's constructor asks for that too."""
        super().resizeEvent(event)
        if self.plot is not None:
            self._arrange()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what can be dragged; where nothing is, read the value under the cursor."""
        super().mouseMoveEvent(event)
        free = event.buttons() == Qt.MouseButton.NoButton
        self._pressed = None if self._pressed is None or self._moved(event) else self._pressed
        self._mouse = event.position() if free else None
        self._point()
        usual = Qt.CursorShape.PointingHandCursor if self._area is not None else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(next((grip.cursor for grip in self._grips if grip.near), usual))
        self._read = value_at(self.plot, self._frame, event.position()) if self.plot and free else None
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where the button went down: a click is one that comes up there."""
        super().mousePressEvent(event)
        self._pressed = event.position() if event.button() == Qt.MouseButton.LeftButton else None

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Pick what was clicked."""
        super().mouseReleaseEvent(event)
        pressed, self._pressed = self._pressed, None
        if pressed is None or self.plot is None:
            return  # a handle below the mouse is dragged, not clicked
        if (area := area_at(self.plot, self._frame, event.position())) is not None:
            self.picked.emit(area)

    def _moved(self, event: QMouseEvent) -> bool:
        """Whether the mouse has left the place of the press: the hand drags."""
        return self._pressed is not None and (event.position() - self._pressed).manhattanLength() > _STEADY_PX

    def leaveEvent(self, event: QEvent) -> None:
        """Forget the cursor."""
        super().leaveEvent(event)
        self._read = self._mouse = None
        self._point()
        self.viewport().update()

    def _point(self) -> None:
        """Find what is under the mouse that can be clicked, and tell of it where it is another one."""
        area = None
        if self.plot is not None and self._mouse is not None:
            area = area_at(self.plot, self._frame, self._mouse)
        if area is not self._area:
            self._area = area
            self.pointed.emit(area)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the whole plot again."""
        self._zoomed = False
        self._arrange()

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        """Paint the plot without its ticks; Qt keeps the pixels until they are reset."""
        painter.fillRect(rect, colour(self._style.colors.paper))
        if self.plot is not None:
            # Who shows it has the title already.
            content = FrameContent(replace(self.plot, title=""), ticks=False, legend=False)
            layer = LegendLayer(named_marks(self.plot, None), aside=self._aside)
            self.legend = found = layer.settled(self._frame, self._style)
            self._legend = QRectF() if found is None else QRectF(*found[2], *size_of(found[1], self._style))
            paint_stack(Sheet(painter, self._frame, self._style, legend_box=self._legend), stack(content))

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        """Paint the legend, at which lines that can be dragged end, their names, and the value under the cursor."""
        paint_legend(painter, self.legend, self._style)
        taken = [self._legend]
        for grip in self._grips:
            assert self.plot is not None
            box = named_at(grip.handle, grip.pixel, self._frame, self.plot.marks, self._style, taken)
            if box is not None:
                taken.append(box)
                paint_card(painter, box, grip.handle.label, self._style)
        if self._area is not None:
            x0, x1, y0, y1 = self._area.limits
            outline = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
            paint_marks(painter, self._frame, [Polygons("selection", (outline,))], self._style)
        if self._read is not None:
            place, words = self._read
            paint_marks(painter, self._frame, [Points("selection", place[None])], self._style)
            pixel = self._frame.to_pixels(place)[0]
            paint_card(painter, beside(pixel, words, self._frame.area, self._legend, self._style), words, self._style)
        if self._faded:
            painter.fillRect(rect, colour(palette.faded(self._style.colors.paper, _FADED)))

    def _arrange(self) -> None:
        """Give the box and the axes their places, on whole pixels, and unless it is zoomed show all of the plot."""
        assert self.plot is not None
        whole = full_limits(self.plot)
        room = plot_area(QRectF(self.rect()), self._style)
        area = equal_area(room, whole) if self.plot.equal else room
        frame = AxesFrame(whole, area, (self.plot.x_scale, self.plot.y_scale))
        self._aside = made_aside(frame, named_marks(self.plot, None), None, self._style, self.plot.equal, room=room)
        area = area if self._aside is None else QRectF(*self._aside.area)
        self._box.setGeometry(area)
        self._axes[0].place(QRectF(area.left(), area.bottom(), area.width(), self.height() - area.bottom()))
        self._axes[1].place(QRectF(0, area.top(), area.left(), area.height()))
        x, y = forward(np.reshape(whole, (2, 2)).T, (self.plot.x_scale, self.plot.y_scale)).T.tolist()
        if whole != self._whole:
            self._whole = whole
            self._box.setLimits(**_bounds("x", *x), **_bounds("y", *y))
        if not self._zoomed:
            self._box.setRange(xRange=x, yRange=y, padding=0)
        self._renew()

    def _zoom(self) -> None:
        self._zoomed = True
        self._renew()

    def _renew(self) -> None:
        """Paint all anew, with the limits that are to be seen."""
        assert self.plot is not None
        assert self._whole is not None
        # Otherwise the mouse is taken to be where it would be in what was painted last.
        self._box.updateMatrix()
        scales, limits = (self.plot.x_scale, self.plot.y_scale), self._whole
        if self._zoomed:
            seen = zip(self._box.viewRange(), scales, strict=True)
            (x0, x1), (y0, y1) = ([10.0**end if scale == "log" else end for end in ends] for ends, scale in seen)
            limits = x0, x1, y0, y1
        self._frame = AxesFrame(limits, self._box.geometry(), scales)
        for axis, ticks in zip(self._axes, axis_ticks(self._frame, self.plot, self._style), strict=True):
            axis.show_ticks(ticks)
        self._read = None
        self._point()
        self.resetCachedContent()

    def _restyle(self) -> None:
        for axis in self._axes:
            axis.set_style(self._style)
        for grip in self._grips:
            grip.set_style(self._style, self.devicePixelRatioF())

    def _show_handles(self) -> None:
        assert self.plot is not None
        if any(grip.held for grip in self._grips):
            return
        wanted = [(handle.path, handle.kind) for handle in self.plot.handles]
        if wanted != [(grip.handle.path, grip.handle.kind) for grip in self._grips]:
            for grip in self._grips:
                grip.remove()
            self._grips = [Grip(handle, self._box, lambda: self._frame) for handle in self.plot.handles]
            for grip in self._grips:
                grip.dragged.connect(self.dragged)
            self._restyle()
        for grip, handle in zip(self._grips, self.plot.handles, strict=True):
            grip.show(handle)


def _axes_of(plot: Plot) -> tuple[object, ...]:
    """What stays while one looks at a part of a plot that changes."""
    return plot.id, plot.x_label, plot.y_label, plot.x_scale, plot.y_scale, plot.equal


def _bounds(axis: str, low: float, high: float) -> dict[str, float]:
    """How pyqtgraph is told what of an axis can be looked at: neither so much nor so little that numbers end."""
    length, least, most = high - low, low - _FARTHEST * (high - low), high + _FARTHEST * (high - low)
    return {
        f"{axis}Min": max(least, -_LARGEST),
        f"{axis}Max": min(most, _LARGEST),
        f"min{axis.upper()}Range": _NEAREST * length,
    }
