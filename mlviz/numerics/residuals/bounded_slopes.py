"""Absolute residuals and Huber's loss, whose slopes are bounded: a primal-dual interior point method.

S. Portnoy and R. Koenker, The Gaussian hare and the Laplacian tortoise, Statistical Science 12 (1997) 279-300;
S. Mehrotra, SIAM Journal on Optimization 2 (1992) 575-601. The slopes v of the samples are the dual variables:

    maximise  v'y - v'K v / 2 - z'M z,   |v_i| <= bound_i,  Q'v = 2 M (z + origin)

with K = 0 for absolute residuals. The gap between both objectives bounds how far either is from the optimum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array, Mask
from mlviz.numerics.pauses import Work
from mlviz.numerics.residuals.losses import Huber, Power
from mlviz.numerics.residuals.optimal_face import solution_vertices
from mlviz.numerics.residuals.problem import ResidualProblem
from mlviz.spec.brief import Brief

_MOST_STEPS = 80
_GAP = 1e-13
_NEARLY = 0.995
"""A step goes so far of the way to the nearest bound."""
_LEAST = 1e-40
"""Nothing is nearer to a bound than such a share of it."""
_PATIENCE, _SMALL_GAP = 6, 1e-6
"""After so many steps that make a gap below that no smaller, it is as small as rounding lets it be."""
_NEWTON_STEPS = 12
_WITHIN, _DIGITS = 1e-5, 1e-9
"""A slope is within its bound by more than that share of it; what varies by so small a share is determined by none."""
_MET = 1e-7
"""A residual that is so small is meant to be 0, if that makes the objective no larger."""


@dataclass(frozen=True, eq=False)
class Optimum(Brief):
    """Coordinates z (q,), the slopes of the samples (n,) there, and the gap as a share of the objective."""

    z: Array
    slopes: Array
    gap: float
    several: bool = False
    """Whether other functions are as good: told of absolute residuals alone."""


class _Point:
    """Where the method stands: z, the slopes v with their distances from both bounds, and multipliers of these."""

    def __init__(self, problem: ResidualProblem, delta: float | None) -> None:
        self.Q, self.y, share = problem.Q, problem.y, problem.share
        power = 1 if delta is None else 2
        self.M, self.origin = problem.penalty_for(power), problem.origin
        self.m = 2 * self.M @ problem.origin
        self.bound = share if delta is None else 2 * delta * share
        self.curvature = np.zeros(len(share)) if delta is None else 1 / (2 * share)
        self.z, self.v = np.zeros(len(self.M)), np.zeros(len(share))
        self.above, self.below = self.bound.copy(), self.bound.copy()
        # The multipliers of the bounds are the parts of a residual beyond the reach of its slope.
        self.upper, self.lower = np.maximum(self.y, 0) + 0.1, np.maximum(-self.y, 0) + 0.1

    def errors(self) -> tuple[Array, Array]:
        """By how much the residuals (n,) and the sum of the slopes (q,) are not yet what they must be."""
        of_residuals = self.y - self.Q @ self.z - self.curvature * self.v - self.upper + self.lower
        return of_residuals, self.Q.T @ self.v - 2 * self.M @ self.z - self.m

    def directions(self) -> tuple[Array, ...]:
        """Where to go: predictor and corrector (Mehrotra) of z, v and both multipliers."""
        of_residuals, of_slopes = self.errors()
        theta = 1 / (self.curvature + self.upper / self.above + self.lower / self.below)
        H = (self.Q.T * theta) @ self.Q + 2 * self.M
        H.flat[:: len(H) + 1] += 1e-15 * float(H.trace()) / len(H)
        n = len(self.v)
        scale = 1 / np.sqrt(H.diagonal())
        inverse = scale[:, None] * np.linalg.inv(scale[:, None] * H * scale) * scale

        def direction(to_upper: Array | float, to_lower: Array | float) -> tuple[Array, ...]:
            over, under = to_upper - self.upper * self.above, to_lower - self.lower * self.below
            left = of_residuals - over / self.above + under / self.below
            dz = inverse @ (of_slopes + self.Q.T @ (theta * left))
            dv = theta * (left - self.Q @ dz)
            return dz, dv, (over + self.upper * dv) / self.above, (under - self.lower * dv) / self.below

        _, dv, du, dl = direction(0.0, 0.0)
        t = self.length(dv, du, dl)
        now = float(self.upper @ self.above + self.lower @ self.below) / (2 * n)
        then = float((self.upper + t * du) @ (self.above - t * dv) + (self.lower + t * dl) @ (self.below + t * dv))
        target = now * (then / (2 * n) / now) ** 3
        return direction(target + du * dv, target - dl * dv)

    def length(self, dv: Array, du: Array, dl: Array) -> float:
        """How far all of them can go, at most 1, before one reaches a bound."""
        pairs = (self.above, -dv), (self.below, dv), (self.upper, du), (self.lower, dl)
        return min(1.0, *(float((-value[d < 0] / d[d < 0]).min(initial=np.inf)) for value, d in pairs))

    def go(self) -> None:
        """One step."""
        dz, dv, du, dl = self.directions()
        t = min(1.0, _NEARLY * self.length(dv, du, dl))
        self.z, self.v = self.z + t * dz, self.v + t * dv
        least = _LEAST * self.bound
        self.above, self.below = np.maximum(self.bound - self.v, least), np.maximum(self.bound + self.v, least)
        self.upper, self.lower = np.maximum(self.upper + t * du, _LEAST), np.maximum(self.lower + t * dl, _LEAST)

    def primal(self, z: Array) -> float:
        """The objective at z."""
        r = np.abs(self.y - self.Q @ z)
        inside = np.minimum(r, self.bound * self.curvature) if self.curvature.any() else 0.0
        # bound * |r| beyond, and a parabola inside, where the slope is r / curvature.
        losses = self.bound * (r - inside)
        if self.curvature.any():
            losses += inside**2 / (2 * self.curvature)
        return float(losses.sum() + (self.origin + z) @ self.M @ (self.origin + z))

    def dual(self) -> float:
        """The dual objective."""
        whole = self.origin + self.z
        of_penalty = 2 * (self.origin @ self.M @ whole) - whole @ self.M @ whole
        return float(self.v @ self.y - self.v**2 @ self.curvature / 2 + of_penalty)


def with_bounded_slopes(problem: ResidualProblem, loss: Power | Huber) -> Work[Optimum]:
    """Find the optimum of absolute residuals, Power(1), or of Huber's loss; pauses after each step."""
    n, q = problem.Q.shape
    if problem.unit == 0:
        return Optimum(np.zeros(q), np.zeros(n), 0.0)
    delta = loss.in_units(problem.unit).delta if isinstance(loss, Huber) else None
    if delta is not None and (quick := _by_newton(problem, delta)) is not None:
        return quick
    point = _Point(problem, delta)
    tiny = np.finfo(np.float64).tiny
    best, z, slopes, since = np.inf, point.z, point.v, 0
    for _ in range(_MOST_STEPS):
        point.go()
        value = point.primal(point.z)
        gap = (abs(value - point.dual()) + float(np.abs(point.errors()[1]).max())) / max(value, tiny)
        since += 1
        if gap < best:
            best, z, slopes, since = gap, point.z, point.v, 0
        if not np.isfinite(gap) or gap <= _GAP or (since >= _PATIENCE and best < _SMALL_GAP):
            break
        yield
    if delta is None and not problem.M.any():
        z = _through_samples(point, z)
        return Optimum(z, slopes, best, best <= _SMALL_GAP and _has_others(problem, slopes))
    return Optimum(z, slopes, best)


def _at_bound(problem: ResidualProblem, slopes: Array) -> Mask:
    """Which of the best slopes (n,) of absolute residuals are at their bounds, the shares."""
    return np.asarray(problem.share - np.abs(slopes) <= _WITHIN * problem.share)


def outermost(problem: ResidualProblem, best: Optimum) -> Array:
    """The vertices (k, q) of all coordinates with the least sum of absolute residuals; none where best is alone."""
    if not best.several:
        return np.empty((0, len(best.z)))
    sides = np.where(_at_bound(problem, best.slopes), np.sign(best.slopes), 0.0)
    return best.z + solution_vertices(problem.Q, problem.residuals(best.z), sides)


def _has_others(problem: ResidualProblem, slopes: Array) -> bool:
    """Whether more than one function has the least sum of absolute residuals.

    The method ends amid the best slopes: those of samples through which all the best functions pass, and no others,
    are within their bounds. There is one function alone where these samples determine it.
    """
    inside = ~_at_bound(problem, slopes)
    if np.count_nonzero(inside) < len(problem.M):
        return True
    lengths = np.linalg.svd(problem.Q[inside], compute_uv=False)
    return bool(lengths[-1] <= _DIGITS * lengths[0])


def _by_newton(problem: ResidualProblem, delta: float) -> Optimum | None:
    """The optimum of Huber's loss by Newton's method from the least squares on; None where it does not get there.

    The loss is made of parabolas and lines: once all samples are on their right parts a step leads to the optimum.
    """
    Q, share, M, origin = problem.Q, problem.share, problem.M, problem.origin
    z, loss = np.zeros(Q.shape[1]), Huber(delta)

    def value(at: Array, residual: Array) -> float:
        return float(share @ loss.values(residual) + (origin + at) @ M @ (origin + at))

    residual = problem.residuals(z)
    now = value(z, residual)
    for _ in range(_NEWTON_STEPS):
        slopes = share * loss.slopes(residual)
        gradient = Q.T @ slopes - 2 * M @ (origin + z)
        if float(np.abs(gradient).max()) <= _GAP * float(np.abs(slopes).sum()):
            dual = slopes @ residual - (slopes**2 / (4 * share)).sum() + (origin + z) @ M @ (origin + z)
            error = abs(now - float(dual)) + float(np.abs(gradient).max())
            return Optimum(z, slopes, error / max(now, np.finfo(np.float64).tiny))
        inside = np.abs(residual) <= delta
        if np.count_nonzero(inside) < 2 * Q.shape[1]:
            return None
        rows = Q[inside]
        step = np.linalg.lstsq(2 * (rows.T * share[inside]) @ rows + 2 * M, gradient, rcond=None)[0]
        after = problem.residuals(z + step)
        then = value(z + step, after)
        if not then <= now * (1 + _GAP):
            return None
        z, residual, now = z + step, after, then
    return None


def _through_samples(point: _Point, z: Array) -> Array:
    """Coordinates near z with residuals that are exactly 0, where they are so to seven digits and it does no harm."""
    met = np.abs(point.y - point.Q @ z) <= _MET
    if np.count_nonzero(met) < len(z):
        return z
    solved, _, rank, _ = np.linalg.lstsq(point.Q[met], point.y[met], rcond=1e-10)
    exact = np.asarray(solved, dtype=np.float64)
    better = rank == len(z) and point.primal(exact) <= point.primal(z) + 1e-12 * abs(point.primal(z))
    return exact if better else z
