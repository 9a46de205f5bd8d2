"""What a follower of a kernel method keeps when samples move, come or go: their Gram matrix."""

from __future__ import annotations

import numpy as np

from mlviz.algorithms.kernels.parameters import KernelData
from mlviz.numerics.arrays import Array, Labels


def gram_of_changed(K: Array, source: Labels, fresh: Labels, new: KernelData) -> Array:
    """The Gram matrix of the new samples, those known before taken from K."""
    if not len(fresh) and len(source) == len(K) and (source == np.arange(len(K))).all():
        return K
    result = K[np.ix_(source, source)]
    if len(fresh):
        rows = new.gram(new.places[fresh])
        result[fresh] = rows
        result[:, fresh] = rows.T
    return result


def sources(before: Array, now: Array) -> Labels:
    """For each sample now (n, d) its index among those before (m, d), -1 where it is new or has moved."""
    if len(before) == len(now):
        return np.where((before == now).all(axis=1), np.arange(len(now)), -1)
    known: dict[bytes, list[int]] = {}
    for i in range(len(before) - 1, -1, -1):
        known.setdefault(before[i].tobytes(), []).append(i)
    return np.array([known[key].pop() if known.get(key := place.tobytes()) else -1 for place in now], dtype=np.intp)
