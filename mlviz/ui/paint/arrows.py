"""Arrows in pixels: a shaft and a filled head, with a rim that keeps them apart from what lies below."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from mlviz.draw.palette import Ink
from mlviz.numerics.arrays import Array
from mlviz.ui.paint.strokes import clip_lines, colour, pen

HEAD = 4.6
"""Length of a head, in widths of its line."""
SLIM = 0.42
"""Half a head's width, as a share of its length."""
SHORTEST = 0.5
"""Arrows shorter than that, in pixels, point nowhere."""


def paint_arrows(painter: QPainter, area: QRectF, arrows: Array, ink: Ink, width: float) -> None:
    """Arrows (m, 4) from their starts to their tips; `width` multiplies that of their lines."""
    for arrow in arrows[np.isfinite(arrows).all(axis=1)]:
        way = arrow[2:] - arrow[:2]
        length = float(np.hypot(*way))
        if length >= SHORTEST:
            _paint(painter, area, arrow, way / length, min(HEAD * ink.width * width, 0.6 * length), ink, width)


def _paint(painter: QPainter, area: QRectF, arrow: Array, along: Array, head: float, ink: Ink, width: float) -> None:
    tip, neck = arrow[2:], arrow[2:] - head * along
    # The shaft ends inside the head, so that no gap shows between the two.
    shaft = clip_lines(np.concatenate((arrow[:2], tip - 0.8 * head * along))[None], area)
    across = SLIM * head * np.array([-along[1], along[0]])
    point = QPainterPath()
    if area.adjusted(-head, -head, head, head).contains(QPointF(*tip.tolist())):
        point.moveTo(*tip.tolist())
        point.lineTo(*(neck + across).tolist())
        point.lineTo(*(neck - across).tolist())
        point.closeSubpath()
    stem = QPainterPath()
    for x0, y0, x1, y1 in shaft.tolist():
        stem.moveTo(x0, y0)
        stem.lineTo(x1, y1)
    if ink.halo is not None:
        painter.strokePath(stem, pen(ink.halo, (ink.width + 2.0) * width))
        painter.strokePath(point, pen(ink.halo, 2.0 * width))
    painter.strokePath(stem, pen(ink.line, ink.width * width))
    painter.setPen(QPen(Qt.PenStyle.NoPen))
    painter.setBrush(colour(ink.line))
    painter.drawPath(point)
