"""What it costs to cut a graph: the weight of the edges that are cut, alone or beside the size of the parts.

    cut          the weight between a part and all others
    ratio        cut / number of nodes, added up over the parts
    normalized   cut / sum of degrees, added up over the parts

The least cut of two parts is found exactly by M. Stoer and F. Wagner, A simple min-cut algorithm, Journal of the ACM 44
(1997) 585-591. To find the least ratio or normalized cut is NP-hard: all of them are compared where nodes are few.
"""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array, Labels, occurring
from mlviz.numerics.graphs.similarity import SimilarityGraph

MOST_COMPARED = 14
"""Of so many nodes all ways to cut them in two are compared: 8191."""


def cut_into(graph: SimilarityGraph, labels: Labels, normalized: bool) -> float:
    """The ratio or normalized cut into the parts that the labels (n,) name."""
    inside = (labels[:, None] == occurring(labels)).astype(np.float64)
    leaving = ((1.0 - inside) * (graph.W @ inside)).sum(axis=0)
    return float((leaving / _sizes(graph, inside.T, normalized)).sum())


def _sizes(graph: SimilarityGraph, parts: Array, normalized: bool) -> Array:
    """The nodes or the degrees in each part (m, n); 1 where there are none, since nothing leaves it."""
    size = parts @ graph.degrees if normalized else parts.sum(axis=1)
    return np.where(size > 0, size, 1.0)


def least_cut(graph: SimilarityGraph, normalized: bool) -> float:
    """The least ratio or normalized cut into two parts, of all there are; the nodes are 2 to `MOST_COMPARED`."""
    n = len(graph.W)
    numbers = np.arange(1, 2 ** (n - 1))
    parts = (numbers[:, None] >> np.arange(n) & 1).astype(np.float64)
    leaving = (parts * ((1.0 - parts) @ graph.W)).sum(axis=1)
    return float((leaving / _sizes(graph, parts, normalized) + leaving / _sizes(graph, 1.0 - parts, normalized)).min())


def least_cut_along(graph: SimilarityGraph, values: Array, normalized: bool) -> float:
    """The least ratio or normalized cut into the nodes below and above a threshold of values (n,)."""
    order = np.argsort(values, kind="stable")
    n, size = len(order), graph.degrees[order] if normalized else np.ones(len(order))
    ranks = np.argsort(order)
    i, j, weights = graph.all_edges
    # Each edge is cut by the thresholds from the lower one of its nodes up to the higher one.
    ends = ranks[i], ranks[j]
    leaving = np.cumsum(np.bincount(np.minimum(*ends), weights, n) - np.bincount(np.maximum(*ends), weights, n))[:-1]
    below = np.cumsum(size)[:-1]
    above = size.sum() - below
    cost = np.maximum(leaving, 0.0) * (1 / np.where(below > 0, below, 1.0) + 1 / np.where(above > 0, above, 1.0))
    apart = np.diff(values[order]) > 0
    return float(cost[apart].min()) if apart.any() else float("nan")


def minimum_cut(graph: SimilarityGraph) -> tuple[float, Array]:
    """The least cut into two parts, and which of the nodes, two or more, are in the one of them, (n,)."""
    W, least = graph.W.copy(), np.inf
    merged = np.eye(len(W), dtype=bool)
    best = merged[0]
    alive = np.ones(len(W), dtype=bool)
    for left in range(len(W), 1, -1):
        # The nodes are visited so that each is joined most with those before: the last one's cut is least.
        joined, waiting = np.where(alive, 0.0, -np.inf), alive.copy()
        before = last = -1
        for _ in range(left):
            before, last = last, int(np.argmax(np.where(waiting, joined, -np.inf)))
            waiting[last] = False
            weight = joined[last]
            joined = joined + W[last]
        if weight < least:
            least, best = float(weight), merged[last].copy()
        merged[before] |= merged[last]
        W[before] += W[last]
        W[:, before] = W[before]
        W[before, before] = 0.0
        alive[last] = False
    return least, best
