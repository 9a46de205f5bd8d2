"""Joining the two nearest clusters again and again, until one is left.

Distances between clusters follow the recurrence of G. Lance and W. Williams (The Computer Journal 9 (1967) 373-380), or
for Ward's linkage and centroids the means of the clusters. Where a joint cluster is never nearer to a third one than
both of its parts were, two clusters that are nearest to each other stay so whatever else is joined: all such pairs are
joined in one round (F. Murtagh, The Computer Journal 26 (1983) 354-359). Centroids have no such property: of them only
the nearest two of all are joined at a time. Single linkage needs no more than the shortest spanning tree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.distances import distance_measure
from mlviz.numerics.linkage.gaps import AWAY, NO_GAP, GapsOfMeans, GapsOfPairs, shortened
from mlviz.numerics.linkage.spanning_tree import spanning_tree
from mlviz.numerics.pauses import Work, blocks
from mlviz.spec.brief import Brief

LINKAGES = ("ward", "average", "complete", "single", "centroid")
_DENSE = 0.75
"""With a smaller share of slots in use, those in use move together."""
_PAUSE = 50
"""So many merges of centroids are made between two pauses."""


@dataclass(frozen=True, eq=False)
class Merges(Brief):
    """The merges of n places, in their order: `pairs` (n - 1, 2) are joined at `heights` (n - 1,).

    Clusters are numbered: 0 to n - 1 are the places, n + t is what merge t has made. The first of a pair is the one
    with the earliest place.
    """

    pairs: Labels
    heights: Array


def merge_all(X: Array, weight: Array, linkage: str) -> Work[Merges]:
    """The merges of the different places X (n, d) with weights (n,), each of which stands for as many samples.

    The order of the places decides between equal gaps. Heights are distances; those of Ward's linkage are
    √(2ab / (a + b)) times the distance of the means of two clusters with the weights a and b.
    """
    spread = float(np.ptp(X, axis=0).max(initial=0.0))
    unit = float(2.0 ** np.frexp(spread)[1])  # a power of two, so that a division by it rounds nothing
    places = (X - X[0]) / unit
    if linkage == "ward":
        merges = yield from _in_rounds(GapsOfMeans(places, weight), len(X))
    elif linkage == "centroid":
        merges = yield from _one_by_one(places, weight)
    else:
        gaps = yield from GapsOfPairs.measured(places, weight, linkage)
        if linkage == "single":
            merges = _of_edges(*(yield from spanning_tree(gaps.matrix)))
        else:
            merges = yield from _in_rounds(gaps, len(X))
    heights = merges.heights if linkage == "average" else np.sqrt(merges.heights)
    return Merges(merges.pairs, heights * unit)


def _in_rounds(gaps: GapsOfMeans | GapsOfPairs, n: int) -> Work[Merges]:
    """Join all pairs of which each is nearest to the other, again and again; heights are gaps here."""
    numbers, tops, made = np.arange(n), np.zeros(n), n
    parts, others, heights = [numbers[:0]], [numbers[:0]], [tops[:0]]
    used = np.ones(n, dtype=bool)
    nearest, least = yield from gaps.nearest(np.arange(n))
    while made < 2 * n - 1:
        slots = np.arange(len(used))
        a = np.flatnonzero((nearest[nearest] == slots) & (slots < nearest))
        if not len(a):
            # Among equally near ones each may have been told another since it was last asked.
            some = np.flatnonzero(used)
            nearest[some], least[some] = yield from gaps.nearest(some)
            continue
        b = nearest[a]
        # Rounding must not put a cluster below its parts.
        tops[a] = np.maximum(least[a], np.maximum(tops[a], tops[b]))
        parts.append(numbers[a])
        others.append(numbers[b])
        heights.append(tops[a])
        numbers[a] = np.arange(made, made + len(a))
        made += len(a)
        gaps.join(a, b)
        used[b] = False
        changed = np.zeros(len(used), dtype=bool)
        changed[a] = changed[b] = True
        stale = used & (changed | changed[nearest])
        nearest[b] = b
        if np.count_nonzero(used) < _DENSE * len(used):
            kept = np.flatnonzero(used)
            gaps.keep(kept)
            nearest = (np.cumsum(used) - 1)[nearest[kept]]
            numbers, tops, least, stale, used = numbers[kept], tops[kept], least[kept], stale[kept], used[kept]
        some = np.flatnonzero(stale)
        nearest[some], least[some] = yield from gaps.nearest(some)
        yield
    return _by_height(np.column_stack((np.concatenate(parts), np.concatenate(others))), np.concatenate(heights))


def _one_by_one(places: Array, weight: Array) -> Work[Merges]:
    """Join the two clusters with the nearest means, again and again; heights are gaps here."""
    n, weight, means = len(places), weight.astype(np.float64), np.ascontiguousarray(places.T)
    numbers, pairs, heights = np.arange(n), np.empty((n - 1, 2), dtype=np.intp), np.empty(n - 1)
    nearest, least, used = np.empty(n, dtype=np.intp), np.empty(n), np.ones(n, dtype=bool)
    for part in blocks(n, n):
        gaps = _between_means(means, numbers[part])
        nearest[part], least[part] = gaps.argmin(axis=1), gaps.min(axis=1)
        yield
    for t in range(n - 1):
        first = int(least.argmin())
        a, b = sorted((first, int(nearest[first])))
        pairs[t], heights[t], numbers[a] = (numbers[a], numbers[b]), least[first], n + t
        weight[a] += weight[b]
        means[:, a] += weight[b] / weight[a] * (means[:, b] - means[:, a])
        means[:, b], used[b], least[b], nearest[b] = AWAY, False, NO_GAP, b
        stale = np.flatnonzero(((nearest == a) | (nearest == b)) & used)
        gaps = _between_means(means, stale)
        nearest[stale], least[stale] = gaps.argmin(axis=1), gaps.min(axis=1)
        # The joint mean may be nearer to others than what was nearest to them.
        gap = gaps[np.searchsorted(stale, a)]
        nearer = (gap < least) & used
        np.copyto(nearest, a, where=nearer)
        np.copyto(least, gap, where=nearer)
        if t % _PAUSE == _PAUSE - 1:
            yield
    return Merges(pairs, heights)


def _between_means(means: Array, rows: Labels) -> Array:
    """The gaps between some clusters (p,) and all (n,), by their means (d, n): (p, n)."""
    gaps = shortened(distance_measure([column[rows, None] - column for column in means], "euclidean"))
    gaps[np.arange(len(rows)), rows] = NO_GAP
    return gaps


def _by_height(pairs: Labels, heights: Array) -> Merges:
    """The merges (n - 1, 2) in the order of their heights, where a cluster is never lower than its parts."""
    n, order = len(pairs) + 1, np.argsort(heights, kind="stable")
    number = np.arange(2 * n - 1)
    number[n + order] = n + np.arange(n - 1)
    return Merges(number[pairs[order]], heights[order])


def _of_edges(edges: Labels, lengths: Array) -> Merges:
    """The merges along the edges (n - 1, 2) of a tree that spans the places, the shortest first."""
    n, order = len(edges) + 1, np.lexsort((edges.max(axis=1), edges.min(axis=1), lengths))
    part, earliest, pairs = list(range(2 * n - 1)), list(range(2 * n - 1)), []

    def found(number: int) -> int:
        while part[number] != number:
            part[number] = number = part[part[number]]
        return number

    for made, (i, j) in enumerate(edges[order].tolist(), start=n):
        a, b = sorted((found(i), found(j)), key=earliest.__getitem__)
        pairs.append((a, b))
        part[a] = part[b] = made
        earliest[made] = earliest[a]
    return Merges(np.array(pairs, dtype=np.intp).reshape(-1, 2), lengths[order])
