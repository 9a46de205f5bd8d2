"""Kernels: Gram matrices, and expansions f(x) = sum_s c_s k(x, p_s) with their gradients and fast grids.

Schölkopf and Smola, Learning with Kernels (2002), chapter 2. Expansions on a regular grid are products of small
matrices where the kernel factors over the two axes: far cheaper than one kernel value a node and centre.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.distances import pairwise
from mlviz.numerics.grid import Grid, as_dtype
from mlviz.numerics.kernels.on_grid import (
    SeparableFactors,
    envelopes,
    exponential_field,
    from_pairs,
    gaussian_profile,
    gaussians_on_line,
    half_negative,
    interpolated,
    laplacian_profile,
    node_by_node,
    of_differences,
    root_negative,
    rows_in_blocks,
)
from mlviz.numerics.polynomials import chebyshev_grid, from_chebyshev_grid

_MOST_PAIRS = 20
"""With more pairs of factors than this, a smooth field is interpolated sooner than summed."""
_MOST_PAIRS_AT_ALL = 60
"""With more pairs of factors than this, any field is found sooner without them."""


class Kernel(ABC):
    """A symmetric function k(x, x')."""

    @property
    def parts(self) -> tuple[Kernel, ...]:
        """The kernels that it is made of: those among its fields."""
        return tuple(value for value in vars(self).values() if isinstance(value, Kernel))

    @property
    def positive(self) -> bool:
        """Whether the kernel is positive semidefinite by the way it is made; where it is not, samples have to tell."""
        return all(part.positive for part in self.parts)

    @property
    def smooth(self) -> bool:
        """Whether it has no creases and no tips."""
        return all(part.smooth for part in self.parts)

    @property
    def shift_invariant(self) -> bool:
        """Whether moving all places by the same vector changes nothing."""
        return all(part.shift_invariant for part in self.parts)

    @property
    def shifts_into_offset(self) -> bool:
        """Whether moving all places changes nothing but a free offset: k(x, x') gains a function of x and one of x'."""
        return self.shift_invariant

    @property
    def pairs(self) -> int:
        """How many products of a function of the one axis and a function of the other it is the sum of; 0 if none."""
        return 0

    @abstractmethod
    def matrix(self, A: AnyArray, B: AnyArray) -> AnyArray:
        """k(a, b) for the rows of A (m, d) and B (n, d): (m, n), of their dtype."""

    def diagonal(self, A: Array) -> Array:
        """k(a, a) for the rows of A: (m,)."""
        return np.ones(len(A))

    def matrix_on_grid(self, grid: Grid, centers: Array) -> Array:
        """k(node, p) for the nodes of the grid, row by row, and the rows of centers (m, 2): (ny nx, m)."""
        if self.pairs != 1 or not self.shift_invariant:
            return self.matrix(grid.points(), centers)
        up, across = self.factors(grid, centers)[0]
        return np.asarray(up[:, None, :] * across).reshape(-1, len(centers))

    @abstractmethod
    def slopes(self, X: Array, centers: Array, weights: Array) -> Array:
        """sum_s weights_is times the gradient of k(x, p_s) in x at the rows x_i of X (m, d): (m, d).

        At a crease or a tip, the middle of the slopes on both sides.
        """

    def factors(self, grid: Grid, centers: Array, dtype: Any = np.float64) -> list[SeparableFactors]:
        """The `pairs` of factors at the nodes of a grid: k((x, y), p_s) is the sum of up[y, s] across[x, s].

        That precision will do, but there may be more.
        """
        raise NotImplementedError

    def expand(self, X: Array, centers: Array, coef: Array) -> Array:
        """The expansion at the rows of X: (m,)."""
        return rows_in_blocks(X, len(centers), lambda rows: self.matrix(rows, centers) @ coef)

    def expand_with_gradient(self, X: Array, centers: Array, coef: Array) -> tuple[Array, Array]:
        """The expansion (m,) and its gradient (m, d) at the rows of X."""
        return self.expand(X, centers, coef), self.slopes(X, centers, np.broadcast_to(coef, (len(X), len(centers))))

    def expand_on_grid(self, grid: Grid, centers: Array, coef: Array, dtype: Any = np.float64) -> AnyArray:
        """The expansion at the nodes of the grid: (ny, nx) of that dtype. The centres have two columns."""
        if 0 < self.pairs <= (_MOST_PAIRS if self.smooth else _MOST_PAIRS_AT_ALL):
            # Factors that decay with the distance do not cancel: single precision will do for pixels.
            work = dtype if self.shift_invariant else np.float64
            return as_dtype(from_pairs(self.factors(grid, centers, work), coef, work), dtype)
        smooth = None
        if self.smooth:
            smooth = interpolated(lambda nodes: self.expand(nodes.points(), centers, coef), grid, dtype)
        return node_by_node(self.matrix, grid, centers, coef, dtype) if smooth is None else smooth


@dataclass(frozen=True)
class Linear(Kernel):
    """k(x, x') = x.x'"""

    pairs = 2
    shift_invariant = False
    shifts_into_offset = True

    def matrix(self, A: AnyArray, B: AnyArray) -> AnyArray:
        """k(a, b) for the rows of A and B."""
        return np.asarray(A @ B.T)

    def diagonal(self, A: Array) -> Array:
        """k(a, a) for the rows of A."""
        return np.asarray(np.einsum("ij,ij->i", A, A))

    def expand(self, X: Array, centers: Array, coef: Array) -> Array:
        """The expansion at the rows of X."""
        return X @ (coef @ centers)

    def slopes(self, X: Array, centers: Array, weights: Array) -> Array:
        """The weighted sums of its gradients."""
        return weights @ centers

    def factors(self, grid: Grid, centers: Array, dtype: Any = np.float64) -> list[SeparableFactors]:
        """The one coordinate's products, and the other's."""
        across, up = np.outer(grid.x, centers[:, 0]), np.outer(grid.y, centers[:, 1])
        return [(np.ones_like(up), across), (up, np.ones_like(across))]

    def expand_on_grid(self, grid: Grid, centers: Array, coef: Array, dtype: Any = np.float64) -> AnyArray:
        """The expansion at the nodes of the grid."""
        w = coef @ centers
        return as_dtype(np.add.outer(w[1] * grid.y, w[0] * grid.x), dtype)


@dataclass(frozen=True)
class Polynomial(Kernel):
    """k(x, x') = (x.x' + coef0)^degree, coef0 >= 0"""

    degree: int = 3
    coef0: float = 1.0
    shift_invariant = False

    @property
    def pairs(self) -> int:
        """One for each power of the product along the one axis."""
        return self.degree + 1

    def matrix(self, A: AnyArray, B: AnyArray) -> AnyArray:
        """k(a, b) for the rows of A and B."""
        return power(A @ B.T + A.dtype.type(self.coef0), self.degree)

    def diagonal(self, A: Array) -> Array:
        """k(a, a) for the rows of A."""
        return power(np.einsum("ij,ij->i", A, A) + self.coef0, self.degree)

    def slopes(self, X: Array, centers: Array, weights: Array) -> Array:
        """The weighted sums of its gradients."""
        return self.degree * ((power(X @ centers.T + self.coef0, self.degree - 1) * weights) @ centers)

    def factors(self, grid: Grid, centers: Array, dtype: Any = np.float64) -> list[SeparableFactors]:
        """The terms of (x p_x + coef0 + y p_y)^degree."""
        across, up = np.outer(grid.x, centers[:, 0]) + self.coef0, np.outer(grid.y, centers[:, 1])
        return [
            (math.comb(self.degree, j) * power(up, j), power(across, self.degree - j)) for j in range(self.degree + 1)
        ]

    def expand_on_grid(self, grid: Grid, centers: Array, coef: Array, dtype: Any = np.float64) -> AnyArray:
        """The expansion at the nodes of the grid."""
        # It is the polynomial through so many of its values, which loses no digits.
        nodes = chebyshev_grid(grid, self.degree + 1)
        at_nodes = self.expand(nodes.points(), centers, coef).reshape(nodes.shape)
        return as_dtype(from_chebyshev_grid(at_nodes, nodes, grid), dtype)


@dataclass(frozen=True)
class Gaussian(Kernel):
    """k(x, x') = exp(-|x - x'|^2 / (2 sigma^2))"""

    sigma: float = 1.0
    pairs = 1

    def matrix(self, A: AnyArray, B: AnyArray) -> AnyArray:
        """k(a, b) for the rows of A and B."""
        return of_differences(A, B, self.sigma, np.square, half_negative)

    def expand(self, X: Array, centers: Array, coef: Array) -> Array:
        """The expansion at the rows of X."""
        along = gaussians_on_line(X[:, 0], centers[:, 0], self.sigma, coef) if X.shape[1] == 1 else None
        return super().expand(X, centers, coef) if along is None else along

    def expand_with_gradient(self, X: Array, centers: Array, coef: Array) -> tuple[Array, Array]:
        """The expansion and its gradient at the rows of X."""
        return self._toward(X, centers, self.matrix(X, centers) * coef)

    def slopes(self, X: Array, centers: Array, weights: Array) -> Array:
        """The weighted sums of its gradients."""
        return self._toward(X, centers, self.matrix(X, centers) * weights)[1]

    def _toward(self, X: Array, centers: Array, weighted: Array) -> tuple[Array, Array]:
        f = weighted.sum(axis=1)
        return f, (weighted @ centers - f[:, None] * X) / self.sigma**2

    def factors(self, grid: Grid, centers: Array, dtype: Any = np.float64) -> list[SeparableFactors]:
        """A Gaussian along each axis."""
        return [envelopes(grid, centers, self.sigma, gaussian_profile, dtype)]


@dataclass(frozen=True)
class Laplacian(Kernel):
    """k(x, x') = exp(-|x - x'|_1 / sigma)"""

    sigma: float = 1.0
    smooth = False
    pairs = 1

    def matrix(self, A: AnyArray, B: AnyArray) -> AnyArray:
        """k(a, b) for the rows of A and B."""
        return of_differences(A, B, self.sigma, np.abs, np.negative)

    def slopes(self, X: Array, centers: Array, weights: Array) -> Array:
        """The weighted sums of its gradients."""
        weighted = self.matrix(X, centers) * weights
        slopes = [
            -(weighted * np.sign(np.subtract.outer(x, p))).sum(axis=1) for x, p in zip(X.T, centers.T, strict=True)
        ]
        return np.column_stack(slopes) / self.sigma

    def factors(self, grid: Grid, centers: Array, dtype: Any = np.float64) -> list[SeparableFactors]:
        """A Laplacian along each axis."""
        return [envelopes(grid, centers, self.sigma, laplacian_profile, dtype)]


@dataclass(frozen=True)
class Exponential(Kernel):
    """k(x, x') = exp(-|x - x'| / sigma), with the Euclidean distance"""

    sigma: float = 1.0
    smooth = False

    def matrix(self, A: AnyArray, B: AnyArray) -> AnyArray:
        """k(a, b) for the rows of A and B."""
        return of_differences(A, B, self.sigma, np.square, root_negative)

    def slopes(self, X: Array, centers: Array, weights: Array) -> Array:
        """The weighted sums of its gradients."""
        apart = pairwise(X, centers)
        weighted: Array = np.divide(self.matrix(X, centers) * weights, apart, out=np.zeros_like(apart), where=apart > 0)
        return np.asarray((weighted @ centers - weighted.sum(axis=1)[:, None] * X) / self.sigma)

    def expand_on_grid(self, grid: Grid, centers: Array, coef: Array, dtype: Any = np.float64) -> AnyArray:
        """The expansion at the nodes of the grid."""
        return exponential_field(grid, centers, coef, self.sigma, dtype)


def power(base: AnyArray, exponent: int) -> AnyArray:
    """Compute base ** exponent by multiplications, several times faster than the general power."""
    result, square = None, base
    while exponent:
        if exponent & 1:
            result = square if result is None else result * square
        exponent >>= 1
        if exponent:
            square = square * square
    return np.ones_like(base) if result is None else result


def orders(counts: Iterable[int]) -> int:
    """In how many orders things stand of which so many are alike: the multinomial coefficient."""
    counts = tuple(counts)
    return math.factorial(sum(counts)) // math.prod(map(math.factorial, counts))
