"""The parts of k-means: the assignment step, the update step, and rounds of both, on weighted samples.

Of many samples most stay with their centre in a step, and that can be seen without a look at the others (G. Hamerly,
Making k-means even faster, 2010, doi:10.1137/1.9781611972801.12).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows, sorted_rows
from mlviz.numerics.distances import distance_measure, product_rounding
from mlviz.numerics.sampling import spread_subsample
from mlviz.spec.brief import Brief

_TOGETHER = 8000
"""Up to this many distances are quicker worked out at once than centre by centre."""
_ROUNDING = 1e-12
"""Distances are bounded with this share to spare: the computed ones may be wrong by less."""
_BLOCK, _FEWEST_TOGETHER = 32_768, 256
"""So many distances of samples to all centres, of no fewer samples than these, stay at hand for the processor."""
_BESIDE, _LOOKED_AT = 20, 0.5
"""What a sample costs, in distances to centres, beside these where it is compared, and where it is not."""
_MANY_CHANGES = 0.25
"""Where a larger share of the samples changes clusters, these are counted anew."""
_FALLEN = 1e-3
"""Where the inertia falls below such a share of what it was when it was last worked out, rounding tells in it."""
_IMPRECISE = 1e-300
"""Squared distances that are smaller have few digits."""


@dataclass(frozen=True, eq=False)
class SortedSamples(Brief):
    """Samples sorted by their coordinates, one contiguous row a coordinate: columns (d, n), weights (n,)."""

    columns: Array
    weights: Array
    rows: Rows
    """(n,) where each sample stood before."""
    weighted: Array
    """The columns times the weights."""

    @classmethod
    def of(cls, X: Array, weights: Array) -> SortedSamples:
        """The samples X (n, d) with weights (n,)."""
        rows = sorted_rows(*X.T)
        columns = np.ascontiguousarray(X[rows].T)
        return cls(columns, weights[rows], rows, columns * weights[rows])

    def some(self, most: int) -> SortedSamples:
        """At most so many of those that carry weight, as if drawn at random; `rows` are theirs among those here."""
        heavy = np.flatnonzero(self.weights > 0)
        rows = heavy[spread_subsample(self.places(heavy), most)]
        columns, weighted = (array.take(rows, axis=1) for array in (self.columns, self.weighted))
        return SortedSamples(columns, self.weights[rows], rows, weighted)

    def unsorted(self, values: AnyArray) -> AnyArray:
        """Values (n,) of the sorted samples, in the order in which the samples stood before."""
        placed = np.empty_like(values)
        placed[self.rows] = values
        return placed

    def places(self, rows: Rows) -> Array:
        """The places (m, d) of some samples."""
        return np.ascontiguousarray(self.columns[:, rows].T)

    def gaps(self, center: Array) -> Array:
        """The squared distance of every sample to a centre (d,)."""
        return distance_measure(self.columns - center[:, None], "euclidean")

    def gaps_from(self, rows: Rows) -> Array:
        """The squared distance of every sample to some of them, (m, n)."""
        return distance_measure([column - column[rows, None] for column in self.columns], "euclidean")

    @cached_property
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


def _two_smallest(gaps: Array) -> tuple[Labels, Array, Array]:
    """The same of the rows of a matrix (k, m), which is used up, and the next value."""
    k, m = gaps.shape
    least = gaps.min(axis=0)
    # A maximum of small whole numbers is several times as fast as `argmin`; the first row has the largest.
    code = np.arange(k, 0, -1).astype(np.min_scalar_type(k))
    labels = k - ((gaps == least) * code[:, None]).max(axis=0).astype(np.intp)
    gaps[labels, np.arange(m)] = np.inf
    return labels, least, gaps.min(axis=0)


def _block(k: int) -> int:
    """How many samples are compared with k centres at once."""
    return max(_FEWEST_TOGETHER, _BLOCK // k)


def assign(samples: SortedSamples, centers: Array) -> tuple[Labels, Array]:
    """The nearest of the centers (k, d) for each sample, and the squared distance to it."""
    if len(centers) * len(samples.weights) <= _TOGETHER:
        gaps = distance_measure([column - centers[:, j, None] for j, column in enumerate(samples.columns)], "euclidean")
        return gaps.argmin(axis=0), gaps.min(axis=0)
    return smallest(samples.gaps(center) for center in centers)


class LloydRounds:
    """The rounds of k-means from some centres (k, d): `assign` and `update` take turns. `of` makes them."""

    def __init__(self, samples: SortedSamples, centers: Array) -> None:
        self.centers = centers
        self.labels: Labels = np.full(len(samples.weights), -1, dtype=np.intp)
        """The cluster of each sample, (n,)."""
        self.inertia = np.inf
        """The weighted sum of squared distances of the samples to the centres of their clusters."""
        self.settled = False
        """Whether the last assignment was the same as the one before, or is one among equals that wins nothing."""
        self.work = 0.0
        """How many distances were worked out so far, or what takes as long."""
        self._samples = samples
        self._assigned = np.inf
        """The inertia after the last assignment."""

    @staticmethod
    def of(samples: SortedSamples, centers: Array) -> LloydRounds:
        """Those of the samples: of few all distances are worked out in each round."""
        few = centers.size * len(samples.weights) <= _TOGETHER
        return LloydRounds(samples, centers) if few else _BoundedRounds(samples, centers)

    def assign(self) -> None:
        """Each sample to its nearest centre, of equally near ones to the first."""
        found, gaps = assign(self._samples, self.centers)
        reached = float(self._samples.weights @ gaps)
        self.settled = bool((found == self.labels).all()) or reached >= self._assigned
        self.labels, self.inertia, self._assigned = found, reached, reached

    def update(self) -> None:
        """Each centre to the mean of its samples; without any, to the sample farthest from its own centre."""
        gaps = _to_own(self._samples, self.labels, self.centers)
        self.centers = update(self._samples, self.labels, gaps, len(self.centers))
        self.inertia = inertia(self._samples, self.labels, self.centers)


class _BoundedRounds(LloydRounds):
    """The same rounds, in which only samples are compared that may have another nearest centre.

    Each sample has room: so far may its own centre go away and another one come near until it is compared again. The
    sums of the clusters change by the samples that leave and join.
    """

    def __init__(self, samples: SortedSamples, centers: Array) -> None:
        super().__init__(samples, centers)
        self._middle = samples.columns.mean(axis=1)
        self._places = np.ascontiguousarray((samples.columns - self._middle[:, None]).T)  # (n, d)
        self._squares = np.einsum("ij,ij->i", self._places, self._places)
        self._farthest = float(np.sqrt(self._squares.max()))
        self._means = centers - self._middle
        self._worked_out = np.inf
        """The inertia when it was last worked out from all samples."""
        self._used = np.zeros(len(centers))
        """How far, since the start, each centre has gone away and another one may have come near."""

    def assign(self) -> None:
        if self.labels[0] < 0:
            self.labels, self._room = self._nearest(np.arange(len(self.labels)))
            self._count()
            self._follow(np.nan)
            self._assigned = self.inertia
            return
        used = self._used * (1 + _ROUNDING)
        self.work += _LOOKED_AT * len(self.labels)
        unsure = np.flatnonzero(~(self._room > used[self.labels]))
        found, room = self._nearest(unsure)
        self._room[unsure] = room + self._used[found]
        changed = self.labels[unsure] != found
        rows, found = unsure[changed], found[changed]
        reached = self.inertia - self._saved(rows, found)
        self.settled = not len(rows) or not reached < self._assigned
        if len(rows):
            former, self.labels = self.labels[rows], self.labels.copy()
            self.labels[rows] = found
            self._recount(rows, former)
        self._follow(reached)
        self._assigned = self.inertia

    def update(self) -> None:
        former = self.centers
        if self._counts.all():
            means, left = self._sums / self._weight[:, None], self._means
            self.centers = means + self._middle
            self._means = self.centers - self._middle  # far from 0 they are not the means, but for rounding
            gaps = (means - left) ** 2 - (means - self._means) ** 2
            self._follow(self.inertia - float(self._weight @ gaps.sum(axis=1)))
        else:
            super().update()
            self._worked_out = self.inertia
            self._means = self.centers - self._middle
        moved = np.hypot.reduce(self.centers - former, axis=1)
        *_, second, first = 0.0, *np.sort(moved)
        self._used += (moved + np.where(moved == first, second, first)) * (1 + _ROUNDING)

    def _follow(self, inertia_by_changes: float) -> None:
        """Take the inertia from the changes; work it out anew at the end, and where rounding on the way would tell."""
        self.inertia = inertia_by_changes
        if self.settled or not self.inertia > _FALLEN * self._worked_out:
            self.inertia = self._worked_out = inertia(self._samples, self.labels, self.centers)

    def _nearest(self, rows: Rows) -> tuple[Labels, Array]:
        """The nearest centre of some samples (m,), and the room of each.

        A product of matrices says which is nearest; where its rounding leaves a doubt, each distance does.
        """
        means, reach = self._means, self._farthest + float(np.hypot.reduce(self._means, axis=1).max())
        doubt = product_rounding(reach, len(means.T)) + _IMPRECISE
        labels, room, size = np.empty(len(rows), dtype=np.intp), np.empty(len(rows)), _block(len(means))
        for first in range(0, len(rows), size):
            part = slice(first, first + size)
            squares = self._squares[rows[part]]
            gaps = (-2 * means) @ self._places[rows[part]].T
            gaps += (means * means).sum(axis=1)[:, None]
            labels[part], least, second = _two_smallest(gaps)
            own = np.sqrt(np.maximum(least + squares + doubt, 0.0))
            room[part] = np.sqrt(np.maximum(second + squares - doubt, 0.0)) * (1 - _ROUNDING) - own * (1 + _ROUNDING)
            if len(left := first + np.flatnonzero(~(second - least > 2 * doubt))):
                steps = self._samples.columns[:, None, rows[left]] - self.centers.T[:, :, None]
                labels[left], least, second = _two_smallest(distance_measure(steps, "euclidean"))
                room[left] = np.sqrt(second) * (1 - _ROUNDING) - np.sqrt(least + _IMPRECISE) * (1 + _ROUNDING)
        self.work += len(rows) * (len(means) + _BESIDE)
        return labels, room

    def _saved(self, rows: Rows, found: Labels) -> float:
        """By how much less the squared distances of some samples are to the centres that were found for them."""
        places = self._places[rows]
        gaps = [((places - self._means[labels]) ** 2).sum(axis=1) for labels in (self.labels[rows], found)]
        return float(self._samples.weights[rows] @ (gaps[0] - gaps[1]))

    def _count(self) -> None:
        """Work out how many samples with a weight each cluster has, their weight and their sum."""
        k, weights = len(self.centers), self._samples.weights
        self._counts = np.bincount(self.labels[weights > 0], minlength=k)
        self._weight = np.bincount(self.labels, weights, minlength=k)
        self._sums = np.array([np.bincount(self.labels, z * weights, minlength=k) for z in self._places.T]).T
        self._most = self._weight.copy()

    def _recount(self, rows: Rows, former: Labels) -> None:
        """The same after some samples have changed; anew where many have, or little of a cluster is left."""
        k, weights = len(self.centers), self._samples.weights[rows]
        if len(rows) > _MANY_CHANGES * len(self.labels):
            self._count()
            return
        for sign, labels in ((-1, former), (1, self.labels[rows])):
            self._counts += sign * np.bincount(labels[weights > 0], minlength=k)
            self._weight += sign * np.bincount(labels, weights, minlength=k)
            for along, z in zip(self._sums.T, self._places[rows].T, strict=True):
                along += sign * np.bincount(labels, z * weights, minlength=k)
        self._most = np.maximum(self._most, self._weight)
        if not (self._weight > self._most / 2).all():
            self._count()


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
