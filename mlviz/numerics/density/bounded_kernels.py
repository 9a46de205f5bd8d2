"""Sums of kernels that end, at the nodes of a grid of the plane: each sample reaches few of them.

In a column of nodes a sample reaches those of a chord. Along it a kernel that is a polynomial of the squared distance
is one of the upright place: its coefficients are added where the chord begins and taken away behind its end, and
running sums along the columns give the coefficients at every node. Of other kernels the values themselves are added up.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.grid import Grid

_FARTHEST = {1: np.inf, 2: 50.0, 3: 4.0}
"""How far from the middle of a grid, in widths, places may be for so many coefficients: their powers cancel, and twelve
digits of the largest sum are left."""
_BEYOND = 1 + 2e-9
"""Nodes as far as so many widths are looked at: rounding must not leave out one that is just as far as a width."""
_AT_ONCE = 200_000
"""So many kernel values are added up at a time."""
_MOST_ADDED = 256
"""Of so many numbers the sum still has the precision of one of them; such sums are added up in double precision."""
_EVEN = 1e-9
"""Spacings of nodes that differ by less than this share are the same."""

Values = Callable[[AnyArray], AnyArray]


def has_chords(grid: Grid, width: float, coefficients: tuple[float, ...]) -> bool:
    """Whether the rows of nodes are evenly spaced, and near enough for the powers that are needed."""
    steps = np.diff(grid.y)
    even = len(steps) > 0 and bool(np.ptp(steps) <= _EVEN * steps[0])
    return even and float(grid.y[-1] - grid.y[0]) / 2 <= _FARTHEST[len(coefficients)] * width


def along_chords(
    grid: Grid, X: Array, weights: Array, width: float, coefficients: tuple[float, ...], edge: float
) -> Array:
    """Weighted sums of the polynomials Σ_m coefficients[m] r^(2m) where r^2 is up to `edge`, (ny, nx).

    r is the distance from a sample of X (n, 2) in widths. The grid `has_chords` for the coefficients, at most three.
    """
    reach = width * _BEYOND
    near = (X[:, 1] >= grid.y[0] - reach) & (X[:, 1] <= grid.y[-1] + reach)
    if not near.all():
        X, weights = X[near], weights[near]
    count = len(grid.y)
    left, squares = _windows(grid.x, X[:, 0], width)
    if not squares.size:
        return np.zeros(grid.shape)
    # In widths, from the middle of the grid.
    step = float(grid.y[-1] - grid.y[0]) / (count - 1) / width
    middle = (count - 1) / 2
    place = (X[:, 1] - (grid.y[0] + grid.y[-1]) / 2) / width
    column = np.minimum(left + np.arange(len(squares))[:, None], len(grid.x) - 1)
    reached = squares <= edge
    squares = np.where(reached, squares, edge)
    # In steps between nodes.
    center, half = place / step + middle, np.sqrt(edge - squares) / step
    ends = np.empty((2, *half.shape))
    np.ceil(center - half, out=ends[0])
    np.floor((center + 1) + half, out=ends[1])
    np.minimum(np.maximum(ends, 0, out=ends), count, out=ends)
    # Samples that all weigh the same are counted, which rounds nothing.
    alike = bool(np.ptp(weights) == 0)
    unit = float(weights[0]) if alike else 1.0
    w = reached * (weights / unit)
    # Of the place u the squared distance is u² + b u + c.
    b, c = -2 * place, place * place + squares
    a0, a1, a2 = (*coefficients, 0.0, 0.0)[:3]
    parts = []
    if a2:
        parts = [w * (a0 + a1 * c + a2 * c * c), w * b * (a1 + 2 * a2 * c), w * (a1 + a2 * (b * b + 2 * c))]
        parts += [w * (2 * a2) * b]
    elif a1:
        parts = [w * (a0 + a1 * c), w * (b * a1)]
    parts += [w] if alike else [w, reached.astype(np.float64)]
    sums = _running_sums(ends, column, parts, grid.shape)
    powers = np.vander((np.arange(count) - middle) * step, 2 * len(coefficients) - 1, increasing=True)
    powers[:, -1] *= coefficients[-1]
    field = np.einsum("rpc,rp->rc", sums[:, : powers.shape[1]], powers)
    # Where no chord is, rounding leaves nothing.
    np.copyto(field, 0.0, where=sums[:, -1] < 0.5)
    if unit != 1.0:
        field *= unit
    return np.asarray(np.maximum(field, 0.0, out=field))


def _running_sums(ends: Array, column: Labels, parts: list[Array], shape: tuple[int, int]) -> Array:
    """Sums of the p parts (c, n) over the chords in which each node of the grid is, (ny, p, nx).

    Chords are in a column (c, n), from the first of their `ends` (2, c, n) to before the second one.
    """
    rows, columns = shape
    index = (ends.astype(np.intp) * columns + column).ravel()
    sums = np.empty((rows + 1, len(parts), columns))
    for k, part in enumerate(parts):
        jumps = np.bincount(index, np.stack((part, -part)).ravel(), (rows + 1) * columns)
        sums[:, k] = jumps.reshape(rows + 1, columns)
    for before, row in pairwise(sums):
        row += before  # row by row, which takes a quarter of the time of one after the other
    return sums[:rows]


def value_by_value(grid: Grid, X: Array, weights: Array, width: float, values: Values, dtype: Any) -> Array:
    """Weighted sums of a kernel's values, which are a function of squared distances in widths, (ny, nx).

    The values have the dtype, and so have sums of few of them.
    """
    from scipy.sparse import csc_array

    (left, across), (low, up) = (_windows(nodes, X[:, j], width) for j, nodes in enumerate((grid.x, grid.y)))
    across, up = across.astype(dtype, copy=False), up.astype(dtype, copy=False)
    rows, columns = len(up), len(across)
    length = len(grid.x) + columns
    field = np.zeros((len(grid.y) + rows) * length)
    window = np.arange(rows, dtype=np.int32)[:, None, None] * length + np.arange(columns, dtype=np.int32)[:, None]
    first = (low * length + left).astype(np.int32)
    alike, weights = bool(np.ptp(weights) == 0), weights.astype(dtype)
    size = min(max(1, _AT_ONCE // window.size), _MOST_ADDED)
    for start in range(0, len(X), size):
        part = slice(start, start + size)
        # Samples run fastest: the short rows of windows would take several times as long.
        bumps = values(up[:, None, part] + across[:, part])
        if not alike:
            bumps *= weights[part]
        nodes = window + first[part]
        one_column = np.array([0, nodes.size], dtype=np.int32)
        field += csc_array((bumps.ravel(), nodes.ravel(), one_column), shape=(len(field), 1)) @ np.ones(1, dtype)
    if alike:
        field *= weights[0]
    return field.reshape(-1, length)[: len(grid.y), : len(grid.x)]


def _windows(nodes: Array, places: Array, width: float) -> tuple[Labels, Array]:
    """A rising node for each place (n,), before which it reaches none, and squared distances in widths from there on.

    They are (k, n), infinite behind the last node; no node behind them is within reach.
    """
    reach = width * _BEYOND
    low = np.searchsorted(nodes, places - reach)
    # So many nodes are in any window, which takes less time than to look for the ends of all.
    count = int((np.searchsorted(nodes, nodes + 2 * reach, side="right") - np.arange(len(nodes))).max())
    squares = np.append(nodes, np.full(count, np.inf)).take(low + np.arange(count)[:, None])
    squares -= places
    squares /= width
    squares *= squares
    return low, squares
