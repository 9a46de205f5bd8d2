"""The label of the nearest sample at every node of a grid, exact, with most nodes labelled many at a time."""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.distances import FARTHEST_COMPUTABLE, distance_measure
from mlviz.numerics.grid import Grid
from mlviz.numerics.neighbors.search import Search

_SIDE = 7
"""A block has so many nodes along each side."""
_ROUNDING = 1e-6
"""Distances that differ by less than this share of the largest there may be are not compared for a whole block."""
_SINGLE, _DOUBLE = 1e-6, 1e-13
"""Squares of distances are wrong by less, as a share of the largest there may be, in single and double precision."""
_LARGE = 5e-3
"""In blocks that are a larger share of the largest distance, single precision tells the nearest samples apart."""
_ALL = 4.0
"""Shares of the largest distance are smaller, along each axis and in the plane."""
_COMPARED = 60
"""Of more samples than this, on average, that may be nearest in a block, looking for each node's is quicker."""
_ENTRIES = 240_000
"""So many distances at a time stay in the processor's caches."""


def nearest_labels(grid: Grid, X: Array, labels: Labels, search: Search) -> Labels:
    """The label of the nearest of the samples X (n, 2), which `search` looks for, with labels (n,): (ny, nx).

    In a block of nodes only those samples can be nearest that are, from its middle, farther away than the nearest of
    all by at most the diameter of the block. Where they have one label, all nodes of the block have it; else each node
    is compared with them.
    """
    if not (np.abs(grid.corners).max() < FARTHEST_COMPUTABLE and np.abs(X).max() < FARTHEST_COMPUTABLE):
        return np.asarray(labels[search.first(grid.points())].reshape(grid.shape))
    blocks = [np.arange(0, len(nodes), _SIDE) for nodes in (grid.x, grid.y)]
    ends = [np.minimum(first + _SIDE, len(nodes)) - 1 for first, nodes in zip(blocks, (grid.x, grid.y), strict=True)]
    low, high = [grid.x[blocks[0]], grid.y[blocks[1]]], [grid.x[ends[0]], grid.y[ends[1]]]
    middles = Grid(*((a + b) / 2 for a, b in zip(low, high, strict=True)))
    diameter = np.hypot.outer(np.abs(high[1] - low[1]), np.abs(high[0] - low[0])).ravel()
    found, block, sample = _candidates(middles.points(), diameter, X, labels)
    sizes = [end - first + 1 for first, end in zip(blocks, ends, strict=True)]
    field = np.repeat(np.repeat(found.reshape(middles.shape), sizes[1], axis=0), sizes[0], axis=1)
    mixed = np.flatnonzero(found < 0)
    if len(sample) > _COMPARED * len(mixed):
        rows, columns = np.nonzero(field < 0)
        field[rows, columns] = labels[search.first(np.column_stack((grid.x[columns], grid.y[rows])))]
    elif len(mixed):
        j, i = np.divmod(mixed, len(blocks[0]))
        # The last node of a short block stands in for those that it lacks.
        columns, rows = (
            np.minimum(blocks[axis][at][:, None] + np.arange(_SIDE), ends[axis][at][:, None])
            for axis, at in enumerate((i, j))
        )
        owner = np.searchsorted(mixed, block)
        gaps = distance_measure(
            [
                (grid.x[columns[owner]] - X[sample, :1])[:, None, :],
                (grid.y[rows[owner]] - X[sample, 1:])[:, :, None],
            ],
            "euclidean",
        )
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        nearest = gaps == np.minimum.reduceat(gaps, starts, axis=0)[owner]
        # Of equally near samples the first one counts.
        first = np.minimum.reduceat(np.where(nearest, sample[:, None, None], len(X)), starts, axis=0)
        field[rows[:, :, None], columns[:, None, :]] = labels[first]
    return field


def _candidates(places: Array, diameter: Array, X: Array, labels: Labels) -> tuple[Labels, Labels, Labels]:
    """The label of all samples that may be nearest within a diameter (m,) about places (m, 2); -1 for several labels.

    For these places, by their numbers, follow the samples themselves.
    """
    middle = X.min(axis=0) / 2 + X.max(axis=0) / 2
    P, Q = places - middle, X - middle
    far = float(np.abs(P).max() + np.abs(Q).max() + 1e-9 * np.abs(middle).max()) or 1.0
    # All distances as shares of the largest there may be; in single precision they take half as long.
    # In a block that is far larger than that all samples may be nearest, and its size need not be a number here.
    P, Q, reach = P / far, Q / far, np.minimum(diameter / far, _ALL) + _ROUNDING
    dtype, wrong = (np.float32, _SINGLE) if reach.min() > _LARGE else (np.float64, _DOUBLE)
    # |p - q|² less |p|² is (p, 1) times (-2 q, |q|²).
    lengths, P = (P * P).sum(axis=1), np.column_stack((P, np.ones(len(P)))).astype(dtype)
    Q = np.vstack((-2.0 * Q.T, (Q * Q).sum(axis=1))).astype(dtype)
    found = np.full(len(P), -1)
    pairs = []
    size = max(1, _ENTRIES // len(X))
    for first in range(0, len(P), size):
        part = slice(first, first + size)
        gaps = P[part] @ Q
        least = np.sqrt(np.maximum(gaps.min(axis=1) + lengths[part] + wrong, 0.0))
        most = (least + reach[part]) ** 2 - lengths[part] + wrong
        block, sample = np.divmod(np.flatnonzero(gaps <= most.astype(dtype)[:, None]), len(X))
        near = labels[sample]
        starts = np.flatnonzero(np.diff(block, prepend=-1))
        same = np.minimum.reduceat(near, starts) == np.maximum.reduceat(near, starts)
        found[first + np.flatnonzero(same)] = near[starts[same]]
        mixed = ~same[block]
        pairs.append((first + block[mixed], sample[mixed]))
    blocks, samples = (np.concatenate(part) for part in zip(*pairs, strict=True))
    return found, blocks, samples
