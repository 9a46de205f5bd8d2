"""Where a function of one number falls through 0.

N. Anderson and Å. Björck, BIT 13 (1973) 253-264: the secant between the last place and one beyond the zero, whose value
is taken as smaller each time that it stays.
"""

from __future__ import annotations

from collections.abc import Callable

_ROUNDS, _NEAR = 60, 1e-9
"""So many secants at the most, and the last step that is taken, of a logarithm: the next would be rounding."""
_LEAST_SHARE = 0.1
"""What is taken for a smaller share of itself, as where the function is flat, would lead back to where it came from."""


def falling_zero(falling: Callable[[float], float], low: float, high: float) -> float:
    """The place between low and high; the end that is nearer to it where it is not between them.

    They are neighbours among places that were looked at: where the function is a million million times as large at
    one end as at the other, secants lead nowhere.
    """
    place, other = low, high
    value, beyond = falling(low), falling(high)
    if not value > 0 >= beyond:
        return low if value <= 0 else high
    for _ in range(_ROUNDS):
        former, before = place, value
        place -= value * (other - place) / (beyond - value)
        value = falling(place)
        if abs(place - former) < _NEAR or value == 0:
            break
        if (value > 0) != (before > 0):
            other, beyond = former, before
        else:
            share = 1 - value / before
            beyond *= share if share > _LEAST_SHARE else 0.5
    return place
