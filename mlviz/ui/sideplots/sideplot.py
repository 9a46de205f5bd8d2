"""A side plot: a chart with its own axes, the values under the cursor, and handles that can be dragged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from mlviz.draw import palette
from mlviz.draw.marks import Field, Lines, Points
from mlviz.draw.numbers import format_number
from mlviz.draw.plot import Handle, Plot, full_limits
from mlviz.numerics.arrays import Array
from mlviz.ui.paint.axes import AxesFrame, Style, metrics
from mlviz.ui.paint.painter import paint_marks
from mlviz.ui.paint.stack import paint_plot
from mlviz.ui.paint.strokes import colour
from mlviz.ui.widgets.parts import named

_REACH = 14.0
"""How near the cursor must come to a value or a handle, pixels."""

_SOON_MS = 20
"""So many milliseconds after the canvas beside it a new plot is painted: the canvas comes first under the hand."""


class SidePlot(QWidget):
    """Paints one plot. `dragged` carries the path of a handle, its value, and whether it was let go."""

    dragged = Signal(str, float, bool)

    def __init__(self, plot: Plot, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._background = QPixmap()
        self._held: Handle | None = None
        self._at = 0
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self.update)
        self.setMouseTracking(True)
        self.setMinimumSize(140, 100)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.set_plot(plot)

    def set_plot(self, plot: Plot) -> None:
        """Show this plot; a handle that is held stays in the hand."""
        self.plot = plot
        self._faded = False
        self._frame: AxesFrame | None = None
        self._read: tuple[Array, str] | None = None
        """The value under the cursor: its place (2,) and what it says."""
        if not self._soon.isActive():
            self._soon.start()
        named(self, plot.title, description=f"{plot.y_label} over {plot.x_label}")

    def fade(self) -> None:
        """Show the plot as one of what was before, until there is a new one."""
        self._faded = True
        self.update()

    def set_style(self, style: Style) -> None:
        """Paint in another style."""
        self._style = style
        self._frame = self._read = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the plot, its handles, and the value under the cursor."""
        frame = self._fresh_frame()
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._background)
            for handle in self.plot.handles:
                self._paint_handle(painter, frame, handle)
            if self._read is not None:
                paint_marks(painter, frame, [Points("selection", self._read[0][None])], self._style)
                self._paint_words(painter, frame, *self._read)
            if self._faded:
                painter.fillRect(self.rect(), colour(palette.faded(self._style.colors.paper, 0.5)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the handle under the cursor."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._held = self._handle_at(event.position())
            if self._held is not None:
                self._at, self._read = self._held.at, None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the handle that is held, or read the value under the cursor."""
        if self._held is not None:
            at = int(np.argmin(self._distances(self._held.points, event.position())))
            if at != self._at:
                self._at = at
                self.dragged.emit(self._held.path, float(self._held.values[at]), False)
        else:
            self._read = self._value_at(event.position())
            grabs = self._handle_at(event.position()) is not None
            self.setCursor(Qt.CursorShape.SizeAllCursor if grabs else Qt.CursorShape.ArrowCursor)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the handle."""
        if event.button() == Qt.MouseButton.LeftButton and self._held is not None:
            held, self._held = self._held, None
            self.dragged.emit(held.path, float(held.values[self._at]), True)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Forget the cursor."""
        self._read = None
        self.update()

    def _fresh_frame(self) -> AxesFrame:
        """The frame of the plot, whose ground is painted anew when the plot, the size or the style has changed."""
        scale = self.devicePixelRatioF()
        size = (max(1, round(self.width() * scale)), max(1, round(self.height() * scale)))
        if self._frame is None or self._background.size().toTuple() != size:
            self._background = QPixmap(*size)
            self._background.setDevicePixelRatio(scale)
            self._background.fill(colour(self._style.colors.paper))
            # The tab has the title already.
            plot = replace(self.plot, title="")
            with QPainter(self._background) as painter:
                self._frame = paint_plot(painter, QRectF(self.rect()), plot, full_limits(plot), self._style)
        return self._frame

    def _paint_handle(self, painter: QPainter, frame: AxesFrame, handle: Handle) -> None:
        held = self._held is not None and self._held.path == handle.path
        place = self._held.points[self._at] if self._held is not None and held else handle.points[handle.at]
        paint_marks(painter, frame, [Points("now", place[None], size=np.array([1.4]))], self._style)
        if handle.label:
            self._paint_words(painter, frame, place, handle.label)

    def _paint_words(self, painter: QPainter, frame: AxesFrame, place: Array, words: str) -> None:
        fm, area = metrics(self._style), frame.area
        x, y = frame.to_pixels(place)[0].tolist()
        width, height = fm.horizontalAdvance(words) + 10, fm.height() + 4
        left = x + 10 if x + 10 + width <= area.right() else x - 10 - width
        top = min(max(y - height - 6, area.top() + 2), area.bottom() - height - 2)
        box = QRectF(max(left, area.left() + 2), top, width, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(palette.faded(self._style.colors.paper, 0.9)))
        painter.drawRoundedRect(box, 4, 4)
        painter.setFont(self._style.font())
        painter.setPen(colour(self._style.colors.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)

    def _distances(self, places: Array, position: QPointF) -> Array:
        offset = self._fresh_frame().to_pixels(places) - position.toTuple()
        return np.nan_to_num(np.hypot(offset[:, 0], offset[:, 1]), nan=np.inf)

    def _handle_at(self, position: QPointF) -> Handle | None:
        near = [h for h in self.plot.handles if self._distances(h.points[h.at][None], position)[0] <= _REACH]
        return near[-1] if near else None

    def _value_at(self, position: QPointF) -> tuple[Array, str] | None:
        best, found = _REACH, None
        for mark in self.plot.marks:
            values = mark.places()
            if mark.readable and len(values):
                distances = self._distances(values, position)
                nearest = int(np.argmin(distances))
                if distances[nearest] < best:
                    best, found = float(distances[nearest]), (mark, values[nearest])
        if found is None:
            return self._cell_at(position)
        mark, place = found
        x, y = place.tolist()
        where = dict(self.plot.x_ticks or ()).get(x) or f"{self.plot.x_label} {format_number(x)}"
        labels = {mark.label for mark in self.plot.marks if isinstance(mark, Lines) and mark.label}
        what = mark.label if len(labels) > 1 and mark.label else self.plot.y_label
        return place, f"{where}: {what} {format_number(y)}"

    def _cell_at(self, position: QPointF) -> tuple[Array, str] | None:
        """Of a matrix the cell under the cursor: its row, its column and its value."""
        x, y = np.rint(self._fresh_frame().to_data([position.toTuple()])[0]).tolist()
        for mark in self.plot.marks:
            if isinstance(mark, Field) and mark.cells is not None:
                row, column = np.searchsorted(mark.y, y), np.searchsorted(mark.x, x)
                if y in mark.y and x in mark.x:
                    return np.array([x, y]), f"k({x:.0f}, {y:.0f}) = {format_number(float(mark.cells[row, column]), 3)}"
        return None
