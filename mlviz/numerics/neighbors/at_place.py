"""Which sample a place points at."""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array


def sample_at(X: Array, x: Array) -> tuple[int | None, Array]:
    """The row of X (n, d) within a hundredth of the samples' extent of x (d,), if any, and its place; else x itself."""
    distance = np.hypot.reduce(X - x, axis=1)  # which squares nothing that is too large or too small for it
    row = int(distance.argmin())
    return (row, X[row]) if distance[row] <= 0.01 * np.hypot.reduce(np.ptp(X, axis=0)) else (None, x)
