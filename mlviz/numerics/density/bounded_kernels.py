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
    X, weights, count = X[near], weights[near], len(grid.y)
    left, squares = _windows(grid.x, X[:, 0], width)
    if not squares.size:
        return np.zeros(grid.shape)
    # In widths, from the middle of the grid.
    step = float(grid.y[-1] - grid.y[0]) / (count - 1) / width
    middle = (count - 1) / 2
    place = ((X[:, 1] - (grid.y[0] + grid.y[-1]) / 2) / width)[:, None]
    column = np.minimum(left[:, None] + np.arange(squares.shape[1]), len(grid.x) - 1)
    reached = squares <= edge
    squares = np.where(reached, squares, edge)
    # In steps between nodes.
    center, half = place / step + middle, np.sqrt(edge - squares) / step
    ends = np.stack((np.ceil(center - half), np.floor((center + 1) + half)))
    np.minimum(np.maximum(ends, 0, out=ends), count, out=ends)
    # Samples that all weigh the same are counted, which rounds nothing.
    alike = bool(np.ptp(weights) == 0)
    unit = float(weights[0]) if alike else 1.0
    w, u = reached * (weights / unit)[:, None], (np.arange(count) - middle)[:, None] * step
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
    last = len(parts) - (1 if alike else 2)
    field = sums[:, last] * (a2 or a1 or a0)
    for part in range(last)[::-1]:
        field *= u
        field += sums[:, part]
    # Where no chord is, rounding leaves nothing.
    np.copyto(field, 0.0, where=sums[:, -1] < 0.5)
    if unit != 1.0:
        field *= unit
    return np.maximum(field, 0.0, out=field)


def _running_sums(ends: Array, column: Labels, parts: list[Array], shape: tuple[int, int]) -> Array:
    """Sums of the p parts (n, c) over the chords in which each node of the grid is, (ny, p, nx).

    Chords are in a column (n, c), from the first of their `ends` (2, n, c) to before the second one.
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


def _reached(nodes: Array, places: Array, width: float) -> tuple[Labels, Labels]:
    """The first of the rising nodes that each place (n,) reaches, and the one after the last."""
    reach = width * _BEYOND
    return np.searchsorted(nodes, places - reach), np.searchsorted(nodes, places + reach, side="right")


def value_by_value(grid: Grid, X: Array, weights: Array, width: float, values: Values, dtype: Any) -> Array:
    """Weighted sums of a kernel's values, which are a function of squared distances in widths, (ny, nx).

    The values have the dtype, the sums are in double precision.
    """
    from scipy.sparse import csc_array

    (left, across), (low, up) = (_windows(nodes, X[:, j], width) for j, nodes in enumerate((grid.x, grid.y)))
    across, up = across.astype(dtype, copy=False), up.astype(dtype, copy=False)
    rows, columns = up.shape[1], across.shape[1]
    if not (each := rows * columns):
        return np.zeros(grid.shape)
    length = len(grid.x) + columns
    field = np.zeros((len(grid.y) + rows) * length)
    window = (np.arange(rows, dtype=np.int32)[:, None] * length + np.arange(columns, dtype=np.int32)).ravel()
    first = (low * length + left).astype(np.int32)
    size = max(1, _AT_ONCE // each)
    for start in range(0, len(X), size):
        part = slice(start, start + size)
        bumps = values(up[part, :, None] + across[part, None, :]).ravel()
        nodes = np.add.outer(first[part], window).ravel()
        ends = np.arange(0, len(bumps) + 1, each, dtype=np.int32)
        # A column for each sample: the product adds all of them up.
        field += csc_array((bumps, nodes, ends), shape=(len(field), len(first[part]))) @ weights[part]
    return field.reshape(-1, length)[: len(grid.y), : len(grid.x)]


def _windows(nodes: Array, places: Array, width: float) -> tuple[Labels, Array]:
    """The first of the rising nodes that each place (n,) reaches, and squared distances in widths from there on.

    They are (n, k), infinite behind the last node.
    """
    low, high = _reached(nodes, places, width)
    window = low[:, None] + np.arange(int((high - low).max(initial=0)))
    padded = np.append(nodes, np.full(window.shape[1], np.inf))
    return low, ((padded[window] - places[:, None]) / width) ** 2
