"""Words on cards over a side plot: the value under the cursor, and the names of handles where they hide least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from mlviz.draw import palette
from mlviz.draw.marks import Lines, Mark
from mlviz.draw.plot import Handle
from mlviz.numerics.arrays import Array
from mlviz.ui.paint.axes import AxesFrame, Style, metrics
from mlviz.ui.paint.legend import in_the_way
from mlviz.ui.paint.strokes import clip_lines, colour, line_pieces, paint_box
from mlviz.ui.paint.words import best_box

_AWAY_PX, _RIM_PX = 10.0, 2.0
"""Between words and what they belong to, and between them and the edge of the axes."""
_ALONG = (0.0, 1.0, 0.25, 0.5, 0.75)
"""Where along its line the name of a handle stands: at its beginning, else at its end, else between."""
_RINGS = (0.0, 0.75, 1.5, 2.25)
"""How far from a point its name stands, in heights of it, the nearest first."""
_STEP_PX, _REACH_PX = 4.0, 4.0
"""Lines are in the way at places so far apart, and anything as far around its place."""


def named_at(
    handle: Handle, pixel: Array, frame: AxesFrame, marks: tuple[Mark, ...], style: Style, taken: Sequence[QRectF]
) -> QRectF | None:
    """The box of a handle's name, for a handle at a pixel (2,): beside it, where it hides least of the marks.

    None where it has no name, is out of sight, or there is no room that is not taken.
    """
    if not handle.label or not frame.area.contains(*pixel.tolist()):
        return None
    area, size = frame.area.adjusted(_RIM_PX, _RIM_PX, -_RIM_PX, -_RIM_PX), _size(handle.label, style)
    x, y = pixel.tolist()
    is_point = handle.kind == "point"
    corners = _around(x, y, size, area) if is_point else _along(handle.kind == "upright", x, y, size, area)
    return best_box(corners, size, _in_the_way(frame, marks, style), _REACH_PX, list(taken), frame.area)


def beside(pixel: Array, words: str, area: QRectF, legend: QRectF, style: Style) -> QRectF:
    """The box of words beside a pixel (2,), within the area and not over the legend where there is room below it."""
    x, y = pixel.tolist()
    width, height = _size(words, style)
    left = x + _AWAY_PX if x + _AWAY_PX + width <= area.right() else x - _AWAY_PX - width
    top = min(max(y - height - 6, area.top() + _RIM_PX), area.bottom() - height - _RIM_PX)
    box = QRectF(max(left, area.left() + _RIM_PX), top, width, height)
    if box.intersects(legend) and legend.bottom() + height < area.bottom():
        box.moveTop(legend.bottom() + _RIM_PX)
    return box


def paint_card(painter: QPainter, box: QRectF, words: str, style: Style) -> None:
    """Words on their card."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_box(painter, box, 4, QPen(Qt.PenStyle.NoPen), palette.faded(style.colors.paper, 0.9))
    painter.setFont(style.font())
    painter.setPen(colour(style.colors.text))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


def _size(words: str, style: Style) -> tuple[float, float]:
    fm = metrics(style)
    return fm.horizontalAdvance(words) + 10, fm.height() + 4


def _around(x: float, y: float, size: tuple[float, float], area: QRectF) -> Iterator[tuple[float, float]]:
    """Left and top of boxes beside a point, then right above and below it; the nearer before the farther ones."""
    width, height = size
    over = [min(max(left, area.left()), area.right() - width) for left in (x - width / 2, x, x - width)]
    places = [(x + _AWAY_PX, 3.0), (x - _AWAY_PX - width, 3.0), *((left, _AWAY_PX) for left in over)]
    for far in (ring * height for ring in _RINGS):
        for left, gap in places:
            yield left, y - gap - height - far
            yield left, y + gap + far


def _along(upright: bool, x: float, y: float, size: tuple[float, float], area: QRectF) -> Iterator[tuple[float, float]]:
    """Left and top of boxes on both sides of a line through a pixel, within the area."""
    low, high = (area.left(), area.top()), (area.right() - size[0], area.bottom() - size[1])
    for share in _ALONG:
        for side in (x + _AWAY_PX, x - _AWAY_PX - size[0]) if upright else (y - 6 - size[1], y + 6):
            along = (1 - share) * low[upright] + share * high[upright]
            place = (side, along) if upright else (along, side)
            yield tuple(np.clip(place, low, np.maximum(low, high)).tolist())


def _in_the_way(frame: AxesFrame, marks: tuple[Mark, ...], style: Style) -> Array:
    """Pixels (m, 2) of what the marks show, of lines all along them."""
    lines = [line_pieces(frame.to_pixels(mark.xy)) for mark in marks if isinstance(mark, Lines)]
    pieces = clip_lines(np.concatenate((np.empty((0, 4)), *lines)), frame.area)
    way = pieces[:, 2:] - pieces[:, :2]
    times = 1 + (np.hypot(way[:, 0], way[:, 1]) / _STEP_PX).astype(np.intp)
    which = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
    share = (which / np.repeat(times, times))[:, None]
    along = np.repeat(pieces[:, :2], times, axis=0) + share * np.repeat(way, times, axis=0)
    return np.concatenate((in_the_way(frame, marks, None, style)[1].places, along))
