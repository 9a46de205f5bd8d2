"""An interior point for the quadratic program of `active_set` where the bounds are far apart (C >= 1e4, hard margin).

Mehrotra's predictor and corrector, Nocedal and Wright (2006), section 16.6. Its number of steps hardly depends on the
problem, where methods that move a few variables at a time crawl. With K = G'G of low rank, Fine and Scheinberg,
JMLR 2 (2001) 243-264.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.cholesky import Solve, solver

STEPS = 80
TOLERANCE = 1e-10


def interior_point(K: Array, t: Array, lo: Array, hi: Array) -> Iterator[Array]:
    """Yield b (n,) strictly within the bounds, its sum going to zero, each nearer to the solution; lo < hi."""
    G = pivoted_cholesky(K, 1e-11, len(t) // 2)
    low_rank = len(G) < len(t) // 2

    def product(x: Array) -> Array:
        return (G @ x) @ G if low_rank else K @ x

    def factor(D: Array) -> Solve:
        return _woodbury(G, D) if low_rank else solver(K, D)

    width = hi - lo
    start = np.minimum(width / 2, 1.0)
    x = np.where(np.abs(lo) <= np.abs(hi), lo + start, hi - start)
    b, zl, zu = 0.0, np.ones(len(t)), np.ones(len(t))
    # The distances to the bounds are variables of their own: as differences they would lose their digits.
    below, above = x - lo, hi - x
    for _ in range(STEPS):
        dual = product(x) - t + b - zl + zu
        mu = float(below @ zl + above @ zu) / (2 * len(t))
        if (
            mu <= TOLERANCE
            and np.abs(dual).max() <= TOLERANCE
            and abs(x.sum()) <= TOLERANCE * max(1.0, np.abs(x).max())
        ):
            return
        solve = factor(zl / below + zu / above)
        v = solve(np.ones(len(t)))
        if not v.sum() > 0:
            return  # rounding leaves no direction that changes the sum
        newton = _Newton(solve, v, x, below, above, zl, zu, dual)
        dx, db, dl, du = newton.direction(-below * zl, -above * zu)
        a = newton.reach(dx, dl, du)
        ahead = float((below + a * dx) @ (zl + a * dl) + (above - a * dx) @ (zu + a * du)) / (2 * len(t))
        aim = mu * min(1.0, max(ahead, 0.0) / mu) ** 3
        dx, db, dl, du = newton.direction(aim - below * zl - dx * dl, aim - above * zu + dx * du)
        a = 0.995 * newton.reach(dx, dl, du)
        if not a > 1e-12:
            return
        x, b, zl, zu = x + a * dx, b + a * db, zl + a * dl, zu + a * du
        below, above = below + a * dx, above - a * dx
        yield np.where(below < np.minimum(zl, width / 2), lo, np.where(above < np.minimum(zu, width / 2), hi, x))


@dataclass(frozen=True, eq=False)
class _Newton:
    """The linear system of one step."""

    solve: Solve
    v: Array
    """The system's answer to ones."""
    x: Array
    below: Array
    above: Array
    zl: Array
    zu: Array
    dual: Array

    def direction(self, cl: Array, cu: Array) -> tuple[Array, float, Array, Array]:
        """The changes of x, b, zl and zu that change below * zl by cl and above * zu by cu and mend the rest."""
        u = self.solve(-self.dual + cl / self.below - cu / self.above)
        db = float((u.sum() + self.x.sum()) / self.v.sum())
        dx = u - db * self.v
        return dx, db, (cl - self.zl * dx) / self.below, (cu + self.zu * dx) / self.above

    def reach(self, dx: Array, dl: Array, du: Array) -> float:
        """The largest step <= 1 that keeps everything positive."""
        pairs = ((self.below, dx), (self.above, -dx), (self.zl, dl), (self.zu, du))
        return min(_reach(value, change) for value, change in pairs)


def pivoted_cholesky(K: Array, tolerance: float, most: int) -> Array:
    """G (r, n) with K = G'G but for a diagonal below the tolerance, or r = most rows if that takes more."""
    left = K.diagonal().copy()
    stop = tolerance * float(left.max(initial=0.0))
    G = np.zeros((most, len(K)))
    for r in range(most):
        p = int(left.argmax())
        if left[p] <= stop:
            return G[:r]
        G[r] = (K[p] - G[:r, p] @ G[:r]) / np.sqrt(left[p])
        left -= G[r] ** 2
        left[p] = 0.0
    return G


def _woodbury(G: Array, D: Array) -> Solve:
    """Solve (G'G + diag D) x = r by a system of G's few rows."""
    if not len(G):  # K = 0
        return lambda r: r / D
    scaled = G / D
    inner = solver(scaled @ G.T, np.ones(len(G)))
    return lambda r: r / D - inner(scaled @ r) @ scaled


def _reach(value: Array, change: Array) -> float:
    """The largest step <= 1 that keeps value + step * change at or above zero."""
    falling = change < 0
    return min(1.0, float((value[falling] / -change[falling]).min())) if falling.any() else 1.0
