"""Interior points for the quadratic program of `active_set` where the bounds are far apart (C >= 1e4, hard margin).

Mehrotra's predictor and corrector, Nocedal and Wright (2006), section 16.6. Its number of steps hardly depends on the
problem, where methods that move a few variables at a time crawl. With K = G'G of low rank, Fine and Scheinberg,
JMLR 2 (2001) 243-264.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.cholesky import Solve, factor_solver, pivoting, solving
from mlviz.numerics.pauses import Work, blocks, meanwhile

T = TypeVar("T")
Direction = Callable[[Array, Array], tuple[T, Array, Array, Array]]
overflowing = np.errstate(over="ignore", invalid="ignore", divide="ignore")
"""Beyond the range of floating point no step is found, which is the end of a solver and needs no warning."""
_STEPS = 80
_AT_A_TIME = 750
"""So many products of two numbers take as long as one number of a matrix."""
_PRODUCTS = 20_000_000
"""So many products take about 5 ms."""
_TOLERANCE = 1e-10


def interior_point(
    K: Array,
    t: Array,
    lo: Array,
    hi: Array,
    epsilon: float = 0.0,
    G: Array | None = None,
    tolerance: float = _TOLERANCE,
) -> Iterator[Array | None]:
    """Yield b (n,) within the bounds, its sum going to zero, each nearer to the solution; lo < hi.

    A quick one yields the last of several steps, between which there is no time to look. With many variables None comes
    in between, a pause. With an `epsilon` the objective has epsilon |b| as well, added
    up, and lo < 0 < hi. G, with K = G'G, is given where K is known to be of low rank.
    """
    n, low_rank = len(t), G is not None
    if G is None:
        G, *_ = yield from meanwhile(None, pivoting(K.__getitem__, K.diagonal(), 1e-11, n // 2))
        low_rank = len(G) < n // 2
    if epsilon:
        # What is above 0 and what is below are variables of their own, each with half of the kink: (2, n).
        zero = np.zeros(n)
        t, lo, hi = np.stack((t - epsilon, t + epsilon)), np.stack((zero, lo)), np.stack((hi, zero))
    start = np.minimum((hi - lo) / 2, 1.0)
    x = np.where(np.abs(lo) <= np.abs(hi), lo + start, hi - start)
    b, zl, zu = 0.0, np.ones(t.shape), np.ones(t.shape)
    # The distances to the bounds are variables of their own: as differences they would lose their digits.
    below, above = x - lo, hi - x
    work, each = 0, max(1, G.size * len(G) // 2 if low_rank else n**3 // 3)
    for _ in range(_STEPS):
        whole = x[0] + x[1] if epsilon else x
        dual = ((G @ whole) @ G if low_rank else K @ whole) - t + (b - zl + zu)
        mu = float(np.vdot(below, zl) + np.vdot(above, zu)) / (2 * t.size)
        off = max(mu, float(np.abs(dual).max()), abs(float(x.sum())) / max(1.0, float(np.abs(x).max())))
        if off <= tolerance:
            break
        D = zl / below + zu / above
        E = 1 / (1 / D).sum(axis=0) if epsilon else D
        solve = yield from meanwhile(None, _woodbury(G, E) if low_rank else solving(K, E))
        direction = _direction(_halves(solve, D, E) if epsilon else solve, x, below, above, zl, zu, dual)
        if direction is None:
            break
        (db, dx, dl, du), step = mehrotra(direction, below, above, zl, zu)
        if not step > 1e-12:
            break
        x, b, zl, zu = x + step * dx, b + step * db, zl + step * dl, zu + step * du
        below, above = below + step * dx, above - step * dx
        work += each
        if work > _PRODUCTS:
            work = 0
            yield _at_bounds(x, below, above, zl, zu, lo, hi)
    if work:
        yield _at_bounds(x, below, above, zl, zu, lo, hi)


def _at_bounds(x: Array, below: Array, above: Array, zl: Array, zu: Array, lo: Array, hi: Array) -> Array:
    """The variables x (n,), or the sums of both parts x (2, n); those that go to a bound are there."""
    half = (hi - lo) / 2
    found = np.where(below < np.minimum(zl, half), lo, np.where(above < np.minimum(zu, half), hi, x))
    return np.asarray(found if found.ndim == 1 else found[0] + found[1])


def _halves(solve: Solve, D: Array, E: Array) -> Solve:
    """Solve K (u + v) + D (u, v) = r for (u, v), r and D (2, n), by what solves (K + diag E) x = s.

    1 / E (n,) is the sum of both rows of 1 / D.
    """

    def both(r: Array) -> Array:
        share = r / D
        target = E * (share[0] + share[1])
        return np.asarray(share - (target - E * solve(target)) / D)  # K times the whole is in brackets

    return both


def _direction(
    solve: Solve, x: Array, below: Array, above: Array, zl: Array, zu: Array, dual: Array
) -> Direction[float] | None:
    """What a step of Newton's method changes; None where rounding leaves no direction that changes the sum."""
    to_ones = solve(np.ones(x.shape))
    total = float(to_ones.sum())
    if not total > 0:
        return None

    at_lower, at_upper, total_x = zl / below, zu / above, float(x.sum())

    def direction(cl: Array, cu: Array) -> tuple[float, Array, Array, Array]:
        """The changes of b, x, zl and zu: below * zl by below * cl, above * zu by above * cu, the rest is mended."""
        u = solve(cl - cu - dual)
        db = (float(u.sum()) + total_x) / total
        dx = u - db * to_ones
        return db, dx, cl - at_lower * dx, cu + at_upper * dx

    return direction


@overflowing
def mehrotra(
    direction: Direction[T], below: Array, above: Array, p: Array, q: Array
) -> tuple[tuple[T, Array, Array, Array], float]:
    """The predictor and the corrector: what to change, and how far to go.

    below and above are the distances of variables from both of their bounds, p and q the multipliers; `direction` says
    how all change, the first distance as the variables, where below * p and above * q are to change by so many times
    below and above.
    """
    products = 2 * p.size

    def reached(dx: Array, dp: Array, dq: Array) -> float:
        """The largest step <= 1 that keeps every value + step * change at or above zero."""
        falls = min(float((change / value).min()) for value, change in ((below, dx), (p, dp), (q, dq)))
        return 1.0 / max(1.0, -falls, float((dx / above).max()))

    mu = float(np.vdot(below, p) + np.vdot(above, q)) / products
    _, dx, dp, dq = direction(-p, -q)
    t = reached(dx, dp, dq)
    ahead = (1 - t) * mu + t**2 * float(np.vdot(dx, dp) - np.vdot(dx, dq)) / products
    aim = mu * min(1.0, max(ahead, 0.0) / mu) ** 3
    found = direction((aim - dx * dp) / below - p, (aim + dx * dq) / above - q)
    return found, 0.995 * reached(*found[1:])


def _woodbury(G: Array, D: Array) -> Work[Solve]:
    """Solve (G'G + diag D) x = r by a system of G's few rows; pauses where they are not so few."""
    if not len(G):  # K = 0
        return lambda r: r / D
    scaled, product = G / D, np.empty((len(G), len(G)))
    parts = blocks(len(G), G.size // _AT_A_TIME)
    for rows in parts:
        product[rows] = scaled[rows] @ G.T
        if len(parts) > 1:
            yield
    product.flat[:: len(G) + 1] += 1.0
    inner = (yield from factor_solver(product.copy(order="F"))) or (yield from solving(product))
    return lambda r: r / D - inner(scaled @ r) @ scaled
