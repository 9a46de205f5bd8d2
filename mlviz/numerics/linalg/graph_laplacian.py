"""The graph of samples that are near each other, and the smallest eigenvalues of its normalized Laplacian.

U. von Luxburg, A tutorial on spectral clustering, Statistics and Computing 17 (2007), 395-416.
"""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array

_ROUNDING = 1e-12


def neighbour_graph(distances: Array, count: int) -> Array:
    """The weights (n, n), 0 or 1: two samples are joined where one is among the `count` nearest others of the other.

    Of equally near ones all are, so that the order of the samples changes nothing. Of `distances` (n, n).
    """
    n = len(distances)
    own = np.eye(n, dtype=bool)
    others = np.where(own, np.inf, distances)
    farthest = np.partition(others, min(count, n - 1) - 1, axis=1)[:, min(count, n - 1) - 1]
    near = others <= farthest[:, None] * (1 + _ROUNDING)
    return ((near | near.T) & ~own).astype(np.float64)


def gaussian_graph(distances: Array, sigma: float) -> Array:
    """The weights exp(-d²/2σ²) (n, n) of the distances (n, n); no sample is joined to itself."""
    weights = np.exp(-0.5 * (distances / sigma) ** 2)
    np.fill_diagonal(weights, 0.0)
    return weights


def normalized_laplacian(weights: Array) -> Array:
    """I - D^(-1/2) W D^(-1/2), where D holds the sums of the rows of W (n, n); a row without an edge is 0."""
    degree = weights.sum(axis=1)
    root = np.sqrt(np.where(degree > 0, degree, 1.0))
    laplacian = -(weights / root) / root[:, None]
    laplacian[np.diag_indices(len(weights))] += degree > 0
    return np.asarray(laplacian)


def smallest_eigenvalues(laplacian: Array, count: int) -> Array:
    """The `count` smallest eigenvalues (count,), rising, of a normalized Laplacian (n, n); no rounding is left of 0."""
    from scipy.linalg import eigh

    last = min(count, len(laplacian)) - 1
    values = eigh(laplacian, eigvals_only=True, subset_by_index=(0, last), check_finite=False)
    return np.where(values <= _ROUNDING * len(laplacian), 0.0, values)
