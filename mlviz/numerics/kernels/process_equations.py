"""The equations of Gaussian processes: factors, solutions, and how exact they are.

Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), algorithm 2.1; for few features section 8.3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.cholesky import factorized, inverted
from mlviz.numerics.pauses import Work, blocks
from mlviz.spec.brief import Brief

_WHOLE = 700
"""So many rows at the most are factorized at once."""


@dataclass(frozen=True, eq=False)
class FeatureSolution(Brief):
    """The solution a (n,) of (k(X, X) + diag(ratio / weight)) a = r in features of the samples; see `in_features`."""

    coef: Array
    error: float
    """The largest error of the equations that there can be, as a share of the largest |r|."""
    factor: Array
    """L (m, m), lower, with L L' the sum of weight phi phi' over the samples plus the ratio."""
    log_det: float
    """Of k(X, X) + diag(ratio / weight)."""


def in_features(samples: Array, left: float, ratio: float, weights: Array, r: Array) -> FeatureSolution:
    """The solution in features (m, n) of the samples that leave that much out of each k(x, x) at the most.

    Raises LinAlgError where there are too few digits.
    """
    from scipy.linalg.lapack import dpotrf, dpotrs

    weighted = samples * weights
    factor, failed = dpotrf(weighted @ samples.T + ratio * np.eye(len(samples)), lower=1, clean=1)
    if failed:
        raise np.linalg.LinAlgError
    a, rest, size = np.zeros(len(r)), r, float(np.abs(r).max(initial=0.0)) or 1.0
    for _ in range(2):  # solved, and refined
        fitted = dpotrs(factor, weighted @ rest, lower=1)[0] @ samples
        a = a + weights * (rest - fitted) / ratio
        rest = r - (samples @ a) @ samples - ratio / weights * a
    error = float(np.abs(rest).max(initial=0.0)) + left * float(np.abs(a).sum())
    log_det = 2 * float(np.log(factor.diagonal()).sum()) - len(samples) * math.log(ratio)
    return FeatureSolution(a, error / size, factor, log_det + float(np.log(ratio / weights).sum()))


def through_centers(products: Array, c: Array, ratio: float) -> tuple[Array, Array, float]:
    """L with L L' = products + ratio, the weights w (m,) with L L' w = c, and c'w.

    Raises LinAlgError where there are too few digits.
    """
    from scipy.linalg import solve_triangular
    from scipy.linalg.lapack import dpotrf

    factor, failed = dpotrf(products + ratio * np.eye(len(c)), lower=1, clean=1)
    if failed:
        raise np.linalg.LinAlgError
    half = solve_triangular(factor, c, lower=True, check_finite=False)
    w = solve_triangular(factor, half, lower=True, trans=1, check_finite=False)
    return np.asarray(factor), np.asarray(w), float(half @ half)


def factor_of(K: Array, ridge: Array) -> Work[Array]:
    """Work out L, lower and column by column in memory, with L L' = K + diag(ridge); pauses where it is large.

    Raises LinAlgError where K + diag(ridge) has too few digits.
    """
    from scipy.linalg.lapack import dpotrf

    A = np.empty_like(K)
    for rows in (parts := blocks(*K.shape)):
        A[rows] = K[rows]
        if len(parts) > 1:
            yield
    A.flat[:: len(A) + 1] += ridge
    if len(A) <= _WHOLE:
        factor, failed = dpotrf(A.T, lower=1, overwrite_a=1, clean=1)
        if failed:
            raise np.linalg.LinAlgError
        return np.asarray(factor)
    yield from factorized(A)
    return np.asfortranarray(A)


def inverse_diagonal(factor: Array) -> Work[Array | None]:
    """Work out the diagonal (n,) of the inverse of L L' where that takes long; None where it is soon done."""
    if len(factor) <= _WHOLE:
        return None
    root = np.empty(factor.shape)
    for rows in (parts := blocks(*factor.shape)):
        root[rows] = factor[rows]
        yield
    yield from inverted(root)
    found = np.zeros(len(root))
    for rows in parts:
        found += np.einsum("ij,ij->j", root[rows], root[rows])
        yield
    return found


def refined(K: Array, ridge: Array, factor: Array, r: Array) -> Work[tuple[Array, float]]:
    """Find the solution a (n,) of (K + diag(ridge)) a = r, and the largest error of the equations as a share of |r|."""
    from scipy.linalg.lapack import dpotrs

    size, a = float(np.abs(r).max(initial=0.0)) or 1.0, np.zeros(len(r))
    rest, error = r, np.inf
    for _ in range(3):
        step = a + dpotrs(factor, rest, lower=1)[0]
        yield
        left = r - K @ step - ridge * step
        yield
        reached = float(np.abs(left).max(initial=0.0)) / size
        if not reached < error:
            break
        a, rest, error = step, left, reached
        if error <= 1e-15:
            break
    return a, error
