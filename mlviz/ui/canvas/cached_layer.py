"""What takes long to paint, kept from frame to frame: only what has changed is painted anew."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap

from mlviz.numerics.arrays import Array, Labels, Mask
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.layers import Layer, Sheet
from mlviz.ui.paint.samples import DrawnSamples, crowded_style
from mlviz.ui.paint.strokes import saved

_MANY_SAMPLES = 200
"""Fewer symbols are painted as fast as looked at."""
_SMALL = 0.4
"""A change that touches more of the area, as a share, has all of it painted anew."""
MOST_CHANGED_SAMPLES = 500
"""More changed samples are not looked for one by one."""
_BLOCK = 4096
"""So many samples are compared at a time, to find where the next one is missing."""


@dataclass(frozen=True, eq=False)
class _Kept:
    """What the pixels show. The area of `frame` begins at (0, 0)."""

    frame: AxesFrame
    style: Style
    scale: float
    layer: Layer

    @property
    def place(self) -> tuple[object, ...]:
        """What must stay for any of the pixels to be used again."""
        return self.frame.area.size().toTuple(), self.style, self.scale

    def looks_like(self, other: _Kept) -> bool:
        """Whether the pixels are the same."""
        same = self.place == other.place and self.frame.limits == other.frame.limits
        return same and alike(self.layer, other.layer, ("dim",))


@dataclass
class _Coming:
    """Pixels on which so many pieces of a layer have been painted."""

    what: _Kept
    pixels: QPixmap
    pieces: int = 0


class CachedLayer:
    """Keeps one layer painted. Where it changed, and what a pan uncovers, is all that is painted."""

    def __init__(self) -> None:
        self._pixels = QPixmap()
        self._kept: _Kept | None = None
        self.coming: _Coming | None = None
        """What is still to be painted in part, by the next frames."""

    def paint(self, sheet: Sheet, layer: Layer, hurry: bool = False) -> bool:
        """Paint the layer into the area of the frame, as it would paint itself; returns whether it is exact.

        In a `hurry` a zoom only stretches the pixels there are. Very many samples are painted over several frames.
        """
        coming, self.coming = self.coming, None
        if layer.symbols < _MANY_SAMPLES and not layer.kept:
            self._pixels, self._kept = QPixmap(), None
            layer.paint(sheet)
            return True
        painter, frame, style = sheet.painter, sheet.frame, sheet.style
        local = AxesFrame(frame.limits, QRectF(0, 0, frame.area.width(), frame.area.height()))
        old, now = self._kept, _Kept(local, style, painter.device().devicePixelRatioF(), layer)
        rects = [local.area] if old is None or old.place != now.place else self._follow(old, now)
        goes_on = coming is not None and coming.what.looks_like(now)
        # What the hand has just drawn must not be away until it rests.
        hurry = hurry and not (layer.kept and old is not None and old.layer != layer)
        if hurry and not goes_on and old is not None and old.place == now.place and local.area in rects:
            _stretch(painter, frame, old.frame, self._pixels)
            return False
        if layer.pieces > 1 and local.area in rects:
            self.coming = coming if coming is not None and goes_on else _Coming(now, _pixels_for(now))
            return self._paint_piece(painter, frame, self.coming)
        if self._pixels.size() != _size(now):
            self._pixels = _pixels_for(now)
        for rect in rects:
            if not rect.isEmpty():
                _paint_anew(self._pixels, QRectF(rect.toAlignedRect()), now)
        self._kept = now
        painter.drawPixmap(frame.area.topLeft(), self._pixels)
        return True

    def _paint_piece(self, painter: QPainter, frame: AxesFrame, coming: _Coming) -> bool:
        """Paint the next piece; what was there before stays in sight until the last one, where it is of use."""
        old, now = self._kept, coming.what
        _paint_anew(coming.pixels, now.frame.area, now, coming.pieces)
        coming.pieces += 1
        done = coming.pieces == now.layer.pieces
        if done:
            self._pixels, self._kept, self.coming = coming.pixels, now, None
        elif old is not None and old.layer.samples is now.layer.samples:
            _stretch(painter, frame, old.frame, self._pixels)
            return False
        painter.drawPixmap(frame.area.topLeft(), coming.pixels)
        return done

    def _follow(self, old: _Kept, now: _Kept) -> list[QRectF]:
        """Move the pixels with a pan; returns which parts of the area are not right then."""
        area = now.frame.area
        changed = _changed(old.layer, now.layer, now.frame, now.style)
        if changed is None:
            return [area]
        if old.frame.limits == now.frame.limits:
            dirty = changed.intersected(area)
            return [area if dirty.width() * dirty.height() > _SMALL * area.width() * area.height() else dirty]
        shift = _shift(old, now) if changed.isEmpty() else None
        if shift is None:
            return [area]
        dx, dy = shift
        self._pixels.scroll(dx, dy, QRect(self._pixels.rect()))
        x, y = dx / now.scale, dy / now.scale
        beside = QRectF(0 if x > 0 else area.width() + x, 0, abs(x), area.height())
        above = QRectF(0, 0 if y > 0 else area.height() + y, area.width(), abs(y))
        return [beside, above]


def alike(one: Layer, other: Layer, but: Collection[str] = ("samples",)) -> bool:
    """Whether two layers are equal in all fields but those that are named."""
    fields = type(one).__dataclass_fields__.items()
    names = [name for name, field in fields if field.compare and name not in but]
    return type(one) is type(other) and all([getattr(one, name) == getattr(other, name) for name in names])


def _size(now: _Kept) -> QSize:
    return (now.frame.area.size() * now.scale).toSize()


def _pixels_for(now: _Kept) -> QPixmap:
    pixels = QPixmap(_size(now))
    pixels.setDevicePixelRatio(now.scale)
    # Only a fill makes room for opacity in it.
    pixels.fill(Qt.GlobalColor.transparent)
    return pixels


def _paint_anew(pixels: QPixmap, rect: QRectF, now: _Kept, piece: int | None = None) -> None:
    """Paint a part of the layer, or one of its pieces over the former ones."""
    with QPainter(pixels) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(rect)
        if not piece:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
            painter.fillRect(rect, Qt.GlobalColor.transparent)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        now.layer.paint(Sheet(painter, now.frame, now.style), piece)


def _changed(former: Layer, now: Layer, frame: AxesFrame, style: Style) -> QRectF | None:
    """A box, in pixels, outside which the layer looks like a former one; None where there is none."""
    if not alike(former, now, ("samples", "dim")):
        return None
    if former.samples is now.samples:
        return QRectF()
    if former.samples is None or now.samples is None:
        return None
    if crowded_style(style, former.samples) != crowded_style(style, now.samples):
        return None
    return changed_box(former.samples, now.samples, frame, now.reach_px * style.points)


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


def _stretch(painter: QPainter, frame: AxesFrame, former: AxesFrame, pixels: QPixmap) -> None:
    """The pixels of a former frame where they belong in this one."""
    x0, x1, y0, y1 = former.limits
    (left, top), (right, bottom) = frame.to_pixels([(x0, y1), (x1, y0)]).tolist()
    with saved(painter):
        painter.setClipRect(frame.area, Qt.ClipOperation.IntersectClip)
        painter.drawPixmap(QRectF(left, top, right - left, bottom - top), pixels, QRectF(pixels.rect()))


def changed_box(old: DrawnSamples, now: DrawnSamples, frame: AxesFrame, reach: float) -> QRectF | None:
    """Around all that is painted within `reach` of samples that differ, pixels; None where these are many."""
    places = _differing(old, now)
    if places is None:
        return None
    if not len(places):
        return QRectF()
    pixels = frame.to_pixels(places)
    # Far away is outside, and Qt can count to there.
    left, top = np.clip(pixels.min(axis=0) - reach, -1e6, 1e6).tolist()
    right, bottom = np.clip(pixels.max(axis=0) + reach, -1e6, 1e6).tolist()
    return QRectF(left, top, right - left, bottom - top)


def added_rows(old: DrawnSamples, now: DrawnSamples) -> slice | None:
    """The rows of the samples that came after the old ones; None where that is not all that has changed."""
    n, m = len(old.places), len(now.places)
    same = (old.shades is None) == (now.shades is None) and n < m
    return slice(n, m) if same and not _unequal(old, now, slice(n), slice(n)).any() else None


def _differing(old: DrawnSamples, now: DrawnSamples) -> Array | None:
    """The places (m, 2) of old samples that are gone or changed, and of new or changed ones; None where many are."""
    n, m = len(old.places), len(now.places)
    if (old.shades is None) != (now.shades is None):
        return None
    if n == m:
        rows = np.flatnonzero(_unequal(old, now, slice(n), slice(n)))
        return np.concatenate((old.places[rows], now.places[rows])) if len(rows) <= MOST_CHANGED_SAMPLES else None
    more, less = (old, now) if n > m else (now, old)
    missing = _missing(more, less)
    return None if missing is None else more.places[missing]


def _missing(more: DrawnSamples, less: DrawnSamples) -> Labels | None:
    """The rows of `more` without which it is `less`; None where it is something else, or where they are many."""
    n, m = len(more.places), len(less.places)
    if n - m > MOST_CHANGED_SAMPLES:
        return None
    found: list[int] = []
    at = 0
    while at < m and len(found) <= n - m:
        start = at + len(found)
        size = min(_BLOCK, m - at)
        differs = _unequal(more, less, slice(start, start + size), slice(at, at + size))
        same = int(np.argmax(differs)) if differs.any() else size
        at += same
        if same < size:
            found.append(at + len(found))
    found += range(at + len(found), n)
    return np.array(found, dtype=np.intp) if len(found) == n - m else None


def _unequal(old: DrawnSamples, now: DrawnSamples, these: slice, those: slice) -> Mask:
    """Which of some samples look different from others, as many: elsewhere, of another class or value, faint."""
    a, b = old.places[these], now.places[those]
    differs: Mask = (a[:, 0] != b[:, 0]) | (a[:, 1] != b[:, 1])
    differs |= old.labels[these] != now.labels[those]
    differs |= old.looks[these] != now.looks[those]
    if old.shades is not None and now.shades is not None:
        differs |= old.shades[these] != now.shades[those]
    return differs
