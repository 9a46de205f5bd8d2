"""What keeps k nearest neighbours in step with the hand: the neighbours of every node of the grid."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.neighbors.knn.model import KNNModel
from mlviz.numerics.arrays import Array
from mlviz.numerics.distances import gaps_on_grid, to_distance
from mlviz.numerics.grid import Grid
from mlviz.numerics.neighbors.lists import NeighbourLists, comes_before
from mlviz.numerics.neighbors.search import RELATIVE, Neighbourhood, with_reach

GRIDS = 2
"""This many grids are kept: the coarse one of a draft and the full one."""
MOST = 4_000_000
"""With more neighbours than this on a grid nothing is kept."""


class KNNFollower:
    """Remembers the neighbours of every node, so that a moving sample costs one comparison a node. Exact."""

    def __init__(self) -> None:
        self._grids: list[_FollowedGrid] = []

    def update(
        self, algorithm: Any, X: Array, y: NDArray[Any] | None, sample_weight: Array | None, deadline: float
    ) -> KNNModel:
        """The model, whose field will be worked out from the one before."""
        model: KNNModel = next(algorithm.steps(X, y, np.random.default_rng(0), sample_weight))
        return dataclasses.replace(model, memory=self)

    def field(self, model: KNNModel, grid: Grid, dtype: Any) -> Array:
        """What the neighbours of each node say, (nodes, c)."""
        if model.n_neighbors * len(grid.x) * len(grid.y) > MOST:
            return model.answer(grid.points()).astype(dtype, copy=False)
        for followed in self._grids:
            if followed.fits(model, grid):
                return followed.field(model, dtype)
        self._grids = [*self._grids, _FollowedGrid(model, grid)][-GRIDS:]
        return self._grids[-1].field(model, dtype)


class _FollowedGrid:
    """The neighbours of every node of one grid, and what they say with and without the sample in hand."""

    def __init__(self, model: KNNModel, grid: Grid) -> None:
        self._lists = NeighbourLists(grid, _asked(model), model.metric)
        self._key: tuple[Any, ...] = ()
        self._without: Array = np.empty((0, 0))
        self._with: Array | None = None

    def fits(self, model: KNNModel, grid: Grid) -> bool:
        lists = self._lists
        same_settings = (lists.count, lists.metric) == (_asked(model), model.metric)
        return same_settings and np.array_equal(lists.grid.x, grid.x) and np.array_equal(lists.grid.y, grid.y)

    def field(self, model: KNNModel, dtype: Any) -> Array:
        lists = self._lists
        held = lists.follow(np.column_stack((model.outcomes, model.X)))
        self._prepare(model, held, dtype)
        out = self._without.copy()
        if held is None:
            return out
        # Where the sample in hand is nearer than the last neighbour, it takes that one's place.
        gaps = gaps_on_grid(lists.grid, model.X[held], lists.metric).ravel()
        if len(lists.index) < lists.count:
            nodes = np.arange(len(gaps))
        else:
            # The lists count their samples without the one in hand: it comes before those that stand at its row now.
            nodes = np.flatnonzero(comes_before(gaps, held, lists.gaps[-1], lists.index[-1] + 1))
        out[nodes] = self._joined(model, held, gaps, nodes) if self._with is None else self._with[nodes]
        return out

    def _prepare(self, model: KNNModel, held: int | None, dtype: Any) -> None:
        """Work out what stays the same while one sample is dragged."""
        lists, weights = self._lists, model.weights
        classes = None if model.classes is None else tuple(model.classes)
        code = None if held is None else model.outcomes[held]
        key = (lists.version, classes, code, weights, np.dtype(dtype))
        if key == self._key:
            return
        self._key = key
        others = model if held is None else model.without(held)
        found = _neighbourhood(model, lists.index, to_distance(lists.gaps, lists.metric))
        self._without = others.average(found).astype(dtype)
        self._with = None
        if weights == "uniform" and held is not None:
            # Where all votes are equal it doesn't matter how near the sample in hand is.
            nodes = np.arange(lists.gaps.shape[1])
            self._with = self._joined(model, held, np.zeros(len(nodes)), nodes).astype(dtype)

    def _joined(self, model: KNNModel, held: int, gaps: Array, nodes: NDArray[np.intp]) -> Array:
        """What is said at the nodes where the sample in hand, as far as gaps (all nodes,), is a neighbour."""
        lists = self._lists
        kept = min(lists.count, len(model.X)) - 1
        index = lists.index[:kept, nodes]
        index = np.concatenate((index + (index >= held), np.full((1, len(nodes)), held, dtype=np.int32)))
        near = np.concatenate((lists.gaps[:kept, nodes], gaps[None, nodes]))
        if kept == model.n_neighbors:  # the last one is not a neighbour, but tells how far their window is
            nearer = comes_before(near[kept], held, near[kept - 1], index[kept - 1])
            for array in (index, near):
                array[kept - 1 :, nearer] = array[kept - 1 :, nearer][::-1]
        return model.average(_neighbourhood(model, index, to_distance(near, lists.metric)))


def _asked(model: KNNModel) -> int:
    """How many samples of each node are to be known."""
    return model.n_neighbors + (model.weights in RELATIVE)


def _neighbourhood(model: KNNModel, index: NDArray[np.int32], distance: Array) -> Neighbourhood:
    if model.weights in RELATIVE:
        return with_reach(index, distance, model.n_neighbors)
    return Neighbourhood(index, distance)
