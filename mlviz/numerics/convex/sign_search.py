"""The lowest point of a parabola plus an L1 penalty, by a search of the signs that the numbers have there.

Given which of them are not 0, and their signs, the rest is a system of equations. H. Lee, A. Battle, R. Raina and
A. Ng, Efficient sparse coding algorithms, NIPS 19 (2007) 801-808.
"""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.cholesky import solver
from mlviz.numerics.pauses import Work, finished

_BETWEEN_PAUSES = 1_000_000
"""About so many products are summed up between two pauses."""
_ALIKE = 1e-9
"""Slopes that differ by a smaller share are alike."""


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
    times = np.append(np.unique(crossing[(crossing > 0) & (crossing < 1)]), 1.0)
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
