"""Linear least squares with a free offset, plain or with a quadratic penalty: weights and the rank.

    minimise  sum_i share_i (y_i - f(x_i) - b)^2 + ridge |f|^2,   sum share = 1

Normal equations come first, then a triangle, and singular values where neither has enough digits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Mask, is_rounding
from mlviz.numerics.linalg.columns import OWN_ROUNDING, column_lengths, triangle, weighed_columns
from mlviz.numerics.linalg.normal_equations import by_squares, by_triangle
from mlviz.spec.brief import Brief

_EPS = float(np.finfo(np.float64).eps)
_FLAT = 1e-13
"""Columns whose sum is a smaller share of theirs add up to 0."""
_MOST_RIDGE = 1e200
"""With a larger penalty on columns of about 1 there are no weights to speak of."""


@dataclass(frozen=True, eq=False)
class Solution(Brief):
    """The minimum: coefficients (p,), offset, and the rank of the centred design where it took part."""

    coef: Array
    intercept: float
    rank: int | None


def least_squares(
    A: Array, y: Array, weights: Array, unit: Array, ridge: float = 0.0, smallest: float = 0.0, constants: int = 0
) -> Solution:
    """Minimise sum_i weights_i (y_i - A_i.a - b)^2 + ridge |a / unit|^2 over a and b; the weights (n,) sum to one.

    A is (n, p), unit (p,). With ridge 0 and several minima: the one with least |a / unit|. Directions in which columns
    of unit length vary less than that share `smallest` of the most are as none at all. With `constants` the columns,
    whose units are then 1, add up to one.
    """
    largest = float(unit.max())
    shares = unit / largest  # squares of what is tiny would be lost
    B, t, mean, level, size = weighed_columns(A * shares, y, weights)
    inside = min(ridge / largest / largest, _MOST_RIDGE)
    w, rank = solved_columns(B, t, size, inside, smallest, constants, np.sqrt(weights))
    return Solution(shares * w, level - float(mean @ w), rank)


def solved_columns(
    B: Array,
    t: Array,
    size: float,
    ridge: float,
    smallest: float = 0.0,
    constants: int = 0,
    level: Array | None = None,
) -> tuple[Array, int | None]:
    """The same from columns (m, p) and a target (m,) that are centred and weighed: w (p,), and the rank.

    What is rounding of targets of the size `size` counts as nothing. With factors `level` (m,) all rows add up to 0.
    The rank is None where there is a ridge, with which all weights are told apart.
    """
    lengths = np.sqrt(np.einsum("ij,ij->j", B, B))
    there = int(np.count_nonzero(lengths))
    flat = _flat(B, lengths > 0) if constants and not ridge else None
    try:
        w = by_squares(B, t, ridge, flat, level)
    except np.linalg.LinAlgError:
        try:
            w = by_triangle(B, t, ridge, flat)
        except np.linalg.LinAlgError:
            w, rank = (_penalized(B, t, ridge), None) if ridge else _of_any_rank(B, t, smallest)
            return without_faint(w, lengths, t, size), rank
    rank = min(there - (flat is not None), len(B) - (level is not None))
    return without_faint(w, lengths, t, size), None if ridge else rank


def _flat(B: Array, there: Mask) -> Array | None:
    """Equal weights with which the columns (m, p) that are not 0 add up to 0; None where they do not, or are none."""
    if not there.any():
        return None
    flat = there.astype(np.float64)
    rest, size = np.abs(B @ flat), np.abs(B) @ flat
    return flat if rest.max(initial=0.0) <= _FLAT * size.max(initial=0.0) else None


def _of_any_rank(B: Array, t: Array, smallest: float) -> tuple[Array, int]:
    """The shortest minimum (p,) without a ridge, and the rank, by singular values."""
    p = B.shape[1]
    if len(B) > p:
        R = triangle(np.column_stack((B, t)))[:p]
        B, t = R[:, :p], R[:, p]
    length = column_lengths(B)
    U, s, Vt = np.linalg.svd(B / length, full_matrices=len(B) < p)
    rank = _rank(s, B.shape, smallest)
    w = (Vt[:rank].T @ ((U[:, :rank].T @ t) / s[:rank])) / length
    null = Vt[rank:].T / length[:, None]
    return (w - null @ np.linalg.lstsq(null, w, rcond=None)[0] if null.shape[1] else w), rank


def _rank(s: AnyArray, shape: tuple[int, ...], smallest: float) -> int:
    return int((s > max(_EPS * max(shape), smallest) * s.max(initial=0.0)).sum())


def rank_of(B: Array, smallest: float = 0.0) -> int:
    """How many directions columns (m, p) have that differ by more than rounding, or that share of the largest."""
    return _rank(np.linalg.svd(B / column_lengths(B), compute_uv=False), B.shape, smallest)


def without_faint(w: Array, lengths: Array, target: Array, largest: float) -> Array:
    """The weights w (p,), 0 where what a column adds by them is rounding of the target (n,), y less its mean.

    Columns have those lengths (p,); `largest` is the size of y itself.
    """
    size = max(float(target @ target) ** 0.5, OWN_ROUNDING * largest)
    return np.where(is_rounding(w * lengths, size), 0.0, w)


def _penalized(B: Array, t: Array, ridge: float) -> Array:
    # Stacking instead of the normal equations: they would square the condition number. Of a tiny ridge, directions in
    # which the columns do not differ have singular values that are rounding, and are left out.
    p = B.shape[1]
    stacked = np.vstack((B, np.sqrt(ridge) * np.eye(p)))
    length = np.sqrt((stacked**2).sum(axis=0))
    rounding = _EPS * max(stacked.shape)
    return np.asarray(np.linalg.lstsq(stacked / length, np.append(t, np.zeros(p)), rcond=rounding)[0] / length)
