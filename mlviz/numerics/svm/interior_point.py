"""An interior point for the quadratic program of `active_set` where the bounds are far apart (C >= 1e4, hard margin).

Mehrotra's predictor and corrector, Nocedal and Wright (2006), section 16.6. Its number of steps hardly depends on the
problem, where methods that move a few variables at a time crawl. With K = G'G of low rank, Fine and Scheinberg,
JMLR 2 (2001) 243-264.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.cholesky import Solve, pivoted_cholesky, solver

T = TypeVar("T")
Direction = Callable[[Array, Array], tuple[T, Array, Array, Array]]
STEPS = 80
TOLERANCE = 1e-10


def interior_point(K: Array, t: Array, lo: Array, hi: Array) -> Iterator[Array]:
    """Yield b (n,) strictly within the bounds, its sum going to zero, each nearer to the solution; lo < hi."""
    G, *_ = pivoted_cholesky(K.__getitem__, K.diagonal(), 1e-11, len(t) // 2)
    low_rank = len(G) < len(t) // 2
    width = hi - lo
    start = np.minimum(width / 2, 1.0)
    x = np.where(np.abs(lo) <= np.abs(hi), lo + start, hi - start)
    b, zl, zu = 0.0, np.ones(len(t)), np.ones(len(t))
    # The distances to the bounds are variables of their own: as differences they would lose their digits.
    below, above = x - lo, hi - x
    for _ in range(STEPS):
        dual = ((G @ x) @ G if low_rank else K @ x) - t + b - zl + zu
        mu = float(below @ zl + above @ zu) / (2 * len(t))
        off = max(mu, float(np.abs(dual).max()), abs(float(x.sum())) / max(1.0, float(np.abs(x).max())))
        if off <= TOLERANCE:
            return
        D = zl / below + zu / above
        direction = _direction(_woodbury(G, D) if low_rank else solver(K, D), x, below, above, zl, zu, dual)
        if direction is None:
            return
        (db, dx, dl, du), step = mehrotra(direction, below, above, zl, zu)
        if not step > 1e-12:
            return
        x, b, zl, zu = x + step * dx, b + step * db, zl + step * dl, zu + step * du
        below, above = below + step * dx, above - step * dx
        yield np.where(below < np.minimum(zl, width / 2), lo, np.where(above < np.minimum(zu, width / 2), hi, x))


def _direction(
    solve: Solve, x: Array, below: Array, above: Array, zl: Array, zu: Array, dual: Array
) -> Direction[float] | None:
    """What a step of Newton's method changes; None where rounding leaves no direction that changes the sum."""
    to_ones = solve(np.ones(len(x)))
    if not to_ones.sum() > 0:
        return None

    def direction(cl: Array, cu: Array) -> tuple[float, Array, Array, Array]:
        """The changes of b, x, zl and zu that change below * zl by cl and above * zu by cu and mend the rest."""
        u = solve(-dual + cl / below - cu / above)
        db = float((u.sum() + x.sum()) / to_ones.sum())
        dx = u - db * to_ones
        return db, dx, (cl - zl * dx) / below, (cu + zu * dx) / above

    return direction


def mehrotra(
    direction: Direction[T], below: Array, above: Array, p: Array, q: Array
) -> tuple[tuple[T, Array, Array, Array], float]:
    """The predictor and the corrector: what to change, and how far to go.

    below and above are the distances of variables from both of their bounds, p and q the multipliers; `direction` says
    how all change, the first distance as the variables, where below * p and above * q are to change by so much.
    """
    pairs = 2 * len(p)

    def reached(dx: Array, dp: Array, dq: Array) -> float:
        return _reach((below, dx), (above, -dx), (p, dp), (q, dq))

    mu = float(below @ p + above @ q) / pairs
    _, dx, dp, dq = direction(-below * p, -above * q)
    t = reached(dx, dp, dq)
    ahead = float((below + t * dx) @ (p + t * dp) + (above - t * dx) @ (q + t * dq)) / pairs
    aim = mu * min(1.0, max(ahead, 0.0) / mu) ** 3
    found = direction(aim - below * p - dx * dp, aim - above * q + dx * dq)
    return found, 0.995 * reached(*found[1:])


def _woodbury(G: Array, D: Array) -> Solve:
    """Solve (G'G + diag D) x = r by a system of G's few rows."""
    if not len(G):  # K = 0
        return lambda r: r / D
    scaled = G / D
    inner = solver(scaled @ G.T, np.ones(len(G)))
    return lambda r: r / D - inner(scaled @ r) @ scaled


def _reach(*pairs: tuple[Array, Array]) -> float:
    """The largest step <= 1 that keeps every value + step * change at or above zero."""
    falling = [(value, change, change < 0) for value, change in pairs]
    return min(1.0, *(float((value[down] / -change[down]).min(initial=1.0)) for value, change, down in falling))
