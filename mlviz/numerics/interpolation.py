"""Polynomials through the values at Chebyshev nodes.

Trefethen, Approximation Theory and Approximation Practice (2013); Berrut and Trefethen, SIAM Review 46 (2004) 501-517.
"""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid


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
