"""Very many samples, kept painted from frame to frame: only what has changed is painted anew."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from mlviz.ui.axes import Frame, Style
from mlviz.ui.samples import SAMPLE_SIZE, Samples, paint_samples

MANY = 5000
"""Fewer samples are painted as fast as looked at."""
SMALL = 0.4
"""A change that touches more of the area, as a share, has all of it painted anew."""
FEW = 500
"""A change of more samples has all of the area painted anew."""
BLOCK = 4096
"""So many samples are compared at a time, to find where the next one is missing."""
Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class _Kept:
    """What the pixels show. The area of `frame` begins at (0, 0)."""

    frame: Frame
    samples: Samples
    style: Style
    scale: float

    @property
    def place(self) -> tuple[object, ...]:
        """What must stay for any of the pixels to be used again."""
        return self.frame.area.size().toTuple(), self.style, self.scale


class SampleLayer:
    """Paints samples. Where some were added, moved or relabelled, and what a pan uncovers, is all that is new."""

    def __init__(self) -> None:
        self._pixels = QPixmap()
        self._kept: _Kept | None = None

    def paint(self, painter: QPainter, frame: Frame, samples: Samples, style: Style) -> None:
        """The samples inside the area of the frame, as `paint_samples` does."""
        if len(samples.places) < MANY:
            self._pixels, self._kept = QPixmap(), None
            paint_samples(painter, frame, samples, style)
            return
        local = Frame(frame.limits, QRectF(0, 0, frame.area.width(), frame.area.height()))
        self._show(_Kept(local, samples, style, painter.device().devicePixelRatioF()))
        painter.drawPixmap(frame.area.topLeft(), self._pixels)

    def _show(self, now: _Kept) -> None:
        old, self._kept = self._kept, now
        rects = [now.frame.area] if old is None or old.place != now.place else self._follow(old, now)
        size = now.frame.area.size() * now.scale
        if self._pixels.size() != size.toSize():
            self._pixels = QPixmap(size.toSize())
            self._pixels.setDevicePixelRatio(now.scale)
        for rect in rects:
            if not rect.isEmpty():
                self._paint_anew(QRectF(rect.toAlignedRect()), now)

    def _follow(self, old: _Kept, now: _Kept) -> list[QRectF]:
        """Move the pixels with a pan; returns which parts of the area are not right yet."""
        area = now.frame.area
        if old.frame.limits == now.frame.limits:
            if old.samples is now.samples:
                return []
            changed = _changed_box(old, now)
            dirty = area if changed is None else changed.intersected(area)
            return [area if dirty.width() * dirty.height() > SMALL * area.width() * area.height() else dirty]
        shift = _shift(old, now) if old.samples is now.samples else None
        if shift is None:
            return [area]
        dx, dy = shift
        self._pixels.scroll(dx, dy, QRect(self._pixels.rect()))
        x, y = dx / now.scale, dy / now.scale
        beside = QRectF(0 if x > 0 else area.width() + x, 0, abs(x), area.height())
        above = QRectF(0, 0 if y > 0 else area.height() + y, area.width(), abs(y))
        return [beside, above]

    def _paint_anew(self, rect: QRectF, now: _Kept) -> None:
        painter = QPainter(self._pixels)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(rect)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        painter.fillRect(rect, Qt.GlobalColor.transparent)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        paint_samples(painter, now.frame, now.samples, now.style, within=rect)
        painter.end()


def _shift(old: _Kept, now: _Kept) -> tuple[int, int] | None:
    """By how many whole pixels of the device the picture has moved; None where it has changed otherwise."""
    size = np.array(now.frame.area.size().toTuple()) * now.scale
    before, after = (np.array(frame.limits).reshape(2, 2) for frame in (old.frame, now.frame))
    span = np.ptp(after, axis=1)
    if not np.allclose(np.ptp(before, axis=1), span, rtol=1e-9, atol=0):
        return None
    way = (before[:, 0] - after[:, 0]) / span * size * (1, -1)
    # A thousandth of a pixel is what rounding leaves of a whole one.
    if (np.abs(way) >= size).any() or (np.abs(way - np.rint(way)) > 1e-3).any():
        return None
    dx, dy = np.rint(way).astype(int).tolist()
    return dx, dy


def _changed_box(old: _Kept, now: _Kept) -> QRectF | None:
    """Around all that was or is painted of samples that differ, pixels; None where these are too many to look at."""
    differing = _differing(old.samples, now.samples)
    if differing is None:
        return None
    before, after = differing
    places = np.concatenate((old.samples.places[before], now.samples.places[after]))
    if not len(places):
        return QRectF()
    pixels, reach = now.frame.to_pixels(places), SAMPLE_SIZE * now.style.points
    # Far away is outside, and Qt can count to there.
    left, top = np.clip(pixels.min(axis=0) - reach, -1e6, 1e6).tolist()
    right, bottom = np.clip(pixels.max(axis=0) + reach, -1e6, 1e6).tolist()
    return QRectF(left, top, right - left, bottom - top)


def _differing(old: Samples, now: Samples) -> tuple[Rows, Rows] | None:
    """The rows of the old samples that are gone or changed, and the new or changed ones; None where many are."""
    n, m = len(old.places), len(now.places)
    if n == m:
        rows = np.flatnonzero(_unequal(old, now, slice(n), slice(n)))
        return (rows, rows) if len(rows) <= FEW else None
    none = np.empty(0, dtype=np.intp)
    if n > m:
        gone = _missing(old, now)
        return None if gone is None else (gone, none)
    added = _missing(now, old)
    return None if added is None else (none, added)


def _missing(more: Samples, less: Samples) -> Rows | None:
    """The rows of `more` without which it is `less`; None where it is something else, or where they are many."""
    n, m = len(more.places), len(less.places)
    if n - m > FEW:
        return None
    found: list[int] = []
    at = 0
    while at < m and len(found) <= n - m:
        start = at + len(found)
        size = min(BLOCK, m - at)
        differs = _unequal(more, less, slice(start, start + size), slice(at, at + size))
        same = int(np.argmax(differs)) if differs.any() else size
        at += same
        if same < size:
            found.append(at + len(found))
    found += range(at + len(found), n)
    return np.array(found, dtype=np.intp) if len(found) == n - m else None


def _unequal(old: Samples, now: Samples, these: slice, those: slice) -> NDArray[np.bool_]:
    """Which of some samples look different from others, as many: elsewhere, of another class, hollow or faint."""
    a, b = old.places[these], now.places[those]
    differs: NDArray[np.bool_] = (a[:, 0] != b[:, 0]) | (a[:, 1] != b[:, 1])
    differs |= old.labels[these] != now.labels[those]
    differs |= old.looks[these] != now.looks[those]
    return differs
