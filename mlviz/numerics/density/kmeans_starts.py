"""Where k-means starts: centres drawn from the samples, and which of many starts ends best.

The rounds of all starts are a few products of matrices, in which distances are rounded more than one by one; who plays
the rounds of the best start does so one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from mlviz.numerics.arrays import Array, Rows
from mlviz.numerics.density.lloyd import SortedSamples

_ALIKE, _ROUNDING = 1e-9, 1e-13
"""Sums of squared distances are the same where they differ by less than this share, and this of those to the mean."""
_MOST_ROUNDS = 300


def drawn_rows(
    weights: Array,
    gaps: Callable[[Rows], Array],
    k: int,
    init: str,
    rng: np.random.Generator,
    count: int = 1,
) -> Iterator[tuple[Rows, Array, Array]]:
    """Row after row (count,) of samples for so many starts, the masses (count, n) by which it is drawn, and their sum.

    The first is drawn by weight. Then "k-means++" draws by weight times squared distance to the nearest one so far,
    "random points" by weight among the other places; "farthest point" takes the sample of largest distance. There are
    fewer than k where no more differ. `gaps` tells the squared distances (count, n) from one sample each.
    """
    nearest, rows = np.full((count, len(weights)), np.inf), np.empty(0, dtype=np.intp)
    for _ in range(k):
        if len(rows):
            nearest = np.minimum(nearest, gaps(rows))
        mass = _mass(weights, nearest, init if len(rows) else "random points")
        cumulated = np.cumsum(mass, axis=1)
        total = cumulated[:, -1:]
        if not (total > 0).all():
            return
        drawn = np.count_nonzero(cumulated <= rng.random((count, 1)) * total, axis=1)
        last = len(weights) - 1 - (mass[:, ::-1] > 0).argmax(axis=1)
        rows = np.minimum(drawn, last)
        yield rows, mass, total


def _mass(weights: Array, nearest: Array, init: str) -> Array:
    if init == "random points":
        return weights * (nearest > 0)
    if init == "k-means++":  # small numbers have small products
        most = np.maximum(nearest.max(axis=1, keepdims=True), np.finfo(float).tiny)
        return np.asarray(weights * (nearest / most))
    farthest = np.where(weights > 0, nearest, -1.0).argmax(axis=1)
    return np.asarray(np.arange(len(weights)) == farthest[:, None], dtype=np.float64)


def draw_centers(samples: SortedSamples, k: int, init: str, rng: np.random.Generator) -> tuple[Rows, list[Array]]:
    """The rows of the samples of one start, and with which probabilities (n,) each was drawn."""
    drawn = list(drawn_rows(samples.weights, samples.gaps_from, k, init, rng))
    return np.array([row for (row,), *_ in drawn], dtype=np.intp), [mass[0] / total[0] for _, mass, total in drawn]


def drawn_starts(samples: SortedSamples, k: int, count: int, rng: np.random.Generator) -> Array:
    """So many starts (count, k, d), each drawn as by "k-means++"; they have fewer centres if no more samples differ."""
    rows = [drawn for drawn, *_ in drawn_rows(samples.weights, samples.gaps_from, k, "k-means++", rng, count)]
    return np.moveaxis(samples.columns[:, np.sort(rows, axis=0).T], 0, 2)


def best_start(samples: SortedSamples, starts: Array) -> int:
    """Which of the starts (s, k, d) leads to the least sum of squared distances; of equal ones the first.

    One that is still on its way after `_MOST_ROUNDS` is judged as it is.
    """
    middle = samples.columns.mean(axis=1, keepdims=True)
    Z, w = samples.columns - middle, samples.weights
    centers, (s, k, d), n = starts - middle[:, 0], starts.shape, len(w)
    whole = float(w @ (Z * Z).sum(axis=0))
    weighted = np.ascontiguousarray(np.vstack((w, Z * w)).T)  # (n, 1 + d)
    columns = np.vstack((Z, np.ones(n)))
    reached, running = np.full(s, np.inf), np.arange(s)
    for _ in range(_MOST_ROUNDS):
        squares = (centers * centers).sum(axis=2, keepdims=True)
        factors = np.concatenate((centers * -2.0, squares), axis=2).reshape(-1, d + 1)
        gaps = (factors @ columns).reshape(-1, k, n)
        least = gaps.min(axis=1)
        sums = least @ w + whole
        better = reached[running] - sums > _ALIKE * np.abs(sums) + _ROUNDING * whole
        reached[running] = np.minimum(reached[running], sums)
        if not better.any():
            break
        if not better.all():
            running, gaps, least, centers = running[better], gaps[better], least[better], centers[better]
        moments = (_parts(gaps, least).reshape(-1, n) @ weighted).reshape(len(running), k, d + 1)
        mass = moments[:, :, :1]
        # One without samples stays; who plays the start lets it begin again.
        centers = np.where(mass > 0, moments[:, :, 1:] / np.where(mass > 0, mass, 1.0), centers)
    return int(np.argmax(reached <= reached.min() * (1 + _ALIKE) + _ROUNDING * whole))


def _parts(gaps: Array, least: Array) -> Array:
    """1 where a sample is in a cluster, (s, k, n), by its gaps to the centres and the least of these, (s, n)."""
    nearest = gaps == least[:, None]
    if np.count_nonzero(nearest) > least.size:  # of equally near centres the first
        nearest &= np.cumsum(nearest, axis=1) == 1
    return np.asarray(nearest, dtype=np.float64)
