"""The ANOVA kernel of order one: Schölkopf and Smola, Learning with Kernels (2002), section 13.2."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Kernel
from mlviz.numerics.kernels.on_grid import SeparableFactors


@dataclass(frozen=True)
class Anova(Kernel):
    """k(x, x') = sum_j kernel(x_j, x'_j): one part for each input alone."""

    kernel: Kernel
    pairs = 2

    @property
    def shifts_into_offset(self) -> bool:
        """Whether the kernel does."""
        return self.kernel.shifts_into_offset

    def matrix(self, A: NDArray[Any], B: NDArray[Any]) -> NDArray[Any]:
        """k(a, b) for the rows of A and B."""
        return reduce(np.add, (self.kernel.matrix(a, b) for a, b in _inputs(A, B)))

    def diagonal(self, A: Array) -> Array:
        """k(a, a) for the rows of A."""
        return reduce(np.add, (self.kernel.diagonal(a) for (a,) in _inputs(A)))

    def slopes(self, X: Array, centers: Array, weights: Array) -> Array:
        """The weighted sums of its gradients, input by input."""
        return np.column_stack([self.kernel.slopes(x, p, weights) for x, p in _inputs(X, centers)])

    def factors(self, grid: Grid, centers: Array, dtype: Any = np.float64) -> list[SeparableFactors]:
        """The part of each axis, and 1."""
        across = self.kernel.matrix(grid.x[:, None], centers[:, :1])
        up = self.kernel.matrix(grid.y[:, None], centers[:, 1:])
        return [(np.ones_like(up), across), (up, np.ones_like(across))]

    def expand_on_grid(self, grid: Grid, centers: Array, coef: Array, dtype: Any = np.float64) -> NDArray[Any]:
        """The expansion at the nodes of the grid: a function of the one axis and one of the other."""
        across = self.kernel.expand(grid.x[:, None], centers[:, :1], coef)
        up = self.kernel.expand(grid.y[:, None], centers[:, 1:], coef)
        return np.add.outer(up, across).astype(dtype, copy=False)


def _inputs(*tables: NDArray[Any]) -> list[tuple[NDArray[Any], ...]]:
    """The columns of several tables, input by input."""
    return [tuple(A[:, j : j + 1] for A in tables) for j in range(tables[0].shape[1])]
