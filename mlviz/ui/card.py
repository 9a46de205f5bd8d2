"""A card on the picture that says why the model says what it says at the pinned place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from mlviz.draw import palette
from mlviz.draw.marks import Mark, Points
from mlviz.draw.numbers import number
from mlviz.picture import PanelPicture
from mlviz.state.scene import Scene
from mlviz.ui.axes import Frame, Style, metrics
from mlviz.ui.caption import wrapped
from mlviz.ui.strokes import colour, pen

GAP = 8.0
"""Between the card and the frame, the legend and the pin, pixels."""
PAD = 9.0
"""Between the edge of the card and its words, pixels."""
WIDEST = 620.0
"""Longer lines are hard to read, logical pixels."""
NARROWEST = 150.0
"""Beside a legend that leaves less room than this the card goes over it, logical pixels."""


@dataclass(frozen=True, eq=False)
class Pinned:
    """The pinned place, what the model says about it, and its evidence."""

    place: tuple[float, float]
    words: str
    marks: tuple[Mark, ...]


def pinned(scene: Scene, picture: PanelPicture | None) -> Pinned | None:
    """What a picture says about the probe of the scene; None where it says nothing."""
    probe = scene.view.probe
    if probe is None or picture is None or picture.explanation is None:
        return None
    x, y = (number(value, 3) for value in probe)
    told = picture.explanation
    marks = (*told.marks, Points("now", np.array([probe])))
    return Pinned(probe, f"Why here? At ({x}, {y}): {told.sentence}", marks)


def paint_card(painter: QPainter, frame: Frame, what: Pinned, taken: QRectF, style: Style) -> QRectF:
    """Paint the words at the bottom or the top, away from the pin and beside the box `taken`; returns their box."""
    fm = metrics(style)
    at = QPointF(*frame.to_pixels([what.place])[0].tolist())
    pad, gap = PAD * style.text, GAP * style.text
    inner = frame.area.adjusted(gap, gap, -gap, -gap)
    boxes = []
    for top in (False, True):
        left, right = _beside(inner, taken, top, gap, NARROWEST * style.text)
        lines = wrapped(what.words, min(right - left, WIDEST * style.text) - 2 * pad, fm)
        width = max(fm.horizontalAdvance(line) for line in lines) + 2 * pad
        height = len(lines) * fm.lineSpacing() + 1.2 * pad
        start = min(max(frame.area.center().x() - width / 2, left), right - width)
        box = QRectF(start, inner.top() if top else inner.bottom() - height, width, height)
        boxes.append((box.adjusted(-gap, -gap, gap, gap).contains(at), height, box, lines))
    _, _, box, lines = min(boxes, key=lambda found: found[:2])
    _paint(painter, box, lines, pad, style)
    return box


def _beside(inner: QRectF, taken: QRectF, top: bool, gap: float, least: float) -> tuple[float, float]:
    """From where to where there is room in the upper or lower part of the area beside the box that is taken."""
    left, right = inner.left(), inner.right()
    in_the_way = not taken.isEmpty() and (taken.center().y() < inner.center().y()) == top
    if in_the_way and taken.center().x() < inner.center().x() and right - taken.right() - gap >= least:
        left = taken.right() + gap
    elif in_the_way and taken.center().x() >= inner.center().x() and taken.left() - gap - left >= least:
        right = taken.left() - gap
    return left, right


def _paint(painter: QPainter, box: QRectF, lines: Sequence[str], pad: float, style: Style) -> None:
    fm = metrics(style)
    painter.save()
    painter.setPen(pen(style.ground.accent, 1.4 * style.lines))
    painter.setBrush(colour(palette.faded(style.ground.paper, 0.95)))
    painter.drawRoundedRect(box, 6, 6)
    painter.setFont(style.font())
    painter.setPen(colour(style.ground.text))
    for k, line in enumerate(lines):
        painter.drawText(QPointF(box.left() + pad, box.top() + 0.6 * pad + k * fm.lineSpacing() + fm.ascent()), line)
    painter.restore()
