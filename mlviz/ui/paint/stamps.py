"""Many symbols in one call: each kind stands once on a sheet, and is copied from there to wherever it belongs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap
from shiboken6 import Shiboken

from mlviz.numerics.arrays import Array

COLUMNS = 32
"""How many stamps stand side by side on a sheet."""
HALF = 0.5 + 1e-6
"""What `floor` needs to round; half-way is always rounded the same way, in spite of the last digits."""
BLOCK = 4096
"""So many copies are prepared at a time: their numbers fit the processor's cache."""


@dataclass(frozen=True, eq=False)
class StampSheet:
    """k square stamps on one pixmap: `sides` (k,) and `corners` (k, 2), where they begin, are in its pixels.

    `middles` (k,) is how far the middle of a symbol is from the left and top of its stamp.
    """

    pixmap: QPixmap
    sides: Array
    corners: Array
    middles: Array


def sheet(stamps: Sequence[QPixmap]) -> StampSheet:
    """The stamps, all for the same device scale, on one sheet; the middle of each is the middle of its symbol."""
    sides = np.array([stamp.width() for stamp in stamps], dtype=np.float64)
    pitch, count = int(sides.max(initial=1)), len(stamps)
    rows = max(1, -(-count // COLUMNS))
    pixmap = QPixmap(pitch * min(max(count, 1), COLUMNS), pitch * rows)
    pixmap.fill(Qt.GlobalColor.transparent)
    corners = np.array([(pitch * (k % COLUMNS), pitch * (k // COLUMNS)) for k in range(count)]).reshape(-1, 2)
    painter = QPainter(pixmap)
    for stamp, (left, top) in zip(stamps, corners.tolist(), strict=True):
        painter.drawPixmap(left, top, stamp.width(), stamp.height(), stamp)
    painter.end()
    # The side is a whole even number of logical pixels, rounded up to whole ones of the device.
    middles = np.array([stamp.deviceIndependentSize().width() // 2 for stamp in stamps], dtype=np.float64)
    return StampSheet(pixmap, sides, corners.astype(np.float64), middles)


def scatter(painter: QPainter, sheet: StampSheet, places: Array, kinds: NDArray[np.intp]) -> None:
    """Copy stamp `kinds` (n,) to places (n, 2), logical pixels, in order: the last one is on top."""
    to_device = painter.deviceTransform()
    scale, origin = to_device.m11() or 1.0, (to_device.dx(), to_device.dy())
    copies = np.empty((min(len(places), BLOCK), 10))
    # Qt's own array of fragments: x, y, left, top, width, height, two factors, rotation, opacity.
    copies[:, 6:] = (1 / scale, 1 / scale, 0.0, 1.0)
    for start in range(0, len(places), BLOCK):
        kind = kinds[start : start + BLOCK]
        block = copies[: len(kind)]
        side = sheet.sides[kind][:, None]
        corner = (places[start : start + BLOCK] - sheet.middles[kind][:, None]) * scale + origin
        # On whole pixels of the device, or else a stamp would be blurred. Half-way always means the same one, however
        # the place was computed: round numbers lie there often.
        block[:, :2] = (np.floor(corner + HALF) + side / 2 - origin) / scale
        block[:, 2:4] = sheet.corners[kind]
        block[:, 4:6] = side
        # The array is read as theirs: making as many Python objects would cost far more than drawing.
        fragments: Any = Shiboken.wrapInstance(block.ctypes.data, QPainter.PixmapFragment)
        painter.drawPixmapFragments(fragments, len(block), sheet.pixmap)
