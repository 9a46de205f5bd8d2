"""Linear least squares with an offset, with and without a quadratic penalty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array

_BLOCK = 2000
"""So many rows are factorized at a time."""
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Solution:
    """The minimum: coefficients (p,), offset, and the rank of the centred design."""

    coef: Array
    intercept: float
    rank: int


def least_squares(A: Array, y: Array, weights: Array, penalty: Array, ridge: float) -> Solution:
    """Minimise sum_i weights_i (y_i - A_i.a - b)^2 + ridge |penalty a|^2 over a and b; the weights (n,) sum to one.

    A is (n, p), penalty (p, p) and invertible. With ridge 0 and several minima: the one with least |penalty a|.
    """
    mean, offset = weights @ A, float(weights @ y)
    centred, target = _centred(A, y, weights)
    # Columns of unit length: the rank should not depend on the units of the columns.
    length = np.sqrt((centred**2).sum(axis=0))
    length[length == 0] = 1.0
    U, s, Vt = np.linalg.svd(centred / length, full_matrices=len(centred) < A.shape[1])
    rank = int((s > _EPS * max(A.shape) * s.max(initial=0.0)).sum())
    if ridge > 0:
        a = _penalized(centred, target, np.sqrt(ridge) * penalty)
    else:
        a = (Vt[:rank].T @ ((U[:, :rank].T @ target) / s[:rank])) / length
        null = Vt[rank:].T / length[:, None]
        if null.shape[1]:
            a = a - null @ np.linalg.lstsq(penalty @ null, penalty @ a, rcond=None)[0]
    return Solution(a, offset - float(mean @ a), rank)


def _centred(A: Array, y: Array, weights: Array) -> tuple[Array, Array]:
    """A and y less their means, times the roots of the weights; of many rows a triangle that has the same minima."""
    root, p = np.sqrt(weights), A.shape[1]
    centred, target = (A - weights @ A) * root[:, None], (y - weights @ y) * root
    if len(A) <= p:
        return centred, target
    R = triangle(np.column_stack((centred, target)))
    return R[:p, :p], R[:p, p]


def triangle(A: Array) -> Array:
    """R of A = QR, for A with many rows: some at a time, which stay in the cache."""
    size = max(_BLOCK, 4 * A.shape[1])
    parts = [np.linalg.qr(A[first : first + size], mode="r") for first in range(0, len(A), size)]
    return np.asarray(parts[0] if len(parts) == 1 else np.linalg.qr(np.vstack(parts), mode="r"))


def _penalized(centred: Array, target: Array, penalty: Array) -> Array:
    # Stacking instead of the normal equations: they would square the condition number.
    stacked = np.vstack((centred, penalty))
    length = np.sqrt((stacked**2).sum(axis=0))
    return np.asarray(
        np.linalg.lstsq(stacked / length, np.append(target, np.zeros(len(penalty))), rcond=_EPS)[0] / length
    )


def ridge_path(A: Array, y: Array, weights: Array, ridges: Array) -> Array:
    """The coefficients of `least_squares` with the identity as penalty, for each of the ridges (m,) above 0: (m, p)."""
    centred, target = _centred(A, y, weights)
    U, s, Vt = np.linalg.svd(centred, full_matrices=False)
    return np.asarray((s / (s**2 + ridges[:, None]) * (U.T @ target)) @ Vt)
