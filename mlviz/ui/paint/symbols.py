"""Symbols: their shapes, one of them painted, and very many in one call.

For that each kind stands once, as a stamp, on a sheet, and is copied from there to wherever it belongs.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPainterPath, QPen, QPixmap, QPolygonF, QTransform
from shiboken6 import Shiboken

from mlviz.draw.inks import Symbol
from mlviz.draw.palette import Ink
from mlviz.numerics.arrays import Array, Labels
from mlviz.ui.paint.strokes import address_of, colour, pen, saved, transparent

_OPEN: frozenset[Symbol] = frozenset({"ring", "double ring", "x"})
"""Symbols made of lines: never filled."""
_COLUMNS = 32
"""How many stamps stand side by side on a sheet."""
_HALF = 0.5 + 1e-6
"""What `floor` needs to round; half-way is always rounded the same way, in spite of the last digits."""
BLOCK_SIZE = 4096
"""So many copies are prepared at a time: their numbers fit the processor's cache."""
CROWD = 20_000
"""Of more symbols those below another one of their kind, on the same pixel, are left out."""
_MOST_PIXELS = 20
"""Pixels per symbol beyond which hardly any two are on the same one."""


def _ring(n: int, *radii: float, offset: float = 0.0) -> list[tuple[float, float]]:
    """The n corners of a regular polygon, or of a star with these radii in turn, the first one at the top."""
    angles = [(radius, 2 * math.pi * k / n) for k, radius in zip(range(n), itertools.cycle(radii))]
    return [(radius * math.sin(a), offset - radius * math.cos(a)) for radius, a in angles]


_R, _W = 0.58, 0.19
"""Length and half the width of the arms of a plus."""
_CORNERS: dict[Symbol, Sequence[tuple[float, float]]] = {
    "triangle": _ring(3, 0.66, offset=0.1),
    "triangle down": [(x, -y) for x, y in _ring(3, 0.66, offset=0.1)],
    "diamond": _ring(4, 0.62),
    "hexagon": _ring(6, 0.56),
    "star": _ring(10, 0.70, 0.31, offset=0.03),
    "plus": [
        (_W, -_R),
        (_W, -_W),
        (_R, -_W),
        (_R, _W),
        (_W, _W),
        (_W, _R),
        (-_W, _R),
        (-_W, _W),
        (-_R, _W),
        (-_R, -_W),
        (-_W, -_W),
        (-_W, -_R),
    ],
}
"""The symbols with straight edges."""


@cache
def shape(symbol: Symbol) -> QPainterPath:
    """The symbol about the origin, of the same visual weight as a circle of diameter 1; not to be changed."""
    path = QPainterPath()
    match symbol:
        case "circle" | "ring":
            path.addEllipse(QPointF(0, 0), 0.5, 0.5)
        case "double ring":
            path.addEllipse(QPointF(0, 0), 0.5, 0.5)
            path.addEllipse(QPointF(0, 0), 0.35, 0.35)
        case "x":
            # Only its ends: what they strike out stays visible.
            for x, y in itertools.product((-1.0, 1.0), repeat=2):
                path.moveTo(0.24 * x, 0.24 * y)
                path.lineTo(0.5 * x, 0.5 * y)
        case "square":
            path.addRect(QRectF(-0.45, -0.45, 0.9, 0.9))
        case "cross":
            return QTransform().rotate(45).map(shape("plus"))
        case _:
            path.addPolygon(QPolygonF([QPointF(x, y) for x, y in _CORNERS[symbol]]))
            path.closeSubpath()
    return path


@lru_cache(maxsize=512)
def sized(symbol: Symbol, size: float) -> QPainterPath:
    """The symbol at a size in pixels; not to be changed."""
    return QTransform.fromScale(size, size).map(shape(symbol))


def paint_symbol(painter: QPainter, at: QPointF, ink: Ink, scale: float = 1.0, width: float = 1.0) -> None:
    """One symbol of a mark: `scale` and `width` multiply its size and line width."""
    path = sized(ink.symbol, ink.size * scale)
    line = ink.width * width
    with saved(painter):
        painter.translate(at)
        if ink.symbol in _OPEN:
            if ink.halo:
                painter.strokePath(path, pen(ink.halo, line + 1.8 * width))
            painter.strokePath(path, pen(ink.line, line))
        else:
            painter.setBrush(colour(ink.fill or ink.line))
            painter.setPen(pen(ink.halo, line) if ink.halo else QPen(Qt.PenStyle.NoPen))
            painter.drawPath(path)


def scatter_symbols(
    painter: QPainter, places: Array, inks: Sequence[Ink], which: Labels | None, sizes: Array, width: float
) -> None:
    """A symbol at each of places (m, 2), fast: of the ink `which` (m,) of the inks, the first where that is None.

    `sizes` (m,) and `width` multiply sizes and line width.
    """
    # Where all are of one size, which is usual, a hundred thousand need not be sorted.
    alike = len(sizes) > 0 and bool((sizes == sizes[0]).all())
    levels, kinds = (sizes[:1], np.zeros(len(sizes), dtype=np.intp)) if alike else np.unique(sizes, return_inverse=True)
    pairs = np.arange(len(levels))
    if which is not None and alike:
        pairs, kinds = np.arange(len(inks)), which
    elif which is not None:
        pairs, kinds = np.unique(which * len(levels) + kinds, return_inverse=True)
    # A list, which is made without a function a symbol.
    chosen = tuple([(inks[pair // len(levels)], float(levels[pair % len(levels)])) for pair in pairs.tolist()])
    scatter(painter, _sheet(chosen, width, device_scale(painter)), places, kinds)


@lru_cache(maxsize=64)
def _sheet(kinds: tuple[tuple[Ink, float], ...], width: float, scale: float) -> StampSheet:
    return sheet([_stamp(ink, size, width, scale) for ink, size in kinds])


@lru_cache(maxsize=4096)
def _stamp(symbol: Ink, size: float, width: float, scale: float) -> QPixmap:
    reach = symbol.size * size * 0.75 + symbol.width * width + 3
    return stamped(partial(paint_symbol, ink=symbol, scale=size, width=width), reach, scale)


def stamped(paint: Callable[[QPainter, QPointF], None], reach: float, scale: float) -> QPixmap:
    """A pixmap on which `paint` has painted at its middle; `reach` is half its side, rounded up."""
    half = math.ceil(reach)
    pixmap = transparent(2 * half, 2 * half, scale)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint(painter, QPointF(half, half))
    return pixmap


def painted_icon(paint: Callable[[QPainter, QPointF], None], side: float) -> QIcon:
    """An icon on which `paint` has painted at its middle; it keeps its colours where it is chosen in a list."""
    icon = QIcon()
    for scale in (1, 2):
        pixmap = stamped(paint, side / 2, scale)
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
            icon.addPixmap(pixmap, mode)
    return icon


def device_scale(painter: QPainter) -> float:
    """Pixels of the device per logical pixel."""
    return round(abs(painter.deviceTransform().m11()), 4) or 1.0


@dataclass(frozen=True, eq=False)
class StampSheet:
    """k square stamps on one pixmap: `sides` (k,) and `corners` (k, 2), where they begin, are in its pixels.

    `middles` (k,) is how far the middle of a symbol is from the left and top of its stamp.
    """

    pixmap: QPixmap
    sides: Array
    corners: Array
    middles: Array


def sheet(stamps: Sequence[QPixmap]) -> StampSheet:
    """The stamps, all for the same device scale, on one sheet; the middle of each is the middle of its symbol."""
    sides = np.array([stamp.width() for stamp in stamps], dtype=np.float64)
    pitch, count = int(sides.max(initial=1)), len(stamps)
    rows = max(1, -(-count // _COLUMNS))
    pixmap = transparent(pitch * min(max(count, 1), _COLUMNS), pitch * rows)
    corners = np.array([(pitch * (k % _COLUMNS), pitch * (k // _COLUMNS)) for k in range(count)]).reshape(-1, 2)
    with QPainter(pixmap) as painter:
        for stamp, (left, top) in zip(stamps, corners.tolist(), strict=True):
            painter.drawPixmap(left, top, stamp.width(), stamp.height(), stamp)
    # The side is a whole even number of logical pixels, rounded up to whole ones of the device.
    middles = np.array([stamp.deviceIndependentSize().width() // 2 for stamp in stamps], dtype=np.float64)
    return StampSheet(pixmap, sides, corners.astype(np.float64), middles)


def scatter(painter: QPainter, sheet: StampSheet, places: Array, kinds: Labels) -> None:
    """Copy stamp `kinds` (n,) to places (n, 2), logical pixels, in order: the last one is on top."""
    to_device = painter.deviceTransform()
    scale, origin = to_device.m11() or 1.0, (to_device.dx(), to_device.dy())
    if len(places) > CROWD:
        seen = _on_top(np.floor(places * scale + origin + _HALF), kinds)
        places, kinds = places[seen], kinds[seen]
    copies = np.empty((min(len(places), BLOCK_SIZE), 10))
    # Qt's own array of fragments: x, y, left, top, width, height, two factors, rotation, opacity.
    copies[:, 6:] = (1 / scale, 1 / scale, 0.0, 1.0)
    for start in range(0, len(places), BLOCK_SIZE):
        kind = kinds[start : start + BLOCK_SIZE]
        block = copies[: len(kind)]
        side = sheet.sides[kind][:, None]
        corner = (places[start : start + BLOCK_SIZE] - sheet.middles[kind][:, None]) * scale + origin
        # On whole pixels of the device, or else a stamp would be blurred. Half-way always means the same one, however
        # the place was computed: round numbers lie there often.
        block[:, :2] = (np.floor(corner + _HALF) + side / 2 - origin) / scale
        block[:, 2:4] = sheet.corners[kind]
        block[:, 4:6] = side
        # The array is read as theirs: making as many Python objects would cost far more than drawing.
        fragments: Any = Shiboken.wrapInstance(address_of(block), QPainter.PixmapFragment)
        painter.drawPixmapFragments(fragments, len(block), sheet.pixmap)


def _on_top(pixels: Array, kinds: Labels) -> Labels | slice:
    """Which are the last of their kind on their pixel (n, 2), ascending; all where these are many more than symbols."""
    column, row = pixels.T.astype(np.float64, order="C")  # each on its own: along the short side NumPy is slow
    column -= column.min()
    row -= row.min()
    width, height = float(column.max()) + 1, float(row.max()) + 1
    if width * height * (int(kinds.max()) + 1) > _MOST_PIXELS * len(kinds):
        return slice(None)
    key = ((kinds * height + row) * width + column).astype(np.intp)
    order = np.arange(len(key), dtype=np.int32)
    last = np.empty(int(key.max()) + 1, dtype=np.int32)
    last[key] = order  # of several values for one place NumPy keeps the last
    return np.flatnonzero(last[key] == order)
