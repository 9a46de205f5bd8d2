"""Graphs in which samples that are alike are joined: by neighbours, or by a Gaussian of their distance.

U. von Luxburg, A tutorial on spectral clustering, Statistics and Computing 17 (2007), section 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.distances import distance_measure
from mlviz.numerics.neighbors.search import nearest
from mlviz.spec.brief import Brief

_NO_WEIGHT = 1e-200
"""Smaller weights are 0: sums and quotients of the others are numbers."""
_NO_EDGE = 1e-20
"""A weight that is so small a share of the degrees at both of its ends holds nothing together."""


@dataclass(frozen=True, eq=False)
class SimilarityGraph(Brief):
    """The weights W (n, n) of the edges between n nodes, symmetric, 0 on the diagonal and where there is no edge."""

    W: Array

    @cached_property
    def degrees(self) -> Array:
        """The weight of all edges at each node, (n,)."""
        return np.asarray(self.W.sum(axis=1))

    @property
    def divisors(self) -> Array:
        """The degrees, 1 for a node without edges, (n,)."""
        return np.where(self.degrees > 0, self.degrees, 1.0)

    @cached_property
    def components(self) -> Labels:
        """Which connected component each node is in, (n,); they are numbered by their size, the largest first.

        Of equally large ones the one with the first node comes first.
        """
        found = np.full(len(self.W), -1)
        joined = (_NO_EDGE * self.degrees)[:, None] < self.W
        joined |= joined.T
        count = 0
        for node in range(len(self.W)):
            if found[node] < 0:
                found[node] = count
                reached = np.array([node])
                while len(reached):
                    reached = np.flatnonzero(joined[reached].any(axis=0) & (found < 0))
                    found[reached] = count
                count += 1
        return np.asarray(np.argsort(np.argsort(-np.bincount(found), kind="stable"))[found])

    @cached_property
    def all_edges(self) -> tuple[Labels, Labels, Array]:
        """The nodes at both ends of each edge, the one with the lower number first, and the weights: (m,) each."""
        i, j = np.nonzero(np.triu(self.W > 0))
        return i, j, self.W[i, j]

    @property
    def edge_count(self) -> int:
        """The number of edges."""
        return len(self.all_edges[0])

    def edges(self, least: float, most: int) -> tuple[Labels, Labels, Array]:
        """The heaviest edges, at most so many, of at least that weight above 0: nodes at both ends and weights, (m,).

        The node with the lower number comes first, and the heaviest edge.
        """
        i, j, weights = self.all_edges
        if weights.min(initial=np.inf) < least:
            heavy = weights >= least
            i, j, weights = i[heavy], j[heavy], weights[heavy]
        if len(weights) > most:
            kept = np.sort(np.argpartition(-weights, most)[:most])
            i, j, weights = i[kept], j[kept], weights[kept]
        order = np.argsort(-weights, kind="stable")
        return i[order], j[order], weights[order]


def neighbour_graph(X: Array, count: int) -> SimilarityGraph:
    """Each sample X (n, d) joined with its `count` nearest ones: weight 1 if both say so, 1/2 if only one of them.

    Equally near ones count in the order of the rows; a sample is no neighbour of its own.
    """
    n = len(X)
    index = nearest(X, X, count + 1, "euclidean")[0]
    near = np.zeros((n, n), dtype=bool)
    near[np.arange(n), index] = True
    # Of many samples at one place a sample need not be among those that are nearest to it.
    last = np.flatnonzero(near.diagonal() == 0)
    near[last, index[-1, last]] = False
    np.fill_diagonal(near, False)
    W = near.astype(np.float64)
    W += near.T
    W *= 0.5
    return SimilarityGraph(W)


def gaussian_graph(X: Array, sigma: float) -> SimilarityGraph:
    """All samples X (n, d) joined, with the weight exp(-|x - x'|^2 / (2 sigma^2))."""
    with np.errstate(over="ignore"):
        W = distance_measure([(column[:, None] - column) / sigma for column in X.T], "euclidean")
    W *= -0.5
    np.maximum(W, -1e5, out=W)
    np.exp(W, out=W)
    W[W < _NO_WEIGHT] = 0.0
    np.fill_diagonal(W, 0.0)
    return SimilarityGraph(W)
