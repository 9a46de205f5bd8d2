"""Cosines of many numbers at once."""

from __future__ import annotations

from math import factorial, pi

import numpy as np

from mlviz.numerics.arrays import Array

_SERIES = [(-1) ** k * (2 * pi) ** (2 * k + 1) / factorial(2 * k + 1) for k in range(11)]
"""That of sin(2 pi s) in odd powers of s: for |s| up to 1/4 what is left out is below 1e-17."""
_BLOCK = 16_384
"""So many numbers at a time stay in the cache."""


def cosines(turns: Array) -> None:
    """Put cos(2 pi t) in the place of each number t of a contiguous array: several times as fast as NumPy's cosine."""
    flat = turns.reshape(-1)
    assert np.shares_memory(flat, turns) or not turns.size
    for first in range(0, len(flat), _BLOCK):
        t = flat[first : first + _BLOCK]
        t -= np.rint(t)
        np.abs(t, out=t)
        np.subtract(0.25, t, out=t)  # cos(2 pi t) = sin(2 pi (1/4 - |t|))
        square = t * t
        sine = square * _SERIES[-1]
        for factor in _SERIES[-2:0:-1]:
            sine += factor
            sine *= square
        sine += _SERIES[0]
        t *= sine
