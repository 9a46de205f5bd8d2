"""The layers of a canvas: the ground is painted once a picture, samples and what follows the hand in every frame."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from mlviz.draw import palette
from mlviz.draw.marks import Mark, Segments
from mlviz.draw.plot import Plot
from mlviz.ui.canvas.cached_layer import CachedLayer, MarkLayer, SampleLayer
from mlviz.ui.paint.axes import AxesFrame, Style, metrics, paint_axes, plot_area
from mlviz.ui.paint.caption import paint_caption
from mlviz.ui.paint.explanation_card import Pinned, paint_card
from mlviz.ui.paint.legend import paint_legend
from mlviz.ui.paint.painter import above_samples, paint_background, paint_marks
from mlviz.ui.paint.samples import DrawnSamples, crowded_style
from mlviz.ui.paint.strokes import colour, pen

STALE = 0.5
"""Opacity of a picture whose successor is late."""
SLOW = 0.012
"""A frame that took more seconds is followed by some that may be inexact."""
MOTION = 0.08
"""For so many seconds."""
HINT = "Click to add a point. Right-click adds one of the next class.\nOr choose a preset, below or in the Data menu."
NARROW = 260.0
"""A canvas at least so wide has its caption in two lines, a narrower one in three. Logical pixels."""


@dataclass(frozen=True, eq=False)
class FrameContent:
    """What one frame shows.

    `tied` says that the rows named by the marks are still those of the samples; `cross` is a cursor that is not the
    mouse's own: the keyboard's, or the one on another canvas.
    """

    plot: Plot
    samples: DrawnSamples
    tied: bool = True
    caption: str = ""
    message: str | None = None
    preview_marks: Sequence[Mark] = ()
    cross: tuple[float, float] | None = None
    pinned: Pinned | None = None
    stale: bool = False
    legend_place: tuple[float, float] | None = None
    legend_folded: bool = False


def axes_and_caption_areas(rect: QRectF, style: Style) -> tuple[QRectF, QRectF]:
    """The area that the axes enclose, on whole pixels, and the room of the caption below the axes."""
    width = rect.width() / style.text
    lines = 2 if width >= NARROW else 3
    height = lines * metrics(style).height() + 6
    above = QRectF(rect.left(), rect.top(), rect.width(), max(1.0, rect.height() - height))
    area = QRectF(plot_area(above, style).toRect())
    return area, QRectF(rect.left() + 8, above.bottom(), max(1.0, rect.width() - 16), height - 4)


class LayerCache:
    """Paints a canvas, and keeps its ground until the picture, the limits, the size or the style change."""

    def __init__(self) -> None:
        self._background = QPixmap()
        self._key: tuple[object, ...] = ()
        self._samples, self._above = CachedLayer(), CachedLayer()
        self._slow = float("-inf")
        self.legend = QRectF()
        """Where the legend was painted last; empty where there was none."""

    def paint(self, painter: QPainter, rect: QRectF, frame: AxesFrame, style: Style, shown: FrameContent) -> bool:
        """Paint one frame into rect; returns whether it is exact, and not only for the time of a movement."""
        start = time.perf_counter()
        hurry = start < self._slow + MOTION
        painter.drawPixmap(0, 0, self._fresh_background(painter, rect, frame, style, shown))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        crowded, dense = shown.samples.crowded, crowded_style(style, shown.samples)
        fade = STALE if shown.stale else 1.0
        marks = [mark for mark in shown.plot.marks if shown.tied or getattr(mark, "rows", None) is None]
        painter.setOpacity(fade)
        below = [mark for mark in marks if isinstance(mark, Segments) and mark.rows is not None]
        paint_marks(painter, frame, below, dense, shown.samples)
        painter.setOpacity(1.0)
        exact = self._samples.paint(painter, frame, dense, SampleLayer(shown.samples), hurry)
        painter.setOpacity(fade)
        above = MarkLayer(tuple(above_samples(marks, crowded)), shown.samples)
        exact &= self._above.paint(painter, frame, dense, above, hurry)
        painter.setOpacity(1.0)
        paint_marks(painter, frame, shown.preview_marks, style, shown.samples)
        if shown.cross is not None:
            _paint_cross(painter, frame, shown.cross, style)
        self.legend = QRectF()
        if not len(shown.samples.places):
            _paint_words(painter, frame.area, HINT, style, Qt.AlignmentFlag.AlignVCenter)
        elif shown.message:
            _paint_words(painter, frame.area, shown.message, style, Qt.AlignmentFlag.AlignTop)
        else:
            place, folded = shown.legend_place, shown.legend_folded
            marks = [*shown.plot.marks, *(shown.pinned.marks if shown.pinned else ())]
            self.legend = paint_legend(painter, frame, marks, shown.samples, style, place=place, folded=folded)
            if shown.pinned is not None:
                paint_card(painter, frame, shown.pinned, self.legend, style, shown.samples)
        now = time.perf_counter()
        if now > start + SLOW:
            self._slow = now
        return exact

    def _fresh_background(
        self, painter: QPainter, rect: QRectF, frame: AxesFrame, style: Style, shown: FrameContent
    ) -> QPixmap:
        scale = painter.device().devicePixelRatioF()
        crowded = shown.samples.crowded
        key = (shown.plot, frame.limits, rect.width(), rect.height(), scale, style, shown.stale, shown.caption, crowded)
        if key != self._key:
            self._background = QPixmap(max(1, round(rect.width() * scale)), max(1, round(rect.height() * scale)))
            self._background.setDevicePixelRatio(scale)
            self._background.fill(colour(style.colors.paper))
            brush = QPainter(self._background)
            paint_background(brush, frame, shown.plot, style, dim=STALE if shown.stale else 1.0, crowded=crowded)
            brush.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_axes(brush, frame, shown.plot, style)
            brush.setOpacity(STALE if shown.stale else 1.0)
            paint_caption(brush, axes_and_caption_areas(rect, style)[1], shown.caption, style)
            brush.end()
            self._key = key
        return self._background


def _paint_words(painter: QPainter, area: QRectF, words: str, style: Style, where: Qt.AlignmentFlag) -> None:
    """A sentence on a quiet card, at the top of the area or in its middle."""
    inner = area.adjusted(24, 16, -24, -16)
    flags = int(Qt.AlignmentFlag.AlignHCenter | where | Qt.TextFlag.TextWordWrap)
    painter.setFont(style.font(1.1))
    box = painter.boundingRect(inner, flags, words)
    painter.setPen(pen(palette.faded(style.colors.faint, 0.4), 1.0))
    painter.setBrush(colour(palette.faded(style.colors.paper, 0.92)))
    painter.drawRoundedRect(box.adjusted(-12, -8, 12, 8), 6, 6)
    painter.setPen(colour(style.colors.text))
    painter.drawText(box, flags, words)


def _paint_cross(painter: QPainter, frame: AxesFrame, place: tuple[float, float], style: Style) -> None:
    x, y = frame.to_pixels([place])[0].tolist()
    if not frame.area.contains(x, y):
        return
    arm = 9.0 * style.points
    for ink, width in ((style.colors.canvas, 4.0), (style.colors.accent, 1.6)):
        painter.setPen(pen(ink, width * style.lines))
        painter.drawLine(QPointF(x - arm, y), QPointF(x + arm, y))
        painter.drawLine(QPointF(x, y - arm), QPointF(x, y + arm))
