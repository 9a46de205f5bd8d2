"""The parts of k-means: where centres start, the assignment step and the update step, on weighted samples.

Of many samples most stay with their centre in a step, and that can be seen without a look at the others (G. Hamerly,
Making k-means even faster, 2010, doi:10.1137/1.9781611972801.12).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.distances import distance_measure
from mlviz.numerics.sampling import spread_subsample
from mlviz.spec.brief import Brief

_TOGETHER = 8000
"""Up to this many distances are quicker worked out at once than centre by centre."""
_ROUNDING = 1e-12
"""Distances are bounded with this share to spare: the computed ones may be wrong by less."""
_IMPRECISE = 1e-300
"""Squared distances that are smaller have few digits."""


@dataclass(frozen=True, eq=False)
class SortedSamples(Brief):
    """Samples sorted by their coordinates, one contiguous row a coordinate: columns (d, n), weights (n,)."""

    columns: Array
    weights: Array
    rows: Labels
    """(n,) where each sample stood before."""
    weighted: Array
    """The columns times the weights."""

    @classmethod
    def of(cls, X: Array, weights: Array) -> SortedSamples:
        """The samples X (n, d) with weights (n,)."""
        rows = np.argsort(X[:, 0])
        if (np.diff(X[rows, 0]) == 0).any():
            rows = np.lexsort(X.T[::-1])  # takes several times as long
        columns = np.ascontiguousarray(X[rows].T)
        return cls(columns, weights[rows], rows, columns * weights[rows])

    def some(self, most: int) -> SortedSamples:
        """At most so many of those that carry weight, as if drawn at random."""
        heavy = np.flatnonzero(self.weights > 0)
        rows = heavy[spread_subsample(self.places(heavy), most)]
        return SortedSamples.of(self.places(rows), self.weights[rows])

    def unsorted(self, values: AnyArray) -> AnyArray:
        """Values (n,) of the sorted samples, in the order in which the samples stood before."""
        placed = np.empty_like(values)
        placed[self.rows] = values
        return placed

    def places(self, rows: Labels) -> Array:
        """The places (m, d) of some samples."""
        return np.ascontiguousarray(self.columns[:, rows].T)

    def gaps(self, center: Array) -> Array:
        """The squared distance of every sample to a centre (d,)."""
        return distance_measure(self.columns - center[:, None], "euclidean")

    def different(self) -> int:
        """How many different places carry weight."""
        places = self.columns[:, self.weights > 0]
        return int(np.count_nonzero(distance_measure(np.diff(places), "euclidean"))) + int(places.size > 0)


def smallest(gaps: Iterable[Array]) -> tuple[Labels, Array]:
    """Which of several arrays is the smallest, place by place (of equal ones the first), and its value."""
    iterator = iter(gaps)
    least = next(iterator).copy()
    labels = np.zeros(least.shape, dtype=np.intp)
    for j, found in enumerate(iterator, start=1):
        np.copyto(labels, j, where=found < least)
        np.minimum(least, found, out=least)
    return labels, least


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


def assign(samples: SortedSamples, centers: Array) -> tuple[Labels, Array]:
    """The nearest of the centers (k, d) for each sample, and the squared distance to it."""
    if len(centers) * len(samples.weights) <= _TOGETHER:
        gaps = distance_measure([column - centers[:, j, None] for j, column in enumerate(samples.columns)], "euclidean")
        return gaps.argmin(axis=0), gaps.min(axis=0)
    return smallest(samples.gaps(center) for center in centers)


class Reassignment:
    """Assigns the same samples again and again while the centres move, exactly as `assign` does.

    No centre but its own is nearer to a sample than a bound, which falls by how far the centres move. Only samples that
    are not nearer to their own one than their bound are compared with all.
    """

    def __init__(self, samples: SortedSamples) -> None:
        self._samples = samples
        self._centers: Array | None = None

    def assign(self, centers: Array) -> tuple[Labels, Array]:
        """The nearest of the centers (k, d) for each sample, and the squared distance to it."""
        samples, former = self._samples, self._centers
        if centers.size * len(samples.weights) <= _TOGETHER:
            return assign(samples, centers)
        self._centers = centers
        if former is None or former.shape != centers.shape:
            self._labels, gaps, self._bounds = _two_nearest(samples.columns, centers)
            return self._labels, gaps
        moved = float(np.hypot.reduce(centers - former, axis=1).max())
        bounds = (self._bounds - moved * (1 + _ROUNDING)) * (1 - _ROUNDING)
        labels = self._labels
        gaps = _to_own(samples, labels, centers)
        unsure = np.flatnonzero(~(np.sqrt(gaps + _IMPRECISE) < bounds))
        if len(unsure):
            labels = labels.copy()
            labels[unsure], gaps[unsure], bounds[unsure] = _two_nearest(samples.columns[:, unsure], centers)
        self._labels, self._bounds = labels, bounds
        return labels, gaps


def _two_nearest(columns: Array, centers: Array) -> tuple[Labels, Array, Array]:
    """For each of the samples (d, n) the nearest centre, the squared distance to it, and a bound for all others'."""
    least = distance_measure(columns - centers[0][:, None], "euclidean")
    labels, second = np.zeros(len(least), dtype=np.intp), np.full(len(least), np.inf)
    for j, center in enumerate(centers[1:], start=1):
        found = distance_measure(columns - center[:, None], "euclidean")
        np.minimum(second, np.maximum(found, least), out=second)
        np.copyto(labels, j, where=found < least)
        np.minimum(least, found, out=least)
    return labels, least, np.sqrt(second) * (1 - _ROUNDING)


def update(samples: SortedSamples, labels: Labels, gaps: Array, k: int) -> Array:
    """The mean of each cluster, (k, d).

    A cluster without weight moves to the sample farthest from its own centre (`gaps` are the squared distances).
    """
    weight = np.bincount(labels, samples.weights, minlength=k)
    sums = np.array([np.bincount(labels, column, minlength=k) for column in samples.weighted])
    empty = weight == 0
    centers = np.ascontiguousarray((sums / np.where(empty, 1.0, weight)).T)
    if empty.any():
        left = np.where(samples.weights > 0, gaps, -1.0)
        for j in np.flatnonzero(empty):
            centers[j] = samples.columns[:, np.argmax(left)]
            left = np.minimum(left, samples.gaps(centers[j]))
    return centers


def inertia(samples: SortedSamples, labels: Labels, centers: Array) -> float:
    """The weighted sum of squared distances to the centres that the samples are assigned to."""
    return float(samples.weights @ _to_own(samples, labels, centers))


def _to_own(samples: SortedSamples, labels: Labels, centers: Array) -> Array:
    """The squared distance of each sample to the centre that it is assigned to, (n,)."""
    along = zip(samples.columns, centers.T.copy(), strict=True)
    return distance_measure([column - center[labels] for column, center in along], "euclidean")
