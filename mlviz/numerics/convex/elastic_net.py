"""Least squares with the elastic net's penalty: coordinate descent, finished exactly on the weights that are not 0.

    minimise  |t - B w|² + l1 |w|₁ + l2 |w|²

With H = B'B + l2 and c = B't, which do not depend on the number of samples, the gradient of the smooth half is H w - c,
and at the minimum |c - H w| is at most l1 / 2, and that with the sign of w where w is not 0.

J. Friedman, T. Hastie and R. Tibshirani, Regularization paths for generalized linear models via coordinate descent,
Journal of Statistical Software 33 (2010) 1-22.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.convex.newton import searching_signs
from mlviz.numerics.pauses import Work
from mlviz.spec.brief import Brief

_ROUNDS = 4
"""So many rounds over all weights find most of those that are not 0."""
_JITTER = 1e-13
"""What is added to the squares of the columns' lengths where they are alike."""
_EXACT = 1e-12
"""Equations that are met but for this share are solved."""
_BETWEEN_PAUSES = 1_000_000
"""About so many products are summed up between two pauses."""


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
        H[np.diag_indices_from(H)] += l2
        return cls(H, B.T @ t, l1, l2, float(t @ t))

    def with_strength(self, l1: float, l2: float) -> ElasticNet:
        """The same with another penalty."""
        H = self.H.copy()
        H[np.diag_indices_from(H)] += l2 - self.l2
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

    def rounds(self, w: Array) -> Iterator[Array]:
        """The weights after each round of coordinate descent, each of them set to its best in turn."""
        w, diagonal, half = w.copy(), self.H.diagonal().tolist(), self.l1 / 2
        correlation = self.c - self.H @ w
        rows = list(self.H)
        moving = [j for j, h in enumerate(diagonal) if h > 0]
        while True:
            for j in moving:
                before = float(w[j])
                z = float(correlation[j]) + diagonal[j] * before
                now = (z - half if z > half else z + half if z < -half else 0.0) / diagonal[j]
                if now != before:
                    w[j] = now
                    correlation -= (now - before) * rows[j]
            yield w.copy()

    def minimum(self, start: Array | None = None) -> Work[Array]:
        """The weights (p,), exactly but for rounding; pauses where they are many. `start` is a guess."""
        if self.largest_l1 <= self.l1:
            return np.zeros(len(self.c))
        w = start
        if w is None:
            done, signs = 0, np.full(len(self.c), np.nan)
            for w in islice(self.rounds(np.zeros(len(self.c))), _ROUNDS):
                before, signs = signs, np.sign(w)
                if (before == signs).all():
                    break
                done += len(w) ** 2
                if done > _BETWEEN_PAUSES:
                    done = 0
                    yield
            assert w is not None
        prices = np.full(len(w), self.l1 / 2)
        return (yield from searching_signs(self.H, -self.c, prices, w))

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
