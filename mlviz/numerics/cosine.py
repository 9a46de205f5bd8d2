"""The cosine of many angles at once, in a few operations on arrays: the library's takes each number by itself."""

from __future__ import annotations

import math

import numpy as np

from mlviz.numerics.arrays import Array

_TURN = 2 * math.pi
_SERIES = tuple((-1) ** k * _TURN ** (2 * k + 1) / math.factorial(2 * k + 1) for k in range(11))
"""Of the sine of a share of a turn: up to a quarter, what is left out is less than rounding."""
_LARGEST = 1000.0
"""The share of a turn of a larger angle has too few digits: 1e-13 of an angle of this size."""
_IN_CACHE = 8192
"""So many angles at a time stay in the cache."""


def cosine(angles: Array) -> None:
    """Replace angles, in radians and one after another in memory, by their cosines.

    The error is that of angles rounded to the same relative precision, and 2e-15 at the least.
    """
    if not np.abs(angles).max(initial=0.0) <= _LARGEST:
        np.cos(angles, out=angles)
        return
    every = angles.reshape(-1)
    square, value = np.empty((2, min(_IN_CACHE, every.size)))
    for first in range(0, every.size, _IN_CACHE):
        u = every[first : first + _IN_CACHE]
        s, v = square[: len(u)], value[: len(u)]
        # cos a = sin(a quarter of a turn - |a|), a being less than half of one.
        u *= 1 / _TURN
        u -= np.rint(u, out=s)
        np.subtract(0.25, np.abs(u, out=u), out=u)
        np.multiply(u, u, out=s)
        np.multiply(s, _SERIES[-1], out=v)
        for coefficient in _SERIES[-2:0:-1]:
            v += coefficient
            v *= s
        v += _SERIES[0]
        u *= v
