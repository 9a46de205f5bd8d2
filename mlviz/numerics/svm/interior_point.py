"""Interior points for the quadratic program of `active_set` where the bounds are far apart (C >= 1e4, hard margin).

Mehrotra's predictor and corrector, Nocedal and Wright (2006), section 16.6. Its number of steps hardly depends on the
problem, where methods that move a few variables at a time crawl. With K = G'G of low rank, Fine and Scheinberg,
JMLR 2 (2001) 243-264.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from mlviz.numerics.arrays import Array, least
from mlviz.numerics.linalg.cholesky import Solve, factor_solver, pivoting, solving
from mlviz.numerics.pauses import Work, blocks, meanwhile

T = TypeVar("T")
Direction = Callable[[Array], tuple[T, Array, Array]]
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
    # The distances to the bounds are variables of their own: as differences they would lose their digits.
    b, room, z = 0.0, np.stack((x - lo, hi - x)), np.ones((2, *t.shape))
    work, each = 0, max(1, G.size * len(G) // 2 if low_rank else n**3 // 3)
    for _ in range(_STEPS):
        whole = x[0] + x[1] if epsilon else x
        dual = ((G @ whole) @ G if low_rank else K @ whole) - t
        dual += z[1] - z[0] + b
        mu = float(np.vdot(room, z)) / (2 * t.size)
        if mu <= tolerance and max(_largest(dual), abs(float(x.sum())) / max(1.0, _largest(x))) <= tolerance:
            break
        slopes = z / room
        D = slopes[0] + slopes[1]
        solve = yield from meanwhile(
            None, _in_rows(G, D) if low_rank else _in_halves(K, D) if epsilon else solving(K, D)
        )
        direction = _direction(solve, x, slopes, dual)
        if direction is None:
            break
        (db, of_room, of_z), step = mehrotra(direction, room, z)
        if not step > 1e-12:
            break
        x, b = x + step * of_room[0], b + step * db
        room, z = room + step * of_room, z + step * of_z
        work += each
        if work > _PRODUCTS:
            work = 0
            yield _at_bounds(x, room, z, lo, hi)
    if work:
        yield _at_bounds(x, room, z, lo, hi)


def _largest(values: Array) -> float:
    """The largest size among numbers."""
    return float(np.abs(values).max())


def _at_bounds(x: Array, room: Array, z: Array, lo: Array, hi: Array) -> Array:
    """The variables x (n,), or the sums of both parts x (2, n); those that go to a bound are there."""
    at_lower, at_upper = room < np.minimum(z, (hi - lo) / 2)
    found = np.where(at_lower, lo, np.where(at_upper, hi, x))
    return np.asarray(found if found.ndim == 1 else found[0] + found[1])


def _in_halves(K: Array, D: Array) -> Work[Solve]:
    """Solve K (u + v) + D (u, v) = r for (u, v), r and D (2, n)."""
    inverse = 1 / D
    E = 1 / (inverse[0] + inverse[1])
    solve = yield from solving(K, E)

    def both(r: Array) -> Array:
        share = r * inverse
        target = E * (share[0] + share[1])
        return np.asarray(share - (target - E * solve(target)) * inverse)  # K times the whole is in brackets

    return both


def _direction(solve: Solve, x: Array, slopes: Array, dual: Array) -> Direction[float] | None:
    """What a step of Newton's method changes; None where rounding leaves no direction that changes the sum."""
    to_ones = solve(np.ones(x.shape))
    total = float(to_ones.sum())
    if not total > 0:
        return None

    total_x = float(x.sum())

    def direction(c: Array) -> tuple[float, Array, Array]:
        """The changes of b, of the distances from the bounds, of which the first are those of x, and of z."""
        u = solve(c[0] - c[1] - dual)
        db = (float(u.sum()) + total_x) / total
        of_room = np.empty(c.shape)
        np.subtract(u, db * to_ones, out=of_room[0])
        np.negative(of_room[0], out=of_room[1])
        return db, of_room, c - slopes * of_room

    return direction


@overflowing
def mehrotra(direction: Direction[T], room: Array, z: Array) -> tuple[tuple[T, Array, Array], float]:
    """The predictor and the corrector: what to change, and how far to go.

    The distances of variables from both of their bounds are `room` (2, ...), and z their multipliers; `direction` says
    how all change where each product of both is to change by so many times the distance.
    """

    def reached(of_room: Array, of_z: Array) -> float:
        """The largest step <= 1 that keeps every value + step * change at or above zero."""
        return 1.0 / max(1.0, -least(of_room / room), -least(of_z / z))

    mu = float(np.vdot(room, z)) / z.size
    _, of_room, of_z = direction(-z)
    t = reached(of_room, of_z)
    ahead = (1 - t) * mu + t**2 * float(np.vdot(of_room, of_z)) / z.size
    aim = mu * min(1.0, max(ahead, 0.0) / mu) ** 3
    found = direction((aim - of_room * of_z) / room - z)
    return found, 0.995 * reached(*found[1:])


def _in_rows(G: Array, D: Array) -> Work[Solve]:
    """Solve (G'G + diag D) x = r by a system of G's few rows, or where D is (2, n), for both parts of the variables.

    Pauses where the rows are not so few.
    """
    inverse = 1 / D
    if not len(G):  # K = 0
        return lambda r: r * inverse
    both = D.ndim > 1
    scaled, product = G * (inverse[0] + inverse[1] if both else inverse), np.empty((len(G), len(G)))
    parts = blocks(len(G), G.size // _AT_A_TIME)
    for rows in parts:
        product[rows] = scaled[rows] @ G.T
        if len(parts) > 1:
            yield
    product.flat[:: len(G) + 1] += 1.0
    inner = (yield from factor_solver(product.copy(order="F"))) or (yield from solving(product))

    def solve(r: Array) -> Array:
        share = r * inverse
        return np.asarray(share - inverse * (inner(G @ (share[0] + share[1] if both else share)) @ G))

    return solve
