"""Newton's method for smooth convex functions, with an L1 penalty or without.

Boyd and Vandenberghe, Convex Optimization (2004), section 9.5; with the penalty, Lee, Sun and Saunders, SIAM Journal on
Optimization 24 (2014) 1420-1443; for the search of signs that finds the lowest point of a parabola with the penalty,
Lee, Battle, Raina and Ng, NIPS 19 (2007) 801-808.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.numerics.arrays import Array, Rows
from mlviz.numerics.convex.logistic_loss import Loss
from mlviz.numerics.linalg.cholesky import solver
from mlviz.numerics.pauses import Work, finished
from mlviz.spec.brief import Brief

MOST_STEPS = 200
LAST_STEP_GAIN = 1e-12
"""A step that would gain less than this share of the value is the last one: the next would gain its square."""
SETTLED_GAIN = 1e-13
"""A value below it has settled: what can still be gained is less than the rounding of 1."""
_DAMPING = 1e-8
"""Curvature that is added for each unit of slope: where there is none of its own, a step would have no end."""
_LEAST = 1e-13
"""Curvature that a penalty adds in any case: where all along a line costs the same, rounding would decide how far to
go.
"""
_BETWEEN_PAUSES = 1_000_000
"""About so many products of a search of signs are summed up between two pauses."""
_ALIKE = 1e-9
"""Slopes that differ by a smaller share are alike."""


@dataclass(frozen=True, eq=False)
class Iterate(Brief):
    """A place, the value there, the gradient's norm, how many steps led there, and whether there is none to follow.

    `step_size` is the factor of the gradient in the last step, `taken_back` says that it was tried in vain, `ran_away`
    that the value had no end in sight, `batch_rows` which samples decided it, where not all of them did, and
    `parameter` which one was changed, where the others were not.
    """

    at: Array
    value: float
    gradient_norm: float
    steps: int
    settled: bool
    step_size: float = float("nan")
    taken_back: bool = False
    ran_away: bool = False
    batch_rows: Rows | None = None
    parameter: int | None = None


def newton(loss: Loss, start: Array, prices: Array | None = None) -> Iterator[Iterate]:
    """Yield the start and the iterates towards the minimum of the loss plus sum_j price_j |at_j|.

    The last one has settled, unless `MOST_STEPS` were not enough. Each step goes to the lowest point of parabola plus
    penalty, and is halved until the value falls (Armijo). The last one is taken as it is: rounding may hide its gain.
    """
    prices = np.zeros_like(start) if prices is None else prices
    least = _LEAST if prices.any() else 0.0

    def valued(at: Array) -> tuple[float, Any]:
        plain, known = loss.value(at)
        return plain + float(prices @ np.abs(at)), known

    at, (value, known), last = start, valued(start), False
    for number in range(MOST_STEPS + 1):
        gradient, hessian = loss.derivatives(at, known)
        slope = float(np.linalg.norm(least_slope(gradient, at, prices)))
        hessian.flat[:: len(at) + 1] += max(_DAMPING * slope, least)
        step = (
            penalized_parabola_minimum(hessian, gradient - hessian @ at, prices, at) - at
            if least
            else -_solved(hessian, gradient)
        )
        gain = float(prices @ (np.abs(at) - np.abs(at + step))) - float(gradient @ step)
        settled = last or gain <= 0.0 or value < SETTLED_GAIN
        yield Iterate(at, value, slope, number, settled)
        if settled:
            return
        last = gain <= LAST_STEP_GAIN * value
        size = 1.0
        while (there := valued(at + size * step))[0] > value - 1e-4 * size * gain and not last:
            size /= 2
            last = size < 1e-10
        at, (value, known) = at + size * step, there


def _solved(matrix: Array, right: Array) -> Array:
    """The solution of a positive definite system, of the nearest such one where rounding made it indefinite."""
    # Unit diagonal: rows whose units differ by powers of ten then weigh the same.
    scale = 1 / np.sqrt(np.maximum(np.diag(matrix), 1e-300))
    return scale * solver(matrix * scale * scale[:, None])(right * scale)


def soft_threshold(at: Array, by: Array | float) -> Array:
    """Each number moved towards 0 by so much, and 0 where it is smaller."""
    return np.asarray(np.sign(at) * np.maximum(np.abs(at) - by, 0.0))


def least_slope(gradient: Array, at: Array, prices: Array) -> Array:
    """The shortest subgradient of a function with that gradient plus sum_j price_j |at_j|; 0 at its minimum."""
    return np.where(at != 0, gradient + prices * np.sign(at), soft_threshold(gradient, prices))


def penalized_parabola_minimum(H: Array, r: Array, prices: Array, start: Array) -> Array:
    """The minimum of 1/2 x'Hx + r'x + sum_j price_j |x_j|, H (m, m) positive semidefinite, found from `start`."""
    return finished(searching_signs(H, r, prices, start))


def searching_signs(H: Array, r: Array, prices: Array, start: Array) -> Work[Array]:
    """Find what `penalized_parabola_minimum` does; pauses where there are many numbers.

    Signs are assumed, the parabola they leave is solved, and the way there ends where it is best among the places
    where a sign changes. What arrives at 0 stays there until the slope says otherwise.
    """
    scale = 1 / np.sqrt(np.maximum(H.diagonal(), 1e-300))  # unit diagonal
    H, r, prices, x = H * scale * scale[:, None], r * scale, prices * scale, start / scale
    signs, free = np.sign(x), (x != 0) | (prices == 0)
    close = 1e-14 * float(np.abs(r).max(initial=0.0) + np.abs(prices).max(initial=0.0))
    best, its_slope, most, done = x, r, 50 + 20 * len(x), 0
    for number in range(most + 1):
        done += int(np.count_nonzero(free)) ** 3 + free.size**2
        if done > _BETWEEN_PAUSES:
            done = 0
            yield
        if number < most and free.any() and _walk(H, r, prices, x, signs, free):
            continue
        slope = H @ x + r
        # Summed over what moved: the difference of two values that are nearly the same would have no digits.
        change = (slope + its_slope) @ (x - best) / 2 + prices @ (np.abs(x) - np.abs(best))
        if best is not x and not change < 0.0:
            break  # what was set free led no lower: its slope was rounding
        best, its_slope = x.copy(), slope
        over = np.where(free, -np.inf, np.abs(slope) - prices)
        largest = float(over.max())
        if not largest > close:
            break
        # Of equal ones the first: rounding must not choose.
        worst = int(np.argmax(over >= (1 - _ALIKE) * largest))
        free[worst], signs[worst] = True, -np.sign(slope[worst])
    return np.asarray(best * scale)


def _walk(H: Array, r: Array, prices: Array, x: Array, signs: Array, free: Array) -> bool:
    """Go towards the solution for the signs, changing x, signs and free; whether there is farther to go."""
    F = np.flatnonzero(free)
    A, c, p, here = H[np.ix_(F, F)], r[F], prices[F], x[F]
    target = solver(A)(-(c + p * signs[F]))
    if (np.sign(target) == signs[F])[p > 0].all():  # all signs are as assumed
        x[F] = target
        return False
    step = target - here
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = np.where((p > 0) & (here != 0), -here / step, np.inf)
    times = np.append(np.sort(crossing[(crossing > 0) & (crossing < 1)]), 1.0)
    places = here + times[:, None] * step
    values = 0.5 * np.einsum("ij,ij->i", places @ A, places) + places @ c + np.abs(places) @ p
    best = int(values.argmin())
    arrived = places[best]
    gone = (crossing == times[best]) | ((arrived == 0) & (p > 0))
    # What was just set free goes the way of its sign; rounding must not send it back and forth.
    gone |= (here == 0) & (p > 0) & (np.sign(arrived) != signs[F])
    x[F] = np.where(gone, 0.0, arrived)
    signs[F] = np.where(p > 0, np.sign(x[F]), 0.0)
    free[F[gone]] = False
    return True
