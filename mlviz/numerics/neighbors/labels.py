"""The label of the nearest sample at every node of a grid, exact, with most nodes labelled many at a time."""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.grid import Grid
from mlviz.numerics.neighbors.search import Search

_SIDE = 6
"""A block has so many nodes along each side."""
_ROUNDING = 1e-6
"""Distances that differ by less than this share of the largest there may be are not compared for a whole block."""


def nearest_labels(grid: Grid, X: Array, labels: Labels, search: Search) -> Labels:
    """The label of the nearest of the samples X (n, 2), which `search` looks for, with labels (n,): (ny, nx).

    All nodes of a block have the same label where, from its middle, the nearest sample with another one is farther away
    than the nearest of all by more than the diameter of the block. Where it is not, each node is looked at.
    """
    blocks = [np.arange(0, len(nodes), _SIDE) for nodes in (grid.x, grid.y)]
    ends = [np.minimum(first + _SIDE, len(nodes)) - 1 for first, nodes in zip(blocks, (grid.x, grid.y), strict=True)]
    low, high = [grid.x[blocks[0]], grid.y[blocks[1]]], [grid.x[ends[0]], grid.y[ends[1]]]
    middles = Grid(*((a + b) / 2 for a, b in zip(low, high, strict=True)))
    diameter = np.hypot.outer(np.abs(high[1] - low[1]), np.abs(high[0] - low[0])).ravel()
    found, lead = _leads(middles.points(), X, labels)
    far = float(np.abs(grid.corners).max() + np.abs(X).max())
    found[~(lead > diameter + _ROUNDING * far)] = -1
    sizes = [end - first + 1 for first, end in zip(blocks, ends, strict=True)]
    field = np.repeat(np.repeat(found.reshape(middles.shape), sizes[1], axis=0), sizes[0], axis=1)
    rows, columns = np.nonzero(field < 0)
    if len(rows):
        places = np.column_stack((grid.x[columns], grid.y[rows]))
        field[rows, columns] = labels[search.first(places)]
    return field


@np.errstate(over="ignore", invalid="ignore")
def _leads(places: Array, X: Array, labels: Labels) -> tuple[Labels, Array]:
    """The label of the nearest sample at places (m, 2), and how much farther the nearest one with another label is."""
    order = np.argsort(labels, kind="stable")
    sorted_labels, middle = labels[order], X.min(axis=0) / 2 + X.max(axis=0) / 2
    P, Q = places - middle, X[order] - middle
    gaps = P @ (-2.0 * Q.T)
    gaps += (Q * Q).sum(axis=1)
    starts = np.flatnonzero(np.diff(sorted_labels, prepend=-1))
    least = np.minimum.reduceat(gaps, starts, axis=1) + (P * P).sum(axis=1)[:, None]
    distances = np.sqrt(np.maximum(least, 0.0))
    found = sorted_labels[starts[distances.argmin(axis=1)]]
    if len(starts) == 1:
        return found, np.full(len(places), np.inf)
    two = np.partition(distances, 1, axis=1)
    return found, two[:, 1] - two[:, 0]
