"""The features of the linear and the polynomial kernel, written out: k(x, x') = phi(x).phi(x').

f(x) = w.phi(x) keeps its digits where sum_s c_s k(x, p_s) has none left: with large c and k, the terms of that sum
cancel. Schölkopf and Smola, Learning with Kernels (2002), proposition 2.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Kernel, Linear, Polynomial, orders
from mlviz.numerics.kernels.on_grid import rows_in_blocks
from mlviz.numerics.polynomials import Exponents, count_monomials, exponents, monomials, on_grid

MOST = 5000
"""Kernels of more features are not written out,"""
_MOST_INDEPENDENT = 300
"""nor those where more than this many of the samples' features would be independent: a step takes its square."""


@dataclass(frozen=True, eq=False)
class Features:
    """phi_j(x) = factor_j times the monomial with the exponents_j."""

    exponents: Exponents
    """(p, d)."""
    factor: Array
    """(p,)."""

    def values(self, X: Array) -> Array:
        """The features at the rows of X (n, d): (n, p)."""
        return monomials(X, self.exponents) * self.factor


@dataclass(frozen=True, eq=False)
class FeatureSum:
    """w.phi((x - center) / scale); it is `constant` less than the sum in the kernel's own features."""

    features: Features
    w: Array
    """(p,)."""
    center: Array | float = 0.0
    """(d,)."""
    scale: Array | float = 1.0
    """(d,)."""
    constant: float = 0.0

    @property
    def _weights(self) -> Array:
        return self.features.factor * self.w

    def expand(self, X: Array) -> Array:
        """The sum at the rows of X (n, d): (n,)."""
        weights, E = self._weights, self.features.exponents
        return rows_in_blocks((X - self.center) / self.scale, len(weights), lambda rows: monomials(rows, E) @ weights)

    def gradient(self, X: Array) -> Array:
        """Its gradient at the rows of X: (n, d)."""
        columns, E, Z = [], self.features.exponents, (X - self.center) / self.scale
        for j in range(X.shape[1]):
            lower = E.copy()
            lower[:, j] = np.maximum(E[:, j] - 1, 0)
            columns.append(monomials(Z, lower) @ (self._weights * E[:, j]))
        return np.column_stack(columns) / self.scale

    def on_grid(self, grid: Grid) -> Array:
        """The sum at the nodes of a grid, in two dimensions: (ny, nx)."""
        scaled = grid.scaled(1.0, np.negative(self.center)).scaled(np.reciprocal(self.scale), 0.0)
        return on_grid(scaled, self.features.exponents, self._weights)


def features_of(kernel: Kernel, n: int, d: int) -> Features | None:
    """Those of the kernel for n samples in d variables; None where there are too many to compute with."""
    if isinstance(kernel, Linear):
        return Features(np.eye(d, dtype=np.intp), np.ones(d)) if min(n, d) <= _MOST_INDEPENDENT and d <= MOST else None
    if not isinstance(kernel, Polynomial):
        return None
    p = count_monomials(d, kernel.degree) + 1
    if p > MOST or min(n, p) > _MOST_INDEPENDENT:
        return None
    E = exponents(d, kernel.degree, least=0)
    # (x.x' + c)^n = sum of n! / (e_1! ... e_d! r!) c^r times the monomials e of x and of x', with r = n - |e|
    left = kernel.degree - E.sum(axis=1)
    ways = [orders((*e, r)) for e, r in zip(E.tolist(), left.tolist(), strict=True)]
    factor = np.sqrt(np.array(ways, dtype=np.float64)) * np.sqrt(kernel.coef0) ** left
    return Features(E[factor > 0], factor[factor > 0])
