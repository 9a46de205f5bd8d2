"""k-means in the feature space of a kernel, where a centre is known by the samples of which it is the mean.

B. Schölkopf, A. Smola and K.-R. Müller, Nonlinear component analysis as a kernel eigenvalue problem, Neural
Computation 10 (1998), section 6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.numerics.arrays import Array, Labels, Rows, ahead
from mlviz.numerics.density.kmeans_starts import drawn_rows
from mlviz.numerics.distances import DistanceProducts
from mlviz.spec.brief import Brief

_ALL = slice(None)
_FEW = 0.3
"""Where a smaller share of the samples changes clusters, only their part of the sums is worked out again."""
_ROWS, _LEAST_EXPONENT = 256, -600.0
"""So many places are compared with all samples at a time; smaller Gaussians are nothing."""
_ROUNDING = 1e-12
"""Squared distances that differ by less than this share of the largest k(x, x) are equal."""


@dataclass(frozen=True, eq=False)
class FeatureSpace(Brief):
    """Samples known by their Gram matrix K (n, n), with weights (n,)."""

    K: Array
    weights: Array

    @property
    def nothing(self) -> float:
        """What a squared distance is at the most where it is rounding."""
        return _ROUNDING * float(self.K.diagonal().max())

    def gaps_from(self, rows: Rows) -> Array:
        """The squared distance of every sample to some of them, (m, n)."""
        found = self.K.diagonal() - 2 * self.K[rows] + self.K[rows, rows][:, None]
        return np.where(found > self.nothing, found, 0.0)


@dataclass(frozen=True, eq=False)
class Partition(Brief):
    """The samples in k clusters, by labels (n,)."""

    space: FeatureSpace
    labels: Labels
    k: int
    sums: Array
    """(n, k) the weighted sum of each sample's kernel values with those of each cluster."""

    @classmethod
    def of(cls, space: FeatureSpace, labels: Labels, k: int) -> Partition:
        """The partition with its sums, worked out from nothing."""
        return cls(space, labels, k, space.K @ cls._counts(space, labels, k))

    def changed(self, labels: Labels) -> Partition:
        """Another partition into as many clusters, quickly where few samples change."""
        rows = np.flatnonzero(labels != self.labels)
        if len(rows) > _FEW * len(labels):
            return Partition.of(self.space, labels, self.k)
        parts = [self._counts(self.space, codes, self.k, rows) for codes in (labels, self.labels)]
        return Partition(self.space, labels, self.k, self.sums + self.space.K[rows].T @ (parts[0] - parts[1]))

    def named(self, names: Labels) -> Partition:
        """The partition with other numbers of its clusters, names (k,)."""
        return Partition(self.space, names[self.labels], self.k, self.sums[:, np.argsort(names)])

    @staticmethod
    def _counts(space: FeatureSpace, labels: Labels, k: int, rows: Rows | slice = _ALL) -> Array:
        """The weight of some samples in the column of their cluster, (m, k)."""
        weights = space.weights[rows]
        counts = np.zeros((len(weights), k))
        counts[np.arange(len(weights)), labels[rows]] = weights
        return counts

    @cached_property
    def totals(self) -> Array:
        """The weight of each cluster, (k,)."""
        return np.bincount(self.labels, self.space.weights, minlength=self.k).astype(np.float64)

    @cached_property
    def _divisors(self) -> Array:
        return np.where(self.totals > 0, self.totals, 1.0)

    @property
    def shares(self) -> Array:
        """What each sample counts in the centre of its cluster, (n,)."""
        return np.asarray(self.space.weights / self._divisors[self.labels])

    @cached_property
    def lengths(self) -> Array:
        """The squared length of each centre, (k,)."""
        own = self.sums[np.arange(len(self.labels)), self.labels]
        return np.bincount(self.labels, self.space.weights * own, minlength=self.k) / self._divisors**2

    @cached_property
    def gaps(self) -> Array:
        """The squared distance of each sample to each centre, (n, k); infinite to clusters without weight."""
        found = self.sums * (-2 / self._divisors)
        found += self.lengths
        found += self.space.K.diagonal()[:, None]
        found[:, self.totals == 0] = np.inf
        return found

    @cached_property
    def own(self) -> Array:
        """The squared distance of each sample to the centre of its cluster, (n,)."""
        return self.gaps[np.arange(len(self.labels)), self.labels]

    @cached_property
    def objective(self) -> float:
        """The weighted sum of squared distances of the samples to the centres of their clusters."""
        used = self.space.weights > 0
        return max(0.0, float(self.space.weights[used] @ self.own[used]))

    @cached_property
    def better(self) -> Labels:
        """The samples that are nearer to another centre than to their own, by more than rounding."""
        return np.flatnonzero(self.gaps.min(axis=1) < self.own - self.space.nothing)

    @cached_property
    def move(self) -> tuple[int, int] | None:
        """The sample and the cluster whose one move lowers the objective most; None where none does.

        Where a sample leaves or joins a cluster, its centre moves as well: going to the nearest centre is not all.
        """
        w, left = self.space.weights[:, None], self.totals[self.labels] - self.space.weights
        alone = left <= _ROUNDING * self.totals.max()
        saved = self.own * np.where(alone, 0.0, self.totals[self.labels] / np.where(alone, 1.0, left))
        price = self.gaps * (self.totals / (self.totals + w))
        price[np.arange(len(price)), self.labels] = np.inf
        gain = self.space.weights * (saved - price.min(axis=1))
        gain[alone] = 0.0
        best = int(np.argmax(gain))
        if not gain[best] > self.space.nothing * self.space.weights[best]:
            return None
        return best, int(price[best].argmin())

    @property
    def fixed(self) -> bool:
        """Whether every sample is in the cluster of the nearest centre, and no cluster is empty."""
        return not len(self.better) and bool((self.totals > 0).all())


def drawn_partition(space: FeatureSpace, k: int, init: str, rng: np.random.Generator) -> Partition:
    """Each sample with the nearest of at most k that are drawn; clusters are in the order of the samples drawn."""
    rows = np.sort([row for (row,), *_ in drawn_rows(space.weights, space.gaps_from, k, init, rng)])
    return Partition.of(space, space.gaps_from(rows).argmin(axis=0), len(rows))


def reassigned(part: Partition) -> Partition:
    """Each sample with the nearest centre; a cluster left without weight gets the sample farthest from its centre."""
    used, labels = part.space.weights > 0, part.labels.copy()
    labels[part.better] = part.gaps[part.better].argmin(axis=1)
    counts = np.bincount(labels[used], minlength=part.k)
    if not counts.all():
        left = np.where(used, part.own, -1.0)
        for code in np.flatnonzero(counts == 0):
            far = int(np.argmax(np.where(counts[labels] > 1, left, -1.0)))
            counts[labels[far]] -= 1
            labels[far], left[far] = code, -1.0
            counts[code] = 1
    return part.changed(labels)


def improvements(start: Partition) -> Iterator[tuple[str, Partition]]:
    """What was done and the partition after it: reassignments and, where these end, a single move, until none helps."""
    part = start
    yield "start", part
    while True:
        while not part.fixed:
            part = reassigned(part)
            yield "reassignment", part
        if part.move is None:
            return
        sample, cluster = part.move
        labels = part.labels.copy()
        labels[sample] = cluster
        part = part.changed(labels)
        yield "single move", part


def nearest_of_gaussian(
    places: Array, products: DistanceProducts, coef: Array, offsets: Array
) -> tuple[Labels, Labels]:
    """Which of k sums of Gaussians is largest at each of the places (q, d), (q,), and where that is not clear.

    Sum j is Σₛ coef[s, j] exp(−|x − zₛ|²/2) + offsets[j] over samples from which products tell the distances, in
    units of the width. It is clear where a sum leads by more than their rounding.
    """
    found, unclear = np.empty(len(places), dtype=np.intp), [np.empty(0, dtype=np.intp)]
    size = float(np.abs(coef).sum(axis=0).max() + np.abs(offsets).max())
    for first in range(0, len(places), _ROWS):
        terms, own = products.squares(places[first : first + _ROWS])
        terms *= -0.5
        np.exp(np.maximum(terms, _LEAST_EXPONENT, out=terms), out=terms)
        found[first : first + _ROWS], lead = ahead(terms @ coef + offsets)
        sure = lead > size * (_ROUNDING + products.doubt(own))
        unclear.append(first + np.flatnonzero(~sure))
    return found, np.concatenate(unclear)
