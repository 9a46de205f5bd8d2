"""The minimum of a function of one number, without its derivative.

R. P. Brent, Algorithms for Minimization without Derivatives (1973), chapter 5: parabolas through the three best points,
and golden sections where these lead nowhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from mlviz.numerics.pauses import Work

_GOLDEN = (3 - math.sqrt(5)) / 2
_MOST_STEPS = 60


def minimum(function: Callable[[float], float], low: float, high: float, tolerance: float) -> Work[tuple[float, float]]:
    """Where in an interval a function that falls and then rises is least, to that tolerance, and its value there.

    It pauses after each value.
    """
    best = second = third = low + _GOLDEN * (high - low)
    value = of_second = of_third = function(best)
    step = before = 0.0
    yield
    for _ in range(_MOST_STEPS):
        middle = (low + high) / 2
        if abs(best - middle) <= 2 * tolerance - (high - low) / 2:
            break
        before, last = step, before
        trusted = False
        if abs(last) > tolerance:
            # The parabola through the three best points.
            r = (best - second) * (value - of_third)
            q = (best - third) * (value - of_second)
            top, bottom = (best - third) * q - (best - second) * r, 2 * (q - r)
            if math.isfinite(top) and bottom != 0:
                step = -top / bottom
                trusted = abs(step) < abs(last) / 2 and low < best + step < high
        if not trusted:
            before = low - best if best >= middle else high - best
            step = _GOLDEN * before
        elif min(best + step - low, high - best - step) < 2 * tolerance:
            step = math.copysign(tolerance, middle - best)
        trial = best + (step if abs(step) >= tolerance else math.copysign(tolerance, step))
        found = function(trial)
        yield
        if found <= value:
            low, high = (best, high) if trial >= best else (low, best)
            third, of_third, second, of_second, best, value = second, of_second, best, value, trial, found
            continue
        low, high = (low, trial) if trial >= best else (trial, high)
        if found <= of_second or second == best:
            third, of_third, second, of_second = second, of_second, trial, found
        elif found <= of_third or third in (best, second):
            third, of_third = trial, found
    return best, value
