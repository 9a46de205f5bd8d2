"""Lines of equal marginal likelihood, traced on a spline between the values that are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mlviz.draw.contours import contour_lines, contour_numbers, join_lines, some_lines
from mlviz.draw.marks import Mark
from mlviz.draw.ticks import words_of_levels
from mlviz.numerics.arrays import Array, Rows
from mlviz.numerics.cubic_spline import spline_matrix
from mlviz.numerics.grid import Grid

_BELOW = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 1e4, 3e4, 1e5, 1e6)
"""So much below the largest likelihood there are lines: e to the power of that less likely."""
_FINER, _NEAREST = 5, 0.2
"""Lines are traced on so many times more nodes; those nearer to each other than this share of the usual gap are one."""
_ROUND = 10.0
"""About so far below the largest likelihood it falls as a square does, and farther as a power does."""


def likelihood_lines(across: Array, noise: Array, values: Array, largest: float) -> Sequence[Mark]:
    """Lines of equal likelihood, values (len(noise), len(across)), with how much less than the largest it is."""
    grid, heights = _smooth(across, noise, np.maximum(largest - values, 0.0))
    traced = contour_lines(grid, heights, np.log1p(np.array(_BELOW) / _ROUND).tolist(), fine=True)
    lines = {-below: line for below, line in zip(_BELOW, traced, strict=True) if len(line)}
    # The innermost line has no room for its number beside the maximum.
    numbers = contour_numbers("value line", lines, grid, words_of_levels(list(lines)), without=(-_BELOW[0],))
    return (
        *some_lines("value line", 10 ** join_lines(lines.values()), "drop from the maximum, innermost 1"),
        *(replace(text, xy=10**text.xy, others=None) for text in numbers),
    )


def _smooth(across: Array, noise: Array, below: Array) -> tuple[Grid, Array]:
    """On a finer grid of logarithms log(1 + a share of how much it is below the largest), (ny, nx).

    That is nearly square about the maximum and nearly straight far from it, as a spline needs.
    """
    fall = np.log1p(below / _ROUND)
    columns, rows = _apart(np.log10(across)), _apart(np.log10(noise))
    x, y = np.log10(across)[columns], np.log10(noise)[rows]
    grid = Grid(_between(x), _between(y))
    return grid, spline_matrix(y, grid.y) @ fall[np.ix_(rows, columns)] @ spline_matrix(x, grid.x).T


def _apart(places: Array) -> Rows:
    """Which of rising places (m,) are some way from the one before, both ends among them: a spline is calm there."""
    least = _NEAREST * (places[-1] - places[0]) / len(places)
    kept = [0]
    for k in range(1, len(places)):
        if places[k] - places[kept[-1]] > least:
            kept.append(k)
    kept[-1] = len(places) - 1
    return np.array(kept)


def _between(places: Array) -> Array:
    """The places (m,), and as many more in each gap as make it fine."""
    shares = np.arange(_FINER) / _FINER
    return np.append((places[:-1, None] + np.diff(places)[:, None] * shares).ravel(), places[-1])
