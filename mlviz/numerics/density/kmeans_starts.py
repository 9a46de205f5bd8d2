"""Where k-means starts: centres drawn from the samples, and which of many starts ends best.

The rounds of all starts are a few products of matrices, in which distances are rounded more than one by one; who plays
the rounds of the best start does so one by one.
"""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.density.lloyd import SortedSamples
from mlviz.numerics.distances import distance_measure

_ALIKE, _ROUNDING = 1e-9, 1e-13
"""Sums of squared distances are the same where they differ by less than this share, and this of those to the mean."""
_MOST_ROUNDS = 300


def draw_centers(samples: SortedSamples, k: int, init: str, rng: np.random.Generator) -> tuple[Labels, list[Array]]:
    """The rows of k samples to start from, and with which probabilities (n,) each was drawn; fewer if no more differ.

    The first is drawn by weight. Then "k-means++" draws by weight times squared distance to the nearest one so far,
    "random points" by weight among the other places; "farthest point" takes the sample of largest distance.
    """
    rows, chances = [], []
    nearest = np.full(len(samples.weights), np.inf)
    for j in range(k):
        mass = _mass(samples.weights, nearest, "random points" if j == 0 else init)
        cumulated = np.cumsum(mass)
        if not cumulated[-1] > 0:
            break
        row = int(np.searchsorted(cumulated, rng.random() * cumulated[-1], side="right"))
        row = min(row, int(np.flatnonzero(mass)[-1]))
        rows.append(row)
        chances.append(mass / cumulated[-1])
        nearest = np.minimum(nearest, samples.gaps(samples.columns[:, row]))
    return np.array(rows, dtype=np.intp), chances


def _mass(weights: Array, nearest: Array, init: str) -> Array:
    if init == "random points":
        return weights * (nearest > 0)
    if init == "k-means++":
        return weights * (nearest / (nearest.max() or 1.0))  # small numbers have small products
    mass = np.zeros(len(weights))
    mass[np.argmax(np.where(weights > 0, nearest, -1.0))] = 1.0
    return mass


def drawn_starts(samples: SortedSamples, k: int, count: int, rng: np.random.Generator) -> Array:
    """So many starts (count, k, d), each drawn as by "k-means++"; they have fewer centres if no more samples differ."""
    rows: list[Labels] = []
    mass = np.broadcast_to(samples.weights, (count, len(samples.weights)))
    nearest = np.full(mass.shape, np.inf)
    for chance in rng.random((min(k, mass.shape[1]), count, 1)):
        cumulated = np.cumsum(mass, axis=1)
        if not (cumulated[:, -1] > 0).all():
            break
        drawn = np.count_nonzero(cumulated <= chance * cumulated[:, -1:], axis=1)
        last = mass.shape[1] - 1 - (mass[:, ::-1] > 0).argmax(axis=1)
        rows.append(np.minimum(drawn, last))
        if len(rows) == k:
            break
        steps = [column - column[rows[-1], None] for column in samples.columns]
        nearest = np.minimum(nearest, distance_measure(steps, "euclidean"))
        mass = samples.weights * (nearest / np.maximum(nearest.max(axis=1, keepdims=True), np.finfo(float).tiny))
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
