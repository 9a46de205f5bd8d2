"""Least squares by normal equations, in the weights (primal) or in the samples (dual), where these have enough digits.

    minimise  |t - B w|² + ridge |w|²:    (B'B + ridge) w = B't,    or  w = B'a  with  (BB' + ridge) a = t

Those that are fewer are solved, by Cholesky's factorization; both have the same solution. The condition of the square
is that of the columns squared. As long as it is far from 1/eps, one step of refinement by the residuals of the columns
themselves puts back the digits that this has cost. Å. Björck, Numerical Methods for Least Squares Problems (1996),
sections 2.2, 2.4 and 6.6.
"""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.columns import triangle

_MOST_SQUARED = 1e10
"""A bound of the condition of the square up to which its solution has six digits, and all after refinement."""
_MOST = 1e8
"""The same of a triangle, whose solution has eight digits without."""


def by_squares(B: Array, t: Array, ridge: float = 0.0, flat: Array | None = None, level: Array | None = None) -> Array:
    """The minimum w (p,) for columns B (n, p) and a target t (n,); of several without a ridge that with least |w|.

    `flat` (p,) are weights with which the columns are known to add up to 0, and `level` (n,) factors with which the
    rows and the target do.
    Raises LinAlgError where the squares have too few digits.
    """
    n, p = B.shape
    if n > p or (n == p and level is None):
        return _primal(B, t, ridge, None if ridge else flat)
    square = B @ B.T
    square.flat[:: n + 1] += ridge
    size = float(square.trace()) / n
    if level is not None:
        square += np.multiply.outer(level, level) * (size / float(level @ level))
    solve = _Solver(square, np.full(n, size**-0.5 if size > 0 else 1.0))
    a = solve(t)
    w = B.T @ a
    # The weights are refined themselves: large numbers a may cancel in them.
    return np.asarray(w + B.T @ solve(t - B @ w - ridge * a))


def _primal(B: Array, t: Array, ridge: float, flat: Array | None) -> Array:
    square = B.T @ B
    square.flat[:: len(square) + 1] += ridge
    lift = 0.0
    if flat is not None:
        # Then the least |w| is the only minimum: it is orthogonal to the direction that makes no difference.
        lift = float(square.trace()) / len(square) / float(flat @ flat)
        square += np.multiply.outer(lift * flat, flat)
    # Unit diagonal: the condition should not depend on the units of the columns. A column of zeros has the weight 0.
    diagonal = square.diagonal()
    empty = diagonal == 0
    if empty.any():
        square.flat[:: len(square) + 1] += empty
    solve = _Solver(square, 1 / np.sqrt(diagonal))
    w = solve(B.T @ t)
    gradient = B.T @ (t - B @ w) - ridge * w
    if flat is not None:
        gradient -= (lift * float(flat @ w)) * flat
    w += solve(gradient)
    return w


class _Solver:
    """Solve ``square x = r`` for a symmetric square (k, k); LinAlgError where its condition is too large."""

    def __init__(self, square: Array, scale: Array) -> None:
        """With rows and columns times the scale (k,) the diagonal is about 1."""
        from scipy.linalg.lapack import dpotrf, dpotrs, dtrtri

        self.scale = scale
        square *= scale
        square *= scale[:, None]
        trace = float(square.trace())
        self.factor, failed = dpotrf(square.T, lower=True, overwrite_a=True)
        # The largest eigenvalue is at most the trace, and the trace of the inverse at least 1 / the least one.
        if failed or not trace * _sum_of_squares(dtrtri(self.factor, lower=True)[0]) <= _MOST_SQUARED:
            raise np.linalg.LinAlgError
        self.potrs = dpotrs

    def __call__(self, right: Array) -> Array:
        return np.asarray(self.scale * self.potrs(self.factor, self.scale * right, lower=True)[0])


def _sum_of_squares(triangular: Array) -> float:
    """The sum of the squares of the entries."""
    flat = triangular.ravel(order="K")
    return float(flat @ flat)


def by_triangle(B: Array, t: Array, ridge: float = 0.0, flat: Array | None = None) -> Array:
    """The same minimum by orthogonal triangularization, which does not square the condition.

    Raises LinAlgError where digits are too few even so, or the rows.
    """
    from scipy.linalg.lapack import dtrtri, dtrtrs

    n, p = B.shape
    if n <= p and not ridge:
        raise np.linalg.LinAlgError
    R = triangle(np.column_stack((B, t)))
    length = np.sqrt((R[:, :p] ** 2).sum(axis=0) + ridge)
    length[length == 0] = 1.0
    rows = [R]
    if ridge > 0:
        rows.append(np.column_stack((np.sqrt(ridge) * np.eye(p), np.zeros(p))))
    elif flat is not None:
        rows.append(np.append(flat * (length.mean() / np.linalg.norm(flat)), 0.0)[None])
    empty = ~R[:, :p].any(axis=0) & (ridge == 0)
    if empty.any():
        rows.append(np.column_stack((np.eye(p)[empty], np.zeros(int(empty.sum())))))
    if len(rows) > 1:
        R = triangle(np.vstack(rows))
    scaled = R[:p, :p] / length
    inverse, failed = dtrtri(scaled)
    if failed or not np.sqrt(p * _sum_of_squares(inverse)) <= _MOST:
        raise np.linalg.LinAlgError
    return np.asarray(dtrtrs(scaled, R[:p, p])[0] / length)
