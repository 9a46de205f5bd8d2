"""Least squares with the elastic net's penalty, as a problem in the weights alone.

    minimise  |t - B w|² + l1 |w|₁ + l2 |w|²

With H = B'B + l2 and c = B't, which do not depend on the number of samples, the gradient of the smooth half is H w - c,
and at the minimum |c - H w| is at most l1 / 2, and that with the sign of w where w is not 0.

H. Zou and T. Hastie, Regularization and variable selection via the elastic net, Journal of the Royal Statistical
Society B 67 (2005) 301-320.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.spec.brief import Brief

_JITTER = 1e-13
"""What is added to the squares of the columns' lengths where they are alike."""
_EXACT = 1e-12
"""Equations that are met but for this share are solved."""


@dataclass(frozen=True, eq=False)
class ElasticNet(Brief):
    """The problem in its p weights: H (p, p) and c (p,), and the square of the length of t."""

    H: Array
    c: Array
    l1: float
    l2: float
    squared: float

    @classmethod
    def of(cls, B: Array, t: Array, l1: float, l2: float) -> ElasticNet:
        """That of the columns B (m, p) and the target t (m,)."""
        H = B.T @ B
        H.flat[:: len(H) + 1] += l2
        return cls(H, B.T @ t, l1, l2, float(t @ t))

    def with_strength(self, l1: float, l2: float) -> ElasticNet:
        """The same with another penalty."""
        H = self.H.copy()
        H.flat[:: len(H) + 1] += l2 - self.l2
        return ElasticNet(H, self.c, l1, l2, self.squared)

    @property
    def largest_l1(self) -> float:
        """From this strength on all weights are 0."""
        return 2 * float(np.abs(self.c).max(initial=0.0))

    def value(self, w: Array) -> float:
        """What is minimised."""
        return self.squared + float(w @ (self.H @ w - 2 * self.c)) + self.l1 * float(np.abs(w).sum())

    def duality_gap(self, w: Array) -> float:
        """How much less than at the weights w (p,) the minimum can be at most."""
        along = self.H @ w
        correlation = self.c - along
        # The residuals, with sqrt(l2) w below them, made so short that they are a point of the dual problem.
        largest = 2 * float(np.abs(correlation).max(initial=0.0))
        scale = min(1.0, self.l1 / largest) if largest > 0 else 1.0
        with_target = self.squared - float(self.c @ w)
        squared = self.squared + float(w @ (along - 2 * self.c))
        dual = 2 * scale * with_target - scale**2 * squared
        return max(0.0, squared + self.l1 * float(np.abs(w).sum()) - dual)

    def on(self, active: Labels, right: Array) -> Array:
        """The solution (k,) or (k, m) of H_AA w = right for those weights alone."""
        H = self.H[np.ix_(active, active)]
        length = np.sqrt(H.diagonal())
        scaled = H / length / length[:, None]
        lengths = length if right.ndim == 1 else length[:, None]
        scaled_right = right / lengths
        safe = scaled + _JITTER * np.eye(len(scaled))
        found = np.linalg.solve(safe, scaled_right)
        missing = scaled_right - scaled @ found
        if np.abs(missing).max() > _EXACT * np.abs(scaled_right).max():
            found += np.linalg.solve(safe, missing)
        return np.asarray(found / lengths)
