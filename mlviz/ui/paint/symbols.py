"""Symbols: their shapes, one of them painted, and the stamps of which `scatter` makes very many."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPixmap, QTransform

from mlviz.draw.inks import Symbol
from mlviz.draw.palette import Ink
from mlviz.numerics.arrays import Array
from mlviz.ui.paint.stamps import StampSheet, scatter, sheet
from mlviz.ui.paint.strokes import colour, pen

OPEN: frozenset[Symbol] = frozenset({"ring", "double ring", "x"})
"""Symbols made of lines: never filled."""


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
        case _:
            for k, (x, y) in enumerate(_corners(symbol)):
                if k:
                    path.lineTo(x, y)
                else:
                    path.moveTo(x, y)
            path.closeSubpath()
    return path


def _corners(symbol: Symbol) -> Iterable[tuple[float, float]]:
    match symbol:
        case "triangle":
            return _ring(3, 0.66, offset=0.1)
        case "triangle down":
            return [(x, -y) for x, y in _ring(3, 0.66, offset=0.1)]
        case "diamond":
            return _ring(4, 0.62)
        case "hexagon":
            return _ring(6, 0.56)
        case "star":
            outer, inner = _ring(5, 0.70, offset=0.03), _ring(5, 0.31, turn=math.pi / 5, offset=0.03)
            return [corner for pair in zip(outer, inner, strict=True) for corner in pair]
        case _:
            turn = math.pi / 4 if symbol == "cross" else 0.0
            c, s = math.cos(turn), math.sin(turn)
            r, w = 0.58, 0.19
            arm = [
                (w, -r),
                (w, -w),
                (r, -w),
                (r, w),
                (w, w),
                (w, r),
                (-w, r),
                (-w, w),
                (-r, w),
                (-r, -w),
                (-w, -w),
                (-w, -r),
            ]
            return [(c * x - s * y, s * x + c * y) for x, y in arm]


def _ring(n: int, radius: float, turn: float = 0.0, offset: float = 0.0) -> list[tuple[float, float]]:
    """The corners of a regular polygon, the first one at the top."""
    angles = [turn + 2 * math.pi * k / n for k in range(n)]
    return [(radius * math.sin(a), offset - radius * math.cos(a)) for a in angles]


@lru_cache(maxsize=512)
def sized(symbol: Symbol, size: float) -> QPainterPath:
    """The symbol at a size in pixels; not to be changed."""
    return QTransform.fromScale(size, size).map(shape(symbol))


def paint_symbol(painter: QPainter, at: QPointF, ink: Ink, scale: float = 1.0, width: float = 1.0) -> None:
    """One symbol of a mark: `scale` and `width` multiply its size and line width."""
    painter.save()
    painter.translate(at)
    path = sized(ink.symbol, ink.size * scale)
    line = ink.width * width
    if ink.symbol in OPEN:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if ink.halo:
            painter.strokePath(path, pen(ink.halo, line + 1.8 * width))
        painter.strokePath(path, pen(ink.line, line))
    else:
        painter.setBrush(colour(ink.fill or ink.line))
        painter.setPen(pen(ink.halo, line) if ink.halo else QPen(Qt.PenStyle.NoPen))
        painter.drawPath(path)
    painter.restore()


def scatter_symbols(
    painter: QPainter, places: Array, inks: Sequence[Ink], which: NDArray[np.intp] | None, sizes: Array, width: float
) -> None:
    """A symbol at each of places (m, 2), fast: of the ink `which` (m,) of the inks, the first where that is None.

    `sizes` (m,) and `width` multiply sizes and line width.
    """
    if not len(places):
        return
    levels, kinds = np.unique(sizes, return_inverse=True)
    if which is not None:
        pairs, kinds = np.unique(which * len(levels) + kinds, return_inverse=True)
    else:
        pairs = np.arange(len(levels))
    chosen = tuple((inks[pair // len(levels)], float(levels[pair % len(levels)])) for pair in pairs.tolist())
    scatter(painter, _sheet(chosen, width, device_scale(painter)), places, kinds)


@lru_cache(maxsize=64)
def _sheet(kinds: tuple[tuple[Ink, float], ...], width: float, scale: float) -> StampSheet:
    return sheet([_stamp(ink, size, width, scale) for ink, size in kinds])


@lru_cache(maxsize=4096)
def _stamp(symbol: Ink, size: float, width: float, scale: float) -> QPixmap:
    reach = symbol.size * size * 0.75 + symbol.width * width + 3
    return stamped(lambda painter, at: paint_symbol(painter, at, symbol, size, width), reach, scale)


def stamped(paint: Callable[[QPainter, QPointF], None], reach: float, scale: float) -> QPixmap:
    """A pixmap on which `paint` has painted at its middle; `reach` is half its side, rounded up."""
    half = math.ceil(reach)
    side = math.ceil(2 * half * scale)
    pixmap = QPixmap(side, side)
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint(painter, QPointF(half, half))
    painter.end()
    return pixmap


def device_scale(painter: QPainter) -> float:
    """Pixels of the device per logical pixel."""
    return round(abs(painter.deviceTransform().m11()), 4) or 1.0
