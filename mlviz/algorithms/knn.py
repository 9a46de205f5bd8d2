"""k nearest neighbours (Fix and Hodges 1951; Cover and Hart 1967, doi:10.1109/TIT.1967.1053964)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Algorithm, CannotFit, Code, Model, is_classes
from mlviz.algorithms.knn_follower import KNNFollower
from mlviz.draw import overlays
from mlviz.draw.context import Explanation
from mlviz.draw.marks import Lines, Mark, Segments
from mlviz.draw.voronoi import MOST_CELLS, nearest_cells
from mlviz.numerics.distances import FARTHEST, METRICS, sphere
from mlviz.numerics.grid import Array, Grid
from mlviz.numerics.neighbours import Neighbourhood, Search, canonical_order
from mlviz.spec import choice, integer

AT_ONCE = 4_000_000
"""How many neighbours are held in memory at a time."""


@dataclass(frozen=True)
class KNN(Algorithm):
    """The k nearest samples decide: by vote for a class, by their mean for a value.

    Nothing is learned but the samples themselves. With k = 1 each sample rules its own Voronoi cell; a larger k makes
    the boundary smoother, until with k = n and uniform weights the commonest class wins everywhere. With weights
    "distance" a neighbour at distance d has 1/d votes, and a sample hit exactly has them all.

    In the picture: each place has the colour of the class with most votes, the paler the smaller its lead over the
    second class is: with 3 of 5 votes against 2 the lead is 0.2, with 5 of 5 it is 1. Point at a place to see its
    neighbours, and the circle (Manhattan: diamond, Chebyshev: square) that just holds them.

    For regression with one input the curve is the mean of the k nearest targets: it jumps wherever one neighbour takes
    the place of another (with weights "distance" less, and it passes through the samples). Point at a place to see the
    samples that are averaged there: they lie above and below a horizontal line, which reaches to both sides of the
    place as far as the farthest of them and stands as high as their mean. With two inputs the mean is a shade: blue
    where it is large, orange where it is small.

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
    field = "predict_proba"
    overlays = (
        overlays.regions,
        overlays.value_field,
        nearest_cells,
        overlays.boundary,
        overlays.curve,
        overlays.misclassified,
    )

    fact_help = (
        ("samples stored", "The model is these samples: nothing else is learned."),
        ("note", "All samples are neighbours of every place, because there are fewer than k."),
    )

    n_neighbors: int = integer(5, soft=(1, 25), valid=(1, None), label="k", help="how many neighbours are asked")
    metric: str = choice(*METRICS, help="how distance is measured: straight, along the axes, or the larger coordinate")
    weights: str = choice("uniform", "distance", help="all neighbours count the same, or nearer ones more (1/distance)")

    def steps(
        self, X: Array, y: NDArray[Any] | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[KNNModel]:
        """Store the samples, sorted."""
        if y is None:
            raise CannotFit("k nearest neighbours needs a target.")
        if sample_weight is not None:
            keep = sample_weight > 0
            X, y, sample_weight = X[keep], y[keep], sample_weight[keep]
            if (sample_weight == 1).all():
                sample_weight = None
        if not len(X):
            raise CannotFit("There are no samples yet.")
        if np.ptp(X, axis=0).max() > FARTHEST:
            raise CannotFit("The samples are too far apart to compute distances between them.")
        order = canonical_order(y, X)
        X, y = X[order], y[order]
        weight = None if sample_weight is None else sample_weight[order]
        if is_classes(self, y):
            classes, codes = np.unique(y, return_inverse=True)
            yield KNNClassifier(self, X, y, codes.astype(np.int32), weight, classes)
        else:
            yield KNNRegressor(self, X, y, y.astype(np.float64), weight, None)

    def code(self, model: KNNModel) -> Code:
        """KNeighborsClassifier or KNeighborsRegressor, which want no more neighbours than there are."""
        name = "KNeighborsRegressor" if model.classes is None else "KNeighborsClassifier"
        k = min(self.n_neighbors, len(model.X))
        arguments = f'n_neighbors={k}, metric="{self.metric}", weights="{self.weights}"'
        return Code((f"from sklearn.neighbors import {name}",), (f"{name}({arguments})",))

    def follower(self) -> KNNFollower:
        """One that keeps the neighbours of every node of the grid."""
        return KNNFollower()


@dataclass(frozen=True, eq=False)
class KNNModel(Model):
    """The samples themselves, sorted by target and then by place: X (n, d), y (n,)."""

    algorithm: KNN
    X: Array
    y: NDArray[Any]
    outcomes: NDArray[Any]
    """(n,) what is averaged or counted: the values, or the index of each class in `classes`."""
    sample_weight: Array | None
    classes: NDArray[Any] | None
    """(c,) the sorted classes; None for regression."""
    memory: KNNFollower | None = None

    def facts(self) -> dict[str, Any]:
        """Samples stored, and a note where they are fewer than the neighbours asked for."""
        total = float(len(self.X) if self.sample_weight is None else self.sample_weight.sum())
        found: dict[str, Any] = {"samples stored": len(self.X)}
        if total < self.algorithm.n_neighbors:
            found["note"] = f"fewer than {self.algorithm.n_neighbors} samples: all of them are asked"
        return found

    def without(self, row: int) -> KNNModel:
        """The model without one of its samples; its classes stay possible."""
        return dataclasses.replace(self, X=np.delete(self.X, row, 0), outcomes=np.delete(self.outcomes, row))

    def average(self, neighbourhood: Neighbourhood) -> Array:
        """What the neighbours say together, (q, c)."""
        raise NotImplementedError

    def answer(self, X: Array) -> Array:
        """What the neighbours of the rows of X (q, d) say together, (q, c)."""
        queries = np.asarray(X, dtype=np.float64)
        first = min(self.algorithm.n_neighbors, len(self.X))
        if self.sample_weight is None and len(queries) * first <= AT_ONCE:
            return self.average(self._around(queries, first))
        out = np.empty((len(queries), 1 if self.classes is None else len(self.classes)))
        pending = [(np.arange(len(queries)), first)]
        while pending:
            rows, count = pending.pop()
            if len(rows) * count > AT_ONCE and len(rows) > 1:
                pending += [(half, count) for half in np.array_split(rows, 2)]
                continue
            found = self._around(queries[rows], count)
            out[rows] = self.average(found)
            if self.sample_weight is not None and count < len(self.X):
                # Samples of small weight: those queries that have not yet met k votes look further.
                short = rows[self.sample_weight[found.index].sum(axis=0) < self.algorithm.n_neighbors]
                pending += [(short, min(2 * count, len(self.X)))] if len(short) else []
        return out

    @cached_property
    def _search(self) -> Search:
        return Search(self.X, self.algorithm.metric)

    def _around(self, queries: Array, count: int) -> Neighbourhood:
        index, distance = self._search.nearest(queries, count)
        if self.sample_weight is None:
            return Neighbourhood(index, distance)
        weight = self.sample_weight[index]
        before = np.cumsum(weight, axis=0) - weight
        return Neighbourhood(index, distance, np.clip(self.algorithm.n_neighbors - before, 0, weight))

    def _grid_answer(self, grid: Grid, dtype: Any) -> Array:
        if self.memory is not None and self.sample_weight is None:
            return self.memory.field(self, grid, dtype)
        return self.answer(grid.points()).astype(dtype, copy=False)

    def _evidence(self, x: Array) -> tuple[Neighbourhood, tuple[Mark, ...]]:
        """The neighbourhood of x (d,), and the marks that show it, for one or two inputs."""
        found = self._around(x[None, :], len(self.X) if self.sample_weight is not None else self.algorithm.n_neighbors)
        if found.share is not None:
            asked = found.share[:, 0] > 0
            found = Neighbourhood(found.index[asked], found.distance[asked], found.share[asked])
        places, radius = self.X[found.index[:, 0]], float(found.distance[-1, 0])
        if len(x) != 2:
            return found, ()
        links = Segments("neighbour", places, np.broadcast_to(x, places.shape).copy(), label="neighbours")
        return found, (Lines("neighbour", sphere(x, radius, self.algorithm.metric)), links)


@dataclass(frozen=True, eq=False)
class KNNClassifier(KNNModel):
    """Vote of the nearest samples."""

    classes: NDArray[Any]
    field = "predict_proba"
    jumps = True

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """That the cells of so many samples are not drawn."""
        has_cells = (self.algorithm.n_neighbors, self.algorithm.metric) == (1, "euclidean")
        return "too many samples for Voronoi cells" if has_cells and len(self.X) > MOST_CELLS else ""

    def average(self, neighbourhood: Neighbourhood) -> Array:
        """The share of the votes for each class, (q, c)."""
        codes = self.outcomes.take(neighbourhood.index)
        influence = neighbourhood.influence(self.algorithm.weights)
        votes = np.empty((codes.shape[1], len(self.classes)))
        for c in range(len(self.classes)):
            cast = (codes == c) if influence is None else influence * (codes == c)
            votes[:, c] = cast.sum(axis=0, dtype=np.int32 if influence is None else np.float64)
        return np.asarray(votes / (len(codes) if influence is None else votes.sum(axis=-1, keepdims=True)))

    def predict_proba(self, X: Array) -> Array:
        """The share of the votes for each class, (q, c)."""
        return self.answer(X)

    def predict(self, X: Array) -> NDArray[Any]:
        """The class with most votes, (q,); of equal ones the first."""
        return np.asarray(self.classes[np.argmax(self.answer(X), axis=1)])

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> NDArray[Any]:
        """The share of the votes at every node, (ny, nx, c)."""
        return self._grid_answer(grid, dtype).reshape(*grid.shape, -1)

    def explain(self, x: Array) -> Explanation:
        """Who votes for what, and from how far."""
        found, marks = self._evidence(x)
        share = self.average(found)[0]
        best = int(np.argmax(share))
        tied = " (a tie, decided for the first class)" if (share == share[best]).sum() > 1 else ""
        votes = ", ".join(f"{s:.0%} class {c}" for c, s in zip(self.classes, share, strict=True) if s > 0)
        vote = "votes" if len(found.index) == 1 else "vote"
        return Explanation(f"class {self.classes[best]}{tied}: {_of(found)} {vote} {votes}; {_reach(found)}", marks)


@dataclass(frozen=True, eq=False)
class KNNRegressor(KNNModel):
    """Mean of the nearest samples' targets."""

    field = "predict"

    def average(self, neighbourhood: Neighbourhood) -> Array:
        """The mean of the targets, (q, 1)."""
        influence = neighbourhood.influence(self.algorithm.weights)
        values = self.outcomes.take(neighbourhood.index)
        if influence is None:
            return np.asarray(values.mean(axis=0)[:, None])
        return np.asarray(((influence * values).sum(axis=0) / influence.sum(axis=0))[:, None])

    def predict(self, X: Array) -> Array:
        """The mean target of the neighbours, (q,)."""
        return self.answer(X)[:, 0]

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> NDArray[Any]:
        """The mean target of the neighbours at every node, (ny, nx)."""
        return self._grid_answer(grid, dtype).reshape(grid.shape)

    def explain(self, x: Array) -> Explanation:
        """Whose targets are averaged, and from how far they come."""
        found, marks = self._evidence(x)
        value = float(self.average(found)[0, 0])
        if len(x) == 1:
            rows, radius = found.index[:, 0], float(found.distance[-1, 0])
            here = np.array([x[0], value])
            samples = np.column_stack((self.X[rows], self.outcomes[rows]))
            window = np.array([[x[0] - radius, value], [x[0] + radius, value]])
            links = Segments("neighbour", samples, np.broadcast_to(here, samples.shape).copy(), label="neighbours")
            marks = (Lines("neighbour", window), links)
        return Explanation(f"{value:.4g}, the mean of {_of(found)}; {_reach(found)}", marks)


def _of(found: Neighbourhood) -> str:
    n = len(found.index)
    return "the one nearest sample" if n == 1 else f"the {n} nearest samples"


def _reach(found: Neighbourhood) -> str:
    near, far = found.distance[0, 0], found.distance[-1, 0]
    return f"distance {near:.3g}." if len(found.index) == 1 else f"distances {near:.3g} to {far:.3g}."
