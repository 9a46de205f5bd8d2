"""Nearest neighbours, exact also where samples are equally far.

The samples are given in an order of preference: of two equally near ones the earlier row counts as nearer. Whoever
sorts the samples by what they are, not by where they stood in the table, gets answers that do not depend on that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows, ahead
from mlviz.numerics.distances import FARTHEST_COMPUTABLE, DistanceProducts, distance_measure, to_distance
from mlviz.numerics.sampling import copy_numbers
from mlviz.spec.brief import Brief

Index = NDArray[np.int32]

_MINKOWSKI = {"euclidean": 2.0, "manhattan": 1.0, "chebyshev": np.inf}
_CLOSE = 1 + 1e-12
"""Distances within this factor may come in the wrong order from the tree and are compared again, exactly."""
_FEW = 300
"""Up to this many samples times neighbours, comparing with every sample is quicker than a tree."""
_TREE_INPUTS = 3
"""With more inputs a tree visits most of the samples."""
_FEWEST_MULTIPLIED, _MOST_MULTIPLIED, _MULTIPLIED = 100, 5000, 192
"""Of so many samples distances to many more queries are quicker found by products, of so many queries at a time."""
_FEW_RIVALS = 64
"""Where on average more rows than these may be the nearest one, a tree finds it."""
BLOCK_SIZE = 10_000
"""So many queries at a time stay in the processor's cache."""


RELATIVE_WEIGHTS = ("triangular", "gaussian")
"""Weights that depend on the distance as a share of that to the next one who is no neighbour any more."""


@dataclass(frozen=True, eq=False)
class Neighbourhood(Brief):
    """The neighbours of some queries: `index`, `distance` and `share` are (m, q), nearest first.

    `share` is how many votes a neighbour casts; None means one each. `reach` (q,) is how far the vote after the last
    one that counts is; None where no weight depends on it.
    """

    index: Index
    distance: Array
    share: Array | None = None
    reach: Array | None = None

    def influence(self, weights: str) -> Array | None:
        """The weight of each vote, (m, q); None where all are 1.

        distance     1 / d
        triangular   1 - d / reach
        gaussian     exp(-2 (d / reach)^2): the reach is two standard deviations away.
        """
        match weights:
            case "uniform":
                return self.share
            case "distance":
                # Times the smallest distance so that it can't overflow. A direct hit silences all others.
                hit = self.distance == 0
                safe = np.where(hit, 1.0, self.distance)
                closeness = np.where(hit.any(axis=0), hit, np.min(safe, axis=0) / safe)
            case _:
                reach = self.distance.max(axis=0) if self.reach is None else self.reach
                part = self.distance / np.where(reach > 0, reach, 1.0)
                near = np.exp(-2 * part * part) if weights == "gaussian" else 1 - part
                # Where all are as far as the reach, none is nearer than another.
                closeness = np.where((near > 0).any(axis=0), near, 1.0)
        return np.asarray(closeness if self.share is None else closeness * self.share)


def with_reach(index: Index, distance: Array, count: int) -> Neighbourhood:
    """The first `count` neighbours, with the next one as their reach where there is one."""
    return Neighbourhood(index[:count], distance[:count], None, distance[count] if len(index) > count else None)


def canonical_order(y: AnyArray, X: Array) -> Rows:
    """The order that sorts samples by y (n,), then by their coordinates X (n, d)."""
    return np.lexsort((*X.T[::-1], y))


def nearest(queries: Array, X: Array, count: int, metric: str) -> tuple[Index, Array]:
    """The `count` rows of X (n, d) nearest to each of the queries (q, d), nearest first, and their distances.

    Both answers are (min(count, n), q). Equally near rows come in the order of X.
    """
    return Search(X, metric).nearest(queries, count)


class Search:
    """Finds the nearest rows of X (n, d) again and again; what it prepares for a count it keeps."""

    def __init__(self, X: Array, metric: str) -> None:
        self._X, self._metric = X, metric
        self._count = 0
        self._rows: Rows = np.empty(0, dtype=np.intp)
        self._tree: Any = None

    def first(self, queries: Array) -> Rows:
        """Which row of X is nearest to each of the queries (q, d), (q,)."""
        if not len(queries):
            return np.empty(0, dtype=np.intp)
        asked = np.ascontiguousarray(queries, dtype=np.float64)
        found, unclear = np.empty(len(asked), dtype=np.intp), np.arange(len(asked))
        few = _FEWEST_MULTIPLIED <= len(self._X) <= _MOST_MULTIPLIED < len(asked)
        if few and asked.shape[1] > _TREE_INPUTS and self._metric == "euclidean":
            found, unclear = _by_products(asked, self._X)
        if len(unclear):
            found[unclear] = self.nearest(asked[unclear], 1)[0][0]
        return found

    def nearest(self, queries: Array, count: int) -> tuple[Index, Array]:
        """As the function of that name."""
        X, metric = self._X, self._metric
        if np.abs(queries).max(initial=0.0) > FARTHEST_COMPUTABLE:
            # Squares of distances would be infinite there, and all samples are equally near long before.
            queries = np.clip(queries, X.min(axis=0) - FARTHEST_COMPUTABLE, X.max(axis=0) + FARTHEST_COMPUTABLE)
        if count != self._count:
            # Further copies of a place than so many are never among the nearest.
            self._count, self._rows, self._tree = count, np.flatnonzero(copy_numbers(X) < count), None
        rows = self._rows
        if len(rows) * min(count + 1, len(rows)) <= _FEW:
            index, distance = _among_few(queries, X[rows], min(count, len(X)), metric)
        else:
            if self._tree is None:
                from scipy.spatial import cKDTree

                self._tree = cKDTree(X[rows], leafsize=10)
            index, distance = _by_tree(self._tree, queries, min(count, len(X)), metric)
        return index if len(rows) == len(X) else rows[index].astype(np.int32), distance


@np.errstate(over="ignore", invalid="ignore")
def _by_products(queries: Array, X: Array) -> tuple[Labels, Labels]:
    """Which row of X (n, d) is nearest to each of the queries (q, d), (q,), and of which queries that is not clear.

    Products in single precision tell distances; where others are not farther by more than their rounding, as on a
    lattice, these are compared exactly, unless they are very many.
    """
    products = DistanceProducts.of(X, dtype=np.float32)
    found, unclear = np.empty(len(queries), dtype=np.intp), []
    for first in range(0, len(queries), _MULTIPLIED):
        squares, own = products.squares(queries[first : first + _MULTIPLIED])
        closeness = np.negative(squares, out=squares)
        found[first : first + _MULTIPLIED], lead = ahead(closeness)
        doubt = 2 * products.doubt(own)
        left = np.flatnonzero(~(lead > doubt))
        others = closeness[left]
        rivals = others >= (others.max(axis=1) + lead[left] - doubt[left])[:, None]
        if not np.isfinite(doubt[left]).all() or np.count_nonzero(rivals) > _FEW_RIVALS * len(left):
            unclear.append(first + left)
            continue
        rivals[np.arange(len(left)), found[first + left]] = True
        # In one dimension those that are true are found several times as fast.
        asked_again, rows = np.divmod(np.flatnonzero(rivals), len(X))
        gaps = distance_measure((queries[first + left[asked_again]] - X[rows]).T, "euclidean")
        # The nearest of each query comes first, of equally near ones the first row.
        order = np.lexsort((rows, gaps, asked_again))
        found[first + left] = rows[order[np.searchsorted(asked_again, np.arange(len(left)))]]
    return found, np.concatenate([*unclear, np.empty(0, dtype=np.intp)])


def _among_few(queries: Array, X: Array, count: int, metric: str) -> tuple[Index, Array]:
    index, gaps = np.empty((count, len(queries)), dtype=np.int32), np.empty((count, len(queries)))
    for start in range(0, len(queries), BLOCK_SIZE):
        block = slice(start, start + BLOCK_SIZE)
        columns = np.ascontiguousarray(queries[block].T)
        keys = _smallest_keys(columns, X, min(count + 1, len(X)), metric)
        index[:, block] = keys[:count] & 255
        gaps[:, block] = distance_measure(
            [column - X[:, j].take(index[:, block]) for j, column in enumerate(columns)], metric
        )
        # A smaller key means a smaller gap, but for the digits that made room for the row: equal ones prove nothing.
        doubtful = (gaps[1:, block] < gaps[:-1, block]).any(axis=0)
        doubtful |= (keys[count:] >> 8 == keys[count - 1] >> 8).any(axis=0)
        if doubtful.any():
            all_gaps = distance_measure([column[doubtful] - X[:, j, None] for j, column in enumerate(columns)], metric)
            sort = np.argsort(all_gaps, axis=0, kind="stable")[:count]
            index[:, block][:, doubtful] = sort
            gaps[:, block][:, doubtful] = np.take_along_axis(all_gaps, sort, axis=0)
    return index, to_distance(gaps, metric)


def _smallest_keys(columns: Array, X: Array, count: int, metric: str) -> NDArray[np.int64]:
    """For each query, given by columns (d, q), its `count` smallest keys in order, (count, q).

    The key of a row of X (n, d), n at most 256, is its gap, read as a whole number (which for numbers from 0 on keeps
    their order), with the row in place of the last eight bits.
    """
    best: list[NDArray[np.int64]] = []
    spare = np.empty(columns.shape[1], dtype=np.int64)
    for i, place in enumerate(X):
        key = distance_measure(columns - place[:, None], metric).view(np.int64)
        key &= ~255
        key |= i
        for rank, known in enumerate(best):
            np.minimum(known, key, out=spare)
            np.maximum(known, key, out=key)
            best[rank], spare = spare, known
        if len(best) < count:
            best.append(key)
    return np.stack(best)


def _by_tree(tree: Any, queries: Array, count: int, metric: str) -> tuple[Index, Array]:
    X = tree.data

    def query(places: Array, width: int) -> tuple[Array, AnyArray]:
        found = tree.query(places, k=width, p=_MINKOWSKI[metric])
        return np.reshape(found[0], (-1, width)), np.reshape(found[1], (-1, width))

    # One more than asked for: only then is it known whether the last one had an equal.
    width = min(count + 1, len(X))
    found, near = query(queries, width)
    distance, index = found.T.copy(order="C"), near.T[:count].astype(np.int32, order="C")
    doubtful = np.flatnonzero((distance[1:] <= distance[:-1] * _CLOSE).any(axis=0))
    distance = distance[:count]
    while len(doubtful):
        near_distance, near = query(queries[doubtful], width)
        # Settled once nobody outside can be as near as the last one that is wanted.
        settled = (near_distance[:, -1] > near_distance[:, count - 1] * _CLOSE) | (width == len(X))
        these, near = doubtful[settled], near[settled]
        gaps = distance_measure([queries[these, j, None] - X[near, j] for j in range(X.shape[1])], metric)
        sort = np.lexsort((near, gaps))[:, :count]
        index[:, these] = np.take_along_axis(near, sort, axis=1).T
        distance[:, these] = to_distance(np.take_along_axis(gaps, sort, axis=1), metric).T
        doubtful = doubtful[~settled]
        width = min(2 * width, len(X))
    return index, distance
