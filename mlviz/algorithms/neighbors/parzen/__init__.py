"""Parzen windows (Parzen 1962; Nadaraya 1964 and Watson 1964 for regression)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mlviz.algorithms.base import Algorithm, Code, Follower, Traits
from mlviz.algorithms.checking import is_classes, refuse_distant, weighted_rows
from mlviz.algorithms.neighbors.parzen.many_fits import ParzenManyFits
from mlviz.algorithms.neighbors.parzen.model import (
    ParzenClassifier,
    ParzenModel,
    ParzenRegressor,
    class_sums,
    target_sums,
)
from mlviz.algorithms.traits import Trial
from mlviz.draw.contours import contour, some_lines
from mlviz.draw.inks import RoleInk, Tone
from mlviz.draw.layer import OnGrid, overlay
from mlviz.draw.marks import Mark
from mlviz.draw.numbers import drawn_part
from mlviz.draw.overlays import regions
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.distances import distance_measure, gaps_on_grid
from mlviz.numerics.grid import Grid
from mlviz.numerics.neighbors.lists import differing_middle, left_out_row
from mlviz.numerics.neighbors.search import canonical_order, nearest
from mlviz.numerics.neighbors.windows import BOUNDED_WINDOWS, WINDOWS, WindowSums, sums_at, sums_on_grid, with_one_more
from mlviz.numerics.sampling import spread_subsample
from mlviz.spec import choice, real

MOST_SAMPLES = 10_000
"""Of more samples than this, so many are used."""
_NODES = 100
"""A line about discs is round enough with so many nodes a side."""
_GRIDS = 2
"""This many grids are kept: the coarse one of a draft and the full one."""


@overlay(
    "reach",
    "reach of the windows",
    "outside this line the window (box or triangle) is empty, and the nearest sample decides",
)
def reach_overlay(model: object, context: OnGrid) -> Sequence[Mark]:
    if context.algorithm.window not in BOUNDED_WINDOWS:
        return ()
    coarse = context.grid.every(1 if context.fine else max(1, max(context.grid.shape) // _NODES))
    _, distance = nearest(coarse.points(), context.X, 1, "euclidean")
    xy = contour(coarse, distance.reshape(coarse.shape), context.algorithm.width, fine=context.fine)
    return some_lines("reach", xy, "outside: no sample in the window")


@dataclass(frozen=True)
class Parzen(Algorithm):
    """All samples decide, each with the weight that a window about the place gives it.

    A sample at distance d has the weight k(d), h being the width:

        Gaussian     exp(−d² / (2h²))
        box          1 up to d = h, then 0
        triangular   1 − d/h up to d = h, then 0
        exponential  exp(−d/h)

    For classes, the probability of class j is its share of the weight, Σ k(|x − xᵢ|) over the samples of class j by the
    same sum over all samples. For values, the prediction is the weighted mean Σ k yᵢ / Σ k (Nadaraya and Watson). It is
    k nearest neighbours turned round: there the number of samples is fixed and their distance is not, here it is the
    distance. Nothing is learned but the samples.

    A small width follows each sample (as h goes to 0, a Gaussian window becomes the nearest neighbour), a large one
    smooths all away, until the mean of all samples is predicted everywhere. Take the width for which the leave-one-out
    error is smallest.

    In the picture: point at a place to see its window, a circle of radius h; of the Gaussian and the exponential, which
    never end, circles at h and 2h. A ring about each sample shows its weight by its area. With one input, the window is
    the horizontal segment, as high as the prediction.

    Where a box or triangle is empty, the nearest sample decides alone. A dotted line surrounds the places that have
    samples in their window; outside it, predictions are mere guesses. Far from all samples a Gaussian window
    gives nearly all the weight to the nearest, which is the same. An exponential one does not: the weights of two
    samples at the distances d and d + δ have the ratio exp(δ/h) however large d is.

    Reference: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 2nd edition (2009), sections 6.1
    and 6.6; E. Parzen, On estimation of a probability density function and mode, 1962, doi:10.1214/aoms/1177704472.
    """

    id = "parzen"
    label = "Parzen windows"
    family = "Neighbours and centroids"
    tasks = ("classification", "regression")
    main = "width"
    trials = (
        Trial("a boundary that follows the moons", "moons"),
        Trial("every point has its own island", "moons", {"width": 0.1}),
    )
    overlays = (
        regions.regions,
        regions.value_field,
        reach_overlay,
        regions.boundary,
        regions.curve,
        regions.misclassified,
    )
    traits = Traits(playable=False)
    inks = {"reach": RoleInk(Tone(pale=0.3), width=1.6, dash="dotted")}

    window: str = choice(*WINDOWS, help="how the weight of a sample falls with its distance")
    width: float = real(
        0.5,
        soft=(0.05, 5.0),
        valid=(1e-9, 1e9),
        log=True,
        label="h",
        help="how wide the window is: the radius of a box or triangle, the standard deviation of a Gaussian",
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[ParzenModel]:
        """Store the samples, sorted."""
        _, X, y, weights = weighted_rows(X, y, sample_weight)
        caveat = f"with {drawn_part(MOST_SAMPLES, len(X))}" if len(X) > MOST_SAMPLES else ""
        rows = spread_subsample(X, MOST_SAMPLES)
        refuse_distant(X[rows])
        rows = rows[canonical_order(y[rows], X[rows])]
        X, y, weight = X[rows], y[rows], weights[rows]
        kept: dict[str, Any] = {
            "window": self.window,
            "width": self.width,
            "caveat": caveat,
            "y": y,
            "sample_weight": weight,
        }
        if is_classes(self, y):
            classes, codes = np.unique(y, return_inverse=True)
            yield ParzenClassifier(samples=class_sums(X, codes, weight, len(classes)), classes=classes, **kept)
        else:
            middle = float(y.min() / 2 + y.max() / 2)
            yield ParzenRegressor(samples=target_sums(X, y, weight, middle), middle=middle, **kept)

    def code(self, model: ParzenModel) -> Code:
        """KNeighborsClassifier or KNeighborsRegressor with all samples as neighbours, weighted by the window."""
        name = "KNeighborsRegressor" if isinstance(model, ParzenRegressor) else "KNeighborsClassifier"
        values = {
            "gaussian": "np.exp(-(d**2 - d.min(axis=1, keepdims=True) ** 2) / (2 * h**2))",
            "box": "1.0 * (d <= h)",
            "triangular": "np.maximum(0, 1 - d / h)",
            "exponential": "np.exp(-(d - d.min(axis=1, keepdims=True)) / h)",
        }
        before = (
            f"h = {self.width!r}",
            "def window(d):  # the weights of all samples, at these distances; only their ratios count",
            f"    k = {values[self.window]}",
            "    return np.where(k.any(axis=1, keepdims=True), k, d == d.min(axis=1, keepdims=True))",
        )
        fit = f"{name}(n_neighbors=len(y), weights=window)"
        return Code((f"from sklearn.neighbors import {name}",), (fit,), before)

    def follower(self) -> Follower:
        """One that keeps the sums of all samples but the one in hand."""
        return ParzenFollower()

    def many_fits(self) -> ParzenManyFits:
        """Those without each of the samples by the sums of all."""
        return ParzenManyFits()


class ParzenFollower:
    """Remembers the sums of the others on each grid, to which the sample in hand is added. Exact."""

    def __init__(self) -> None:
        self._samples: Array = np.empty((0, 0))
        self._others: Array = np.empty((0, 0))
        self._held: int | None = None
        self._middle = 0.0
        self._kept: list[tuple[Any, Grid, WindowSums]] = []
        self._answered: tuple[Any, Array, WindowSums] | None = None

    def update(
        self, algorithm: Parzen, X: Array, y: AnyArray | None, sample_weight: Array | None, deadline: float
    ) -> ParzenModel:
        """The model, whose field will be worked out from the one before."""
        model: ParzenModel = next(algorithm.steps(X, y, np.random.default_rng(0), sample_weight))
        samples = np.column_stack((model.y, model.sample_weight, model.X))
        self._held = self._in_hand(samples)
        self._samples = samples
        if self._held is None:
            self._kept, self._answered = [], None
            return model
        if not self._kept and self._answered is None:
            self._middle = model.middle if isinstance(model, ParzenRegressor) else 0.0
        return replace(model.about(self._middle), memory=self)

    def _in_hand(self, samples: Array) -> int | None:
        """The row of the sample that moves, is new or was changed; None where it is not one sample alone."""
        if samples.shape[1] != self._samples.shape[1] or len(samples) < 2:
            return None
        held = left_out_row(samples, self._others) if self._others.shape[1] == samples.shape[1] else None
        if held is not None:
            return held
        held = _changed(samples, self._samples)
        if held is not None:
            self._others, self._kept, self._answered = np.delete(samples, held, axis=0), [], None
        return held

    def field(self, model: ParzenModel, grid: Grid, dtype: Any) -> AnyArray:
        """The sums at every node, (c, nodes)."""
        samples, window, width = model.samples, model.window, model.width
        assert self._held is not None
        key = (window, width, _channels(model), np.dtype(dtype))
        sums = next((sums for known, old, sums in self._kept if known == key and _same(old, grid)), None)
        if sums is None:
            sums = sums_on_grid(grid, samples.without(self._held), window, width, dtype)
            self._kept = [*self._kept, (key, grid, sums)][-_GRIDS:]
        gaps = gaps_on_grid(grid, samples.X[self._held], "euclidean").ravel()
        return with_one_more(sums, gaps, samples, self._held, window, width)

    def answer(self, model: ParzenModel, places: Array) -> AnyArray:
        """The sums at many places (q, d), most of which were asked for before, (c, q)."""
        samples, window, width = model.samples, model.window, model.width
        assert self._held is not None
        key = (window, width, _channels(model), places.shape)
        if self._answered is None or self._answered[0] != key:
            self._answered = key, places, sums_at(places, samples.without(self._held), window, width)
        _, known, sums = self._answered
        gaps = distance_measure(list((places - samples.X[self._held]).T), "euclidean")
        values = with_one_more(sums, gaps, samples, self._held, window, width)
        moved = np.flatnonzero((places != known).any(axis=1))
        values[:, moved] = sums_at(places[moved], samples, window, width).values
        return values


def _channels(model: ParzenModel) -> tuple[Any, ...]:
    """What the columns of the sums are about: the classes, or nothing that could change."""
    return tuple(model.classes) if isinstance(model, ParzenClassifier) else ()


def _same(a: Grid, b: Grid) -> bool:
    return np.array_equal(a.x, b.x) and np.array_equal(a.y, b.y)


def _changed(samples: Array, former: Array) -> int | None:
    """The one row of samples that is new, where at most one of the former rows is gone."""
    if len(samples) == len(former) + 1:
        return left_out_row(samples, former)
    if len(samples) != len(former):
        return None
    now, before = (Counter(map(tuple, part.tolist())) for part in differing_middle(samples, former))
    come = list((now - before).elements())
    return int(np.flatnonzero((samples == np.array(come[0])).all(axis=1))[0]) if len(come) == 1 else None
