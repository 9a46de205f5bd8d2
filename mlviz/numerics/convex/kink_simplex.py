"""A simplex method for sums of functions that are straight but for a kink, in few variables.

    minimise  sum_r (low_r min(0, v_r) + high_r max(0, v_r)),  v = R u - t,  over u (p,)

with low <= high. Each term has its kink along a plane in the space of u. At a vertex p kinks meet; a step leaves one of
them and follows the other p - 1 downhill, through as many further kinks as it pays, to where the sum is lowest on that
line. Any vertex is a start. Barrodale and Roberts, SIAM Journal on Numerical Analysis 10 (1973) 839-848; Bloomfield and
Steiger, Least Absolute Deviations (1983).
"""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array, Labels

_PERTURBATION = 1e-9
"""Kinks are moved by up to this much, so that no more than p of them meet; vertices are told unmoved."""
TOLERANCE = 1e-11
"""A slope that goes beyond a term's own by less than this share of it counts as within."""
_ROUNDING = 1e-15
"""The same for a slope that goes beyond it by less than this share of all slopes together."""
_REFRESH = 40
"""After so many steps the basis is inverted anew."""


def moved_apart(n: int) -> Array:
    """By how much the kinks of n terms are moved, (n,): never evenly, since evenly spaced samples would meet again."""
    return np.asarray(_PERTURBATION * (1 + np.sin(np.arange(1.0, n + 1) ** 2)) / 2)


class KinkSimplex:
    """The terms R (m, p), low, high and `moved` (m,), which is t with kinks apart, and the present vertex."""

    def __init__(self, R: Array, low: Array, high: Array, moved: Array) -> None:
        self.R, self.low, self.high, self.moved = R, low, high, moved
        self.jump = high - low
        self.age = 0

    def take(self, basis: Labels) -> bool:
        """Go to the vertex of that basis; False where it has none."""
        square = self.R[basis]
        try:
            inverse = np.linalg.inv(square)
        except np.linalg.LinAlgError:
            return False
        if not np.isfinite(inverse).all() or np.abs(inverse).sum() * np.abs(square).sum() > 1e12:
            return False
        self.basis, self.inverse, self.age = basis.copy(), inverse, 0
        self.v = self.R @ (inverse @ self.moved[basis]) - self.moved
        self.v[basis] = 0.0
        return True

    def multipliers(self) -> tuple[Array, Array]:
        """The slope of each term (n + p - 1,), those of the basis such that all slopes cancel, and their excess."""
        slope = np.where(self.v < 0, self.low, self.high)
        slope[self.basis] = 0.0
        held = -(slope @ self.R) @ self.inverse
        slope[self.basis] = held
        return slope, np.maximum(held - self.high[self.basis], self.low[self.basis] - held)

    def advance(self) -> bool:
        """One step; False where no way leads down."""
        slope, excess = self.multipliers()
        length = np.sqrt(np.einsum("ij,ij->j", self.inverse, self.inverse))
        least = TOLERANCE * self.jump[self.basis] + _ROUNDING * float(np.abs(slope).sum())
        shares = np.divide(excess, length, out=np.zeros_like(excess), where=(excess > least) & (length > 0))
        leaving = int(shares.argmax())
        if not excess[leaving] > least[leaving]:
            return False
        up = slope[self.basis[leaving]] > self.high[self.basis[leaving]]
        rate = self.R @ (self.inverse[:, leaving] if up else -self.inverse[:, leaving])
        rate[self.basis] = 0.0
        ahead = np.flatnonzero(self.v * rate < 0)
        if not len(ahead):
            return False
        order = np.argsort(-self.v[ahead] / rate[ahead])
        slopes = np.cumsum((self.jump[ahead] * np.abs(rate[ahead]))[order]) - excess[leaving]
        entering = ahead[order[min(int(np.searchsorted(slopes, 0.0)), len(order) - 1)]]
        step = -self.v[entering] / rate[entering]
        self.v += step * rate
        self.v[self.basis[leaving]] = step if up else -step
        self._exchange(leaving, entering)
        return True

    def _exchange(self, leaving: int, entering: int) -> None:
        self.basis[leaving] = entering
        self.v[self.basis] = 0.0
        self.age += 1
        if self.age >= _REFRESH and self.take(self.basis):
            return
        row = self.R[entering] @ self.inverse
        column = self.inverse[:, leaving] / row[leaving]
        row[leaving] -= 1.0
        self.inverse -= np.multiply.outer(column, row)
