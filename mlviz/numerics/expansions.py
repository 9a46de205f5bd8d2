"""What kernel methods learn: f(x) = sum_s coef_s k(x, p_s) + offset.

Places are counted from an origin before the kernel sees them, where that changes nothing but rounding. Where the terms
are so large that the sum has no digits left, f is kept in the kernel's features instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.numerics.features import FeatureSum, ShiftedSum
from mlviz.numerics.grid import Array, Grid
from mlviz.numerics.kernels import BLOCK, Kernel, Linear


@dataclass(frozen=True, eq=False)
class Expansion:
    """The function; `centers` (m, d) are counted from the origin (d,), coef is (m,)."""

    kernel: Kernel
    centers: Array
    coef: Array
    origin: Array
    offset: float
    feature_sum: FeatureSum | None = None
    """f without its offset, where the sum over the centres is not to be used."""

    @property
    def cost(self) -> int:
        """About how many numbers it takes to find f at one place."""
        if self.feature_sum is not None:
            return len(self.feature_sum.w)
        return 1 if isinstance(self.kernel, Linear) else len(self.coef)

    @property
    def foot(self) -> float:
        """What the sum over the centres is added to."""
        return self.offset - self.feature_sum.constant if isinstance(self.feature_sum, ShiftedSum) else self.offset

    def at(self, X: Array) -> Array:
        """The values f at the rows of X (n, d)."""
        places = np.asarray(X, dtype=np.float64) - self.origin
        if self.feature_sum is not None:
            return self.feature_sum.expand(places) + self.offset
        return self.kernel.expand(places, self.centers, self.coef) + self.offset

    def on_grid(self, grid: Grid, dtype: Any, finest: float) -> NDArray[Any]:
        """The values f at the nodes of the grid; in double precision where single would be off by `finest` or more."""
        shifted = grid.scaled((1.0, 1.0), -self.origin)
        if self.feature_sum is not None:
            exact = self.feature_sum.on_grid(shifted) + self.offset
            return exact.astype(dtype, copy=False)
        # Single precision loses about 1e-7 of the sum of the terms' sizes.
        size = float(np.abs(self.coef) @ np.abs(self.kernel.diagonal(self.centers)))
        work = dtype if 1e-7 * size < finest else np.float64
        field = self.kernel.expand_on_grid(shifted, self.centers, self.coef, work)
        field += np.asarray(self.offset, dtype=work)
        return field.astype(dtype, copy=False)

    def with_gradient(self, X: Array) -> tuple[Array, Array]:
        """The values f (m,) and their gradient (m, d) at the rows of X."""
        if self.feature_sum is not None:
            return self.at(X), self.feature_sum.gradient(X - self.origin)
        size = max(1, BLOCK // max(1, len(self.centers)))
        parts = [
            self.kernel.expand_with_gradient(X[first : first + size] - self.origin, self.centers, self.coef)
            for first in range(0, max(1, len(X)), size)
        ]
        return np.concatenate([f for f, _ in parts]) + self.offset, np.concatenate([g for _, g in parts])


def origin_for(kernel: Kernel, X: Array) -> Array:
    """Where to count places from, (d,): small numbers keep their digits. 0 where that would change more than the
    offset, which is free.
    """
    if not kernel.shifts_into_offset:
        return np.zeros(X.shape[1])
    return np.asarray(X.min(axis=0) / 2 + X.max(axis=0) / 2)


def largest_value(kernel: Kernel, X: Array) -> float:
    """The largest k(x, x) among the rows of X, infinite or NaN where it can't be computed with."""
    with np.errstate(over="ignore", invalid="ignore"):
        return float(kernel.diagonal(X).max())
