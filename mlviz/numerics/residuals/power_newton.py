"""Sums of powers p > 1 of residuals: Newton's method with an exact line search, and a gap that says how good it is.

A step of Newton's method is one of iteratively reweighted least squares, 1/(p - 1) times as long. What the slopes of
the samples would be after it, were they straight, meets the equations of the dual problem: its objective bounds the
optimum from below.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.pauses import Work
from mlviz.numerics.residuals.bounded_slopes import Optimum
from mlviz.numerics.residuals.losses import Power
from mlviz.numerics.residuals.problem import ResidualProblem

_MOST_STEPS = 100
_GAP = 1e-13
_LEAST = 1e-12
"""A residual so small, as a share of the largest, has the curvature of this one: below p = 2 there is none at 0."""
_MULTIPLES = np.append(1.0, 1 - np.geomspace(1e-9, 0.9, 60))
"""Of the slopes: where a few are a little too steep, high powers of these spoil what the others bound."""
_LINE_STEPS = 40


def with_power(problem: ResidualProblem, p: float) -> Work[Optimum]:
    """Find the optimum for the power p > 1; pauses after each step."""
    n, q = problem.Q.shape
    found = Optimum(np.zeros(q), np.zeros(n), 0.0)
    if problem.unit == 0:
        return found
    for power in _powers(p):
        found = yield from _newton(problem, power, found.z, _GAP if power == p else 1e-3)
    return found


def _powers(p: float) -> Iterator[float]:
    """The powers on the way from 2 to p: each starts where the one before ends."""
    high, low = 4.0, 0.5
    while high < p:
        yield high
        high *= 2
    while 1 + low > p:
        yield 1 + low
        low /= 2
    yield p


def _newton(problem: ResidualProblem, p: float, z: Array, tolerance: float) -> Work[Optimum]:
    """Minimise from z on."""
    Q, share = problem.Q, problem.share
    best = Optimum(z, np.zeros(len(Q)), np.inf)
    for _ in range(_MOST_STEPS):
        residual = problem.residuals(z)
        size = float(np.abs(residual).max())
        if not size > 0:
            return Optimum(z, np.zeros(len(Q)), 0.0)
        # In units of the largest residual, so that high powers have a number.
        r, o = residual / size, (problem.origin + z) / size
        with np.errstate(over="ignore", under="ignore"):
            M = problem.penalty_for(p, size)
            slopes = share * Power(p).slopes(r)
            curvature = share * p * (p - 1) * np.maximum(np.abs(r), _LEAST) ** (p - 2)
        H = (Q.T * curvature) @ Q + 2 * M
        H.flat[:: len(H) + 1] += 1e-14 * float(H.trace()) / len(H) + np.finfo(np.float64).tiny
        step = np.asarray(np.linalg.solve(H, Q.T @ slopes - 2 * M @ o), dtype=np.float64)
        along = Q @ step
        after = slopes - curvature * along
        value = float(share @ np.abs(r) ** p + o @ M @ o)
        gap = abs(value - _dual(problem, p, r, o, M, step, after)) / max(value, np.finfo(np.float64).tiny)
        if gap < best.gap:
            best = Optimum(z, slopes * size ** (p - 1) if p < 50 else slopes, gap)
        if best.gap <= tolerance:
            break
        t = _along(r, along, share, p, o, step, M)
        if not t > 0:
            break
        z = z + t * size * step
        yield
    return best


def _dual(problem: ResidualProblem, p: float, r: Array, o: Array, M: Array, step: Array, slopes: Array) -> float:
    """The largest dual objective of multiples of the slopes (n,), which meet Q'slopes = 2 M (o + step)."""
    q, whole = p / (p - 1), o + step
    with np.errstate(over="ignore", under="ignore"):
        conjugate = float((p - 1) * problem.share @ (np.abs(slopes) / (problem.share * p)) ** q)
        # y = r + Q z: what belongs to z is in the penalty's part, where o counts from the whole solution.
        line, square = float(slopes @ r) + 2 * float(o @ M @ whole), float(whole @ M @ whole)
        values = _MULTIPLES * line - _MULTIPLES**q * conjugate - _MULTIPLES**2 * square
    return float(np.nanmax(values, initial=-np.inf))


def _along(r: Array, along: Array, share: Array, p: float, o: Array, step: Array, M: Array) -> float:
    """How far to go: where the derivative along the step is 0, found by halving."""
    loss, curve, slope = Power(p), 2 * float(step @ M @ step), 2 * float(o @ M @ step)

    def rises(t: float) -> bool:
        falling = float((share * along) @ loss.slopes(r - t * along))
        return slope + t * curve - falling > 0

    low, high = 0.0, 1.0
    while not rises(high) and high < 1e9:
        low, high = high, 2 * high
    for _ in range(_LINE_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if rises(middle) else (middle, high)
        if high - low <= 1e-9 * high:
            break
    return (low + high) / 2
