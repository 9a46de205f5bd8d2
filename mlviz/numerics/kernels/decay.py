"""Functions that decay with the distance of two places: exp(-size of a - b), as matrices and as factors on a grid."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.on_grid import SeparableFactors

LOWEST = {np.dtype(np.float64): -700.0, np.dtype(np.float32): -85.0}
"""exp of less counts as zero: it is nearly subnormal, and arithmetic on subnormals is many times slower."""


def envelopes(grid: Grid, p: Array, width: float, log_profile: Any, dtype: Any) -> SeparableFactors:
    """exp(log_profile((y - p_s1) / width)) and exp(log_profile((x - p_s0) / width)) at the nodes (x, y)."""
    # What is not set to zero here is still a normal number of that dtype when multiplied with another factor.
    lowest = -40.0 if np.dtype(dtype) == np.float32 else -300.0

    @np.errstate(over="ignore")
    def factor(nodes: Array, places: Array) -> NDArray[Any]:
        # The difference of near places needs all digits, what follows only those of the result.
        apart = np.subtract.outer(nodes, places)
        apart *= 1 / width
        exponent = log_profile(apart.astype(dtype, copy=False))
        np.putmask(exponent, exponent < lowest, -np.inf)
        return np.asarray(np.exp(exponent, out=exponent))

    return factor(grid.y, p[:, 1]), factor(grid.x, p[:, 0])


@np.errstate(over="ignore")
def of_differences(A: NDArray[Any], B: NDArray[Any], size: np.ufunc, exponent: Any) -> NDArray[Any]:
    """exp(exponent(sum_j size(a_j - b_j))) for the rows a of A and b of B; `exponent` works in place."""
    # Differences, column by column: |a|^2 + |b|^2 - 2 a.b would cancel. Some rows at a time stay in the cache.
    result = np.empty((len(A), len(B)), dtype=A.dtype)
    block, columns = max(1, 32_768 // max(1, len(B))), np.ascontiguousarray(B.T)
    difference = np.empty((block, len(B)), dtype=A.dtype)
    for first in range(0, len(A), block):
        rows, part = A[first : first + block], result[first : first + block]
        space = difference[: len(rows)]
        for j, column in enumerate(columns):
            into = space if j else part
            np.subtract(rows[:, j, None], column, out=into)
            size(into, out=into)
            if j:
                part += space
        exponent(part, out=part)
        if part.size and part.min() < LOWEST[A.dtype]:
            np.putmask(part, part < LOWEST[A.dtype], -np.inf)
        np.exp(part, out=part)
    return result


@np.errstate(over="ignore")
def exponential_field(grid: Grid, p: Array, coef: Array, width: float, dtype: Any) -> NDArray[Any]:
    """sum_s coef_s exp(-|(x, y) - p_s| / width) at the nodes (x, y): (ny, nx), or (ny, nx, c) for coef (m, c)."""
    across, up = (
        np.square(np.subtract.outer(nodes, places) / width).astype(dtype, copy=False)
        for nodes, places in ((grid.x, p[:, 0]), (grid.y, p[:, 1]))
    )
    result, weights = np.empty(grid.shape + coef.shape[1:], dtype=dtype), coef.astype(dtype, copy=False)
    part, lowest, farthest = np.empty_like(across), LOWEST[across.dtype], across.max(initial=0.0)
    for squares, row in zip(up, result, strict=True):
        np.add(across, squares, out=part)
        root_negative(part, out=part)
        # What counts as zero is subtracted in the end, which is faster than to look for it.
        far = farthest + squares.max(initial=0.0) > lowest**2
        if far:
            np.maximum(part, lowest, out=part)
        np.exp(part, out=part)
        if far:
            part -= np.exp(part.dtype.type(lowest))
        np.dot(part, weights, out=row)
    return result


def gaussian_profile(u: NDArray[Any]) -> NDArray[Any]:
    """The logarithm of a Gaussian at u standard deviations."""
    return np.asarray(-0.5 * (u * u))


def half_negative(squares: NDArray[Any], out: NDArray[Any]) -> None:
    """The exponent of a Gaussian."""
    np.multiply(squares, squares.dtype.type(-0.5), out=out)


def root_negative(squares: NDArray[Any], out: NDArray[Any]) -> None:
    """The exponent of an exponential kernel."""
    np.negative(np.sqrt(squares, out=out), out=out)
