"""A sum of losses of residuals and a quadratic penalty, over functions that are linear in their weights.

    minimise  sum_i share_i loss(y_i - A_i.w - b) + ridge |w|^2,   sum share = 1

It is brought to coordinates z in which the columns of the design are orthonormal and none is left out or too many:
y_i - Q_i.z, with the penalty z'M z + 2 m.z. Where several w give the same values, the shortest one is meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from mlviz.numerics.arrays import Array, Mask
from mlviz.numerics.linalg.columns import triangle
from mlviz.numerics.residuals.losses import Loss
from mlviz.numerics.standardizing import weighted_mean
from mlviz.spec.brief import Brief

_DIGITS = 1e-12
"""Directions in which terms vary by a smaller share than in others are left out."""
_LARGEST = 300.0
"""The logarithm of the largest factor of a penalty."""
_ROUNDING = 1e-12
"""Residuals that are a smaller share of the largest, or terms of the targets, are 0 but for rounding."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ResidualProblem(Brief):
    """The problem in its coordinates, about the least squares: y (n,) is what these leave, in units of the largest."""

    Q: Array
    """(n, q) the design, the constant among its columns."""
    y: Array
    share: Array
    """(n,) the weights of the samples, which sum to one."""
    M: Array
    """(q, q) the penalty, in units of the loss."""
    to_weights: Array
    """(p, q) from coordinates to weights."""
    to_level: Array
    """(q,) from coordinates to the level of the function."""
    mean: Array
    """(p,) of the terms."""
    level: float
    """The mean of the targets."""
    origin: Array
    """(q,) the coordinates of the least squares, in units."""
    unit: float
    """The largest residual of the least squares; 0 where they leave nothing but rounding."""
    spread: Array
    """(p,) the standard deviations of the terms."""
    size: float
    """That of the targets: beside it a term that contributes less than rounding has no weight."""

    @classmethod
    def of(cls, A: Array, y: Array, share: Array, ridge: float, digits: float = 0.0) -> Self:
        """That of the terms A (n, p), targets y (n,), shares (n,); sums of terms that vary less than `digits` are 0."""
        mean, level = share @ A, weighted_mean(y, share)
        centred, target, root = A - mean, y - level, np.sqrt(share)[:, None]
        spread = np.sqrt(((centred * root) ** 2).sum(axis=0))
        constant = spread <= 1e-13 * np.abs(A).max(axis=0)  # but for rounding
        unscaled = np.where(constant, 1.0, spread)
        varying = np.where(constant, 0.0, centred / unscaled)
        T = _independent(varying * root, max(digits, _DIGITS)) / unscaled[:, None]
        Q, back = _orthonormal(np.column_stack((np.ones(len(A)), varying @ (T * unscaled[:, None]))), root)
        T = _shortest(varying * root, T, unscaled, constant)
        # In these coordinates squares and penalty together are as curved in all directions.
        both, R = np.linalg.qr(np.vstack((np.eye(back.shape[1]), np.sqrt(ridge) * T @ back[1:])))
        inverse, penalty = np.linalg.inv(R), both[len(R) :]
        Q, back, M = Q @ inverse, back @ inverse, penalty.T @ penalty
        start = Q.T @ (share * target)
        start = start + Q.T @ (share * (target - Q @ start)) - M @ start
        left = target - Q @ start
        unit = float(np.abs(left).max())
        size = max(float(np.abs(target).max()), 1e-2 * float(np.abs(y).max()))
        if unit <= _ROUNDING * size:
            unit = 0.0
        return cls(
            Q=Q,
            y=left / unit if unit > 0 else np.zeros(len(y)),
            share=share,
            M=M,
            to_weights=T @ back[1:],
            to_level=back[0],
            mean=mean,
            level=level,
            origin=start / (unit or 1.0),
            unit=unit,
            spread=np.where(constant, 0.0, spread),
            size=size,
        )

    def weights(self, z: Array) -> tuple[Array, float]:
        """The weights (p,) and the offset that have those coordinates (q,)."""
        whole = (self.origin + z) * (self.unit or 1.0)
        w = self.to_weights @ whole
        w = np.where(np.abs(w) * self.spread <= _ROUNDING * self.size, 0.0, w)
        return w, self.level + float(self.to_level @ whole) - float(self.mean @ w)

    def penalty_for(self, power: float, size: float = 1.0) -> Array:
        """M as it is beside losses that are a power of residuals in units of `size` of their own."""
        unit = (self.unit or 1.0) * size
        return np.asarray(self.M * np.exp(np.clip((2 - power) * np.log(unit), -_LARGEST, _LARGEST)))

    def residuals(self, z: Array) -> Array:
        """What the coordinates z (q,) leave of the targets, in units, (n,)."""
        return np.asarray(self.y - self.Q @ z)

    def without_rounding(self, z: Array) -> Array:
        """The same, 0 where it is nothing but rounding: low powers of that are no small numbers."""
        residual = self.residuals(z)
        return np.where(np.abs(residual) <= _ROUNDING, 0.0, residual)

    def through(self, z: Array, near: float) -> Array:
        """The coordinates nearest to z at which residuals that are smaller than `near` vanish, as far as they can."""
        residual = self.residuals(z)
        met = np.abs(residual) <= near
        return np.asarray(z + np.linalg.lstsq(self.Q[met], residual[met], rcond=1e-10)[0])

    def objective(self, loss: Loss, z: Array) -> float:
        """The losses and the penalty, in the units of the targets."""
        residual, whole = self.without_rounding(z) * self.unit, (self.origin + z) * (self.unit or 1.0)
        with np.errstate(over="ignore", under="ignore"):
            return float(self.share @ loss.values(residual) + whole @ self.M @ whole)


def _independent(A: Array, digits: float) -> Array:
    """T (p, r) for which A T (n, r) is orthonormal but for rounding: one column for each direction that varies."""
    small = triangle(A) if len(A) > A.shape[1] else A
    _, s, Vt = np.linalg.svd(small, full_matrices=False)
    rank = min(int((s > digits * s.max(initial=0.0)).sum()), len(A) - 1)  # less their mean, n rows are dependent
    return np.asarray(Vt[:rank].T / s[:rank])


def _orthonormal(Q: Array, root: Array) -> tuple[Array, Array]:
    """Q (n, q) made orthonormal to the last digit, with the roots (n, 1) of the shares, and by which matrix (q, q)."""
    back = np.linalg.inv(triangle(Q * root))
    return Q @ back, np.asarray(back, dtype=np.float64)


def _shortest(A: Array, T: Array, unscaled: Array, constant: Mask) -> Array:
    """Other columns (p, r) that have the same values, of all of them the shortest."""
    T = np.where(constant[:, None], 0.0, T)
    if T.shape[1] == A.shape[1]:
        return T
    _, _, Vt = np.linalg.svd(triangle(A) if len(A) > A.shape[1] else A, full_matrices=True)
    null = Vt[T.shape[1] :].T / unscaled[:, None]
    return np.asarray(T - null @ np.linalg.lstsq(null, T, rcond=None)[0])
