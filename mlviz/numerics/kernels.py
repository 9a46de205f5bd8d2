"""Kernels: Gram matrices, and expansions f(x) = sum_s c_s k(x, p_s) with their gradients and fast grids.

Schölkopf and Smola, Learning with Kernels (2002), chapter 2. Expansions on a regular grid are products of small
matrices, because the kernels factor over the two axes: far cheaper than one kernel value a node and centre.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.numerics.grid import Array, Grid

LOWEST = -700.0
"""exp of less counts as zero: it is nearly subnormal, and arithmetic on subnormals is many times slower."""
BLOCK = 2_000_000
"""About so many numbers are worked on at a time: 16 MB."""


class Kernel:
    """A positive semidefinite function k(x, x')."""

    shift_invariant = False
    """Whether moving all places by the same vector changes nothing."""

    def matrix(self, A: Array, B: Array) -> Array:
        """k(a, b) for the rows of A (m, d) and B (n, d): (m, n)."""
        raise NotImplementedError

    def diagonal(self, A: Array) -> Array:
        """k(a, a) for the rows of A: (m,)."""
        return np.ones(len(A))

    def expand(self, X: Array, centers: Array, coef: Array) -> Array:
        """The expansion at the rows of X: (m,)."""
        return rows_in_blocks(X, len(centers), lambda rows: self.matrix(rows, centers) @ coef)

    def expand_with_gradient(self, X: Array, centers: Array, coef: Array) -> tuple[Array, Array]:
        """The expansion (m,) and its gradient (m, d) at the rows of X."""
        raise NotImplementedError

    def expand_on_grid(self, grid: Grid, centers: Array, coef: Array, dtype: Any = np.float64) -> NDArray[Any]:
        """The expansion at the nodes of the grid: (ny, nx) of that dtype. The centres have two columns."""
        raise NotImplementedError


@dataclass(frozen=True)
class Linear(Kernel):
    """k(x, x') = x.x'"""

    def matrix(self, A: Array, B: Array) -> Array:
        """k(a, b) for the rows of A and B."""
        return A @ B.T

    def diagonal(self, A: Array) -> Array:
        """k(a, a) for the rows of A."""
        return np.asarray(np.einsum("ij,ij->i", A, A))

    def expand(self, X: Array, centers: Array, coef: Array) -> Array:
        """The expansion at the rows of X."""
        return X @ (coef @ centers)

    def expand_with_gradient(self, X: Array, centers: Array, coef: Array) -> tuple[Array, Array]:
        """The expansion and its gradient at the rows of X."""
        w = coef @ centers
        return X @ w, np.tile(w, (len(X), 1))

    def expand_on_grid(self, grid: Grid, centers: Array, coef: Array, dtype: Any = np.float64) -> NDArray[Any]:
        """The expansion at the nodes of the grid."""
        w = coef @ centers
        return np.asarray(np.add.outer(w[1] * grid.y, w[0] * grid.x), dtype=dtype)


@dataclass(frozen=True)
class Polynomial(Kernel):
    """k(x, x') = (x.x' + coef0)^degree, coef0 >= 0"""

    degree: int = 3
    coef0: float = 1.0

    def matrix(self, A: Array, B: Array) -> Array:
        """k(a, b) for the rows of A and B."""
        return _power(A @ B.T + self.coef0, self.degree)

    def diagonal(self, A: Array) -> Array:
        """k(a, a) for the rows of A."""
        return _power(np.einsum("ij,ij->i", A, A) + self.coef0, self.degree)

    def expand_with_gradient(self, X: Array, centers: Array, coef: Array) -> tuple[Array, Array]:
        """The expansion and its gradient at the rows of X."""
        base = X @ centers.T + self.coef0
        lower = _power(base, self.degree - 1)
        return (lower * base) @ coef, self.degree * (lower @ (coef[:, None] * centers))

    def expand_on_grid(self, grid: Grid, centers: Array, coef: Array, dtype: Any = np.float64) -> NDArray[Any]:
        """The expansion at the nodes of the grid."""
        # In coordinates u, v in [-1, 1] of the grid, f = sum A_ij u^i v^j; powers of such coordinates lose no digits.
        (mx, hx), (my, hy) = _middle_and_half(grid.x), _middle_and_half(grid.y)
        d = self.degree
        rest = centers @ np.array([mx, my]) + self.coef0
        px, py = hx * centers[:, 0], hy * centers[:, 1]
        A = np.zeros((d + 1, d + 1))
        for i in range(d + 1):
            for j in range(d + 1 - i):
                ways = math.factorial(d) // (math.factorial(i) * math.factorial(j) * math.factorial(d - i - j))
                A[i, j] = ways * (coef @ (_power(px, i) * _power(py, j) * _power(rest, d - i - j)))
        u = np.vander((grid.x - mx) / hx, d + 1, increasing=True)
        v = np.vander((grid.y - my) / hy, d + 1, increasing=True)
        return (v @ A.T @ u.T).astype(dtype, copy=False)


@dataclass(frozen=True)
class Gaussian(Kernel):
    """k(x, x') = exp(-|x - x'|^2 / (2 sigma^2))"""

    sigma: float = 1.0
    shift_invariant = True

    def matrix(self, A: Array, B: Array) -> Array:
        """k(a, b) for the rows of A and B."""
        return _of_differences(A / self.sigma, B / self.sigma, np.square, -0.5)

    def expand_with_gradient(self, X: Array, centers: Array, coef: Array) -> tuple[Array, Array]:
        """The expansion and its gradient at the rows of X."""
        weighted = self.matrix(X, centers) * coef
        f = weighted.sum(axis=1)
        return f, (weighted @ centers - f[:, None] * X) / self.sigma**2

    def expand_on_grid(self, grid: Grid, centers: Array, coef: Array, dtype: Any = np.float64) -> NDArray[Any]:
        """The expansion at the nodes of the grid."""
        return _separable(grid, centers / self.sigma, coef, 1 / self.sigma, lambda u: -0.5 * (u * u), dtype)


@dataclass(frozen=True)
class Laplacian(Kernel):
    """k(x, x') = exp(-|x - x'|_1 / sigma)"""

    sigma: float = 1.0
    shift_invariant = True

    def matrix(self, A: Array, B: Array) -> Array:
        """k(a, b) for the rows of A and B."""
        return _of_differences(A / self.sigma, B / self.sigma, np.abs, -1.0)

    def expand_with_gradient(self, X: Array, centers: Array, coef: Array) -> tuple[Array, Array]:
        """The expansion and its gradient at the rows of X; at a crease, the middle of the slopes on both sides."""
        weighted = self.matrix(X, centers) * coef
        slopes = [
            -(weighted * np.sign(np.subtract.outer(x, p))).sum(axis=1) for x, p in zip(X.T, centers.T, strict=True)
        ]
        return weighted.sum(axis=1), np.column_stack(slopes) / self.sigma

    def expand_on_grid(self, grid: Grid, centers: Array, coef: Array, dtype: Any = np.float64) -> NDArray[Any]:
        """The expansion at the nodes of the grid."""
        return _separable(grid, centers / self.sigma, coef, 1 / self.sigma, lambda u: -np.abs(u), dtype)


def rows_in_blocks(X: Array, width: int, function: Callable[[Array], Array]) -> Array:
    """The values (m,) of a function of the rows of X, for as many rows at a time as `width` numbers for each allow."""
    size = max(1, BLOCK // max(1, width))
    if len(X) <= size:
        return function(X)
    result = np.empty(len(X))
    for first in range(0, len(X), size):
        result[first : first + size] = function(X[first : first + size])
    return result


def _separable(grid: Grid, p: Array, coef: Array, unit: float, log_profile: Any, dtype: Any) -> NDArray[Any]:
    """sum_s coef_s exp(log_profile(x - p_s0)) exp(log_profile(y - p_s1)) at the nodes (x, y), times unit."""
    # What is not set to zero here is still a normal number of that dtype when multiplied with another factor.
    lowest = -40.0 if np.dtype(dtype) == np.float32 else -300.0

    def factor(nodes: Array, places: Array) -> NDArray[Any]:
        with np.errstate(over="ignore"):
            wide = log_profile(np.subtract.outer(nodes * unit, places))
        np.putmask(wide, wide < lowest, -np.inf)
        exponent = wide.astype(dtype, copy=False)
        result: NDArray[Any] = np.exp(exponent, out=exponent)
        return result

    across, up = factor(grid.x, p[:, 0]), factor(grid.y, p[:, 1])
    up *= coef.astype(dtype, copy=False)
    result: NDArray[Any] = up @ across.T
    return result


def _of_differences(A: Array, B: Array, size: np.ufunc, factor: float) -> Array:
    """exp(factor * sum_j size(a_j - b_j)) for the rows a of A and b of B."""
    # Differences, column by column: |a|^2 + |b|^2 - 2 a.b would cancel. Some rows at a time stay in the cache.
    result = np.empty((len(A), len(B)))
    block = max(1, 32_768 // max(1, len(B)))
    difference = np.empty((block, len(B)))
    for first in range(0, len(A), block):
        rows, part = A[first : first + block], result[first : first + block]
        part[:] = 0.0
        space = difference[: len(rows)]
        with np.errstate(over="ignore"):
            for j in range(A.shape[1]):
                np.subtract(rows[:, j, None], B[:, j], out=space)
                part += size(space, out=space)
        part *= factor
        np.putmask(part, part < LOWEST, -np.inf)
        np.exp(part, out=part)
    return result


def _power(base: Array, exponent: int) -> Array:
    """Compute base ** exponent by multiplications, several times faster than the general power."""
    result, square = np.ones_like(base), base
    while exponent:
        if exponent & 1:
            result = result * square
        exponent >>= 1
        if exponent:
            square = square * square
    return result


def _middle_and_half(nodes: Array) -> tuple[float, float]:
    low, high = float(nodes.min()), float(nodes.max())
    return (low + high) / 2, max((high - low) / 2, 1e-300)
