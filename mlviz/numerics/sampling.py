"""Fewer of many samples: some as if drawn at random, yet by nothing but their places, and equal ones as one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows, sorted_rows
from mlviz.spec.brief import Brief

_ODD = np.uint64(0x9E3779B97F4A7C15)


def random_numbers(X: Array, seed: int = 0) -> NDArray[np.uint64]:
    """A random number for each place of X (n, d): the same for the same place, however many others there are."""
    number = np.full(len(X), seed % 2**64, dtype=np.uint64) * _ODD
    for column in X.T:
        # Adding 0 makes the two zeros one.
        number = (number ^ (column + 0.0).view(np.uint64)) * _ODD
        number ^= number >> np.uint64(29)
    return number * _ODD


def random_order(X: Array, seed: int = 0) -> Rows:
    """The rows (n,) of X (n, d) in a random order: equal samples have numbers of their own, and may change places."""
    return np.argsort(random_numbers(np.column_stack((X, copy_numbers(X))), seed), kind="stable")


def copy_numbers(X: Array) -> Array:
    """How many rows of X (n, d) before each one are equal to it, (n,)."""
    if X.shape[1]:
        first = np.sort(X[:, 0])
        if (first[1:] != first[:-1]).all():  # nearly always: no two agree in their first input
            return np.zeros(len(X))
    order = np.lexsort(X.T)
    new = np.ones(len(X), dtype=bool)
    new[1:] = (X[order[1:]] != X[order[:-1]]).any(axis=1)
    starts = np.flatnonzero(new)
    copy = np.empty(len(X))
    copy[order] = np.arange(len(X)) - np.repeat(starts, np.diff(starts, append=len(X)))
    return copy


def spread_subsample(X: Array, count: int) -> Rows:
    """`count` rows of X (n, d), rising: each place has a random number of its own, and the lowest ones are taken.

    So the order of the rows does not matter, and while one sample moves the others stay picked.
    """
    return np.sort(np.argpartition(random_numbers(X), count)[:count]) if count < len(X) else np.arange(len(X))


def subsample(order: Rows, most: int) -> Rows:
    """At most so many of the rows that stand in an order (n,), evenly along it: their numbers alone mean nothing."""
    return order[np.linspace(0, len(order) - 1, min(len(order), most)).astype(np.intp)]


@dataclass(frozen=True, eq=False)
class MergedSamples(Brief):
    """The different samples, sorted by place and class.

    They are the same whatever the order of the rows and however often each stands among them.
    """

    X: Array
    """(m, d)."""
    y: AnyArray
    """(m,)."""
    weight: Array
    """(m,)."""
    group: Labels
    """(n,) for each sample which of the different ones it is."""


def merge_equal_samples(X: Array, y: AnyArray, weight: Array) -> MergedSamples:
    """The samples X (n, d) of the classes y (n,) with the weights (n,) above 0."""
    order = sorted_rows(*X.T, y, weight)
    places, classes = X[order], y[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (classes[1:] != classes[:-1]) | (places[1:] != places[:-1]).any(axis=1)
    group = np.empty(len(order), dtype=np.intp)
    group[order] = np.cumsum(new) - 1
    return MergedSamples(places[new], classes[new], np.bincount(group, weight).astype(np.float64), group)


@dataclass(frozen=True, eq=False)
class SamplePlaces(Brief):
    """The different places at which samples carry weight, sorted; or some of these, drawn at random."""

    X: Array
    """(m, d)."""
    weight: Array
    """(m,) the sum of the weights there."""
    group: Labels
    """(n,) for each sample at which of the places it is; -1 where it is at none of them."""
    different: int
    """How many there are of which these were drawn."""

    @classmethod
    def of(cls, X: Array, weights: Array | None = None, most: int | None = None) -> SamplePlaces:
        """Those of the samples X (n, d) with weights (n,), None for all ones; `most` of them at the most."""
        heavy = np.arange(len(X)) if weights is None else np.flatnonzero(weights > 0)
        mass = np.ones(len(heavy)) if weights is None else weights[heavy]
        merged = merge_equal_samples(X[heavy], np.zeros(len(heavy)), mass)
        drawn = spread_subsample(merged.X, len(merged.X) if most is None else most)
        of_merged, group = np.full(len(merged.X), -1), np.full(len(X), -1)
        of_merged[drawn] = np.arange(len(drawn))
        group[heavy] = of_merged[merged.group]
        return cls(merged.X[drawn], merged.weight[drawn], group, len(merged.X))

    @property
    def whole(self) -> bool:
        """Whether each sample is at one of the places."""
        return bool((self.group >= 0).all())


def by_place(X: Array, y: Array, weights: Array) -> Rows:
    """The samples sorted by place and target, (n,): the same whatever the order of the rows."""
    order = np.argsort(X[:, 0])
    first = X[order, 0]
    # Where no two are equal in the first column, the other keys say nothing.
    return order if (first[1:] > first[:-1]).all() else np.lexsort((weights, y, *X.T[::-1]))
