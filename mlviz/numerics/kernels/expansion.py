"""What kernel methods learn: f(x) = sum_s coef_s k(x, p_s) + offset.

Places are counted from an origin before the kernel sees them, where that changes nothing but rounding. Where the terms
are so large that the sum has no digits left, f is kept in the kernel's features instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Mask, greatest, least, middle_row, without_rounding
from mlviz.numerics.grid import Grid, as_dtype, far_away
from mlviz.numerics.kernels.base import Kernel, Linear
from mlviz.numerics.kernels.features import FeatureSum
from mlviz.numerics.kernels.on_grid import BLOCK_SIZE, LOWEST_FACTORS
from mlviz.spec.brief import Brief

_ROUNDING = 16.0
"""A sum is rounding where it is no more than so many units in the last place of its terms."""
_MOST_EXACT = 2_000_000
"""So many terms at most are added up again where a field on a grid is too faint to be told by fast sums."""
_TRIED = 200
"""At how many of its centres, about, a sum is looked at for that."""


@dataclass(frozen=True, eq=False)
class Expansion(Brief):
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
    def base(self) -> float:
        """What the sum of the terms is added to."""
        if self.kernel.shift_invariant or not self.origin.any():
            return self.offset - self.feature_sum.constant if self.feature_sum is not None else self.offset
        zero = np.zeros((1, len(self.origin)))
        return float(self.at(zero)[0] - self.terms(zero).sum())

    @property
    def linear_weights(self) -> Array | None:
        """The weights w (d,) of f(x) = w.x + b with the linear kernel, else None."""
        if not isinstance(self.kernel, Linear):
            return None
        if self.feature_sum is not None:
            return self.feature_sum.w
        return without_rounding(self.coef @ self.centers, np.abs(self.coef) @ np.abs(self.centers))

    @far_away
    def at(self, X: Array) -> Array:
        """The values f at the rows of X (n, d)."""
        places = np.asarray(X, dtype=np.float64) - self.origin
        if self.feature_sum is not None:
            values = self.feature_sum.expand(places)
        else:
            values = self._cleared(self.kernel.expand(places, self.centers, self.coef), places)
        return as_dtype(values, np.float64) + self.offset

    @far_away
    def on_grid(self, grid: Grid, dtype: Any, finest: float) -> AnyArray:
        """The values f at the nodes of the grid; in double precision where single would be off by `finest` or more."""
        shifted = grid.scaled(1.0, -self.origin)
        if self.feature_sum is not None:
            return as_dtype(self.feature_sum.on_grid(shifted) + self.offset, dtype)
        # Single precision loses about 1e-7 of the sum of the terms' sizes.
        size = float(np.abs(self.coef) @ np.abs(self.kernel.diagonal(self.centers)))
        work = np.dtype(dtype if 1e-7 * size < finest else np.float64)
        field = self._summed_on(shifted, work)
        faint = np.flatnonzero(self._faint(field, size))
        if not len(faint) or self._cancels:
            return as_dtype(field, dtype)
        # There terms were left out that may decide, and single precision has no such numbers: the sign is kept.
        if len(faint) * len(self.coef) > _MOST_EXACT and work != np.float64:
            field = self._summed_on(shifted, np.dtype(np.float64))  # of which far less is left out
        told = field.ravel()[faint]
        unsure = np.flatnonzero(self._faint(told, size))
        told = told.astype(np.float64)
        if len(unsure) * len(self.coef) <= _MOST_EXACT:
            told[unsure] = self.at(grid.points()[faint[unsure]])
        smallest = 2 * float(np.finfo(dtype).tiny)
        result = as_dtype(field, dtype)
        result.flat[faint] = as_dtype(np.sign(told) * np.maximum(np.abs(told), smallest), dtype)
        return result

    @staticmethod
    def _faint(values: AnyArray, size: float) -> Mask:
        """Which values may lack some of their terms, which have that size together."""
        return np.asarray(np.abs(values) <= np.exp(LOWEST_FACTORS[values.dtype]) * size)

    def _summed_on(self, grid: Grid, work: np.dtype[Any]) -> AnyArray:
        """The fast sum in that precision at the nodes of a grid counted from the origin."""
        field = as_dtype(self.kernel.expand_on_grid(grid, self.centers, self.coef, work), work)
        # k(x, x) is the same everywhere, or grows towards the corners.
        field = self._cleared(field, self.centers[:1] if self.kernel.shift_invariant else grid.corners)
        field += as_dtype(np.asarray(self.offset), work)
        return field

    @far_away
    def with_gradient(self, X: Array) -> tuple[Array, Array]:
        """The values f (m,) and their gradient (m, d) at the rows of X."""
        if self.feature_sum is not None:
            return self.at(X), as_dtype(self.feature_sum.gradient(X - self.origin), np.float64)
        size = max(1, BLOCK_SIZE // max(1, len(self.centers)))
        parts = [
            self.kernel.expand_with_gradient(X[first : first + size] - self.origin, self.centers, self.coef)
            for first in range(0, max(1, len(X)), size)
        ]
        f, gradient = (as_dtype(np.concatenate(part), np.float64) for part in zip(*parts, strict=True))
        return f + self.offset, gradient

    @far_away
    def terms(self, X: Array) -> Array:
        """The terms coef_s k(x, p_s) of the sum at the rows of X (n, d), places as they are: (n, m)."""
        # Counted from the origin they would be others where the kernel minds, and what they are added to as well.
        origin = self.origin if self.kernel.shift_invariant else np.zeros_like(self.origin)
        centers = self.centers + (self.origin - origin)
        return as_dtype(self.kernel.matrix(X - origin, centers) * self.coef, np.float64)

    @far_away
    def _cleared(self, values: AnyArray, places: Array) -> AnyArray:
        """Values of the sum, or zeros where its terms cancel: rounding has signs, and would be drawn as a boundary.

        `places` are where the values are, or the corners of a grid on which they are.
        """
        if not values.size or not len(self.coef):
            return values
        if self.kernel.shift_invariant:  # k(x, x) is the same everywhere
            places = places[:1]
        rounding = _ROUNDING * np.finfo(values.dtype).eps
        faint = rounding * self._size * np.sqrt(greatest(np.abs(self.kernel.diagonal(places))))
        # The sum of other terms may be as small far from its centres, and has a meaning there.
        return np.zeros_like(values) if max(greatest(values), -least(values)) <= faint and self._cancels else values

    @cached_property
    @far_away
    def _size(self) -> float:
        """The sum of the terms' sizes: |k(x, p)| is at most the root of k(x, x) k(p, p)."""
        return float(np.abs(self.coef) @ np.sqrt(np.abs(self.kernel.diagonal(self.centers))))

    @cached_property
    @far_away
    def _cancels(self) -> bool:
        """Whether there is nothing but rounding at the centres, as where samples at one place pull both ways."""
        tried = self.centers[:: max(1, len(self.centers) // _TRIED)]
        values = self.kernel.expand(tried, self.centers, self.coef)
        sizes = self._size * np.sqrt(np.abs(self.kernel.diagonal(tried)))
        return bool((np.abs(values) <= _ROUNDING * np.finfo(np.float64).eps * sizes).all())


def origin_for(kernel: Kernel, X: Array) -> Array:
    """Where to count places from, (d,): small numbers keep their digits. 0 where that would change more than the
    offset, which is free.
    """
    return middle_row(X) if kernel.shifts_into_offset else np.zeros(X.shape[1])


@far_away
def largest_value(kernel: Kernel, X: Array) -> float:
    """The largest k(x, x) among the rows of X, infinite or NaN where it can't be computed with."""
    return greatest(kernel.diagonal(X))
