"""Columns of a least squares problem, less their means and weighed; of many rows a triangle with the same losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mlviz.numerics.arrays import Array, without_rounding
from mlviz.numerics.pauses import Work, blocks
from mlviz.numerics.standardizing import mean_and_size

OWN_ROUNDING = 0.1
"""The rounding of a number itself is so much smaller than that of what is computed from it."""
_BLOCK = 2000
"""So many rows are factorized at a time."""
_WORKSPACE = 64
"""What LAPACK wants for each column: the largest number of columns that it takes together."""


class WeighedColumns(NamedTuple):
    """Columns and a target minus their means, times the roots of the weights: in them a free offset is 0."""

    B: Array
    """(n, p)."""
    t: Array
    mean: Array
    """(p,) of the columns."""
    level: float
    """The mean of the target."""
    size: float
    """The largest magnitude of the target as it was."""


def less_mean(y: Array, mean: float, size: float) -> Array:
    """The values y (n,) less their mean, nothing in place of the rounding of y itself, which is of that size."""
    return without_rounding(y - mean, OWN_ROUNDING * size)


def column_lengths(B: Array) -> Array:
    """Those of columns (m, p), (p,), 1 for one of zeros: divided by them, their rank does not depend on their units."""
    length = np.sqrt((B**2).sum(axis=0))
    length[length == 0] = 1.0
    return np.asarray(length)


def weighed_columns(A: Array, y: Array, weights: Array) -> WeighedColumns:
    """Those of A (n, p), which is used up, and y (n,), the weights (n,) summing to one."""
    root, mean = np.sqrt(weights), weights @ A
    A -= mean
    A *= root[:, None]
    level, size = mean_and_size(y, weights)
    return WeighedColumns(A, less_mean(y, level, size) * root, mean, level, size)


def centred_columns(A: Array, y: Array, weights: Array) -> tuple[Array, Array, Array]:
    """The same columns and target, and the means; of many rows a triangle that has the same losses.

    In its last row there is only what no weights can make smaller.
    """
    B, t, mean, *_ = weighed_columns(A, y, weights)
    p = B.shape[1]
    if len(B) <= p:
        return B, t, mean
    R = triangle(np.column_stack((B, t)))
    return R[:, :p], R[:, p], mean


def compressed_columns(
    part: Callable[[slice], Array], p: int, y: Array, weights: Array
) -> Work[tuple[Array, Array, Array]]:
    """The same, and the means (p,), of very many rows, which `part` works out some at a time (m, p)."""
    root, target = np.sqrt(weights), less_mean(y, *mean_and_size(y, weights))
    mean, R = np.zeros(p), np.empty((0, p + 1))
    for rows in blocks(len(y), p):
        mean += weights[rows] @ part(rows)
        yield
    for rows in blocks(len(y), p):
        block = np.column_stack((part(rows) - mean, target[rows])) * root[rows, None]
        R = triangle(np.vstack((R, block)))
        yield
    return R[:, :p], R[:, p], mean


def triangle(A: Array) -> Array:
    """R of A = QR, for A with many rows: some at a time, which stay in the cache."""
    size = max(_BLOCK, 4 * A.shape[1])
    parts = [_upper(A[first : first + size]) for first in range(0, len(A), size)]
    return parts[0] if len(parts) == 1 else _upper(np.vstack(parts))


def _upper(A: Array) -> Array:
    from scipy.linalg.lapack import dgeqrf

    return np.triu(dgeqrf(A, lwork=_WORKSPACE * A.shape[1])[0][: A.shape[1]])
