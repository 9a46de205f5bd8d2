"""What keeps Parzen windows in step with the hand: the sums of all samples but the one that moves."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.neighbors.parzen.model import ParzenClassifier, ParzenModel, ParzenRegressor
from mlviz.numerics.arrays import Array
from mlviz.numerics.distances import distance_measure, gaps_on_grid
from mlviz.numerics.grid import Grid
from mlviz.numerics.neighbors.lists import differing_middle, left_out_row
from mlviz.numerics.neighbors.windows import WindowSums, sums_at, sums_on_grid, with_one_more

GRIDS = 2
"""This many grids are kept: the coarse one of a draft and the full one."""


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
        self, algorithm: Any, X: Array, y: NDArray[Any] | None, sample_weight: Array | None, deadline: float
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
        return dataclasses.replace(model.about(self._middle), memory=self)

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

    def field(self, model: ParzenModel, grid: Grid, dtype: Any) -> NDArray[Any]:
        """The sums at every node, (c, nodes)."""
        samples, window, width = model.samples, model.window, model.width
        assert self._held is not None
        key = (window, width, _channels(model), np.dtype(dtype))
        sums = next((sums for known, old, sums in self._kept if known == key and _same(old, grid)), None)
        if sums is None:
            sums = sums_on_grid(grid, samples.without(self._held), window, width, dtype)
            self._kept = [*self._kept, (key, grid, sums)][-GRIDS:]
        gaps = gaps_on_grid(grid, samples.X[self._held], "euclidean").ravel()
        return with_one_more(sums, gaps, samples, self._held, window, width)

    def answer(self, model: ParzenModel, places: Array) -> NDArray[Any]:
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
    if len(come) != 1:
        return None
    return int(np.flatnonzero((samples == np.array(come[0])).all(axis=1))[0])
