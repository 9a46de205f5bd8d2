"""The inputs as they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mlviz.draw.marks import Mark
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid, as_dtype
from mlviz.pipeline.preprocessing.base import Preprocessing, Scaling


@dataclass(frozen=True, eq=False, kw_only=True)
class _Unchanged(Scaling):
    """Model coordinates are the inputs themselves: no array is made of them, and none of grids and marks."""

    learnt: ClassVar[bool] = False

    def to_model(self, X: Array) -> Array:
        """The places X (n, d)."""
        return as_dtype(X, np.float64)

    def grid(self, grid: Grid) -> Grid:
        """The grid as it is."""
        return grid

    def on_canvas(self, marks: Iterable[Mark], plane: Sequence[int] | None) -> tuple[Mark, ...]:
        """The marks as they are."""
        return tuple(marks)


@dataclass(frozen=True)
class NoPreprocessing(Preprocessing):
    """The inputs as they are."""

    id = "none"
    label = "none"
    rank = 0

    def learn(self, X: Array, sample_weight: Array | None = None) -> Scaling:
        """The transform that changes nothing."""
        return _Unchanged(scale=np.ones(X.shape[1]), shift=np.zeros(X.shape[1]))
