"""Samples: how each one looks, and stamping many of them fast."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPixmap

from mlviz.draw import palette
from mlviz.ui.axes import Frame, Style, near
from mlviz.ui.strokes import colour, pen
from mlviz.ui.symbols import device_scale, sized, stamped

Array = NDArray[np.float64]
SAMPLE_SIZE = 9.0
"""Diameter of a sample's circle, pixels; the other shapes are made to weigh as much."""


@dataclass(frozen=True, eq=False)
class Samples:
    """The samples as they are drawn: places (n, 2) on the axes, labels (n,), names of the codes, and two masks (n,).

    Labels are class codes, or `palette.plain` ones.
    """

    places: Array
    labels: NDArray[np.intp]
    class_names: Sequence[str] = ()
    held_out: NDArray[np.bool_] | None = None
    active: NDArray[np.bool_] | None = None

    def at(self, rows: NDArray[np.intp], otherwise: Array) -> Array:
        """The places of those rows; rows that are gone get NaN. `otherwise` (m, 2) tells how many there are."""
        places = np.full((len(otherwise), 2), np.nan)
        there = (rows >= 0) & (rows < len(self.places))
        places[there] = self.places[rows[there]]
        return places


def paint_samples(painter: QPainter, frame: Frame, samples: Samples, style: Style, raster: bool = True) -> None:
    """The samples inside the area, in order: the last one is on top."""
    size = SAMPLE_SIZE * style.points
    pixels = frame.to_pixels(samples.places)
    seen = near(pixels, frame.area, size)
    looks = np.zeros(len(pixels), dtype=np.intp)
    if samples.held_out is not None:
        looks += samples.held_out
    if samples.active is not None:
        looks += 2 * ~samples.active
    painter.save()
    painter.setClipRect(frame.area, Qt.ClipOperation.IntersectClip)
    _stamp_all(painter, pixels[seen], samples.labels[seen], looks[seen], style.theme, size, raster)
    painter.restore()


def paint_sample(
    painter: QPainter, at: QPointF, code: int, theme: str, size: float, hollow: bool = False, faint: bool = False
) -> None:
    """One sample: filled, or hollow where it is held out; faint where it is switched off."""
    fill = palette.class_colour(code, theme)
    rim = palette.rim(code, theme)
    width = size / SAMPLE_SIZE
    painter.save()
    painter.translate(at)
    painter.setOpacity(painter.opacity() * (0.3 if faint else 1.0))
    path = sized(palette.class_symbol(code), size)
    if hollow:
        painter.setBrush(colour(palette.faded(palette.ground(theme).canvas, 0.85)))
        painter.setPen(pen(rim, 3.2 * width))
        painter.drawPath(path)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(fill, 2.0 * width))
    else:
        painter.setBrush(colour(fill))
        painter.setPen(pen(rim, 1.0 * width))
    painter.drawPath(path)
    painter.restore()


def _stamp_all(
    painter: QPainter,
    pixels: NDArray[np.float64],
    labels: NDArray[np.intp],
    looks: NDArray[np.intp],
    theme: str,
    size: float,
    raster: bool,
) -> None:
    """The samples at pixels (n, 2), in order; `looks` (n,) is 0 filled, +1 hollow, +2 faint."""
    if not raster:
        for (x, y), code, look in zip(pixels.tolist(), labels.tolist(), looks.tolist(), strict=True):
            paint_sample(painter, QPointF(x, y), code, theme, size, bool(look & 1), bool(look & 2))
        return
    scale = device_scale(painter)
    folded = np.where(labels < 0, palette.plain(palette.plain(labels) % palette.LOOKS), labels % palette.LOOKS)
    kinds = folded * 4 + looks
    stamps = {kind: _stamp(kind // 4, kind % 4, theme, size, scale) for kind in np.unique(kinds).tolist()}
    half = math.ceil(size * 0.75 + 3)
    draw = painter.drawPixmap
    for (x, y), kind in zip((pixels - half).tolist(), kinds.tolist(), strict=True):
        draw(QPointF(x, y), stamps[kind])


@lru_cache(maxsize=1024)
def _stamp(code: int, look: int, theme: str, size: float, scale: float) -> QPixmap:
    def paint(painter: QPainter, at: QPointF) -> None:
        paint_sample(painter, at, code, theme, size, bool(look & 1), bool(look & 2))

    return stamped(paint, size * 0.75 + 3, scale)
