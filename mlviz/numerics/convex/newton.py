"""Newton's method for smooth convex functions, with an L1 penalty or without.

Boyd and Vandenberghe, Convex Optimization (2004), section 9.5; with the penalty, Lee, Sun and Saunders, SIAM Journal on
Optimization 24 (2014) 1420-1443.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.convex.logistic_loss import Loss
from mlviz.numerics.convex.sign_search import least_slope, penalized_parabola_minimum
from mlviz.numerics.linalg.cholesky import solver
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


@dataclass(frozen=True, eq=False)
class Iterate(Brief):
    """A place, the value there, the gradient's norm, how many steps led there, and whether there is none to follow.

    `step_size` is the factor of the gradient in the last step, `taken_back` says that it was tried in vain, `ran_away`
    that the value had no end in sight, and `batch_rows` which samples decided it, where not all of them did.
    """

    at: Array
    value: float
    gradient_norm: float
    steps: int
    settled: bool
    step_size: float = float("nan")
    taken_back: bool = False
    ran_away: bool = False
    batch_rows: Labels | None = None


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
