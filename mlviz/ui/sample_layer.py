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
            dirty = _changed_box(old, now).intersected(area)
            small = dirty.width() * dirty.height() < SMALL * area.width() * area.height()
            return [dirty] if small else [area]
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


def _changed_box(old: _Kept, now: _Kept) -> QRectF:
    """Around all that was or is painted of samples that differ, pixels."""
    before, after = _differing(old.samples, now.samples)
    places = np.concatenate((old.samples.places[before], now.samples.places[after]))
    if not len(places):
        return QRectF()
    pixels, reach = now.frame.to_pixels(places), SAMPLE_SIZE * now.style.points
    # Far away is outside, and Qt can count to there.
    left, top = np.clip(pixels.min(axis=0) - reach, -1e6, 1e6).tolist()
    right, bottom = np.clip(pixels.max(axis=0) + reach, -1e6, 1e6).tolist()
    return QRectF(left, top, right - left, bottom - top)


def _differing(old: Samples, now: Samples) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows of the old samples and those of the new ones that have no equal at their place in the order."""
    n, m = len(old.places), len(now.places)
    common = min(n, m)
    differs = _unequal(old, now, slice(common), slice(common))
    if n == m:
        rows = np.flatnonzero(differs)
        return rows, rows
    # Samples came or went at one place in the order: what lies before and after it is the same.
    head = int(np.argmax(differs)) if differs.any() else common
    behind = _unequal(old, now, slice(n - common, n), slice(m - common, m))[::-1]
    tail = min(int(np.argmax(behind)) if behind.any() else common, common - head)
    return np.arange(head, n - tail), np.arange(head, m - tail)


def _unequal(old: Samples, now: Samples, these: slice, those: slice) -> NDArray[np.bool_]:
    """Which of some samples look different from others: elsewhere, of another class, hollow or faint."""
    a, b = old.places[these], now.places[those]
    differs: NDArray[np.bool_] = (a[:, 0] != b[:, 0]) | (a[:, 1] != b[:, 1])
    differs |= old.labels[these] != now.labels[those]
    differs |= old.looks[these] != now.looks[those]
    return differs
