"""Where a slope changes its sign: the Illinois method (M. Dowell and P. Jarratt, BIT 11, 1971, 168-174)."""

from __future__ import annotations

from collections.abc import Callable

_HALVINGS = 60
_TOLERANCE = 1e-9
"""How exactly the place is found."""


def falling_zero(slope: Callable[[float], float], low: float, high: float) -> float:
    """Where a slope that is positive at `low` and negative at `high` vanishes; the end where it does not change so."""
    of_low, of_high = slope(low), slope(high)
    if of_low <= 0 or of_high >= 0:
        return low if of_low <= 0 else high
    side = 0
    for _ in range(_HALVINGS):
        # The Illinois variant of the false position: an end that stays counts half.
        middle = (low * of_high - high * of_low) / (of_high - of_low)
        value = slope(middle)
        if abs(high - low) < _TOLERANCE or value == 0:
            break
        if value > 0:
            low, of_low, of_high, side = middle, value, of_high / (2 if side == 1 else 1), 1
        else:
            high, of_high, of_low, side = middle, value, of_low / (2 if side == -1 else 1), -1
    return middle
