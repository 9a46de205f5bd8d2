"""What keeps k nearest neighbours in step with the hand: the neighbours of every node of the grid."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mlviz.numerics.distances import to_distance
from mlviz.numerics.grid import Array, Grid
from mlviz.numerics.neighbour_lists import NeighbourLists, comes_before
from mlviz.numerics.neighbours import Neighbourhood

if TYPE_CHECKING:
    from mlviz.algorithms.knn import KNN, KNNModel

GRIDS = 2
"""This many grids are kept: the coarse one of a draft and the full one."""
MOST = 4_000_000
"""With more neighbours than this on a grid nothing is kept."""


class KNNFollower:
    """Remembers the neighbours of every node, so that a moving sample costs one comparison a node. Exact."""

    def __init__(self) -> None:
        self._grids: list[_FollowedGrid] = []

    def update(
        self, algorithm: KNN, X: Array, y: NDArray[Any] | None, sample_weight: Array | None, deadline: float
    ) -> KNNModel:
        """The model, whose field will be worked out from the one before."""
        model = next(algorithm.steps(X, y, np.random.default_rng(0), sample_weight))
        return dataclasses.replace(model, memory=self)

    def field(self, model: KNNModel, grid: Grid, dtype: Any) -> Array:
        """What the neighbours of each node say, (nodes, c)."""
        algorithm = model.algorithm
        if algorithm.n_neighbors * len(grid.x) * len(grid.y) > MOST:
            return model.answer(grid.points()).astype(dtype, copy=False)
        for followed in self._grids:
            if followed.fits(algorithm, grid):
                return followed.field(model, dtype)
        self._grids = [*self._grids, _FollowedGrid(algorithm, grid)][-GRIDS:]
        return self._grids[-1].field(model, dtype)


class _FollowedGrid:
    """The neighbours of every node of one grid, and what they say without the sample in hand."""

    def __init__(self, algorithm: KNN, grid: Grid) -> None:
        self._lists = NeighbourLists(grid, algorithm.n_neighbors, algorithm.metric)
        self._key: tuple[Any, ...] = ()
        self._others: Array = np.empty((0, 0))

    def fits(self, algorithm: KNN, grid: Grid) -> bool:
        lists = self._lists
        same_settings = (lists.count, lists.metric) == (algorithm.n_neighbors, algorithm.metric)
        return same_settings and np.array_equal(lists.grid.x, grid.x) and np.array_equal(lists.grid.y, grid.y)

    def field(self, model: KNNModel, dtype: Any) -> Array:
        lists = self._lists
        held = lists.follow(np.column_stack((model.codes, model.X)))
        others = model if held is None else model.without(held)
        classes = None if model.classes is None else tuple(model.classes)
        key = (lists.version, classes, model.algorithm.weights, np.dtype(dtype))
        if key != self._key:
            found = Neighbourhood(lists.index, to_distance(lists.gaps, lists.metric))
            self._key, self._others = key, others.average(found).astype(dtype)
        out = self._others.copy()
        if held is None:
            return out
        # Where the sample in hand is nearer than the last neighbour, it takes that one's place.
        gaps = lists.gaps_to(model.X[held])
        count = min(model.algorithm.n_neighbors, len(model.X))
        if count > len(lists.index):
            nodes = np.arange(len(gaps))
        else:
            # The lists count their samples without the one in hand: it comes before those that stand at its row now.
            nodes = np.flatnonzero(comes_before(gaps, held, lists.gaps[-1], lists.index[-1] + 1))
        index = lists.index[: count - 1, nodes]
        index = np.concatenate((index + (index >= held), np.full((1, len(nodes)), held, dtype=np.int32)))
        near = np.concatenate((lists.gaps[: count - 1, nodes], gaps[None, nodes]))
        out[nodes] = model.average(Neighbourhood(index, to_distance(near, lists.metric)))
        return out
