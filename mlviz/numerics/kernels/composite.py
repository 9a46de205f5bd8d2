"""Kernels made of kernels: sums, products, powers, the exponential, and sums over the inputs; see `algebra`.

Schölkopf and Smola, Learning with Kernels (2002), sections 13.1 and 13.2: what is made of positive semidefinite kernels
by sums, positive factors, products and power series with positive coefficients is positive semidefinite again.
"""

from __future__ import annotations

import math
import operator
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Kernel, orders, power
from mlviz.numerics.kernels.on_grid import LOWEST_EXPONENTS, SeparableFactors, from_pairs

_HIGHEST = 600.0
"""Exponents stop here: the kernel's values stay finite, and are refused as too large where samples have them."""
_SERIES = 2.0
"""The exponential series is used for numbers of at most that size."""
_TINY = 1e-150
"""Factors below count as zero: the product of two would be subnormal, and arithmetic is many times slower there."""


@dataclass(frozen=True)
class Constant(Kernel):
    """k(x, x') = value"""

    value: float
    pairs = 1

    @property
    def positive(self) -> bool:
        """Whether the value is not negative."""
        return self.value >= 0

    def matrix(self, A: AnyArray, B: AnyArray) -> AnyArray:
        """k(a, b) for the rows of A and B."""
        return np.full((len(A), len(B)), self.value, dtype=A.dtype)

    def diagonal(self, A: Array) -> Array:
        """k(a, a) for the rows of A."""
        return np.full(len(A), self.value)

    def slopes(self, X: Array, centers: Array, weights: Array) -> Array:
        """There are none."""
        return np.zeros_like(X)

    def factors(self, grid: Grid, centers: Array, dtype: Any = np.float64) -> list[SeparableFactors]:
        """The value, and 1."""
        return [(np.full((len(grid.y), len(centers)), self.value), np.ones((len(grid.x), len(centers))))]

    def expand_on_grid(self, grid: Grid, centers: Array, coef: Array, dtype: Any = np.float64) -> AnyArray:
        """The expansion at the nodes of the grid."""
        return np.full(grid.shape, self.value * float(coef.sum()), dtype=dtype)


class Composite(Kernel):
    """A kernel whose value for two places follows from what its parts say of them."""

    @abstractmethod
    def combined(self, values: Iterator[AnyArray]) -> AnyArray:
        """Its values, from those of the parts one after the other, which are used up."""

    def matrix(self, A: AnyArray, B: AnyArray) -> AnyArray:
        """k(a, b) for the rows of A and B."""
        return self.combined(part.matrix(A, B) for part in self.parts)

    def diagonal(self, A: Array) -> Array:
        """k(a, a) for the rows of A."""
        return self.combined(part.diagonal(A) for part in self.parts)


@dataclass(frozen=True)
class Sum(Composite):
    """k = sum of weight times kernel over the terms."""

    terms: tuple[tuple[float, Kernel], ...]

    @property
    def parts(self) -> tuple[Kernel, ...]:
        """The kernels of the terms."""
        return tuple(kernel for _, kernel in self.terms)

    @property
    def positive(self) -> bool:
        """Whether the weights are not negative and the kernels positive semidefinite."""
        return all(weight >= 0 and kernel.positive for weight, kernel in self.terms)

    @property
    def shifts_into_offset(self) -> bool:
        """Whether all terms do."""
        return all(kernel.shifts_into_offset for _, kernel in self.terms)

    @property
    def pairs(self) -> int:
        """Those of all terms."""
        found = [kernel.pairs for _, kernel in self.terms]
        return sum(found) if all(found) else 0

    def combined(self, values: Iterator[AnyArray]) -> AnyArray:
        """The sum of the values times the weights."""
        weighted = (
            np.multiply(v, v.dtype.type(weight), out=v) for (weight, _), v in zip(self.terms, values, strict=True)
        )
        return reduce(operator.iadd, weighted)

    def slopes(self, X: Array, centers: Array, weights: Array) -> Array:
        """The weighted sums of its gradients."""
        return np.asarray(sum(weight * kernel.slopes(X, centers, weights) for weight, kernel in self.terms))

    def factors(self, grid: Grid, centers: Array, dtype: Any = np.float64) -> list[SeparableFactors]:
        """Those of all terms."""
        return [(weight * up, across) for weight, kernel in self.terms for up, across in kernel.factors(grid, centers)]

    def expand_on_grid(self, grid: Grid, centers: Array, coef: Array, dtype: Any = np.float64) -> AnyArray:
        """The expansion at the nodes of the grid: each term in its own fastest way."""
        fields = (kernel.expand_on_grid(grid, centers, weight * coef, dtype) for weight, kernel in self.terms)
        return reduce(operator.iadd, fields)


@dataclass(frozen=True)
class Product(Composite):
    """k = product of the kernels."""

    kernels: tuple[Kernel, ...]
    """Positive semidefinite where all of them are: Schur's theorem."""

    @property
    def parts(self) -> tuple[Kernel, ...]:
        """The kernels."""
        return self.kernels

    @property
    def pairs(self) -> int:
        """Every pair of the one with every pair of the other."""
        return math.prod(kernel.pairs for kernel in self.kernels)

    def combined(self, values: Iterator[AnyArray]) -> AnyArray:
        """The product of the values."""
        return reduce(operator.imul, values)

    def slopes(self, X: Array, centers: Array, weights: Array) -> Array:
        """The weighted sums of its gradients, by the product rule."""
        values = [kernel.matrix(X, centers) for kernel in self.kernels]
        others = [reduce(np.multiply, values[:i] + values[i + 1 :], weights) for i in range(len(values))]
        pairs = zip(self.kernels, others, strict=True)
        return np.asarray(sum(kernel.slopes(X, centers, rest) for kernel, rest in pairs))

    def factors(self, grid: Grid, centers: Array, dtype: Any = np.float64) -> list[SeparableFactors]:
        """Every pair of the one times every pair of the other."""
        found = self.kernels[0].factors(grid, centers)
        for kernel in self.kernels[1:]:
            found = [_times(*both) for both in product(found, kernel.factors(grid, centers))]
        return found


@dataclass(frozen=True)
class Power(Composite):
    """k = kernel to a whole power."""

    kernel: Kernel
    exponent: int

    @property
    def pairs(self) -> int:
        """The terms of a power of a sum."""
        return math.comb(self.kernel.pairs + self.exponent - 1, self.exponent) if self.kernel.pairs else 0

    def combined(self, values: Iterator[AnyArray]) -> AnyArray:
        """The power of the values."""
        return power(next(values), self.exponent)

    def slopes(self, X: Array, centers: Array, weights: Array) -> Array:
        """The weighted sums of its gradients, by the chain rule."""
        lower = power(self.kernel.matrix(X, centers), self.exponent - 1)
        return self.kernel.slopes(X, centers, self.exponent * lower * weights)

    def factors(self, grid: Grid, centers: Array, dtype: Any = np.float64) -> list[SeparableFactors]:
        """The multinomial terms."""
        single = self.kernel.factors(grid, centers)
        found = []
        for chosen in combinations_with_replacement(range(len(single)), self.exponent):
            up, across = reduce(_times, (single[i] for i in chosen))
            found.append((orders(Counter(chosen).values()) * up, across))
        return found


@dataclass(frozen=True)
class Exp(Composite):
    """k = exp(kernel): the exponential series has positive coefficients."""

    kernel: Kernel

    def combined(self, values: Iterator[AnyArray]) -> AnyArray:
        """The exponential of the values."""
        exponents = next(values)
        highest = _HIGHEST if exponents.dtype == np.float64 else 80.0
        return np.asarray(np.exp(np.clip(exponents, LOWEST_EXPONENTS[exponents.dtype], highest)))

    def slopes(self, X: Array, centers: Array, weights: Array) -> Array:
        """The weighted sums of its gradients, by the chain rule."""
        return self.kernel.slopes(X, centers, self.matrix(X, centers) * weights)

    def expand_on_grid(self, grid: Grid, centers: Array, coef: Array, dtype: Any = np.float64) -> AnyArray:
        """The expansion at the nodes of the grid: by the exponential series, where one pair has small factors."""
        if self.kernel.pairs == 1 and self.kernel.shift_invariant:
            ((up, across),) = self.kernel.factors(grid, centers)
            largest = float(np.abs(up).max(initial=0.0) * np.abs(across).max(initial=0.0))
            if largest <= _SERIES:
                return from_pairs(_series(up, across, largest, dtype), coef, dtype)
        return super().expand_on_grid(grid, centers, coef, dtype)


@dataclass(frozen=True)
class Anova(Kernel):
    """The ANOVA kernel of order one, k(x, x') = sum_j kernel(x_j, x'_j): one part for each input alone."""

    kernel: Kernel
    pairs = 2

    @property
    def shifts_into_offset(self) -> bool:
        """Whether the kernel does."""
        return self.kernel.shifts_into_offset

    def matrix(self, A: AnyArray, B: AnyArray) -> AnyArray:
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

    def expand_on_grid(self, grid: Grid, centers: Array, coef: Array, dtype: Any = np.float64) -> AnyArray:
        """The expansion at the nodes of the grid: a function of the one axis and one of the other."""
        across = self.kernel.expand(grid.x[:, None], centers[:, :1], coef)
        up = self.kernel.expand(grid.y[:, None], centers[:, 1:], coef)
        return np.add.outer(up, across).astype(dtype, copy=False)


def _inputs(*tables: AnyArray) -> list[tuple[AnyArray, ...]]:
    """The columns of several tables, input by input."""
    return [tuple(A[:, j : j + 1] for A in tables) for j in range(tables[0].shape[1])]


def _series(up: AnyArray, across: AnyArray, largest: float, dtype: Any) -> Iterator[SeparableFactors]:
    """The pairs 1, z, z^2 / 2, z^3 / 6, ... of exp(z), z = up across of at most that size."""
    pair, size, order = (np.ones_like(up), np.ones_like(across)), 1.0, 0
    while size > np.finfo(dtype).eps / 10:
        yield pair
        order += 1
        size *= largest / order
        pair = _times(pair, (up / order, across))


def _times(pair: SeparableFactors, other: SeparableFactors) -> SeparableFactors:
    up, across = pair[0] * other[0], pair[1] * other[1]
    for factor in (up, across):
        factor[np.abs(factor) < _TINY] = 0.0
    return up, across
