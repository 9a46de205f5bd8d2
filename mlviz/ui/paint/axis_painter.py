"""The axes about a plot: grid, frame, ticks and labels, painted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from mlviz.draw.plot import BOTH_EDGES, Edges, Plot
from mlviz.draw.ticks import Ticks, ticks
from mlviz.spec.outside import shortened
from mlviz.ui.paint.axes import (
    TICK_GAPS,
    TICK_PX,
    TICK_TEXT_SIZE,
    TITLE_SIZE,
    WIDEST_TICK_LABEL,
    AxesFrame,
    Scale,
    Style,
    metrics,
    write,
)
from mlviz.ui.paint.strokes import colour, pen, saved

_BESIDE_TITLE_PX = 4.0
"""Between a title and the sides of its room."""
_LEAST_TITLE = 0.7
"""The share of its size that a long title shrinks to before it is shortened."""


def axis_ticks(frame: AxesFrame, plot: Plot, style: Style) -> tuple[Ticks, Ticks]:
    """The ticks of both axes."""
    x0, x1, y0, y1 = frame.limits
    if (named := plot.x_ticks) is None:
        x = _ticks(x0, x1, frame.area.width(), frame.scales[0], style, True, plot.x_whole)
    else:
        x = _thinned([(place, word) for place, word in named if x0 <= place <= x1], frame, style)
    if plot.y_ticks is not None:
        # Without a name of the axis its room is free as well.
        more = 0.0 if plot.y_label else metrics(style).height()
        return x, _shortened([(place, word) for place, word in plot.y_ticks if y0 <= place <= y1], style, more)
    return x, _ticks(y0, y1, frame.area.height(), frame.scales[1], style, False)


@lru_cache(maxsize=256)
def _ticks(
    low: float, high: float, length: float, scale: Scale, style: Style, across: bool, whole: bool = False
) -> Ticks:
    """The ticks of an axis that goes across, or up; kept, since grid and axes ask for them, and the next picture."""
    fm = metrics(style, TICK_TEXT_SIZE)

    def extent(label: str) -> float:
        return fm.horizontalAdvance(label) + fm.averageCharWidth() if across else fm.height() * 1.5

    return ticks(low, high, length, extent, scale, (50 if across else 40) * style.text, whole)


def _thinned(named: Sequence[tuple[float, str]], frame: AxesFrame, style: Style) -> Ticks:
    """The named ticks (place, word) without those whose word would run into the one before."""
    fm = metrics(style, TICK_TEXT_SIZE)
    kept: list[tuple[float, str]] = []
    end = -math.inf
    for place, word in named:
        x = float(frame.to_pixels([(place, frame.limits[2])])[0, 0])
        half = fm.horizontalAdvance(word) / 2
        if x - half >= end:
            kept.append((place, word))
            end = x + half + fm.averageCharWidth()
    return Ticks(tuple(place for place, _ in kept), tuple(word for _, word in kept))


def _shortened(named: Sequence[tuple[float, str]], style: Style, more: float) -> Ticks:
    """The named ticks (place, word) of an upright axis, each word as long as there is room, `more` than for numbers."""
    fm = metrics(style, TICK_TEXT_SIZE)
    room = fm.horizontalAdvance(WIDEST_TICK_LABEL) + more
    words = (fm.elidedText(word, Qt.TextElideMode.ElideMiddle, room) for _, word in named)
    return Ticks(tuple(place for place, _ in named), tuple(words))


def _tick_places(frame: AxesFrame, made: tuple[Ticks, Ticks]) -> tuple[list[float], list[float]]:
    x0, _, y0, _ = frame.limits
    xs = frame.to_pixels([(value, y0) for value in made[0].values])[:, 0].tolist()
    ys = frame.to_pixels([(x0, value) for value in made[1].values])[:, 1].tolist()
    return xs, ys


def paint_grid(painter: QPainter, frame: AxesFrame, plot: Plot, style: Style) -> None:
    """Faint lines at the ticks."""
    xs, ys = _tick_places(frame, axis_ticks(frame, plot, style))
    area, width, ink = frame.area, style.lines, colour(style.colors.grid)
    with saved(painter):
        # Filled, and on whole pixels where there are any: that takes a tenth of the time.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for x in [] if plot.x_ticks is not None else xs:
            painter.fillRect(QRectF(x - width / 2, area.top(), width, area.height()), ink)
        for y in [] if plot.y_ticks is not None else ys:
            painter.fillRect(QRectF(area.left(), y - width / 2, area.width(), width), ink)


def paint_frame(painter: QPainter, frame: AxesFrame, style: Style) -> None:
    """The line about the area."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(style.colors.faint, 1.0 * style.lines))
    painter.drawRect(frame.area)


def paint_ticks(painter: QPainter, frame: AxesFrame, plot: Plot, style: Style, edges: Edges = BOTH_EDGES) -> None:
    """The ticks, and their labels at the edges that have some, outside the area."""
    area, made = frame.area, axis_ticks(frame, plot, style)
    xs, ys = _tick_places(frame, made)
    painter.setPen(pen(style.colors.faint, 1.0 * style.lines))
    for x in xs:
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + TICK_PX))
    for y in ys:
        painter.drawLine(QPointF(area.left() - TICK_PX, y), QPointF(area.left(), y))
    small = metrics(style, TICK_TEXT_SIZE)
    below = area.bottom() + TICK_PX + TICK_GAPS[0] + small.ascent()
    for x, label in zip(xs, made[0].labels, strict=True) if edges.below else ():
        write(painter, x, below, label, style, TICK_TEXT_SIZE, share=0.5)
    beside = area.left() - TICK_PX - TICK_GAPS[1]
    for y, label in zip(ys, made[1].labels, strict=True) if edges.left else ():
        write(painter, beside, y + small.capHeight() / 2, label, style, TICK_TEXT_SIZE, share=1.0)


def paint_labels(painter: QPainter, frame: AxesFrame, plot: Plot, style: Style, edges: Edges = BOTH_EDGES) -> None:
    """The labels of the axes and the notes to their ticks: beyond the ticks."""
    area, notes = frame.area, [made.note for made in axis_ticks(frame, plot, style)]
    fm, small = metrics(style), metrics(style, TICK_TEXT_SIZE)
    # Beyond the ends of the axes there is room for half a number.
    more = small.horizontalAdvance("0000"), 2 * small.height()
    if edges.below:
        below = area.bottom() + TICK_PX + TICK_GAPS[0] + small.height()
        write(painter, area.right(), below + small.ascent(), notes[0], style, TICK_TEXT_SIZE, share=1.0)
        # The note of the ticks stands on the same line, at its right end.
        beside = small.horizontalAdvance(f"{notes[0]}  ") if notes[0] else 0.0
        _write_label(
            painter, area.center().x(), below + fm.ascent(), plot.x_label, area.width() + more[0] - 2 * beside, style
        )
    if edges.left:
        write(painter, area.left(), area.top() - 4, notes[1], style, TICK_TEXT_SIZE)
        with saved(painter):
            painter.translate(area.left() - TICK_PX - 6 - small.horizontalAdvance(WIDEST_TICK_LABEL), area.center().y())
            painter.rotate(-90)
            _write_label(painter, 0, -fm.descent(), plot.y_label, area.height() + more[1], style)


def _write_label(painter: QPainter, x: float, baseline: float, words: str, room: float, style: Style) -> None:
    """Words about x: smaller, and at last fewer, where there is little room."""
    words = shortened(words)
    factor = min(1.0, max(0.68, room / max(metrics(style).horizontalAdvance(words), 1.0)))
    text = _whole_words(words, metrics(style, factor), room)
    write(painter, x, baseline, text, style, factor, share=0.5)


def paint_title(painter: QPainter, area: QRectF, rect: QRectF, title: str, style: Style) -> None:
    """The title above the area, about its middle where `rect` is wide enough: smaller, and at last of fewer words."""
    rect = rect.adjusted(_BESIDE_TITLE_PX, 0, -_BESIDE_TITLE_PX, 0)
    wanted = metrics(style, TITLE_SIZE, True).horizontalAdvance(title)
    factor = TITLE_SIZE * min(1.0, max(_LEAST_TITLE, rect.width() / max(wanted, 1.0)))
    fm = metrics(style, factor, True)
    text = _whole_words(title, fm, rect.width())
    half = fm.horizontalAdvance(text) / 2
    middle = max(min(area.center().x(), rect.right() - half), rect.left() + half)
    write(painter, middle, area.top() - 5 - fm.descent(), text, style, factor, True, 0.5)


def _whole_words(text: str, fm: QFontMetricsF, room: float) -> str:
    """As many words as there is room for, at least some of the first one."""
    words = text.split(" ")
    shorter = (" ".join(words[:n]) + " …" * (n < len(words)) for n in range(len(words), 0, -1))
    return next(
        (made for made in shorter if fm.horizontalAdvance(made) <= room),
        fm.elidedText(text, Qt.TextElideMode.ElideRight, room),
    )
