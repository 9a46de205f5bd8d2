"""k nearest neighbours (Fix and Hodges 1951; Cover and Hart 1967, doi:10.1109/TIT.1967.1053964)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Algorithm, Code
from mlviz.algorithms.checking import is_classes, refuse_distant, weighted_rows
from mlviz.algorithms.neighbors.knn.many_fits import KNNManyFits
from mlviz.algorithms.neighbors.knn.model import KNNClassifier, KNNModel, KNNRegressor
from mlviz.algorithms.traits import Trial
from mlviz.draw.overlays import centroids, regions
from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.distances import METRICS, gaps_on_grid, to_distance
from mlviz.numerics.grid import Grid
from mlviz.numerics.neighbors.lists import NeighbourLists, comes_before
from mlviz.numerics.neighbors.search import RELATIVE_WEIGHTS, Neighbourhood, canonical_order, with_reach
from mlviz.spec import choice, integer

_GRIDS = 2
"""This many grids are kept: the coarse one of a draft and the full one."""
_MOST = 4_000_000
"""With more neighbours than this on a grid nothing is kept."""


@dataclass(frozen=True)
class KNN(Algorithm):
    """The k nearest samples decide: by vote for a class, by their mean for a value.

    Nothing is learned but the samples themselves. With k = 1 each sample rules its own Voronoi cell; a larger k makes
    the boundary smoother, until with k = n and uniform weights the commonest class wins everywhere. With weights
    "distance" a neighbour at distance d has 1/d votes, and a sample hit exactly has them all. With "triangular" it has
    1 − d/r votes and with "Gaussian" exp(−2 (d/r)²), where r is the distance to the next sample after the k nearest (to
    the farthest of all where there are no more): a window that is always wide enough for k samples. The boundary of a
    triangle has no jumps, since a neighbour that leaves has no vote left.

    In the picture: each place has the colour of the class with most votes, the paler the smaller its lead over the
    second class is: with 3 of 5 votes against 2 the lead is 0.2, with 5 of 5 it is 1. Point at a place to see its
    neighbours, and the circle (Manhattan: diamond, Chebyshev: square) that just holds them, or where weights fall to
    the next sample, reaches to that one; then the area of a ring about each neighbour is its weight.

    For regression with one input the curve is the mean of the k nearest targets: it jumps wherever one neighbour takes
    the place of another (with weights "distance" less, and it passes through the samples). Point at a place to see the
    samples that are averaged there: they lie above and below a horizontal line, which reaches to both sides of the
    place as far as the farthest of them and stands as high as their mean. With two inputs the mean is a shade: blue
    where it is small, orange where it is large.

    Of equal votes the lower class wins; of equally near samples the one of lower class (or value) counts as nearer,
    so that the order of the table never matters. A sample of weight w casts up to w votes, as w copies of it would:
    the nearest samples vote until k votes are cast. Where there are fewer than k, all are asked.

    T. Cover and P. Hart, Nearest neighbor pattern classification, 1967, doi:10.1109/TIT.1967.1053964.
    """

    id = "knn"
    label = "k nearest neighbours"
    family = "Neighbours and centroids"
    tasks = ("classification", "regression")
    main = "n_neighbors"
    trials = (
        Trial("every point has its own cell", "moons", {"n_neighbors": 1}),
        Trial("how calm the boundary gets", "moons", {"n_neighbors": 25}),
        Trial("a curve of steps", "sine"),
    )
    overlays = (
        regions.regions,
        regions.value_field,
        centroids.nearest_cells,
        regions.boundary,
        regions.curve,
        regions.misclassified,
    )

    n_neighbors: int = integer(5, soft=(1, 25), valid=(1, None), label="k", help="how many neighbours are asked")
    metric: str = choice(
        *METRICS, help="how distance is measured: straight, along the axes, or by the input that differs most"
    )
    weights: str = choice(
        "uniform",
        "distance",
        *RELATIVE_WEIGHTS,
        help="all neighbours count the same, or nearer ones more: by 1/distance, or by a window up to the next sample",
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[KNNModel]:
        """Store the samples, sorted."""
        _, X, y, weights = weighted_rows(X, y, sample_weight)
        refuse_distant(X)
        order = canonical_order(y, X)
        X, y, weight = X[order], y[order], None if (weights == 1).all() else weights[order]
        asked = self.n_neighbors, self.metric, self.weights
        if is_classes(self, y):
            classes, codes = np.unique(y, return_inverse=True)
            yield KNNClassifier(*asked, X, y, codes.astype(np.int32), weight, classes)
        else:
            yield KNNRegressor(*asked, X, y, y.astype(np.float64), weight, None)

    def code(self, model: KNNModel) -> Code:
        """KNeighborsClassifier or KNeighborsRegressor, which want no more neighbours than there are."""
        name = "KNeighborsRegressor" if model.classes is None else "KNeighborsClassifier"
        imports, k = (f"from sklearn.neighbors import {name}",), min(self.n_neighbors, len(model.X))
        if self.weights not in RELATIVE_WEIGHTS:
            return Code(imports, (f'{name}(n_neighbors={k}, metric="{self.metric}", weights="{self.weights}")',))
        asked = min(self.n_neighbors + 1, len(model.X))
        before = (
            f"def window(d):  # of the distances to {asked} neighbours, the last of which gives the width",
            "    part = d / np.where(d[:, -1:] > 0, d[:, -1:], 1)",
            "    k = np.exp(-2 * part**2)" if self.weights == "gaussian" else "    k = 1 - part",
            "    k = np.where((k > 0).any(axis=1, keepdims=True), k, 1.0)",
            f"    return k * (np.arange({asked}) < {k})",
        )
        return Code(imports, (f'{name}(n_neighbors={asked}, metric="{self.metric}", weights=window)',), before)

    def follower(self) -> KNNFollower:
        """One that keeps the neighbours of every node of the grid."""
        return KNNFollower()

    def many_fits(self) -> KNNManyFits:
        """Those for all k by one sorted list."""
        return KNNManyFits()


class KNNFollower:
    """Remembers the neighbours of every node, so that a moving sample costs one comparison a node. Exact."""

    def __init__(self) -> None:
        self._grids: list[_FollowedGrid] = []

    def update(
        self, algorithm: KNN, X: Array, y: AnyArray | None, sample_weight: Array | None, deadline: float
    ) -> KNNModel:
        """The model, whose field will be worked out from the one before."""
        model: KNNModel = next(algorithm.steps(X, y, np.random.default_rng(0), sample_weight))
        return replace(model, memory=self)

    def field(self, model: KNNModel, grid: Grid, dtype: Any) -> Array:
        """What the neighbours of each node say, (nodes, c)."""
        if model.n_neighbors * len(grid.x) * len(grid.y) > _MOST:
            return model.answer(grid.points()).astype(dtype, copy=False)
        for followed in self._grids:
            if followed.fits(model, grid):
                return followed.field(model, dtype)
        self._grids = [*self._grids, _FollowedGrid(model, grid)][-_GRIDS:]
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
        said = classes, weights, np.dtype(dtype)
        key = said, lists.version, None if held is None else model.outcomes[held]
        if key == self._key:
            if weights == "uniform" and held is not None and self._with is None:
                # Where all votes are equal it doesn't matter how near the sample in hand is. A click asks but once.
                nodes = np.arange(lists.gaps.shape[1])
                self._with = self._joined(model, held, np.zeros(len(nodes)), nodes).astype(dtype)
            return
        nodes = np.flatnonzero(lists.changed) if self._key[:1] == (said,) else np.arange(len(lists.changed))
        others = model if held is None else model.without(held)
        gaps = to_distance(lists.gaps[:, nodes], lists.metric)
        found = others.average(_neighbourhood(model, lists.index[:, nodes], gaps)).astype(dtype)
        if len(nodes) == len(lists.changed):
            self._without = found
        else:
            self._without[nodes] = found
        lists.changed[:] = False
        self._key, self._with = key, None

    def _joined(self, model: KNNModel, held: int, gaps: Array, nodes: Labels) -> Array:
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
    return model.n_neighbors + (model.weights in RELATIVE_WEIGHTS)


def _neighbourhood(model: KNNModel, index: NDArray[np.int32], distance: Array) -> Neighbourhood:
    if model.weights in RELATIVE_WEIGHTS:
        return with_reach(index, distance, model.n_neighbors)
    return Neighbourhood(index, distance)
