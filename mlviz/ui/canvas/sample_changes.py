"""Which samples look different from before, found fast among very many, so that little is painted anew."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from mlviz.ui.paint.axes import AxesFrame
from mlviz.ui.paint.samples import DrawnSamples

FEW = 500
"""More changes are not looked for one by one."""
BLOCK = 4096
"""So many samples are compared at a time, to find where the next one is missing."""
Rows = NDArray[np.intp]


def changed_box(old: DrawnSamples, now: DrawnSamples, frame: AxesFrame, reach: float) -> QRectF | None:
    """Around all that is painted within `reach` of samples that differ, pixels; None where these are many."""
    differing = _differing(old, now)
    if differing is None:
        return None
    before, after = differing
    places = np.concatenate((old.places[before], now.places[after]))
    if not len(places):
        return QRectF()
    pixels = frame.to_pixels(places)
    # Far away is outside, and Qt can count to there.
    left, top = np.clip(pixels.min(axis=0) - reach, -1e6, 1e6).tolist()
    right, bottom = np.clip(pixels.max(axis=0) + reach, -1e6, 1e6).tolist()
    return QRectF(left, top, right - left, bottom - top)


def _differing(old: DrawnSamples, now: DrawnSamples) -> tuple[Rows, Rows] | None:
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


def _missing(more: DrawnSamples, less: DrawnSamples) -> Rows | None:
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


def _unequal(old: DrawnSamples, now: DrawnSamples, these: slice, those: slice) -> NDArray[np.bool_]:
    """Which of some samples look different from others, as many: elsewhere, of another class, hollow or faint."""
    a, b = old.places[these], now.places[those]
    differs: NDArray[np.bool_] = (a[:, 0] != b[:, 0]) | (a[:, 1] != b[:, 1])
    differs |= old.labels[these] != now.labels[those]
    differs |= old.looks[these] != now.looks[those]
    return differs
