"""The models of Parzen windows: the samples themselves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from mlviz.algorithms.base import SAMPLES_STORED, Model, ModelFact
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.marks import Lines, Mark, Segments, Text
from mlviz.draw.numbers import counted, number, share
from mlviz.draw.overlays.evidence import weight_rings
from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.distances import distance_measure, pairwise, reach, sphere
from mlviz.numerics.grid import Grid, as_dtype, precise_enough
from mlviz.numerics.neighbors.windows import BOUNDED_WINDOWS, WindowSamples, sums_at, sums_on_grid, weights_at

MOST_LEFT_OUT = 600
"""Up to so many samples, each is predicted by the others."""
WEIGHTS_SHOWN = 80
"""How many samples have their weights shown at the most, the heaviest ones."""
_LIGHTEST = 0.08
"""A weight of a smaller share of the largest one is not shown."""


class SumMemory(Protocol):
    """Who remembers the sums of all samples but one, at nodes and places."""

    def field(self, model: Any, grid: Grid, dtype: Any) -> AnyArray:
        """The model's sums at every node, (c, nodes)."""

    def answer(self, model: Any, places: Array) -> AnyArray:
        """The model's sums at places (q, d), (c, q)."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ParzenModel(Model):
    """The samples, sorted by target and then by place: X (n, d), y (n,), sample_weight (n,)."""

    window: str
    width: float
    samples: WindowSamples
    y: AnyArray
    sample_weight: Array
    caveat: str
    memory: SumMemory | None = None

    field = "predict_proba"

    known_facts = (
        SAMPLES_STORED,
        ModelFact(
            "leave-one-out error",
            lambda m: m.leave_one_out_error,
            "Share of samples that the others put into a wrong class; for up to 600 samples, once the hand rests.",
            unit="share",
        ),
        ModelFact(
            "leave-one-out RMSE",
            lambda m: m.leave_one_out_rmse,
            "Root of the mean squared error at each sample by the others; for up to 600 samples, once the hand rests.",
        ),
        ModelFact(
            "samples in a window",
            lambda m: m.samples_in_a_window,
            "How many samples there are in the window about a sample, on average, itself included.",
        ),
    )

    @property
    def X(self) -> Array:
        """(n, d)."""
        return self.samples.X

    @property
    def cost(self) -> int:  # type: ignore[override]
        """An exponential or a root for each sample."""
        return 4 * len(self.X)

    @property
    def jumps(self) -> bool:  # type: ignore[override]
        """Where samples enter or leave the window."""
        return self.window in BOUNDED_WINDOWS

    def answer(self, X: Array, alone: bool = False) -> Array:
        """The sums at the rows of X (q, d), (c, q)."""
        places = np.asarray(X, dtype=np.float64)
        if self.memory is not None and len(places) >= len(self.X):
            return self.memory.answer(self, places)
        return sums_at(places, self.samples, self.window, self.width, alone=alone).values

    def _grid_answer(self, grid: Grid, dtype: Any) -> AnyArray:
        if self.memory is not None:
            return self.memory.field(self, grid, dtype)
        return sums_on_grid(grid, self.samples, self.window, self.width, dtype).values

    @property
    def _judges_itself(self) -> bool:
        """Whether there is time for it: not in a drag."""
        return self.memory is None and 1 < len(self.X) <= MOST_LEFT_OUT

    @property
    def leave_one_out_error(self) -> float | None:
        """The share of samples that the others put into a wrong class."""
        return None

    @property
    def leave_one_out_rmse(self) -> float | None:
        """The root of the mean squared error at each sample by the others."""
        return None

    @property
    def samples_in_a_window(self) -> float | None:
        """How many samples the windows about samples hold, on average, where they end."""
        if not self._judges_itself or self.window not in BOUNDED_WINDOWS:
            return None
        inside = distance_measure([column[:, None] - column for column in self.X.T], "euclidean") <= self.width**2
        return float(inside.sum(axis=1).mean())

    def about(self, middle: float) -> ParzenModel:
        """The same, with that taken from the targets, where they are numbers."""
        return self

    def shares(self, x: Array) -> tuple[Array, Array]:
        """Each sample's share of the weight at x (d,), (n,), and its distance from there (n,)."""
        share = self.sample_weight * weights_at(x, self.X, self.window, self.width)
        return share / share.sum(), pairwise(x[None], self.X)[0]

    def _told(self, shares: Array, distance: Array) -> str:
        """Who has the weight, in words."""
        h, nearest = self.width, float(distance.min())
        away = number(nearest, beside=reach(self.X))
        if self.window not in BOUNDED_WINDOWS:
            part = float(shares[distance == nearest].sum())
            return f"the nearest sample, {away} away, has {share(part)} of the weight"
        count = int((distance <= h).sum())
        if not shares[distance <= h].sum() > 0:
            return f"no sample within {number(h)}, so that the nearest one decides, {away} away"
        return f"{counted(count, 'sample')} within {number(h)}"

    def _evidence(self, x: Array, share: Array, here: Array, places: Array) -> tuple[Mark, ...]:
        """The window about `here`, and rings about the samples at places (n, 2) whose area is their weight."""
        heavy = np.argsort(-share, kind="stable")[:WEIGHTS_SHOWN]
        heavy = heavy[share[heavy] >= _LIGHTEST * share.max()]
        h = self.width
        radii = (h,) if self.window in BOUNDED_WINDOWS else (h, 2 * h)
        links = Segments("neighbour", places[heavy], np.tile(here, (len(heavy), 1)))
        rings = weight_rings(places[heavy], share[heavy])
        if len(x) == 1:
            return Lines("neighbour", here + np.array([(-radii[-1], 0.0), (radii[-1], 0.0)])), links, rings
        rims = [Lines("neighbour", sphere(x, radius, "euclidean")) for radius in radii]
        tops = x + np.array([(0.0, radius) for radius in radii])
        return *rims, links, rings, Text("neighbour", tops, ("h", "2h")[: len(radii)], centered=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class ParzenClassifier(ParzenModel):
    """The classes' shares of the weight."""

    classes: AnyArray

    def predict_proba(self, X: Array) -> Array:
        """The share of the weight of each class, (q, c)."""
        sums = self.answer(X)
        return np.asarray((sums / sums.sum(axis=0)).T)

    def predict(self, X: Array) -> AnyArray:
        """The class with most weight, (q,); of equal ones the first."""
        return np.asarray(self.classes[np.argmax(self.answer(X), axis=0)])

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The share of the weight of each class at every node, (ny, nx, c)."""
        sums = self._grid_answer(grid, dtype)
        return np.moveaxis((sums / sums.sum(axis=0)).astype(dtype, copy=False).reshape(-1, *grid.shape), 0, -1)

    @property
    def leave_one_out_error(self) -> float | None:
        """The share of samples that the others put into a wrong class."""
        if not self._judges_itself:
            return None
        return float(np.mean(self.classes[np.argmax(self.answer(self.X, alone=True), axis=0)] != self.y))

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The shares of the weight, and who has it."""
        shares, distance = self.shares(x)
        by_class = np.array([shares[self.y == c].sum() for c in self.classes])
        best = int(np.searchsorted(self.classes, self.predict(x[None])[0]))
        rest = [k for k in np.argsort(-by_class, kind="stable").tolist() if k != best and by_class[k] >= 0.005]
        parts = "".join(f", {names.of_class(self.classes[k])} has {share(by_class[k])}" for k in rest)
        told = self._told(shares, distance)
        sentence = f"{names.of_class(self.classes[best])} has {share(by_class[best])} of the weight{parts}; {told}."
        return Explanation(sentence, self._evidence(x, shares, x, self.X) if len(x) == 2 else (), measured=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class ParzenRegressor(ParzenModel):
    """The weighted mean of the targets."""

    middle: float
    """What is taken from the targets before they are summed up: small numbers keep their digits."""

    field = "predict"

    def about(self, middle: float) -> ParzenRegressor:
        """The same, with that taken from the targets."""
        return replace(self, middle=middle, samples=target_sums(self.X, self.y, self.sample_weight, middle))

    def predict(self, X: Array) -> Array:
        """The weighted mean, (q,)."""
        return self._mean(self.answer(X))

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The weighted mean at every node, (ny, nx)."""
        work = precise_enough(dtype, max(float(np.abs(self.y).max()), float(np.abs(self.samples.V).max())))
        return as_dtype(self._mean(self._grid_answer(grid, work)), dtype).reshape(grid.shape)

    def _mean(self, sums: AnyArray) -> AnyArray:
        return np.asarray(sums[1] / sums[0] + self.middle)

    @property
    def leave_one_out_rmse(self) -> float | None:
        """The root of the mean squared error at each sample by the others."""
        if not self._judges_itself:
            return None
        squares = (self._mean(self.answer(self.X, alone=True)) - self.y) ** 2
        return float(np.sqrt(np.average(squares, weights=self.sample_weight)))

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The weighted mean, and who has the weight."""
        shares, distance = self.shares(x)
        value = float(self.predict(x[None])[0])
        marks: tuple[Mark, ...] = ()
        if len(x) == 1:
            marks = self._evidence(x, shares, np.array([x[0], value]), np.column_stack((self.X, self.y)))
        elif len(x) == 2:
            marks = self._evidence(x, shares, x, self.X)
        return Explanation(
            f"{number(value, 4, float(np.abs(self.y).max()))}, the weighted mean; {self._told(shares, distance)}.",
            marks,
            measured=True,
        )


def class_sums(X: Array, codes: Labels, weight: Array, k: int) -> WindowSamples:
    """Samples of which the weights of each of k classes are summed up."""
    V = np.zeros((len(X), k))
    V[np.arange(len(X)), codes] = weight
    return WindowSamples(X, V, k)


def target_sums(X: Array, y: Array, weight: Array, middle: float) -> WindowSamples:
    """Samples of which the weights, and the weighted targets less `middle`, are summed up."""
    return WindowSamples(X, np.column_stack((weight, weight * (y - middle))), 1)
