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
from mlviz.numerics.interpolation import chebyshev_grid, from_chebyshev_grid

SeparableFactors = tuple[NDArray[Any], NDArray[Any]]
"""Factors up (ny, m) and across (nx, m) of a kernel's values at the nodes (x, y) for m centres."""

SIZES = (12, 24, 48, 96)
"""Numbers of Chebyshev's nodes along a side."""
BLOCK = 2_000_000
"""About so many numbers are worked on at a time: 16 MB."""
_IN_CACHE = 65_536
"""So many kernel values at a time stay in the cache."""


def from_pairs(pairs: Iterable[SeparableFactors], coef: Array, dtype: Any) -> NDArray[Any]:
    """The sum over the pairs and the centres s of coef_s up[y, s] across[x, s]: (ny, nx), summed in that dtype."""
    weights = coef.astype(dtype, copy=False)
    parts = ((up.astype(dtype, copy=False) * weights) @ across.astype(dtype, copy=False).T for up, across in pairs)
    return reduce(lambda field, part: np.add(field, part, out=field), parts)


def interpolated(values: Callable[[Array], Array], grid: Grid, dtype: Any) -> NDArray[Any] | None:
    """A smooth function of places (m, 2) at the nodes of a grid; None where so few of its values do not tell it."""
    tolerance = 1e-7 if np.dtype(dtype) == np.float32 else 1e-11
    for size in SIZES:
        if 2 * size > min(grid.shape):
            break
        nodes = chebyshev_grid(grid, size)
        at_nodes = values(nodes.points()).reshape(size, size)
        # Coefficients of Chebyshev's polynomials, by the cosine sum that halves both ends.
        order = np.arange(size)
        to_coef = np.cos(np.pi * np.outer(order, order) / (size - 1))
        to_coef[:, [0, -1]] /= 2
        to_coef[[0, -1]] /= 2
        C = np.abs(to_coef @ at_nodes @ to_coef.T)
        rest = size // 6
        if max(float(C[-rest:].max()), float(C[:, -rest:].max())) <= tolerance * float(C.max()):
            return as_dtype(from_chebyshev_grid(at_nodes, nodes, grid), dtype)
    return None


def node_by_node(
    matrix: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]], grid: Grid, centers: Array, coef: Array, dtype: Any
) -> NDArray[Any]:
    """The expansion with the kernel's values one by one."""
    places, p, c = (values.astype(dtype, copy=False) for values in (grid.points(), centers, coef))
    return rows_in_blocks(places, len(p), lambda rows: matrix(rows, p) @ c, _IN_CACHE).reshape(grid.shape)


def rows_in_blocks(
    X: NDArray[Any], width: int, function: Callable[[NDArray[Any]], NDArray[Any]], most: int = BLOCK
) -> NDArray[Any]:
    """The values (m,) of a function of the rows of X, each of which takes `width` numbers, for `most` at a time."""
    size = max(1, most // max(1, width))
    return np.concatenate([function(X[first : first + size]) for first in range(0, max(1, len(X)), size)])
