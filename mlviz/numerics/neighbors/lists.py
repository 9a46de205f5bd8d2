"""The nearest samples of every node of a grid, kept up to date while samples come, go and move.

One sample, the one in hand, stays outside the lists: while it moves, the lists of all others do not change, and the
caller merges it in with one comparison a node. The lists are exact at any time.
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from mlviz.numerics.arrays import Array, Mask
from mlviz.numerics.distances import distance_measure, gaps_on_grid
from mlviz.numerics.grid import Grid
from mlviz.numerics.neighbors.search import Index, nearest

_CHANGES = 8
"""With more samples changed at once, starting anew is as fast."""


class NeighbourLists:
    """For each node of a grid the `count` nearest of the listed samples: `index` and `gaps`, (<= count, nodes).

    `samples` (n, 3) are rows (y, x1, x2) in canonical order: an order of preference that depends on nothing else.
    `version` grows whenever the lists change. `changed` (nodes,) are the nodes whose nearest samples have become other
    ones since whoever reads it has set it to False.
    """

    def __init__(self, grid: Grid, count: int, metric: str) -> None:
        self.grid = grid
        self.count = count
        self.metric = metric
        self.version = 0
        self._points = grid.points()
        self.changed: Mask = np.ones(len(self._points), dtype=bool)
        self._in_hand: tuple[float, ...] | None = None
        self._start(np.empty((0, 3)))

    def follow(self, samples: Array) -> int | None:
        """List those samples but for at most one, whose row in them is returned."""
        if len(samples) < 2 or not len(self.samples):
            self._start(samples)
            return None
        held = self._left_out(samples)
        if held is not None or np.array_equal(samples, self.samples):
            return held
        changes = differences(samples, self.samples, _CHANGES)
        if changes is None:
            self._start(samples)
            return None
        come, gone = changes
        for sample in gone:
            self._remove(np.array(sample))
        # The sample that was in hand is laid down first; the newest is taken up.
        come.sort(key=lambda sample: sample != self._in_hand)
        for sample in come[:-1]:
            self._insert(np.array(sample))
        return self._left_out(samples)

    def _left_out(self, samples: Array) -> int | None:
        """The row that the lists lack, where they hold exactly the others; None otherwise."""
        row = left_out_row(samples, self.samples)
        if row is not None:
            self._in_hand = tuple(samples[row].tolist())
        return row

    def _start(self, samples: Array) -> None:
        self.samples = samples
        self.version += 1
        self.changed[:] = True
        self._in_hand = None
        self.index: Index = np.empty((0, len(self._points)), dtype=np.int32)
        self.gaps: Array = np.empty((0, len(self._points)))
        if len(samples):
            self.index, self.gaps = self._query(self._points)

    def _query(self, points: Array) -> tuple[Index, Array]:
        places = self.samples[:, 1:]
        index, _ = nearest(points, places, self.count, self.metric)
        return index, distance_measure([points[:, j] - places[index, j] for j in range(2)], self.metric)

    def _remove(self, sample: Array) -> None:
        row = int(np.flatnonzero((self.samples == sample).all(axis=1))[0])
        self.samples = np.delete(self.samples, row, axis=0)
        self.version += 1
        touched = np.flatnonzero((self.index == row).any(axis=0))
        self.changed[touched] = True
        self.index -= self.index > row
        if len(self.samples) < self.count:
            self.index, self.gaps = self.index[:-1], self.gaps[:-1]
        if len(touched) and len(self.samples):
            self.index[:, touched], self.gaps[:, touched] = self._query(self._points[touched])

    def _insert(self, sample: Array) -> None:
        row = bisect_right(self.samples, sample.tolist(), key=lambda listed: listed.tolist())
        self.samples = np.insert(self.samples, row, sample, axis=0)
        self.version += 1
        self.index += self.index >= row
        if len(self.index) < self.count:
            pad = np.full((1, len(self._points)), len(self.samples), dtype=np.int32)
            self.index = np.concatenate((self.index, pad))
            self.gaps = np.concatenate((self.gaps, np.full(pad.shape, np.inf)))
        gaps = gaps_on_grid(self.grid, sample[1:], self.metric).ravel()
        touched = np.flatnonzero(comes_before(gaps, row, self.gaps[-1], self.index[-1]))
        self.changed[touched] = True
        index, sorted_gaps = self.index[:, touched], self.gaps[:, touched]
        index[-1], sorted_gaps[-1] = row, gaps[touched]
        for j in range(len(index) - 1, 0, -1):
            swap = comes_before(sorted_gaps[j], index[j], sorted_gaps[j - 1], index[j - 1])
            for array in (index, sorted_gaps):
                array[j - 1 : j + 1, swap] = array[j - 1 : j + 1, swap][::-1]
        self.index[:, touched], self.gaps[:, touched] = index, sorted_gaps


def comes_before(gap_a: Array, row_a: int | Index, gap_b: Array, row_b: Index) -> Mask:
    """Where sample a counts as nearer than sample b: by gap, then by row."""
    before = gap_a < gap_b
    equal = gap_a == gap_b
    if equal.any():
        before |= equal & (row_a < row_b)
    return np.asarray(before)


def _alike(a: Array, b: Array) -> int:
    """With how many equal rows both tables begin."""
    common = min(len(a), len(b))
    unequal = (a[:common] != b[:common]).any(axis=1)
    return int(np.argmax(unequal)) if unequal.any() else common


def left_out_row(samples: Array, others: Array) -> int | None:
    """The row without which a table is the other one; None where that is no row."""
    if len(samples) != len(others) + 1:
        return None
    row = _alike(samples, others)
    return row if np.array_equal(samples[row + 1 :], others[row:]) else None


def differences(now: Array, listed: Array, most: int) -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]] | None:
    """The rows that are new and those that are gone, of two sorted tables; None where these are more than `most`."""
    come: list[tuple[float, ...]] = []
    gone: list[tuple[float, ...]] = []
    while len(now) or len(listed):
        same = _alike(now, listed)
        now, listed = now[same:], listed[same:]
        if len(now) and (not len(listed) or now[0].tolist() < listed[0].tolist()):
            come.append(tuple(now[0].tolist()))
            now = now[1:]
        elif len(listed):
            gone.append(tuple(listed[0].tolist()))
            listed = listed[1:]
        if len(come) + len(gone) > most:
            return None
    return come, gone


def differing_middle(a: Array, b: Array) -> tuple[Array, Array]:
    """Two sorted tables without the rows with which both begin and both end."""
    head = _alike(a, b)
    tail = min(_alike(a[::-1], b[::-1]), len(a) - head, len(b) - head)
    return a[head : len(a) - tail], b[head : len(b) - tail]
