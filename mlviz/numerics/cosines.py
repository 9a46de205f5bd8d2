"""Cosines of many numbers at once."""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array

_SERIES = (
    6.283185307179586,
    -41.34170224039975,
    81.60524927607304,
    -76.70585975277261,
    42.0586939229963,
    -15.094641612946159,
    3.819927152660158,
    -0.7177261776394315,
    0.10087076822916667,
)
"""sin(2 pi s) in odd powers of s, interpolated at Chebyshev's nodes for |s| up to 1/4: what is left out is below 1e-17.

The last digits are those with which the sum is 1 at 1/4."""
_BLOCK = 25_000
"""So many numbers at a time stay in the cache."""


def cosines(turns: Array, height: float = 1.0) -> None:
    """Put height cos(2 pi t) in the place of each number t of a contiguous array: faster than NumPy's cosine."""
    flat = turns.reshape(-1)
    assert np.shares_memory(flat, turns) or not turns.size
    first_factor, *factors = (height * factor for factor in _SERIES)
    last_factor = factors.pop()
    squares, sines = np.empty((2, min(len(flat), _BLOCK)))
    for first in range(0, len(flat), _BLOCK):
        t = flat[first : first + _BLOCK]
        square, sine = squares[: len(t)], sines[: len(t)]
        t -= np.rint(t, out=square)
        np.abs(t, out=t)
        np.subtract(0.25, t, out=t)  # cos(2 pi t) = sin(2 pi (1/4 - |t|))
        np.multiply(t, t, out=square)
        np.multiply(square, last_factor, out=sine)
        for factor in reversed(factors):
            sine += factor
            sine *= square
        sine += first_factor
        t *= sine
