"""Axes: the map between data and pixels, ticks, labels and title."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from mlviz.draw import palette
from mlviz.draw.plot import Limits, Plot
from mlviz.draw.ticks import Ticks, ticks
from mlviz.numerics.arrays import Array
from mlviz.ui.paint.strokes import colour, pen

Scale = Literal["linear", "log"]
FAMILIES = ["DejaVu Sans", "Arial", "Helvetica", "sans-serif"]
"""Named outright, so that a picture looks the same on the screen and in a file."""
WIDEST = "−000.00"
"""The widest number that has room beside the vertical axis; wider ones are parted into a number and a note."""
TICK = 4.0
"""Length of a tick, pixels."""


@dataclass(frozen=True)
class Style:
    """How a picture is painted: theme, how much larger than usual text, lines and points are, whether with legends."""

    theme: str = "light"
    text: float = 1.0
    lines: float = 1.0
    points: float = 1.0
    legend: bool = True

    def font(self, factor: float = 1.0, bold: bool = False) -> QFont:
        """The font of this style; not to be changed."""
        return _font(round(12 * self.text * factor, 2), bold)

    @cached_property
    def colors(self) -> palette.ThemeColors:
        """The colours of everything that is not a mark."""
        return palette.theme_colors(self.theme)


@cache
def _font(pixels: float, bold: bool) -> QFont:
    font = QFont()
    font.setFamilies(FAMILIES)
    font.setPixelSize(max(1, round(pixels)))
    font.setBold(bold)
    # Hinted glyphs have other widths at every scale: text would wrap differently on the screen and in a file.
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


@lru_cache(maxsize=256)
def metrics(style: Style, factor: float = 1.0, bold: bool = False) -> QFontMetricsF:
    """The measures of the style's font."""
    return QFontMetricsF(style.font(factor, bold))


@dataclass(frozen=True)
class AxesFrame:
    """The visible part of the data (x0, x1, y0, y1) and the area of pixels it fills."""

    limits: Limits
    area: QRectF
    x_scale: Scale = "linear"
    y_scale: Scale = "linear"

    def to_pixels(self, xy: ArrayLike) -> Array:
        """Data (m, 2) -> pixels (m, 2); NaN where a log axis has no place for it."""
        data = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        unit, origin, corner = self._measures
        with np.errstate(over="ignore", invalid="ignore"):
            return ((data if self._straight else _forward(data, self._scales)) - origin) * unit + corner

    def to_data(self, pixels: ArrayLike) -> Array:
        """Pixels (m, 2) -> data (m, 2)."""
        places = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
        unit, origin, corner = self._measures
        with np.errstate(over="ignore", invalid="ignore"):
            data = (places - corner) / np.where(unit == 0, 1.0, unit) + origin
            for column, scale in enumerate(self._scales):
                if scale == "log":
                    data[:, column] = 10.0 ** data[:, column]
        return data

    @cached_property
    def _straight(self) -> bool:
        return self._scales == ("linear", "linear")

    @property
    def _scales(self) -> tuple[Scale, Scale]:
        return self.x_scale, self.y_scale

    @cached_property
    def _measures(self) -> tuple[Array, Array, Array]:
        """Pixels a unit of each axis, the data in the lower left corner, and the pixel there, each (2,)."""
        x0, x1, y0, y1 = self.limits
        ends = _forward(np.array([(x0, y0), (x1, y1)], dtype=np.float64), self._scales)
        # Limits that coincide, or nearly, give a unit of 0 rather than infinity.
        size = np.array([self.area.width(), -self.area.height()])
        with np.errstate(over="ignore", invalid="ignore"):
            span = ends[1] - ends[0]
            unit = np.where(span > 0, size / np.where(span > 0, span, 1.0), 0.0)
        corner = np.array([self.area.left(), self.area.bottom()])
        return np.where(np.isfinite(unit), unit, 0.0), ends[0], corner


def _forward(data: Array, scales: tuple[Scale, Scale]) -> Array:
    out = data.copy()
    for column, scale in enumerate(scales):
        if scale == "log":
            values = out[:, column]
            out[:, column] = np.log10(values, out=np.full(len(values), np.nan), where=values > 0)
    return out


def pixels_within(pixels: Array, area: QRectF, margin: float) -> NDArray[np.bool_]:
    """Which pixels (n, 2) lie in the area or within the margin around it."""
    x, y = pixels[:, 0], pixels[:, 1]
    inside: NDArray[np.bool_] = (x >= area.left() - margin) & (x <= area.right() + margin)
    return inside & (y >= area.top() - margin) & (y <= area.bottom() + margin)


def plot_area(rect: QRectF, style: Style, title: str = "") -> QRectF:
    """The part of `rect` that the axes enclose: the rest is room for ticks, labels and the title, whatever they say."""
    fm = metrics(style)
    small = metrics(style, 0.92)
    left = fm.height() + small.horizontalAdvance(WIDEST) + TICK + 8
    bottom = fm.height() + small.height() + TICK + 6
    top = max(small.height() / 2 + 2, metrics(style, 1.08, True).height() + 6 if title else 0.0, small.height() + 4)
    right = small.horizontalAdvance("0000") / 2 + 4
    width, height = max(1.0, rect.width() - left - right), max(1.0, rect.height() - top - bottom)
    return QRectF(rect.left() + left, rect.top() + top, width, height)


def equal_area(area: QRectF, limits: Limits) -> QRectF:
    """The largest part of an area, about its middle, in which a unit is equally long on both axes."""
    x0, x1, y0, y1 = limits
    unit = max((x1 - x0) / area.width(), (y1 - y0) / area.height())
    if unit <= 0:
        return area
    width, height = (x1 - x0) / unit, (y1 - y0) / unit
    return QRectF(area.center().x() - width / 2, area.center().y() - height / 2, width, height)


def axis_ticks(frame: AxesFrame, plot: Plot, style: Style) -> tuple[Ticks, Ticks]:
    """The ticks of both axes."""
    x0, x1, y0, y1 = frame.limits
    fm = metrics(style, 0.92)
    y = _ticks(y0, y1, frame.area.height(), frame.y_scale, style, False)
    if plot.x_ticks is None:
        return _ticks(x0, x1, frame.area.width(), frame.x_scale, style, True, plot.x_whole), y
    named = [(place, word) for place, word in plot.x_ticks if x0 <= place <= x1]
    x = Ticks(tuple(place for place, _ in named), tuple(word for _, word in named))
    return _thinned(x, frame, fm), y


@lru_cache(maxsize=256)
def _ticks(
    low: float, high: float, length: float, scale: Scale, style: Style, across: bool, whole: bool = False
) -> Ticks:
    """The ticks of an axis that goes across, or up; kept, since grid and axes ask for them, and the next picture."""
    fm = metrics(style, 0.92)
    room = fm.averageCharWidth()

    def extent(label: str) -> float:
        return fm.horizontalAdvance(label) + room if across else fm.height() * 1.5

    return ticks(low, high, length, extent, scale, (50 if across else 40) * style.text, whole)


def _thinned(named: Ticks, frame: AxesFrame, fm: QFontMetricsF) -> Ticks:
    """Named ticks without those whose word would run into the one before."""
    pixels = frame.to_pixels([(value, frame.limits[2]) for value in named.values])[:, 0]
    kept: list[int] = []
    end = -math.inf
    for k, x in enumerate(pixels):
        half = fm.horizontalAdvance(named.labels[k]) / 2
        if x - half >= end:
            kept.append(k)
            end = x + half + fm.averageCharWidth()
    return Ticks(tuple(named.values[k] for k in kept), tuple(named.labels[k] for k in kept))


def _tick_places(frame: AxesFrame, made: tuple[Ticks, Ticks]) -> tuple[list[float], list[float]]:
    x0, _, y0, _ = frame.limits
    xs = frame.to_pixels([(value, y0) for value in made[0].values])[:, 0].tolist()
    ys = frame.to_pixels([(x0, value) for value in made[1].values])[:, 1].tolist()
    return xs, ys


def paint_grid(painter: QPainter, frame: AxesFrame, plot: Plot, style: Style) -> None:
    """Faint lines at the ticks."""
    xs, ys = _tick_places(frame, axis_ticks(frame, plot, style))
    area, width, ink = frame.area, style.lines, colour(style.colors.grid)
    painter.save()
    # Filled, and on whole pixels where there are any: that takes a tenth of the time.
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for x in [] if plot.x_ticks is not None else xs:
        painter.fillRect(QRectF(x - width / 2, area.top(), width, area.height()), ink)
    for y in ys:
        painter.fillRect(QRectF(area.left(), y - width / 2, area.width(), width), ink)
    painter.restore()


def paint_axes(painter: QPainter, frame: AxesFrame, plot: Plot, style: Style) -> None:
    """The frame about the area, the ticks, their labels and the labels of the axes."""
    area, ground = frame.area, style.colors
    made = axis_ticks(frame, plot, style)
    xs, ys = _tick_places(frame, made)
    painter.save()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(ground.faint, 1.0 * style.lines))
    painter.drawRect(area)
    for x in xs:
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + TICK))
    for y in ys:
        painter.drawLine(QPointF(area.left() - TICK, y), QPointF(area.left(), y))
    _paint_tick_labels(painter, frame, made, (xs, ys), style)
    _paint_axis_labels(painter, frame, plot, style, made[0].note)
    painter.restore()


def _paint_tick_labels(
    painter: QPainter,
    frame: AxesFrame,
    made: tuple[Ticks, Ticks],
    places: tuple[list[float], list[float]],
    style: Style,
) -> None:
    area, fm = frame.area, metrics(style, 0.92)
    painter.setFont(style.font(0.92))
    painter.setPen(colour(style.colors.text))
    below = area.bottom() + TICK + 1 + fm.ascent()
    for x, label in zip(places[0], made[0].labels, strict=True):
        painter.drawText(QPointF(x - fm.horizontalAdvance(label) / 2, below), label)
    for y, label in zip(places[1], made[1].labels, strict=True):
        width = fm.horizontalAdvance(label)
        painter.drawText(QPointF(area.left() - TICK - 3 - width, y + fm.capHeight() / 2), label)
    if made[0].note:
        x = area.right() - fm.horizontalAdvance(made[0].note)
        painter.drawText(QPointF(x, below + fm.height()), made[0].note)
    if made[1].note:
        painter.drawText(QPointF(area.left(), area.top() - 4), made[1].note)


def _paint_axis_labels(painter: QPainter, frame: AxesFrame, plot: Plot, style: Style, note: str) -> None:
    area, fm, small = frame.area, metrics(style), metrics(style, 0.92)
    baseline = area.bottom() + TICK + 1 + small.height() + fm.ascent()
    # The note of the ticks stands on the same line, at its right end.
    beside = small.horizontalAdvance(f"{note}  ") if note else 0.0
    _paint_centred(painter, QPointF(area.center().x(), baseline), plot.x_label, area.width() - 2 * beside, style)
    painter.save()
    painter.translate(area.left() - TICK - 6 - small.horizontalAdvance(WIDEST), area.center().y())
    painter.rotate(-90)
    _paint_centred(painter, QPointF(0, -fm.descent()), plot.y_label, area.height(), style)
    painter.restore()


def _paint_centred(painter: QPainter, at: QPointF, words: str, room: float, style: Style) -> None:
    """Words about a point of their baseline: smaller, and at last shortened, where there is little room."""
    width = metrics(style).horizontalAdvance(words)
    factor = min(1.0, max(0.75, room / max(width, 1.0)))
    fm = metrics(style, factor)
    text = fm.elidedText(words, Qt.TextElideMode.ElideRight, room)
    painter.setFont(style.font(factor))
    painter.setPen(colour(style.colors.text))
    painter.drawText(QPointF(at.x() - fm.horizontalAdvance(text) / 2, at.y()), text)


def paint_title(painter: QPainter, frame: AxesFrame, title: str, style: Style) -> None:
    """The title above the area."""
    if title:
        fm = metrics(style, 1.08, True)
        painter.setFont(style.font(1.08, True))
        painter.setPen(colour(style.colors.text))
        text = fm.elidedText(title, Qt.TextElideMode.ElideRight, frame.area.width())
        x = frame.area.center().x() - fm.horizontalAdvance(text) / 2
        painter.drawText(QPointF(x, frame.area.top() - 5 - fm.descent()), text)
