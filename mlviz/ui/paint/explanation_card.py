"""A card on the picture that says why the model says what it says at the pinned place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from mlviz.draw import palette
from mlviz.draw.layer import Explanation
from mlviz.draw.marks import Mark, Points
from mlviz.draw.numbers import format_coordinate
from mlviz.draw.plot import Limits
from mlviz.picture import PanelPicture
from mlviz.scene.scene import Scene
from mlviz.ui.paint.axes import AxesFrame, Style, metrics, pixels_within, write
from mlviz.ui.paint.caption import wrapped
from mlviz.ui.paint.samples import DrawnSamples
from mlviz.ui.paint.strokes import paint_box, pen

_GAP = 8.0
"""Between the card and the frame, the legend and the pin, pixels."""
_PAD = 9.0
"""Between the edge of the card and its words, pixels."""
_WIDEST = 620.0
"""Longer lines are hard to read, logical pixels."""
_FACTORS = (1.0, 0.88, 0.76, 0.68)
"""Sizes of the words, as shares of the style's text: the first that fits is taken."""
_MOST = 0.34
"""The card hides at most so much of the height."""
_NARROWEST = 150.0
"""Beside a legend that leaves less room than this the card goes over it, logical pixels."""


@dataclass(frozen=True, eq=False)
class Pinned:
    """The pinned place, what the model says about it, and its evidence; the card does not lie on the `cursor`."""

    place: tuple[float, float]
    words: str
    marks: tuple[Mark, ...]
    cursor: tuple[float, float] | None = None


def pinned(scene: Scene, picture: PanelPicture | None, cursor: tuple[float, float] | None = None) -> Pinned | None:
    """What a picture says about the probe of the scene, to be told beside the cursor; None where it says nothing."""
    probe = scene.view.probe
    if probe is None or picture is None or picture.explanation is None:
        return None
    return replace(_told(probe, scene.view.limits, picture.explanation), cursor=cursor)


@lru_cache(maxsize=8)
def _told(probe: tuple[float, float], limits: Limits, told: Explanation) -> Pinned:
    """The same for the same explanation, so that what hangs on its marks can be kept from frame to frame."""
    x0, x1, y0, y1 = limits
    x, y = format_coordinate(probe[0], x1 - x0), format_coordinate(probe[1], y1 - y0)
    marks = (*told.marks, Points("probe", np.array([probe])))
    return Pinned(probe, f"Why here? At ({x}, {y}): {told.sentence}", marks)


@dataclass(frozen=True)
class _Laid:
    """The words in lines, the size of their type as a share of the usual one, and the box around them."""

    lines: tuple[str, ...]
    factor: float
    box: QRectF


def paint_card(
    painter: QPainter, frame: AxesFrame, what: Pinned, taken: QRectF, style: Style, samples: DrawnSamples | None = None
) -> QRectF:
    """Paint the words at the bottom or the top, away from cursor and pin, beside the box `taken`; returns their box.

    Of both the one that is not over that box and hides fewer samples, at whatever size of type.
    """
    in_hand = [place for place in (what.cursor, what.place) if place is not None]
    keep_off = [QPointF(*at) for at in frame.to_pixels(in_hand).tolist()]
    gap = _GAP * style.text
    pixels = np.empty((0, 2)) if samples is None else frame.to_pixels(samples.places)

    def harm(laid: _Laid) -> tuple[float, ...]:
        around = laid.box.adjusted(-gap, -gap, gap, gap)
        return (
            *[around.contains(at) for at in keep_off],
            laid.box.intersects(taken),
            int(pixels_within(pixels, laid.box, 0.0).sum()),
            -laid.factor,
            laid.box.height(),
        )

    best = min([_laid(what.words, frame.area, taken, top, style) for top in (False, True)], key=harm)
    fm, pad = metrics(style, best.factor), _PAD * style.text
    edge = pen(style.colors.accent, 1.4 * style.lines)
    paint_box(painter, best.box, 6, edge, palette.faded(style.colors.paper, 0.95))
    first = best.box.top() + 0.6 * pad + fm.ascent()
    for k, line in enumerate(best.lines):
        write(painter, best.box.left() + pad, first + k * fm.lineSpacing(), line, style, best.factor)
    return best.box


def _laid(words: str, area: QRectF, taken: QRectF, top: bool, style: Style) -> _Laid:
    """The words at the top or the bottom of an area: in smaller type, and at last shortened, where they are many."""
    pad, gap = _PAD * style.text, _GAP * style.text
    inner = area.adjusted(gap, gap, -gap, -gap)
    left, right = _beside(inner, taken, top, gap, _NARROWEST * style.text)
    room = min(right - left, _WIDEST * style.text) - 2 * pad
    for factor in _FACTORS:
        fm = metrics(style, factor)
        lines = _balanced(words, room, style, factor)
        most = max(1, int((_MOST * area.height() - 1.2 * pad) / fm.lineSpacing()))
        if len(lines) <= most:
            break
    else:
        lines = [*lines[: most - 1], fm.elidedText(f"{lines[most - 1]} ...", Qt.TextElideMode.ElideRight, room)]
    width = max(fm.horizontalAdvance(line) for line in lines) + 2 * pad
    height = len(lines) * fm.lineSpacing() + 1.2 * pad
    start = min(max(area.center().x() - width / 2, left), right - width)
    return _Laid(tuple(lines), factor, QRectF(start, inner.top() if top else inner.bottom() - height, width, height))


@lru_cache(maxsize=8)
def _balanced(words: str, room: float, style: Style, factor: float) -> list[str]:
    """The words in as few lines as the room allows, and these about equally long; not to be changed."""
    fm = metrics(style, factor)
    lines = wrapped(words, room, fm)
    low, high = room / max(1, len(lines)), room
    while high - low > 4.0:
        middle = (low + high) / 2
        if len(wrapped(words, middle, fm)) > len(lines):
            low = middle
        else:
            high = middle
    return wrapped(words, high, fm)


def _beside(inner: QRectF, taken: QRectF, top: bool, gap: float, least: float) -> tuple[float, float]:
    """From where to where there is room in the upper or lower part of the area beside the box that is taken."""
    left, right = inner.left(), inner.right()
    in_the_way = not taken.isEmpty() and (taken.center().y() < inner.center().y()) == top
    if in_the_way and taken.center().x() < inner.center().x() and right - taken.right() - gap >= least:
        left = taken.right() + gap
    elif in_the_way and taken.center().x() >= inner.center().x() and taken.left() - gap - left >= least:
        right = taken.left() - gap
    return left, right
