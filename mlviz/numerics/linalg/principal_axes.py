"""The directions in which samples vary most, with all the digits that the samples have."""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.leading_eigenvectors import leading_eigenvectors
from mlviz.numerics.pauses import finished

_EPS = float(np.finfo(np.float64).eps)
_ALIKE = 1e-9
"""Entries of a direction that differ by less than this share are equally large."""
COMPUTABLE_DISTANCES = (1e-150, 1e150)
"""Squares of distances that are smaller or larger than this have no number."""


def principal_axes(columns: Array, weights: Array, divisor: float) -> tuple[Array, Array, Array] | None:
    """Mean (d,), axes (d, d) as rows of length 1, and the standard deviation along each (d,), largest first.

    Of the columns (d, n) of samples with weights (n,); variances are sums of weighted squares over the divisor. The
    largest entry of each axis is positive. A deviation is 0 exactly where it is lost in rounding. None where floats
    end: all samples are at one place, or too far apart or too close together for squares.
    """
    centred = _centred(columns, weights, divisor)
    if centred is None:
        return None
    mean, reach, A = centred
    # Singular values keep twice the digits that the eigenvalues of the covariance would; R has those of the samples.
    triangle = np.linalg.qr(A, mode="r")
    _, deviations, rows = np.linalg.svd(triangle, full_matrices=True)
    deviations = np.append(deviations, np.zeros(len(columns) - len(deviations)))
    deviations[deviations <= _EPS * max(columns.shape) * deviations[0]] = 0.0
    return mean, _with_sense(rows), reach * deviations


def covariance_and_gram_axes(columns: Array, weights: Array, divisor: float) -> list[tuple[Array, Array]]:
    """The axes (d, d) and variances (d,) of `principal_axes` by the eigenvectors of the covariance A'A (d, d).

    Then the first axes (k, d) and variances (k,) by those of the Gram matrix AA' (n, n): an eigenvector v of AA' leads
    to one of A'A, which is A'v divided by its length. k is d, or n where that is smaller. Neither where floats end.
    """
    centred = _centred(columns, weights, divisor)
    if centred is None:
        return []
    _, reach, A = centred
    variances, vectors = np.linalg.eigh(A.T @ A)
    leading, places, _ = finished(leading_eigenvectors(A @ A.T, min(A.shape), np.random.default_rng(0)))
    along = A.T @ places
    length = np.linalg.norm(along, axis=0)
    by_gram = _with_sense((along / np.where(length > 0, length, 1.0)).T), reach**2 * leading
    return [(_with_sense(vectors.T[::-1]), reach**2 * variances[::-1]), by_gram]


def _centred(columns: Array, weights: Array, divisor: float) -> tuple[Array, float, Array] | None:
    """The mean (d,), a unit, and A (n, d): samples from their mean, times the root of weight and divisor, in that unit.

    Then A'A is the covariance in squares of the unit. None where floats end.
    """
    # From the middle of the samples, and in units of their reach: a far origin costs no digits, nothing overflows.
    middle = columns.min(axis=1) / 2 + columns.max(axis=1) / 2
    offset = columns - middle[:, None]
    reach = float(np.abs(offset).max())
    if not COMPUTABLE_DISTANCES[0] < reach < COMPUTABLE_DISTANCES[1]:
        return None
    offset /= reach
    mean = offset @ weights / weights.sum()
    return middle + reach * mean, reach, ((offset - mean[:, None]) * np.sqrt(weights / divisor)).T


def _with_sense(axes: Array) -> Array:
    """The axes (d, d), each turned so that its largest entry, the first of such ones, is positive."""
    size = np.abs(axes)
    largest = np.argmax(size >= size.max(axis=1, keepdims=True) * (1 - _ALIKE), axis=1)
    return axes * np.where(np.take_along_axis(axes, largest[:, None], axis=1) < 0, -1.0, 1.0) + 0.0
