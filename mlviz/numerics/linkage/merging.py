"""Joining the two nearest clusters again and again, until one is left.

Distances between clusters follow the recurrence of G. Lance and W. Williams (The Computer Journal 9 (1967) 373-380).
Places of equal weight are joined by SciPy's `linkage`: single linkage along the shortest spanning tree, centroids by a
heap of the nearest clusters, all others by chains of nearest neighbours (F. Murtagh, The Computer Journal 26 (1983)
354-359; D. Müllner, arXiv:1109.2378). It knows no weights: where these differ and matter, the two nearest clusters of
all are looked for here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.pauses import Work, blocks
from mlviz.spec.brief import Brief

LINKAGES = ("ward", "average", "complete", "single", "centroid")
_WEIGHTLESS = ("complete", "single")
"""Linkages that do not ask how many samples there are at a place."""
_TAIL = 2**11
"""So many values of the last digits of a distance do not count, so that rounding does not decide between equal ones."""
_PAUSE = 50
"""So many merges of places of different weights are made between two pauses."""


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

    Heights are distances; those of Ward's linkage are √(2ab / (a + b)) times the distance of the means of two clusters
    with the weights a and b. The order of the places decides between equal distances: with equal weights as in SciPy,
    whose chains prefer the cluster that they came from, then the first one, a joint cluster standing at its later part,
    and leave merges of equal height as they were found; with different weights the pair with the earliest place wins.
    """
    from scipy.spatial.distance import pdist, squareform

    if len(X) == 1:
        return Merges(np.empty((0, 2), dtype=np.intp), np.empty(0))
    spread = float(np.ptp(X, axis=0).max(initial=0.0))
    unit = float(2.0 ** np.frexp(spread)[1])  # a power of two, so that a division by it rounds nothing
    distances = _shortened(pdist((X - X[0]) / unit))
    if linkage in _WEIGHTLESS or (weight == weight[0]).all():
        merges = _by_scipy(distances, linkage)
        heights = merges.heights * np.sqrt(weight[0]) if linkage == "ward" else merges.heights
    else:
        merges = yield from _one_by_one(squareform(distances), weight, linkage)
        heights = merges.heights
    return Merges(merges.pairs, heights * unit)


def _shortened(distances: Array) -> Array:
    """The distances, rounded in place to 42 binary digits."""
    bits = distances.view(np.int64)
    bits += _TAIL // 2
    bits &= -_TAIL
    return distances


def _by_scipy(distances: Array, linkage: Any) -> Merges:
    """The merges of places of weight 1 by the distances of all pairs of them, (n (n - 1) / 2,)."""
    from scipy.cluster import hierarchy

    found = hierarchy.linkage(distances, linkage)
    pairs = found[:, :2].astype(np.intp)
    earliest = list(range(len(pairs) + 1))
    for a, b in pairs.tolist():
        earliest.append(min(earliest[a], earliest[b]))
    first = np.array(earliest)
    swapped = first[pairs[:, 0]] > first[pairs[:, 1]]
    pairs[swapped] = pairs[swapped, ::-1]
    return Merges(pairs, found[:, 2])


def _one_by_one(gaps: Array, weight: Array, linkage: str) -> Work[Merges]:
    """The merges of places with weights (n,) by their distances (n, n), which are used up.

    What is compared are mean distances or, for Ward's linkage and centroids, squares of the heights.
    """
    n, weight = len(weight), weight.astype(np.float64)
    if linkage != "average":
        gaps *= gaps
    if linkage == "ward":
        half = 0.5 / weight
        for rows in blocks(n, n):
            gaps[rows] /= half[rows, None] + half
            yield
    np.fill_diagonal(gaps, np.inf)
    # Each cluster is in the slot of its earliest place; of each the nearest one is kept, and its gap.
    nearest, least, numbers = gaps.argmin(axis=1), gaps.min(axis=1), np.arange(n)
    pairs, heights = np.empty((n - 1, 2), dtype=np.intp), np.empty(n - 1)
    for t in range(n - 1):
        first = int(least.argmin())
        a, b = sorted((first, int(nearest[first])))
        pairs[t], heights[t], numbers[a] = numbers[[a, b]], least[first], n + t
        joint = _joint(gaps, weight, a, b, linkage)
        joint[[a, b]] = np.inf
        weight[a] += weight[b]
        gaps[a], gaps[:, a] = joint, joint
        gaps[b] = gaps[:, b] = least[b] = np.inf
        nearest[b] = -1
        nearer = joint < least
        least[nearer], nearest[nearer] = joint[nearer], a
        stale = np.append(np.flatnonzero(((nearest == a) & ~nearer) | (nearest == b)), a)
        nearest[stale], least[stale] = gaps[stale].argmin(axis=1), gaps[stale].min(axis=1)
        if t % _PAUSE == _PAUSE - 1:
            yield
    if linkage == "centroid":
        return Merges(pairs, np.sqrt(heights))
    heights = np.maximum.accumulate(heights)  # rounding must not put a cluster below its parts
    return Merges(pairs, heights if linkage == "average" else np.sqrt(heights))


def _joint(gaps: Array, weight: Array, a: int, b: int, linkage: str) -> Array:
    """The gaps (n,) between the clusters in the slots a and b, as one, and all others."""
    whole, between = weight[a] + weight[b], gaps[a, b]
    if linkage == "ward":
        parts = (weight[a] + weight) * gaps[a] + (weight[b] + weight) * gaps[b] - weight * between
        return np.asarray(parts / (whole + weight))
    mixed = (weight[a] * gaps[a] + weight[b] * gaps[b]) / whole
    return np.asarray(mixed - weight[a] * weight[b] / whole**2 * between if linkage == "centroid" else mixed)
