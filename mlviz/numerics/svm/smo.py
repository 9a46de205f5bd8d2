"""Sequential minimal optimization: a rough solution of the quadratic program of `active_set`, from nothing.

Platt (1998); the pair by Fan, Chen and Lin, JMLR 6 (2005) 1889-1918.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mlviz.numerics.arrays import Array

_CHUNK = 400
"""Steps between two yields."""


def smo(K: Array, t: Array, lo: Array, hi: Array, tolerance: float = 1e-2) -> Iterator[Array]:
    """Yield feasible b (n,), each better than the last, up to 3 n steps; bounds as there, lo <= 0 <= hi."""
    n = len(t)
    beta, slope, diagonal = np.zeros(n), t.astype(np.float64), K.diagonal().copy()
    up, down = np.where(beta < hi, 0.0, -np.inf), np.where(beta > lo, 0.0, np.inf)
    for step in range(1, 3 * n + 1):
        i = int((slope + up).argmax())
        gain = slope[i] - (slope + down)
        if gain.max() <= tolerance:
            break
        np.maximum(gain, 0.0, out=gain)
        curvature = np.maximum(diagonal + diagonal[i] - 2 * K[i], 1e-12)
        j = int((gain * gain / curvature).argmax())
        move = min(gain[j] / curvature[j], hi[i] - beta[i], beta[j] - lo[j])
        for k, change in ((i, move), (j, -move)):
            beta[k] = min(max(beta[k] + change, lo[k]), hi[k])
            up[k] = 0.0 if beta[k] < hi[k] else -np.inf
            down[k] = 0.0 if beta[k] > lo[k] else np.inf
        slope -= move * (K[i] - K[j])
        if step % _CHUNK == 0:
            yield beta.copy()
    yield beta
