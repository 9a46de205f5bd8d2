"""Axes: the map between data and pixels, ticks, labels and title."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QMargins, QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from mlviz.draw import palette
from mlviz.draw.plot import BOTH_EDGES, Edges, Limits
from mlviz.numerics.arrays import Array, Mask
from mlviz.ui.paint.strokes import colour

Scale = Literal["linear", "log"]
_LINEAR = "linear", "linear"
_FAMILIES = ["DejaVu Sans", "Arial", "Helvetica", "sans-serif"]
"""Named outright, so that a picture looks the same on the screen and in a file."""
WIDEST_TICK_LABEL = "−0.00000"
"""The widest number that has room beside the vertical axis; wider ones are parted into a number and a note."""
_LEAST_PX = 11
"""The smallest type: its capitals are 8 pixels high."""
TICK_PX = 4
"""Length of a tick, pixels."""
TICK_GAPS = 1, 3
"""Between the ticks and their labels, below the horizontal axis and beside the vertical one, pixels."""
TICK_TEXT_SIZE = 0.92
"""Size of the numbers at the ticks, as a share of the style's text."""
TITLE_SIZE = 1.08
"""Size of the title, as a share of the style's text."""


@dataclass(frozen=True)
class Style:
    """How a picture is painted: theme, how much larger than usual text, lines and points are, whether with legends.

    `smallest` is the least size of letters, pixels. `colours` are those of the scene's classes.
    """

    theme: str = "light"
    text: float = 1.0
    lines: float = 1.0
    points: float = 1.0
    legend: bool = True
    smallest: int = _LEAST_PX
    colours: palette.Colours = ()

    @cache  # noqa: B019 a style is a small value, and there are few of them
    def font(self, factor: float = 1.0, bold: bool = False) -> QFont:
        """The font of this style, legible however small it is asked for; not to be changed."""
        font = QFont(_FAMILIES)
        least = max(self.smallest, round(_LEAST_PX * max(1.0, 0.8 * self.text)))
        font.setPixelSize(max(least, round(round(12 * self.text * factor, 2))))
        font.setBold(bold)
        # Hinted glyphs have other widths at every scale: text would wrap differently on the screen and in a file.
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        return font

    def for_panels(self, count: int) -> Style:
        """The style where so many canvases share the room: in small ones large marks would melt into a lump."""
        factor = 1.0 if count < 3 else 0.85 if count == 3 else 0.7
        return replace(self, points=self.points * factor, lines=self.lines * (1 + factor) / 2)

    def ink(self, role: str) -> palette.Ink:
        """The ink of a role."""
        return palette.ink(role, self.theme, self.colours)

    def number(self, code: int) -> int:
        """The number of a class in the palette."""
        return palette.class_number(code, self.colours)

    @cached_property
    def colors(self) -> palette.ThemeColors:
        """The colours of everything that is not a mark."""
        return palette.theme_colors(self.theme)


@lru_cache(maxsize=256)
def metrics(style: Style, factor: float = 1.0, bold: bool = False) -> QFontMetricsF:
    """The measures of the style's font."""
    return QFontMetricsF(style.font(factor, bold))


@dataclass(frozen=True)
class AxesFrame:
    """The visible part of the data (x0, x1, y0, y1) and the area of pixels it fills."""

    limits: Limits
    area: QRectF
    scales: tuple[Scale, Scale] = ("linear", "linear")

    def to_pixels(self, xy: ArrayLike) -> Array:
        """Data (m, 2) -> pixels (m, 2); NaN where a log axis has no place for it."""
        data = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        unit, origin, corner = self._measures
        with np.errstate(over="ignore", invalid="ignore"):
            return ((data if self.scales == _LINEAR else forward(data, self.scales)) - origin) * unit + corner

    def to_data(self, pixels: ArrayLike) -> Array:
        """Pixels (m, 2) -> data (m, 2)."""
        places = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
        unit, origin, corner = self._measures
        with np.errstate(over="ignore", invalid="ignore"):
            data = (places - corner) / np.where(unit == 0, 1.0, unit) + origin
            if self.scales == _LINEAR:
                return data
            return np.where([scale == "log" for scale in self.scales], 10.0**data, data)

    @property
    def unit(self) -> Array:
        """The size of a pixel (2,) in data coordinates, on linear axes."""
        x0, x1, y0, y1 = self.limits
        return np.array([(x1 - x0) / self.area.width(), (y1 - y0) / self.area.height()])

    def with_area(self, area: QRectF, equal: bool) -> AxesFrame:
        """The same part of the data in another area, or if `equal` in as much of it as leaves a unit equally long."""
        return AxesFrame(self.limits, equal_area(area, self.limits) if equal else area, self.scales)

    @cached_property
    def _measures(self) -> tuple[Array, Array, Array]:
        """Pixels a unit of each axis, the data in the lower left corner, and the pixel there, each (2,)."""
        x0, x1, y0, y1 = self.limits
        ends = forward(np.array([(x0, y0), (x1, y1)], dtype=np.float64), self.scales)
        # Limits that coincide, or nearly, give a unit of 0 rather than infinity.
        size = np.array([self.area.width(), -self.area.height()])
        with np.errstate(over="ignore", invalid="ignore"):
            span = ends[1] - ends[0]
            unit = np.where(span > 0, size / np.where(span > 0, span, 1.0), 0.0)
        corner = np.array([self.area.left(), self.area.bottom()])
        return np.where(np.isfinite(unit), unit, 0.0), ends[0], corner


def forward(data: Array, scales: tuple[Scale, Scale]) -> Array:
    """Places (m, 2) as they are parted on the axes: logarithms on a log axis, NaN where there is none."""
    if scales == _LINEAR:
        return data
    logs = np.log10(data, out=np.full_like(data, np.nan), where=data > 0)
    return np.where([scale == "log" for scale in scales], logs, data)


def pixels_within(pixels: Array, area: QRectF, margin: float) -> Mask:
    """Which pixels (n, 2) lie in the area or within the margin around it."""
    x, y = pixels[:, 0], pixels[:, 1]
    inside: Mask = (x >= area.left() - margin) & (x <= area.right() + margin)
    return inside & (y >= area.top() - margin) & (y <= area.bottom() + margin)


def plot_area(rect: QRectF, style: Style, title: str = "") -> QRectF:
    """The part of `rect` that the axes enclose: the rest is room for ticks, labels and the title, whatever they say."""
    area = rect.marginsRemoved(margins(style, title).toMarginsF())
    return QRectF(area.left(), area.top(), max(1.0, area.width()), max(1.0, area.height()))


@cache
def margins(style: Style, title: str = "", edges: Edges = BOTH_EDGES) -> QMargins:
    """The room around the axes for ticks, labels and the title, in whole pixels, whatever they say."""
    fm, small = metrics(style), metrics(style, TICK_TEXT_SIZE)
    beside = small.horizontalAdvance("0000") / 2 + 4
    left = fm.height() + small.horizontalAdvance(WIDEST_TICK_LABEL) + TICK_PX + 8 if edges.left else beside
    top = max(small.height() + 4, metrics(style, TITLE_SIZE, True).height() + 6 if title else 0.0)
    bottom = room_below(style) if edges.below else TICK_PX + 2
    return QMargins(*(math.ceil(side) for side in (left, top, beside, bottom)))


def room_below(style: Style) -> float:
    """The height of ticks, numbers and label below the axes."""
    return metrics(style).height() + metrics(style, TICK_TEXT_SIZE).height() + TICK_PX + 6


def equal_area(area: QRectF, limits: Limits) -> QRectF:
    """The largest part of an area, about its middle, in which a unit is equally long on both axes; on whole pixels."""
    x0, x1, y0, y1 = limits
    unit = max((x1 - x0) / area.width(), (y1 - y0) / area.height())
    if unit <= 0:
        return area
    width, height = (x1 - x0) / unit, (y1 - y0) / unit
    x, y = area.center().x(), area.center().y()
    left, top, right, bottom = map(round, (x - width / 2, y - height / 2, x + width / 2, y + height / 2))
    return QRectF(left, top, right - left, bottom - top)


def write(
    painter: QPainter,
    x: float,
    baseline: float,
    words: str,
    style: Style,
    factor: float = 1.0,
    bold: bool = False,
    share: float = 0.0,
) -> None:
    """Words in the style's colour for them; `share` of their width is to the left of x."""
    painter.setFont(style.font(factor, bold))
    painter.setPen(colour(style.colors.text))
    left = x - share * metrics(style, factor, bold).horizontalAdvance(words)
    painter.drawText(QPointF(left, baseline), words)
