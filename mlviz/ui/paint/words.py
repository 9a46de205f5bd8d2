"""Words of marks, each as near to its place as it hides nothing; and notes, which stand at theirs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from mlviz.draw import palette
from mlviz.draw.marks import Text
from mlviz.numerics.arrays import Array, Mask
from mlviz.scene.notes import Note
from mlviz.spec.outside import shortened
from mlviz.ui.paint import strokes
from mlviz.ui.paint.axes import AxesFrame, Style, metrics, pixels_within
from mlviz.ui.paint.samples import SAMPLE_SIZE, DrawnSamples

_PAD = 3.0
"""Between the words and the rim of their card, pixels."""
_CELLS = 32_768
"""So many pairs of a box and a sample near it are looked at in one go: of more the numbers do not fit the processor's
cache."""
_RINGS = 3
"""Words go at most about so many heights away from their place."""
NOTE_SIZE = 1.25
"""The letters of a note, as a share of the style's text."""
_NOTE_WIDTH = 24.0
"""The words of a note go into another line after about so many heights of a letter."""
_WRAPPED = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)
NOTICE_SIZE = 1.1
"""The same of a sentence in the place of the legend."""
_NEAR_PX = 5.0
"""Words of a place farther outside the area than this are not shown."""


@dataclass(frozen=True)
class Words:
    """Words in a box, in the ink of a role."""

    text: str
    role: str
    box: QRectF


def placed_words(
    frame: AxesFrame, marks: Sequence[Text], samples: DrawnSamples | None, style: Style, taken: Iterable[QRectF] = ()
) -> list[Words]:
    """The words of marks, each where it hides fewest samples and none of the boxes `taken` or other words.

    Those for which there is no such place are left out: one could read neither them nor what they would hide.
    """
    marks = [mark for mark in marks if len(mark.words)]
    if not marks:
        return []
    reach = SAMPLE_SIZE * style.points / 2
    pixels = np.empty((0, 2)) if samples is None else frame.to_pixels(samples.places)
    across, up = np.ascontiguousarray(pixels.T)
    occupied = [box for box in taken if not box.isEmpty()]
    seen = frame.area.adjusted(-_NEAR_PX, -_NEAR_PX, _NEAR_PX, _NEAR_PX)
    fm, found = metrics(style), []
    for mark in marks:
        mark = mark if samples is None else mark.at_samples(samples.places)
        places = frame.to_pixels(mark.xy)
        others = np.empty((len(places), 0, 2)) if mark.others is None else frame.to_pixels(mark.others)
        for word, place, beside in zip(
            map(shortened, mark.words), places.tolist(), others.reshape(len(places), -1, 2).tolist(), strict=True
        ):
            where = [at for at in (place, *beside) if math.isfinite(at[0] + at[1]) and seen.contains(*at)]
            if not where:
                continue
            size = fm.horizontalAdvance(word) + 2 * _PAD, fm.height()
            if mark.others is not None and not beside:
                corners = iter([_about(where[0], size)])
            else:
                corners = _on_places(where, size) if mark.centered else _around(where[0], size, reach + 1, mark.above)
            box: QRectF | None = (first := QRectF(*next(corners), *size))
            if not _free(first, across, up, reach, occupied, frame.area):
                near = pixels[_near(pixels, where, size, reach)]
                corners = itertools.chain([first.topLeft().toTuple()], corners)
                box = best_box(corners, size, near, reach, occupied, frame.area)
            if box is not None:
                occupied.append(box)
                found.append(Words(word, mark.role, box))
    return found


def _near(pixels: Array, places: Sequence[Sequence[float]], size: tuple[float, float], reach: float) -> Mask:
    """Which pixels (n, 2) words of that size at or around places may hide, and a few more."""
    far = max(size) + (1 + _RINGS) * size[1] + reach
    across, up = zip(*places, strict=True)
    return pixels_within(pixels, QRectF(QPointF(min(across), min(up)), QPointF(max(across), max(up))), far)


def _free(box: QRectF, x: Array, y: Array, reach: float, occupied: list[QRectF], area: QRectF) -> bool:
    """Whether `best_box` would take a box at once, with samples at x and y (n,): the first one is often right."""
    if not area.contains(box) or any([box.intersects(other) for other in occupied]):
        return False
    middle = box.center()
    hidden = np.abs(x - middle.x()) <= box.width() / 2 + reach
    return not (hidden & (np.abs(y - middle.y()) <= box.height() / 2 + reach)).any()


def best_box(
    corners: Iterator[tuple[float, float]],
    size: tuple[float, float],
    samples: Array,
    reach: float,
    occupied: list[QRectF],
    area: QRectF,
) -> QRectF | None:
    """The first box of that size within the area that is without samples, else that with the fewest.

    `corners` are the left and top of the boxes; the answer is None where all within are occupied. A sample counts where
    some of its symbol, as far as `reach`, is in the box.
    """
    best, least = None, math.inf
    x, y = np.ascontiguousarray(samples.T)
    taken = [(box.left(), box.right(), box.top(), box.bottom()) for box in occupied]
    count = max(1, _CELLS // max(1, len(x)))
    while True:
        tried = np.array(list(itertools.islice(corners, count)))
        if not len(tried):
            break
        left, top = tried.T
        right, bottom = left + size[0], top + size[1]
        across, up = np.abs(x - ((left + right) / 2)[:, None]), np.abs(y - ((top + bottom) / 2)[:, None])
        hidden = (across <= size[0] / 2 + reach) & (up <= size[1] / 2 + reach)
        within = (left >= area.left()) & (right <= area.right()) & (top >= area.top()) & (bottom <= area.bottom())
        # Of a number that is cut at the rim another one would be read.
        harm = np.where(within, np.count_nonzero(hidden, axis=1), np.inf)
        for x0, x1, y0, y1 in taken:
            harm[(left < x1) & (right > x0) & (top < y1) & (bottom > y0)] = np.inf
        first = int(np.argmin(harm))
        if harm[first] < least:
            best, least = QRectF(left[first], top[first], *size), float(harm[first])
        if not least:
            break
    return best


def _on_places(places: Sequence[Sequence[float]], size: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Left and top of boxes about places, then a little beside each of them."""
    for place in places:
        yield _about(place, size)
    for place in places:
        yield from _around(place, size, 0.0)


def _about(place: Sequence[float], size: tuple[float, float]) -> tuple[float, float]:
    """Left and top of the box with its middle at a place."""
    return place[0] - size[0] / 2, place[1] - size[1] / 2


def _around(
    place: Sequence[float], size: tuple[float, float], gap: float, over: bool = False
) -> Iterator[tuple[float, float]]:
    """Left and top of boxes around a place, first over it or to its upper right, the nearer before the farther ones."""
    (x, y), (width, height) = place, size
    for ring in range(_RINGS):
        farther = ring * height * 0.75
        away = gap + farther
        right, left, above, below = x + away, x - away - width, y - away - height, y + away
        middle, level, beside = x - width / 2, y - height / 2, y - _PAD - height - farther
        corners = [(right, beside), (right, level), (middle, above), (left, beside), (left, level)]
        if over:
            corners.insert(0, (middle, above))
        yield from (*corners, (middle, below), (right, below), (left, below))


def paint_words(painter: QPainter, frame: AxesFrame, placed: Sequence[Words], style: Style) -> None:
    """Words on their cards, within the area."""
    if not placed:
        return
    # A card ends before the line of the axes, and before the pixel that this line shares with the area.
    rim = style.lines / 2 + 1
    inner, ascent = frame.area.adjusted(rim, rim, -rim, -rim), metrics(style).ascent()
    ground = strokes.colour(palette.faded(style.colors.canvas, 0.75))
    with strokes.saved(painter):
        painter.setClipRect(frame.area, Qt.ClipOperation.IntersectClip)
        painter.setFont(style.font())
        for words in placed:
            painter.fillRect(words.box.intersected(inner), ground)
            painter.setPen(strokes.colour(style.ink(words.role).line))
            painter.drawText(QPointF(words.box.left() + _PAD, words.box.top() + ascent), words.text)


def note_boxes(frame: AxesFrame, notes: Sequence[Note], style: Style) -> list[tuple[Note, QRectF]]:
    """The notes whose places are in sight, with their boxes: from its place on, or as far to the left as it fits."""
    fm, shown = metrics(style, NOTE_SIZE), []
    inner = frame.area.adjusted(_PAD, _PAD, -_PAD, -_PAD)
    most = max(1.0, min(inner.width(), _NOTE_WIDTH * fm.height()) - 2 * _PAD)
    for note in notes:
        x, y = frame.to_pixels([note.place])[0].tolist()
        if frame.area.contains(x, y):
            size = _note_size(note.words, most, style)
            left = max(inner.left(), min(x, inner.right() - size.width()))
            top = max(inner.top(), min(y - fm.height() / 2 - _PAD, inner.bottom() - size.height()))
            shown.append((note, QRectF(QPointF(left, top), size)))
    return shown


@lru_cache(maxsize=512)
def _note_size(words: str, most: float, style: Style) -> QSizeF:
    """The size of a note's card whose words are at most so wide."""
    wrapped = metrics(style, NOTE_SIZE).boundingRect(QRectF(0, 0, most, 1e5), _WRAPPED, words)
    return wrapped.size() + QSizeF(2 * _PAD, 2 * _PAD)


def note_at(frame: AxesFrame, notes: Sequence[Note], style: Style, pixel: Array) -> Note | None:
    """The note that covers a pixel (2,), the one on top; None where none does."""
    place = QPointF(*pixel.tolist())
    return next((note for note, box in reversed(note_boxes(frame, notes, style)) if box.contains(place)), None)


def paint_notes(painter: QPainter, frame: AxesFrame, notes: Sequence[Note], style: Style) -> None:
    """The notes, each on a card on which it can be read whatever lies below: its words as they are, not as markup."""
    with strokes.saved(painter):
        painter.setClipRect(frame.area, Qt.ClipOperation.IntersectClip)
        painter.setFont(style.font(NOTE_SIZE))
        for note, box in note_boxes(frame, notes, style):
            painter.fillRect(box, strokes.colour(palette.faded(style.colors.canvas, 0.9)))
            painter.setPen(strokes.colour(style.ink(f"{note.ink} ink").line))
            painter.drawText(box.adjusted(_PAD, _PAD, _PAD, _PAD), _WRAPPED, note.words)


def notice_box(area: QRectF, words: str, where: Qt.AlignmentFlag, style: Style) -> QRectF:
    """The card of a sentence in an area; empty where there are no words."""
    if not words:
        return QRectF()
    flags = int(Qt.AlignmentFlag.AlignHCenter | where | Qt.TextFlag.TextWordWrap)
    inner = area.adjusted(24, 16, -24, -16)
    return QFontMetricsF(style.font(NOTICE_SIZE)).boundingRect(inner, flags, words).adjusted(-12, -8, 12, 8)
