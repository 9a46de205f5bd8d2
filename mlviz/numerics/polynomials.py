"""Polynomials: monomials in several variables, and polynomials through the values at Chebyshev nodes.

Trefethen, Approximation Theory and Approximation Practice (2013); Berrut and Trefethen, SIAM Review 46 (2004) 501-517.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain, combinations_with_replacement
from math import comb

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.grid import Grid

Exponents = Labels
BLOCK_SIZE = 1000
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def count_monomials(d: int, degree: int) -> int:
    """How many monomials of total degree 1 to `degree` there are in d variables."""
    return comb(d + degree, degree) - 1


@cache
def exponents(d: int, degree: int, least: int = 1) -> Exponents:
    """The monomials of total degree `least` to `degree` in d variables, (p, d), in scikit-learn's order; read-only."""
    degrees = range(least, degree + 1)
    factors = chain.from_iterable(combinations_with_replacement(range(d), total) for total in degrees)
    found = np.array([[chosen.count(j) for j in range(d)] for chosen in factors], dtype=np.intp)
    found.flags.writeable = False
    return found


def name(powers: Sequence[int], variables: Sequence[str]) -> str:
    """A monomial in words: ``x1²·x2``."""
    factors = zip(variables, powers, strict=True)
    return "·".join(v if k == 1 else v + str(k).translate(_SUPERSCRIPTS) for v, k in factors if k)


def monomials(T: Array, E: Exponents) -> Array:
    """The value of each monomial E (p, d) at each place T (n, d): (n, p)."""
    values = np.empty((len(E), len(T)))
    # Some places at a time stay in the cache.
    for first in range(0, len(T), BLOCK_SIZE):
        rows = slice(first, first + BLOCK_SIZE)
        product = powers(T[rows, 0], int(E[:, 0].max()))[E[:, 0]]
        for j in range(1, E.shape[1]):
            product *= powers(T[rows, j], int(E[:, j].max()))[E[:, j]]
        values[:, rows] = product
    return values.T


def powers(t: Array, degree: int) -> Array:
    """The powers 0 to `degree` of numbers t (n,): (degree + 1, n)."""
    found = np.ones((degree + 1, len(t)))
    for k in range(degree):
        np.multiply(found[k], t, out=found[k + 1])
    return found


def on_grid(grid: Grid, E: Exponents, coefficients: Array) -> Array:
    """The sum of the monomials in two variables times their coefficients (p,) at the nodes of a grid, (ny, nx)."""
    table = np.zeros((int(E[:, 1].max()) + 1, int(E[:, 0].max()) + 1))
    np.add.at(table, (E[:, 1], E[:, 0]), coefficients)
    vertical, horizontal = (
        np.vander(t, n, increasing=True) for t, n in zip((grid.y, grid.x), table.shape, strict=True)
    )
    return np.asarray(vertical @ table @ horizontal.T)


def expansion(E: Exponents, center: Array, scale: Array) -> Array:
    """B (p + 1, p + 1) that turns coefficients for monomials of ``(x - center) / scale`` into those for monomials of x.

    Row and column 0 belong to the constant, the others to E (p, d).
    """
    every = np.vstack((np.zeros((1, E.shape[1]), dtype=np.intp), E))
    degree = int(every.max())
    B = np.ones((len(every), len(every)))
    for j in range(E.shape[1]):
        # ((x - c) / s)^k = s^-k sum_i (k over i) (-c)^(k - i) x^i
        line = np.array(
            [[comb(k, i) * (-center[j]) ** max(k - i, 0) for k in range(degree + 1)] for i in range(degree + 1)]
        )
        line = line / scale[j] ** np.arange(degree + 1)
        B *= line[np.ix_(every[:, j], every[:, j])]
    return B


def chebyshev(low: float, high: float, size: int) -> Array:
    """The extrema of a Chebyshev polynomial between the ends: a polynomial through values there does not swing."""
    return np.asarray(low / 2 + high / 2 - (high / 2 - low / 2) * np.cos(np.pi * np.arange(size) / (size - 1)))


def interpolation(nodes: Array, places: Array) -> Array:
    """The matrix (m, size) that takes values at Chebyshev nodes to those of their polynomial at m places."""
    weights = (-1.0) ** np.arange(len(nodes))
    weights[[0, -1]] /= 2
    gap = np.subtract.outer(places, nodes)
    hit = gap == 0
    shares = weights / np.where(hit, 1.0, gap)
    shares[hit.any(axis=1)] = 0.0
    shares[hit] = 1.0
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def chebyshev_grid(grid: Grid, size: int) -> Grid:
    """The Chebyshev nodes, so many a side, of the rectangle that a grid fills."""
    x0, x1, y0, y1 = grid.limits
    return Grid(chebyshev(x0, x1, size), chebyshev(y0, y1, size))


def from_chebyshev_grid(values: Array, nodes: Grid, grid: Grid) -> Array:
    """The polynomial through values (size, size) at Chebyshev nodes, at the nodes of the grid: (ny, nx)."""
    return interpolation(nodes.y, grid.y) @ values @ interpolation(nodes.x, grid.x).T
