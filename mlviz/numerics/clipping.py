"""Segments cut at a box (Liang and Barsky, ACM Transactions on Graphics 3 (1984) 1-22)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mlviz.numerics.arrays import Array


def clip_segments(start: Array, end: Array, low: ArrayLike, high: ArrayLike) -> tuple[Array, Array]:
    """The parts of the segments start -> end, both (m, d), between the corners low and high (d,) of a box, (<= m, d).

    A segment that only touches the box leaves a point.
    """
    low, high = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    step = end - start
    still = step == 0
    divisor = np.where(still, 1.0, step)
    at_low, at_high = (low - start) / divisor, (high - start) / divisor
    enter = np.where(still, 0.0, np.minimum(at_low, at_high)).max(axis=1, initial=0.0)
    leave = np.where(still, 1.0, np.maximum(at_low, at_high)).min(axis=1, initial=1.0)
    kept = (enter <= leave) & ~(still & ((start < low) | (start > high))).any(axis=1)
    start, step = start[kept], step[kept]
    return start + enter[kept, None] * step, start + leave[kept, None] * step
