"""What takes long to paint, kept from frame to frame: only what has changed is painted anew."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from mlviz.draw.marks import Mark, Points
from mlviz.ui.canvas.sample_changes import changed_box
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.painter import paint_marks
from mlviz.ui.paint.samples import SAMPLE_SIZE, DrawnSamples, paint_samples

MANY_SAMPLES = 5000
"""Fewer symbols are painted as fast as looked at."""
SMALL = 0.4
"""A change that touches more of the area, as a share, has all of it painted anew."""


class Layer(Protocol):
    """What a layer shows."""

    @property
    def count(self) -> int:
        """How many symbols it has."""

    def paint(self, painter: QPainter, frame: AxesFrame, style: Style) -> None:
        """Paint it; what lies outside the painter's clip need not be."""

    def changed(self, former: Any, frame: AxesFrame, style: Style) -> QRectF | None:
        """A box, in pixels, outside which it looks like a former content of its kind; None where there is none."""


@dataclass(frozen=True, eq=False)
class SampleLayer:
    """The samples."""

    samples: DrawnSamples

    @property
    def count(self) -> int:
        """How many samples there are."""
        return len(self.samples.places)

    def paint(self, painter: QPainter, frame: AxesFrame, style: Style) -> None:
        """Paint them in their order."""
        paint_samples(painter, frame, self.samples, style)

    def changed(self, former: SampleLayer, frame: AxesFrame, style: Style) -> QRectF | None:
        """Around the samples that came, went or changed."""
        if former.samples is self.samples:
            return QRectF()
        return changed_box(former.samples, self.samples, frame, SAMPLE_SIZE * style.points)


@dataclass(frozen=True, eq=False)
class MarkLayer:
    """Marks that lie over the samples, some of them tied to samples."""

    marks: tuple[Mark, ...]
    samples: DrawnSamples

    @property
    def count(self) -> int:
        """How many symbols there are."""
        return sum(len(mark.xy) for mark in self.marks if isinstance(mark, Points))

    def paint(self, painter: QPainter, frame: AxesFrame, style: Style) -> None:
        """Paint them in their order."""
        paint_marks(painter, frame, self.marks, style, self.samples)

    def changed(self, former: MarkLayer, frame: AxesFrame, style: Style) -> QRectF | None:
        """Around the samples that changed, while the marks are the same."""
        pairs = zip(self.marks, former.marks, strict=False)
        if len(self.marks) != len(former.marks) or any(a is not b for a, b in pairs):
            return None
        if former.samples is self.samples:
            return QRectF()
        return changed_box(former.samples, self.samples, frame, 40.0 * style.points)


@dataclass(frozen=True, eq=False)
class _Kept:
    """What the pixels show. The area of `frame` begins at (0, 0)."""

    frame: AxesFrame
    style: Style
    scale: float
    content: Layer = field(repr=False)

    @property
    def place(self) -> tuple[object, ...]:
        """What must stay for any of the pixels to be used again."""
        return self.frame.area.size().toTuple(), self.style, self.scale


class CachedLayer:
    """Keeps one content painted. Where it changed, and what a pan uncovers, is all that is painted."""

    def __init__(self) -> None:
        self._pixels = QPixmap()
        self._kept: _Kept | None = None

    def paint(self, painter: QPainter, frame: AxesFrame, style: Style, content: Layer, hurry: bool = False) -> bool:
        """Paint the content into the area of the frame, as it would paint itself; returns whether it is exact.

        In a `hurry` a zoom only stretches the pixels there are.
        """
        if content.count < MANY_SAMPLES:
            self._pixels, self._kept = QPixmap(), None
            content.paint(painter, frame, style)
            return True
        local = AxesFrame(frame.limits, QRectF(0, 0, frame.area.width(), frame.area.height()))
        old, now = self._kept, _Kept(local, style, painter.device().devicePixelRatioF(), content)
        rects = [local.area] if old is None or old.place != now.place else self._follow(old, now)
        if hurry and old is not None and old.place == now.place and local.area in rects:
            _stretch(painter, frame, old.frame, self._pixels)
            return False
        size = (local.area.size() * now.scale).toSize()
        if self._pixels.size() != size:
            self._pixels = QPixmap(size)
            self._pixels.setDevicePixelRatio(now.scale)
            # Only a fill makes room for opacity in it.
            self._pixels.fill(Qt.GlobalColor.transparent)
        for rect in rects:
            if not rect.isEmpty():
                self._paint_anew(QRectF(rect.toAlignedRect()), now)
        self._kept = now
        painter.drawPixmap(frame.area.topLeft(), self._pixels)
        return True

    def _follow(self, old: _Kept, now: _Kept) -> list[QRectF]:
        """Move the pixels with a pan; returns which parts of the area are not right then."""
        area = now.frame.area
        changed = now.content.changed(old.content, now.frame, now.style)
        if changed is None:
            return [area]
        if old.frame.limits == now.frame.limits:
            dirty = changed.intersected(area)
            return [area if dirty.width() * dirty.height() > SMALL * area.width() * area.height() else dirty]
        shift = _shift(old, now) if changed.isEmpty() else None
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
        now.content.paint(painter, now.frame, now.style)
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


def _stretch(painter: QPainter, frame: AxesFrame, former: AxesFrame, pixels: QPixmap) -> None:
    """The pixels of a former frame where they belong in this one."""
    x0, x1, y0, y1 = former.limits
    (left, top), (right, bottom) = frame.to_pixels([(x0, y1), (x1, y0)]).tolist()
    painter.save()
    painter.setClipRect(frame.area, Qt.ClipOperation.IntersectClip)
    painter.drawPixmap(QRectF(left, top, right - left, bottom - top), pixels, QRectF(pixels.rect()))
    painter.restore()
