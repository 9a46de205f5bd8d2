"""A simplex method for sums of hinges and magnitudes, in few variables.

    minimise  sum_i c_i max(0, 1 - a_i.u) + sum_j p_j |u_j|  over u (p,)

Each term has a kink along a plane in the space of u. At a vertex p kinks meet; a step leaves one of them and follows
the other p - 1 downhill, through as many further kinks as it pays, to where the sum is lowest on that line. Any vertex
is a start. Barrodale and Roberts, SIAM Journal on Numerical Analysis 10 (1973) 839-848; Bloomfield and Steiger, Least
Absolute Deviations (1983).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.spec.brief import Brief

_PERTURBATION = 1e-9
"""The hinges' kinks are moved by up to this much, so that no more than p of them meet; vertices are told unmoved."""
_TOLERANCE = 1e-11
"""A slope that goes beyond a term's own by less than this share of it counts as within."""
ROUNDING = 1e-15
"""The same for a slope that goes beyond it by less than this share of all slopes together."""
_GOLDEN = (np.sqrt(5) - 1) / 2
_REFRESH = 40
"""After so many steps the basis is inverted anew."""
_MOST = 50_000


@dataclass(frozen=True, eq=False)
class Vertex(Brief):
    """A vertex: `basis` (p,) are the terms whose kinks meet there, hinge i as i, |u_j| as n + j.

    `alpha` (n,) in [0, c] are the multipliers of the hinges, optimal at the last vertex only.
    """

    u: Array
    basis: Labels
    alpha: Array


def hinge_simplex(A: Array, c: Array, penalty: Array, basis: Labels | None = None) -> Iterator[Vertex]:
    """Yield the vertices on the way, the last of which is a minimum.

    A is (n, p), c (n,) above 0, penalty (p,). Exactly the last variable has no penalty: it stands in no kink of its
    own, and A[:, -1] is -1 or +1. `basis` is that of a vertex of a similar problem.
    """
    solver = _Simplex(A, c, penalty)
    if basis is None or not solver.take(basis):
        solver.take(solver.first())
    for _ in range(_MOST):
        if not solver.advance():
            break
        yield solver.vertex()
    yield solver.vertex(last=True)


class _Simplex:
    """All terms alike: term r is low_r v for v = R_r u - t_r < 0, and high_r v for v > 0."""

    def __init__(self, A: Array, c: Array, penalty: Array) -> None:
        n, p = A.shape
        self.n, self.c = n, c
        self.R = np.vstack((A, np.eye(p)[:-1]))
        self.low = np.concatenate((-c, -penalty[:-1]))
        self.high = np.concatenate((np.zeros(n), penalty[:-1]))
        self.jump = self.high - self.low
        self.moved = np.concatenate((1 + _PERTURBATION * ((_GOLDEN * np.arange(1, n + 1)) % 1), np.zeros(p - 1)))
        self.age = 0

    def first(self) -> Labels:
        """The basis of the best vertex with u = 0 but for its last."""
        sign = self.R[: self.n, -1]
        order = np.argsort(sign * self.moved[: self.n])
        slope = np.cumsum(self.c[order]) - float(self.c[sign > 0].sum())
        here = order[min(int(np.argmax(slope >= -_TOLERANCE * float(self.c.sum()))), self.n - 1)]
        return np.append(np.arange(self.n, len(self.R)), here)

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
        least = _TOLERANCE * self.jump[self.basis] + ROUNDING * float(np.abs(slope).sum())
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

    def vertex(self, last: bool = False) -> Vertex:
        """The present vertex, its kinks where they were."""
        right = np.where(self.basis < self.n, 1.0, 0.0)
        u = np.asarray(np.linalg.solve(self.R[self.basis], right) if last else self.inverse @ right, np.float64)
        u[self.basis[self.basis >= self.n] - self.n] = 0.0
        slope, _ = self.multipliers()
        return Vertex(u, self.basis.copy(), np.clip(-slope[: self.n], 0.0, self.c))
