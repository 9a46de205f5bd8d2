"""Nearest neighbours, exact also where samples are equally far.

The samples are given in an order of preference: of two equally near ones the earlier row counts as nearer. Whoever
sorts the samples by what they are, not by where they stood in the table, gets answers that do not depend on that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.numerics.distances import gap, to_distance
from mlviz.numerics.grid import Array

Index = NDArray[np.int32]

MINKOWSKI = {"euclidean": 2.0, "manhattan": 1.0, "chebyshev": np.inf}
CLOSE = 1 + 1e-12
FARTHEST = 1e150
"""Coordinates of a query are cut there."""
"""Distances within this factor may come in the wrong order from the tree and are compared again, exactly."""


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """The neighbours of some queries: `index`, `distance` and `share` are (m, q), nearest first.

    `share` is how many votes a neighbour casts; None means one each.
    """

    index: Index
    distance: Array
    share: Array | None = None

    def influence(self, weights: str) -> Array | None:
        """The weight of each vote, (m, q); None where all are 1."""
        if weights == "uniform":
            return self.share
        # 1 / distance, times the smallest distance so that it can't overflow. A direct hit silences all others.
        hit = self.distance == 0
        safe = np.where(hit, 1.0, self.distance)
        closeness = np.where(hit.any(axis=0), hit, np.min(safe, axis=0) / safe)
        return np.asarray(closeness if self.share is None else closeness * self.share)


def canonical_order(y: NDArray[Any], X: Array) -> NDArray[np.intp]:
    """The order that sorts samples by y (n,), then by their coordinates X (n, d)."""
    return np.lexsort((*X.T[::-1], y))


def nearest(queries: Array, X: Array, count: int, metric: str) -> tuple[Index, Array]:
    """The `count` rows of X (n, d) nearest to each of the queries (q, d), nearest first, and their distances.

    Both answers are (min(count, n), q). Equally near rows come in the order of X.
    """
    # Beyond this the squares of distances are infinite, and before it already all samples are equally near.
    queries = np.clip(queries, -FARTHEST, FARTHEST)
    rows = _useful_rows(X, count)
    index, distance = _ordered(queries, X[rows], min(count, len(X)), metric)
    return index if len(rows) == len(X) else rows[index].astype(np.int32), distance


def _useful_rows(X: Array, count: int) -> NDArray[np.intp]:
    """The rows of X without the copies of a place beyond its first `count`: they are never among the nearest."""
    order = np.lexsort(X.T)
    new_place = np.ones(len(X), dtype=bool)
    new_place[1:] = (X[order[1:]] != X[order[:-1]]).any(axis=1)
    first = np.maximum.accumulate(np.where(new_place, np.arange(len(X)), 0))
    # lexsort is stable, so copies of a place stand in the order of X.
    return np.sort(order[np.arange(len(X)) - first < count])


def _ordered(queries: Array, X: Array, count: int, metric: str) -> tuple[Index, Array]:
    from scipy.spatial import cKDTree

    tree = cKDTree(X, leafsize=10)

    def query(places: Array, width: int) -> tuple[Array, NDArray[Any]]:
        found = tree.query(places, k=width, p=MINKOWSKI[metric])
        return np.reshape(found[0], (-1, width)), np.reshape(found[1], (-1, width))

    # One more than asked for: only then is it known whether the last one had an equal.
    width = min(count + 1, len(X))
    distance, index = query(queries, width)
    doubtful = np.flatnonzero((distance[:, 1:] <= distance[:, :-1] * CLOSE).any(axis=1))
    index, distance = index.T[:count].astype(np.int32, order="C"), distance.T[:count].copy(order="C")
    while len(doubtful):
        near_distance, near = query(queries[doubtful], width)
        # Settled once nobody outside can be as near as the last one that is wanted.
        settled = (near_distance[:, -1] > near_distance[:, count - 1] * CLOSE) | (width == len(X))
        these, near = doubtful[settled], near[settled]
        gaps = gap([queries[these, j, None] - X[near, j] for j in range(X.shape[1])], metric)
        sort = np.lexsort((near, gaps))[:, :count]
        index[:, these] = np.take_along_axis(near, sort, axis=1).T
        distance[:, these] = to_distance(np.take_along_axis(gaps, sort, axis=1), metric).T
        doubtful = doubtful[~settled]
        width = min(2 * width, len(X))
    return index, distance
