"""All distances between some samples, and how far places elsewhere keep them and their neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array, Labels, Mask
from mlviz.numerics.distances import distance_measure, to_distance
from mlviz.numerics.pauses import Work, blocks
from mlviz.spec.brief import Brief

_EQUALLY_FAR = 1e-6
"""Distances are equal that differ by less than this share: rounding and the last steps of a search tell no more."""


def all_distances(X: Array, metric: str) -> Work[Array]:
    """Work out the distances between the rows of X (n, d): (n, n). X is of a size that can be squared."""
    n, d = X.shape
    distances = np.empty((n, n))
    for rows in blocks(n, n * d):
        differences = [X[rows, j, None] - X[:, j] for j in range(d)]
        distances[rows] = to_distance(distance_measure(differences, metric), metric)
        yield
    return distances


def distances_between(Y: Array, out: Array | None = None, spare: Array | None = None) -> Array:
    """The Euclidean distances between the rows of Y (m, k), of which there are few columns: (m, m).

    They are written into `out`, with the help of `spare`, where these (m, m) are given: new memory takes longer.
    """
    squares = np.empty((len(Y), len(Y))) if out is None else out
    spare = np.empty_like(squares) if spare is None else spare
    for j, column in enumerate(Y.T):
        into = spare if j else squares
        np.subtract(column[:, None], column, out=into)
        np.multiply(into, into, out=into)
        if j:
            squares += spare
    return np.sqrt(squares, out=squares)


def nearest_of_each(distances: Array, count: int) -> Labels:
    """Which `count` others are the nearest to each row of the distances (m, m), in no order: (m, count)."""
    others = distances.copy()
    np.fill_diagonal(others, np.inf)
    return np.asarray(np.argpartition(others, count - 1, axis=1)[:, :count])


def neighbours_kept(distances: Array, Y: Array, count: int) -> float:
    """The share of the `count` nearest ones by the distances (m, m) that are so in Y (m, k), too.

    Which of several that are equally far is the last to count makes no difference: one that could be is kept.
    """
    both = _near_enough(distances, count) & _near_enough(distances_between(Y), count)
    return float(np.minimum(both.sum(axis=1), count).mean()) / count


def _near_enough(distances: Array, count: int) -> Mask:
    """Which others are no farther than the one in that place, (m, m)."""
    others = distances.copy()
    np.fill_diagonal(others, np.inf)
    farthest = np.partition(others, count - 1, axis=1)[:, count - 1 : count]
    return np.asarray(others <= farthest * (1 + _EQUALLY_FAR))


@dataclass(frozen=True, eq=False)
class PairsOfDistances(Brief):
    """Some pairs of different samples: how far they are apart, (p,), and how far their places in Y are, (p,)."""

    given: Array
    placed: Array
    of: int
    """How many pairs there are in all."""


def some_pairs(distances: Array, Y: Array, most: int) -> PairsOfDistances:
    """At most so many pairs of the distances (m, m) between samples whose places are Y (m, k): evenly by distance."""
    i, j = np.triu_indices(len(Y), 1)
    given = distances[i, j]
    if len(given) > most:
        chosen = np.argsort(given, kind="stable")[np.linspace(0, len(given) - 1, most).astype(np.intp)]
        i, j, given = i[chosen], j[chosen], given[chosen]
    return PairsOfDistances(given, np.sqrt(((Y[i] - Y[j]) ** 2).sum(axis=1)), len(Y) * (len(Y) - 1) // 2)
