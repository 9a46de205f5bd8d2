"""The models of k nearest neighbours: the samples themselves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from mlviz.algorithms.base import SAMPLES_STORED, Model, ModelFact
from mlviz.draw.layer import UNNAMED, Explanation, Names, opened
from mlviz.draw.marks import Lines, Mark, Segments
from mlviz.draw.numbers import number, share
from mlviz.draw.overlays.centroids import MOST_CELLS
from mlviz.draw.overlays.evidence import weight_rings
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.distances import reach, sphere
from mlviz.numerics.grid import Grid, as_dtype
from mlviz.numerics.neighbors.search import RELATIVE_WEIGHTS, Neighbourhood, Search, with_reach

_AT_ONCE = 4_000_000
"""How many neighbours are held in memory at a time."""


class NeighbourMemory(Protocol):
    """Who remembers the neighbours of the nodes of a grid."""

    def field(self, model: Any, grid: Grid, dtype: Any) -> Array:
        """What the model says at every node, (nodes, c)."""


@dataclass(frozen=True, eq=False)
class KNNModel(Model):
    """The samples themselves, sorted by target and then by place: X (n, d), y (n,)."""

    n_neighbors: int
    metric: str
    weights: str
    X: Array
    y: AnyArray
    outcomes: AnyArray
    """(n,) what is averaged or counted: the values, or the index of each class in `classes`."""
    sample_weight: Array | None
    classes: AnyArray | None
    """(c,) the sorted classes; None for regression."""
    memory: NeighbourMemory | None = None

    field = "predict_proba"

    known_facts = (
        SAMPLES_STORED,
        ModelFact(
            "note",
            lambda m: f"fewer than {m.n_neighbors} samples: all of them are asked" if m.votes < m.n_neighbors else None,
            "All samples are neighbours of every place, because there are fewer than k.",
        ),
    )

    @property
    def votes(self) -> float:
        """How many votes all samples have together."""
        return float(len(self.X) if self.sample_weight is None else self.sample_weight.sum())

    def without(self, row: int) -> KNNModel:
        """The model without one of its samples; its classes stay possible."""
        return replace(self, X=np.delete(self.X, row, 0), outcomes=np.delete(self.outcomes, row))

    def average(self, neighbourhood: Neighbourhood) -> Array:
        """What the neighbours say together, (q, c)."""
        raise NotImplementedError

    def answer(self, X: Array) -> Array:
        """What the neighbours of the rows of X (q, d) say together, (q, c)."""
        queries = np.asarray(X, dtype=np.float64)
        first = min(self.n_neighbors, len(self.X))
        if self.sample_weight is None and len(queries) * first <= _AT_ONCE:
            return self.average(self._around(queries, first))
        out = np.empty((len(queries), 1 if self.classes is None else len(self.classes)))
        relative = self.weights in RELATIVE_WEIGHTS
        pending = [(np.arange(len(queries)), first)]
        while pending:
            rows, count = pending.pop()
            if len(rows) * count > _AT_ONCE and len(rows) > 1:
                pending += [(half, count) for half in np.array_split(rows, 2)]
                continue
            found = self._around(queries[rows], count)
            out[rows] = self.average(found)
            if self.sample_weight is not None and count < len(self.X):
                # Samples of small weight: those queries that have not yet met k votes look further.
                met = self.sample_weight[found.index].sum(axis=0)
                short = rows[met <= self.n_neighbors if relative else met < self.n_neighbors]
                pending += [(short, min(2 * count, len(self.X)))] if len(short) else []
        return out

    @cached_property
    def _search(self) -> Search:
        return Search(self.X, self.metric)

    def _around(self, queries: Array, count: int) -> Neighbourhood:
        relative = self.weights in RELATIVE_WEIGHTS
        index, distance = self._search.nearest(queries, count + relative)
        if self.sample_weight is None:
            return with_reach(index, distance, count) if relative else Neighbourhood(index, distance)
        weight = self.sample_weight[index]
        before = np.cumsum(weight, axis=0) - weight
        share = np.clip(self.n_neighbors - before, 0, weight)
        # The vote after the last one may be another of the same sample.
        next_one = np.minimum((before + weight <= self.n_neighbors).sum(axis=0), len(index) - 1)
        return Neighbourhood(index, distance, share, distance[next_one, np.arange(len(next_one))])

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The share of the votes at every node, (ny, nx, c), or the mean target of the neighbours, (ny, nx)."""
        if self.memory is not None and self.sample_weight is None:
            found = self.memory.field(self, grid, dtype)
        else:
            found = as_dtype(self.answer(grid.points()), dtype)
        return found.reshape(grid.shape if self.classes is None else (*grid.shape, -1))

    def _evidence(self, x: Array) -> tuple[Neighbourhood, tuple[Mark, ...]]:
        """The neighbourhood of x (d,), and the marks that show it, for one or two inputs."""
        found = self._around(x[None, :], len(self.X) if self.sample_weight is not None else self.n_neighbors)
        if found.share is not None:
            asked = found.share[:, 0] > 0
            found = Neighbourhood(found.index[asked], found.distance[asked], found.share[asked], found.reach)
        return found, self._drawn(x, found, x, self.X[found.index[:, 0]]) if len(x) == 2 else ()

    def _reach(self, found: Neighbourhood) -> str:
        size = reach(self.X)
        told = dict.fromkeys(number(away, beside=size) for away in found.distance[[0, -1], 0].tolist())
        return f"distance{'s' * (len(found.index) > 1)} {' to '.join(told)}."

    def _drawn(self, x: Array, found: Neighbourhood, here: Array, places: Array) -> tuple[Mark, ...]:
        """The neighbourhood of x about `here`, and its samples at places (m, 2): rings whose area is their weight."""
        relative = self.weights in RELATIVE_WEIGHTS and found.reach is not None
        radius = float(found.reach[0] if relative and found.reach is not None else found.distance[-1, 0])
        outline = sphere(x, radius, self.metric) if len(x) == 2 else here + np.array([(-radius, 0.0), (radius, 0.0)])
        links = Segments("neighbour", places, np.tile(here, (len(places), 1)), label="neighbours")
        marks: tuple[Mark, ...] = (Lines("neighbour", outline), links)
        weight = found.influence(self.weights)
        if self.weights == "uniform" or weight is None:
            return marks
        return (*marks, weight_rings(places, weight[:, 0]))


@dataclass(frozen=True, eq=False)
class KNNClassifier(KNNModel):
    """Vote of the nearest samples."""

    classes: AnyArray
    jumps = True

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """That the cells of so many samples are not drawn."""
        has_cells = (self.n_neighbors, self.metric) == (1, "euclidean")
        return "too many samples for Voronoi cells" if has_cells and len(self.X) > MOST_CELLS else ""

    def average(self, neighbourhood: Neighbourhood) -> Array:
        """The share of the votes for each class, (q, c)."""
        codes = self.outcomes.take(neighbourhood.index)
        influence = neighbourhood.influence(self.weights)
        votes = np.empty((codes.shape[1], len(self.classes)))
        for c in range(len(self.classes)):
            cast = (codes == c) if influence is None else influence * (codes == c)
            votes[:, c] = cast.sum(axis=0, dtype=np.int32 if influence is None else np.float64)
        return np.asarray(votes / (len(codes) if influence is None else votes.sum(axis=-1, keepdims=True)))

    def predict_proba(self, X: Array) -> Array:
        """The share of the votes for each class, (q, c)."""
        return self.answer(X)

    def predict(self, X: Array) -> AnyArray:
        """The class with most votes, (q,); of equal ones the first."""
        return np.asarray(self.classes[np.argmax(self.answer(X), axis=1)])

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """Who votes for what, and from how far."""
        found, marks = self._evidence(x)
        shares = self.average(found)[0]
        best = int(np.argmax(shares))
        tied = " (a tie, decided for the first class)" if (shares == shares[best]).sum() > 1 else ""
        votes = ", ".join(
            f"{share(part)} {names.of_class(c)}" for c, part in zip(self.classes, shares, strict=True) if part > 0
        )
        vote = "votes" if len(found.index) == 1 else "vote"
        weighted = "" if found.influence(self.weights) is None else " by weight"
        sentence = f"T{_of(found)[1:]} {vote} {votes}{weighted}; {self._reach(found)}"
        return opened(
            f"{names.of_class(self.classes[best])}{tied}", lambda threshold: Explanation(sentence, marks, measured=True)
        )


@dataclass(frozen=True, eq=False)
class KNNRegressor(KNNModel):
    """Mean of the nearest samples' targets."""

    field = "predict"

    def average(self, neighbourhood: Neighbourhood) -> Array:
        """The mean of the targets, (q, 1)."""
        influence = neighbourhood.influence(self.weights)
        values = self.outcomes.take(neighbourhood.index)
        if influence is None:
            return np.asarray(values.mean(axis=0)[:, None])
        return np.asarray(((influence * values).sum(axis=0) / influence.sum(axis=0))[:, None])

    def predict(self, X: Array) -> Array:
        """The mean target of the neighbours, (q,)."""
        return self.answer(X)[:, 0]

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """Whose targets are averaged, and from how far they come."""
        found, marks = self._evidence(x)
        value = float(self.average(found)[0, 0])
        if len(x) == 1:
            rows = found.index[:, 0]
            samples = np.column_stack((self.X[rows], self.outcomes[rows]))
            marks = self._drawn(x, found, np.array([x[0], value]), samples)
        mean = "mean" if found.influence(self.weights) is None else "weighted mean"
        return Explanation(
            f"{number(value, 4, float(np.abs(self.outcomes).max()))}, the {mean} of {_of(found)}; {self._reach(found)}",
            marks,
            measured=True,
        )


def _of(found: Neighbourhood) -> str:
    n = len(found.index)
    return "the one nearest sample" if n == 1 else f"the {n} nearest samples"
