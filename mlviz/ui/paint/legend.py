"""The legend's box, painted in a corner without samples, or beside the axes where there is none."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import assert_never

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPixmap

from mlviz.draw import legend, palette
from mlviz.draw.legend import Arranged, LaidOut
from mlviz.draw.marks import Mark
from mlviz.draw.plot import Limits
from mlviz.draw.value_scale import NEUTRAL
from mlviz.ui.paint import strokes, symbols
from mlviz.ui.paint.axes import AxesFrame, Scale, Style, metrics, write
from mlviz.ui.paint.samples import SAMPLE_SIZE, DrawnSamples, crowded_style, paint_sample, paint_shaded

TEXT_SIZES = (0.92, 0.84, 0.76, 0.68)
"""Sizes of the words, as shares of the style's text: the first that fits is taken."""
MOST_HIDDEN_SHARE = 0.19
"""A legend that would hide more of the picture, as a share of the area, has smaller words or is left out."""
_CALM, _READABLE = 0.1, 8
"""One that would hide more than this has smaller words; a label that is cut has no fewer characters than these."""
_SWATCH = 26.0
"""Width of what stands before a word, pixels."""
_ENOUGH = 5000
"""Of more places of marks some tell as well where the legend hides least."""
_ENOUGH_SAMPLES = 20_000
"""The same of samples, which leave no corner free that these do not."""
GAP_PX = 8.0
"""Between the legend and the frame."""

Box = tuple[float, float, float, float]
"""Left, top, width and height, pixels."""
_COMMON_ROWS = 2
"""So many rows has a legend that several canvases have in common."""
NOTHING: frozenset[legend.Entry] = frozenset()


@dataclass(frozen=True)
class Aside:
    """A legend beside the axes: its room, and of the `whole` area that there is what it leaves for the axes.

    Of the width it has `taken` so much where its side is 0, to the right, and of the height where it is 1, below.
    """

    whole: Box
    room: Box
    area: Box
    side: int
    taken: float


@lru_cache(maxsize=64)
def written(labels: tuple[str, ...], room: tuple[float, float], style: Style) -> LaidOut | None:
    """The labels in a room that they may fill; None where even small ones do not fit."""
    return next((made for size in TEXT_SIZES if (made := _laid(labels, room, style, size)) is not None), None)


def paint_legend(painter: QPainter, where: Arranged | None, style: Style, raster: bool = True) -> QRectF:
    """Paint what was arranged; returns its box, empty where there is none.

    `raster` keeps the painted box from frame to frame, for the screen.
    """
    if where is None:
        return QRectF()
    found, laid_out, at = where
    box = QRectF(*at, *size_of(laid_out, style))
    if raster:
        painter.drawPixmap(box.topLeft() - QPointF(1, 1), _kept(found, laid_out, style, symbols.device_scale(painter)))
    else:
        _paint_box(painter, box, found, laid_out, style)
    return box


def entries_of(
    marks: tuple[Mark, ...], samples: DrawnSamples | None, folded: bool, elsewhere: frozenset[legend.Entry] = NOTHING
) -> tuple[legend.Entry, ...]:
    """All entries there are but those that stand elsewhere, or of a folded legend the first sign."""
    found = legend.entries(marks) if samples is None else samples.entries(marks)
    found = tuple([entry for entry in found if entry not in elsewhere])
    if folded:
        found = tuple(legend.Entry("...", entry.swatches) for entry in found[:1])
    return found


@lru_cache(maxsize=8)
def arranged(
    limits: Limits,
    area: Box,
    scales: tuple[Scale, Scale],
    marks: tuple[Mark, ...],
    samples: DrawnSamples | None,
    style: Style,
    place: tuple[float, float] | None = None,
    folded: bool = False,
    aside: Aside | None = None,
    elsewhere: frozenset[legend.Entry] = NOTHING,
) -> Arranged | None:
    """Every label once that does not stand elsewhere, `aside` or in the corner with the fewest samples.

    There is none where the style wants none, or where nothing has a label. Where the area is too small for so many,
    there are some of them, or nothing. `place` puts it elsewhere: so far right and down, as shares of the room.
    Of a folded one the first sign is left.
    """
    if not style.legend:
        return None
    left, top, width, height = area
    if aside is not None and place is None:
        room, fitted = (aside.room[2] - GAP_PX, aside.room[3] - GAP_PX), written
    else:
        room, fitted = (width - 4 * GAP_PX, height - 4 * GAP_PX), _fitted
    for found in legend.choices(entries_of(marks, samples, folded, elsewhere)):
        if (laid_out := fitted(tuple([entry.label for entry in found]), room, style)) is not None:
            break
    else:
        return None
    if aside is not None and place is None:
        return found, laid_out, aside.room[:2]
    size = size_of(laid_out, style)
    if place is not None:
        return found, laid_out, (left + place[0] * (width - size[0]), top + place[1] * (height - size[1]))
    frame = AxesFrame(limits, QRectF(*area), scales)
    return found, laid_out, legend.corner(size, inner(area), *in_the_way(frame, marks, samples, style))


def arranged_beside(
    frame: AxesFrame, marks: tuple[Mark, ...], samples: DrawnSamples | None, style: Style, taken: tuple[QRectF, ...]
) -> Arranged | None:
    """What marks mean that are shown for a moment: where it hides fewest samples, in a corner or at the first box."""
    left, top, width, height = inner((frame.area.x(), frame.area.y(), frame.area.width(), frame.area.height()))
    found = entries_of(marks, None, False)
    room = width - GAP_PX, height - GAP_PX
    laid_out = written(tuple([entry.label for entry in found]), room, style) if style.legend else None
    if not found or laid_out is None:
        return None
    size = size_of(laid_out, style)
    right = min(taken[0].right(), left + width) - size[0]
    places = legend.corners(size, (left, top, width, height))
    places += [(right, taken[0].bottom() + GAP_PX), (right, taken[0].top() - GAP_PX - size[1])]
    fitting = [at for at in places if top <= at[1] <= top + height - size[1] and at[0] >= left]
    free = [at for at in fitting if not any(box.intersects(QRectF(*at, *size)) for box in taken)] or fitting
    hidden = in_the_way(frame, (), samples, style)[0].hidden(free, size)
    return found, laid_out, free[hidden.index(min(hidden))]


def common_height(style: Style) -> float:
    """The height of a legend that several canvases have in common."""
    return math.ceil(_COMMON_ROWS * metrics(style, TEXT_SIZES[0]).height() * 1.18 + GAP_PX)


def common(
    shown: Iterable[tuple[tuple[Mark, ...], DrawnSamples | None]], room: QRectF, style: Style
) -> Arranged | None:
    """One legend for canvases that show such marks and samples, with as much as the room takes.

    What several show comes first, then what one alone shows, of each in turn. Of a word that means different signs here
    and there, and of a sign with different words, the commonest is in it; the others stay in their own legends.
    """
    each = [entries_of(*part, False) for part in shown]
    found = Counter(itertools.chain(*each))
    taken: dict[object, legend.Entry] = {}
    for entry, _ in found.most_common():
        if entry.label not in taken and entry.swatches not in taken:
            taken[entry.label] = taken[entry.swatches] = entry
    kept = [entry for entry in found if taken.get(entry.label) is entry]
    turn = {entry: k for own in each for k, entry in enumerate([e for e in own if found[e] < 2 and e in kept], start=1)}
    kept.sort(key=lambda entry: turn.get(entry, 0))
    width, height = room.width() - GAP_PX, room.height() - GAP_PX
    for n in range(len(kept), 0, -1) if style.legend else ():
        if (laid_out := written(tuple([entry.label for entry in kept[:n]]), (width, height), style)) is not None:
            return tuple(kept[:n]), laid_out, (room.x(), room.y())
    return None


def inner(area: Box) -> Box:
    """Where in an area a legend may be."""
    left, top, width, height = area
    return left + GAP_PX, top + GAP_PX, width - 2 * GAP_PX, height - 2 * GAP_PX


def in_the_way(
    frame: AxesFrame, marks: tuple[Mark, ...], samples: DrawnSamples | None, style: Style
) -> tuple[legend.Obstacles, legend.Obstacles]:
    """The samples and the marks, in pixels; of very many some, enough to tell in which corner they are few."""
    points = crowded_style(style, samples).points
    places = np.empty((0, 2)) if samples is None else samples.places
    places = frame.to_pixels(places[:: max(1, len(places) // _ENOUGH_SAMPLES)])
    at_samples = legend.Obstacles(places, np.full(len(places), SAMPLE_SIZE * points / 2), np.ones(len(places)))
    return at_samples, _marked(marks, points).at(frame.to_pixels)


@lru_cache(maxsize=8)
def _marked(marks: tuple[Mark, ...], points: float) -> legend.Obstacles:
    return legend.obstacles(marks, points).some(_ENOUGH)


@lru_cache(maxsize=16)
def _kept(found: tuple[legend.Entry, ...], laid_out: LaidOut, style: Style, scale: float) -> QPixmap:
    """The painted box with a pixel of air around it."""
    width, height = size_of(laid_out, style)
    pixmap = strokes.transparent(width + 2, height + 2, scale)
    with QPainter(pixmap) as brush:
        _paint_box(brush, QRectF(1, 1, width, height), found, laid_out, style)
    return pixmap


def size_of(laid_out: LaidOut, style: Style) -> tuple[float, float]:
    """Width and height of the box, pixels."""
    factor, made, _ = laid_out
    return sum(made.widths) + GAP_PX, made.rows * metrics(style, factor).height() * 1.18 + GAP_PX


def _paint_box(
    painter: QPainter, box: QRectF, found: tuple[legend.Entry, ...], laid_out: LaidOut, style: Style
) -> None:
    factor, made, words = laid_out
    fm = metrics(style, factor)
    swatch, row = _SWATCH * style.text * factor, fm.height() * 1.18
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    edge = strokes.pen(palette.faded(style.colors.faint, 0.35), 1.0)
    strokes.paint_box(painter, box, 4, edge, palette.faded(style.colors.canvas, 0.84))
    for k, (entry, word) in enumerate(zip(found, words, strict=True)):
        x = box.left() + GAP_PX + sum(made.widths[: k // made.rows])
        y = box.top() + GAP_PX / 2 + (k % made.rows + 0.5) * row
        _paint_swatch(painter, QRectF(x, y - row / 2, swatch - GAP_PX / 2, row), entry, style)
        write(painter, x + swatch, y + fm.capHeight() / 2, word, style, factor)


@lru_cache(maxsize=16)
def _fitted(labels: tuple[str, ...], room: tuple[float, float], style: Style) -> LaidOut | None:
    """The size of the words, the layout and the words; None where even the smallest words hide too much."""
    if not labels or room[0] <= 0 or room[1] <= 0:
        return None
    fitting = None
    for factor in TEXT_SIZES:
        made = _laid(labels, room, style, factor)
        width, height = room if made is None else size_of(made, style)
        hidden = width * height / (room[0] * room[1])
        fitting = made if made is not None and hidden <= MOST_HIDDEN_SHARE else fitting
        if hidden <= _CALM:
            break
    return fitting


def _laid(labels: tuple[str, ...], room: tuple[float, float], style: Style, factor: float) -> LaidOut | None:
    """The labels in a room, the smallest ones shortened; None where they do not fit or can't be read."""
    fm = metrics(style, factor)
    swatch, row, words = _SWATCH * style.text * factor, fm.height() * 1.18, labels
    if factor == TEXT_SIZES[-1]:
        words = tuple(fm.elidedText(word, Qt.TextElideMode.ElideRight, room[0] - swatch - GAP_PX) for word in labels)
        if len(set(words)) < len(set(labels)) or any(len(word) < _READABLE for word in set(words) - set(labels)):
            return None
    made = legend.layout([fm.horizontalAdvance(word) + swatch + GAP_PX for word in words], row, room)
    return None if made is None else (factor, made, words)


def _paint_swatch(painter: QPainter, box: QRectF, entry: legend.Entry, style: Style) -> None:
    middle = box.center()
    ends = np.array([(box.left(), middle.y(), box.right(), middle.y())])
    for swatch in entry.swatches:
        ink = style.ink(swatch.role)
        match swatch.shape:
            case "sample" | "hollow" | "off":
                looks = swatch.shape == "hollow", swatch.shape == "off"
                size = SAMPLE_SIZE * min(style.points, 1.5)
                if swatch.role == "value":
                    paint_shaded(painter, middle, NEUTRAL, style.theme, size, *looks)
                else:
                    number = style.number(int(swatch.role.removeprefix("class ")))
                    paint_sample(painter, middle, number, style.theme, size, *looks)
            case "symbol":
                fits = min(style.points * swatch.size, 0.88 * box.height() / ink.size)
                symbols.paint_symbol(painter, middle, ink, fits, style.lines)
            case "arrow":
                strokes.paint_arrows(painter, box, ends, ink, style.lines)
            case "patch":
                painter.setPen(strokes.pen(ink.line, ink.width))
                painter.setBrush(strokes.colour(ink.fill or ink.line))
                painter.drawRect(box.adjusted(2, 4, -2, -4))
            case "scale":
                tints = palette.diverging_tints(style.theme, swatch.role)
                bar = QImage(tints.data, len(tints), 1, QImage.Format.Format_RGB32)
                painter.drawImage(box.adjusted(0, 4, 0, -4), bar)
                painter.setPen(strokes.pen(ink.line, 1.0))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(box.adjusted(0, 4, 0, -4))
            case "line":
                strokes.draw_inked(painter, ends, ink, style.lines)
            case _:
                assert_never(swatch.shape)
