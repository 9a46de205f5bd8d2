"""Which nodes of a grid are in discs of one radius, exactly, by the span that a disc has of each row of nodes."""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array, Labels, Mask, Rows
from mlviz.numerics.grid import Grid

MOST_SPANS = 1_000_000
"""Discs with more rows of nodes than this are asked node by node."""
_TOGETHER = 20_000
"""So many discs of many labels are laid on a grid at a time."""


def discs_on_grid(grid: Grid, X: Array, radius: float) -> tuple[slice, slice, Mask] | None:
    """The rows and columns of nodes about discs at X (c, 2), and which of these nodes are in a disc.

    None where that takes longer than asking each node.
    """
    (left, low), (right, high) = X.min(axis=0) - radius, X.max(axis=0) + radius
    rows = slice(*np.searchsorted(grid.y, (low, high)).tolist())
    columns = slice(*np.searchsorted(grid.x, (left, right)).tolist())
    x, y = grid.x[columns], grid.y[rows]
    if rows_of_discs(y, X, radius)[1].sum() > MOST_SPANS:
        return None
    _, row, begin, end = _spans(x, y, X, radius)
    shape = len(y), len(x) + 1
    size = shape[0] * shape[1]
    opened = np.bincount(row * shape[1] + begin, minlength=size) - np.bincount(row * shape[1] + end, minlength=size)
    return rows, columns, opened.reshape(shape).cumsum(axis=1)[:, :-1] > 0


def rows_of_discs(y: Array, X: Array, radius: float) -> tuple[Rows, Labels]:
    """The first of the rows of nodes, at heights y (ny,), that discs at X (c, 2) have, and how many each has, (c,)."""
    first, last = (np.searchsorted(y, X[:, 1] + step) for step in (-radius, radius))
    return first, last - first


def _spans(x: Array, y: Array, X: Array, radius: float) -> tuple[Rows, Rows, Rows, Rows]:
    """The spans of discs at X (c, 2), one for each row of nodes that a disc has.

    Which disc it is of, its row, its first node and the one behind its last, (s,) each.
    """
    first, heights = rows_of_discs(y, X, radius)
    disc = np.repeat(np.arange(len(X)), heights)
    row = np.arange(len(disc)) - np.repeat(np.cumsum(heights) - heights, heights) + first[disc]
    half = np.sqrt(np.maximum(radius * radius - (y[row] - X[disc, 1]) ** 2, 0.0))
    return disc, row, np.searchsorted(x, X[disc, 0] - half), np.searchsorted(x, X[disc, 0] + half, "right")


def first_discs_on_grid(grid: Grid, X: Array, radius: float, labels: Labels) -> Labels:
    """The least label (from 0 on, (c,)) of the discs at X (c, 2) that a node is in, -1 where it is in none, (ny, nx).

    Each span is noted as two of 2^level nodes, which may overlap, where these begin; they are halved level by level
    until they are single nodes (the sparse table of range minima, the other way round).
    """
    none = int(labels.max()) + 1
    level_of = np.array([max(1, length).bit_length() - 1 for length in range(len(grid.x) + 1)])
    noted = np.full((int(level_of[-1]) + 1, *grid.shape), none)
    for begun in range(0, len(X), _TOGETHER):
        part = slice(begun, begun + _TOGETHER)
        disc, row, begin, end = _spans(grid.x, grid.y, X[part], radius)
        wide = end > begin
        row, begin, end, label = row[wide], begin[wide], end[wide], labels[part][disc[wide]]
        level = level_of[end - begin]
        np.minimum.at(noted, (level, row, begin), label)
        np.minimum.at(noted, (level, row, end - 2**level), label)
    for level in range(len(noted) - 1, 0, -1):
        width, whole, halves = 2 ** (level - 1), noted[level], noted[level - 1]
        np.minimum(halves, whole, out=halves)
        np.minimum(halves[:, width:], whole[:, :-width], out=halves[:, width:])
    return np.where(noted[0] < none, noted[0], -1)
