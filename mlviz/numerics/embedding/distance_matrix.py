"""All distances between some samples, and how far places elsewhere keep them and their neighbours."""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array, Labels, Mask
from mlviz.numerics.distances import distance_measure, to_distance
from mlviz.numerics.pauses import Work, blocks

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

    They are written into `out`, with the help of `spare`, where these are given: new memory takes longer. If they have
    fewer rows, those of the first rows of Y are.
    """
    squares = np.empty((len(Y), len(Y))) if out is None else out
    spare = np.empty_like(squares) if spare is None else spare
    for j, column in enumerate(Y.T):
        into = spare if j else squares
        np.subtract(column[: len(into), None], column, out=into)
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


def some_pairs(distances: Array, most: int) -> tuple[Labels, Labels]:
    """At most so many pairs of the samples whose distances are (m, m), evenly by distance: (p,) and (p,)."""
    i, j = np.triu_indices(len(distances), 1)
    if len(i) > most:
        chosen = np.argsort(distances[i, j], kind="stable")[np.linspace(0, len(i) - 1, most).astype(np.intp)]
        i, j = i[chosen], j[chosen]
    return i, j
