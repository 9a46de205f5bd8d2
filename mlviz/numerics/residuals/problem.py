"""A sum of losses of residuals and a quadratic penalty, over functions that are linear in their weights.

    minimise  sum_i share_i loss(y_i - A_i.w - b) + ridge |w|^2,   sum share = 1

It is brought to coordinates z in which the columns of the design are orthonormal and none is left out or too many:
y_i - Q_i.z, with the penalty z'M z + 2 m.z. Where several w give the same values, the shortest one is meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.least_squares import triangle
from mlviz.numerics.residuals.losses import Loss
from mlviz.numerics.standardizing import weighted_mean
from mlviz.spec.brief import Brief

_EPS = float(np.finfo(np.float64).eps)
_ROUNDING = 1e-12
"""Residuals that are a smaller share of the largest, or terms of the targets, are 0 but for rounding."""


@dataclass(frozen=True, eq=False)
class ResidualProblem(Brief):
    """The problem in its coordinates, about the least squares: y (n,) is what these leave, in units of the largest."""

    Q: Array
    """(n, q) the design, the first column ones."""
    y: Array
    share: Array
    M: Array
    """(q, q) the penalty, in units of the loss."""
    to_weights: Array
    """(p, q - 1) from coordinates to weights."""
    mean: Array
    """(p,) of the terms."""
    level: float
    """The mean of the targets."""
    origin: Array
    """(q,) the coordinates of the least squares, in units."""
    unit: float
    """The largest residual of the least squares; 0 where they leave nothing but rounding."""
    rank: int
    spread: Array
    """(p,) the standard deviations of the terms."""
    size: float
    """That of the targets: beside it a term that contributes less than rounding has no weight."""

    @classmethod
    def of(cls, A: Array, y: Array, share: Array, ridge: float, digits: float = 0.0) -> Self:
        """That of the terms A (n, p), targets y (n,), shares (n,); sums of terms that vary less than `digits` are 0."""
        mean, level = share @ A, weighted_mean(y, share)
        centred, target = A - mean, y - level
        root = np.sqrt(share)[:, None]
        length = np.sqrt(((centred * root) ** 2).sum(axis=0))
        length[length <= 1e-15 * np.abs(A).max(axis=0)] = np.inf  # a column that is constant but for rounding
        small = triangle(centred * root / length) if len(A) > A.shape[1] else centred * root / length
        _, s, Vt = np.linalg.svd(small, full_matrices=True)
        rank = int((s > max(digits, _EPS * max(A.shape)) * s.max(initial=0.0)).sum())
        finite = np.where(np.isfinite(length), length, 1.0)
        T = Vt[:rank].T / s[:rank] / finite[:, None]
        T[~np.isfinite(length)] = 0.0
        Q = np.column_stack((np.ones(len(A)), centred @ T))
        null = Vt[rank:].T / finite[:, None]
        if null.shape[1]:
            T = T - null @ np.linalg.lstsq(null, T, rcond=None)[0]
        M = np.zeros((rank + 1, rank + 1))
        M[1:, 1:] = ridge * T.T @ T
        start = np.linalg.solve(np.eye(rank + 1) + M, Q.T @ (share * target))
        left = target - Q @ start
        unit = float(np.abs(left).max())
        size = max(float(np.abs(target).max()), 1e-2 * float(np.abs(y).max()))
        if unit <= _ROUNDING * size:
            unit = 0.0
        scaled = left / unit if unit > 0 else np.zeros(len(y))
        return cls(
            Q,
            scaled,
            share,
            M,
            T,
            mean,
            level,
            np.asarray(start / (unit or 1.0)),
            unit,
            rank,
            np.where(np.isfinite(length), length, 0.0),
            size,
        )

    def weights(self, z: Array) -> tuple[Array, float]:
        """The weights (p,) and the offset that have those coordinates (q,)."""
        whole = (self.origin + z) * (self.unit or 1.0)
        w = self.to_weights @ whole[1:]
        w = np.where(np.abs(w) * self.spread <= _ROUNDING * self.size, 0.0, w)
        return w, self.level + float(whole[0]) - float(self.mean @ w)

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

    def penalty(self, z: Array, power: float) -> float:
        """The penalty, divided by unit^power as the losses are."""
        whole = self.origin + z
        return float(whole @ self.M @ whole) * float((self.unit or 1.0) ** (2 - power))

    def objective(self, loss: Loss, z: Array) -> float:
        """The losses and the penalty, in the units of the targets."""
        residual = self.without_rounding(z) * self.unit
        with np.errstate(over="ignore", under="ignore"):
            return float(self.share @ loss.values(residual)) + self.penalty(z, 0.0)
