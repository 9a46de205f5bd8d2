"""Kernel expansions on a regular grid, where there is no formula of their own.

Sums of products of one function an axis are products of matrices. Smooth fields are found at the few nodes of
Chebyshev's grid and interpolated: Trefethen, Approximation Theory and Approximation Practice (2013), chapters 3 to 8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid, as_dtype

SeparableFactors = tuple[NDArray[Any], NDArray[Any]]
"""Factors up (ny, m) and across (nx, m) of a kernel's values at the nodes (x, y) for m centres."""

SIZES = (12, 24, 48, 96)
"""Numbers of Chebyshev's nodes along a side."""
BLOCK = 65_536
"""So many kernel values at a time stay in the cache."""


def from_pairs(pairs: Iterable[SeparableFactors], coef: Array, dtype: Any) -> NDArray[Any]:
    """The sum over the pairs and the centres s of coef_s up[y, s] across[x, s]: (ny, nx), summed in that dtype."""
    weights = coef.astype(dtype, copy=False)
    parts = ((up.astype(dtype, copy=False) * weights) @ across.astype(dtype, copy=False).T for up, across in pairs)
    return reduce(lambda field, part: np.add(field, part, out=field), parts)


def interpolated(values: Callable[[Array], Array], grid: Grid, dtype: Any) -> NDArray[Any] | None:
    """A smooth function of places (m, 2) at the nodes of a grid; None where so few of its values do not tell it."""
    tolerance = 1e-7 if np.dtype(dtype) == np.float32 else 1e-11
    (x, mx, hx), (y, my, hy) = _unit(grid.x), _unit(grid.y)
    for size in SIZES:
        if 2 * size > min(grid.shape):
            break
        angles = np.pi * np.arange(size) / (size - 1)
        nodes = np.cos(angles)
        # Coefficients of Chebyshev's polynomials, by the cosine sum that halves both ends.
        to_coef = np.cos(np.outer(np.arange(size), angles)) * (2 / (size - 1))
        to_coef[:, [0, -1]] /= 2
        to_coef[[0, -1]] /= 2
        at_nodes = values(Grid(mx + hx * nodes, my + hy * nodes).points()).reshape(size, size)
        C = to_coef @ at_nodes @ to_coef.T
        largest, rest = float(np.abs(C).max()), size // 6
        if max(float(np.abs(C[-rest:]).max()), float(np.abs(C[:, -rest:]).max())) <= tolerance * largest:
            order = np.arange(size)
            up, across = np.cos(np.outer(np.arccos(y), order)), np.cos(np.outer(np.arccos(x), order))
            field: NDArray[Any] = up @ C @ across.T
            return as_dtype(field, dtype)
    return None


def node_by_node(
    matrix: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]], grid: Grid, centers: Array, coef: Array, dtype: Any
) -> NDArray[Any]:
    """The expansion with the kernel's values one by one."""
    places, p, c = (values.astype(dtype, copy=False) for values in (grid.points(), centers, coef))
    result = np.empty(len(places), dtype=dtype)
    step = max(1, BLOCK // max(1, len(p)))
    for first in range(0, len(places), step):
        result[first : first + step] = matrix(places[first : first + step], p) @ c
    return result.reshape(grid.shape)


def _unit(nodes: Array) -> tuple[Array, float, float]:
    """The nodes mapped to [-1, 1], and middle and half of where they were."""
    low, high = float(nodes.min()), float(nodes.max())
    middle, half = low / 2 + high / 2, max(high / 2 - low / 2, 1e-300)
    return np.clip((nodes - middle) / half, -1.0, 1.0), middle, half
