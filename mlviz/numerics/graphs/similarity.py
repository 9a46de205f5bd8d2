"""Graphs in which samples that are alike are joined: by neighbours, or by a Gaussian of their distance.

U. von Luxburg, A tutorial on spectral clustering, Statistics and Computing 17 (2007), section 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.numerics.arrays import Array, Labels, numbered_by_first
from mlviz.numerics.neighbors.search import nearest
from mlviz.spec.brief import Brief

_NO_WEIGHT = 1e-200
"""Smaller weights are 0: sums and quotients of the others are numbers."""
_LEAST_EXPONENT = -500.0
"""Smaller exponents give no weight; their powers, numbers with few digits, take many times as long."""
_ROWS = 100
"""So many rows of weights at a time stay in the processor's caches."""
_NO_EDGE = 1e-20
"""A weight that is so small a share of the degrees at both of its ends holds nothing together."""


@dataclass(frozen=True, eq=False)
class SimilarityGraph(Brief):
    """The weights W (n, n) of the edges between n nodes, symmetric, 0 on the diagonal and where there is no edge."""

    W: Array
    edge_list: tuple[Labels, Labels, Array] | None = None
    """All edges, as `all_edges` tells them, where they are few and were known before; none weighs next to nothing."""

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
        if self.links is not None:
            from scipy.sparse.csgraph import connected_components

            found = numbered_by_first(connected_components(self.links, directed=False)[1].astype(np.intp))
        else:
            found, least = np.full(len(self.W), -1), _NO_EDGE * self.degrees
            while len(left := np.flatnonzero(found < 0)):
                number, reached, size = found.max() + 1, left[:1], 1
                found[reached] = number
                # Where all are joined, a few of them, the farthest ones in a sorted graph, reach the others.
                while len(reached) and len(left := np.flatnonzero(found < 0)):
                    part, reached = reached[-size:], reached[:-size]
                    held = self.W[np.ix_(part, left)] > np.minimum(least[part, None], least[left])
                    new = left[held.any(axis=0)]
                    found[new], reached, size = number, np.append(reached, new), 2 * size
        return np.asarray(np.argsort(np.argsort(-np.bincount(found), kind="stable"))[found])

    @cached_property
    def links(self) -> Any:
        """The weights as a sparse matrix, where the edges were known before: they are few then."""
        from scipy.sparse import csr_array

        if self.edge_list is None:
            return None
        i, j, weights = self.edge_list
        return csr_array((np.tile(weights, 2), (np.append(i, j), np.append(j, i))), shape=self.W.shape)

    @cached_property
    def all_edges(self) -> tuple[Labels, Labels, Array]:
        """The nodes at both ends of each edge, the one with the lower number first, and the weights: (m,) each."""
        if self.edge_list is not None:
            return self.edge_list
        i, j = np.divmod(np.flatnonzero(np.triu(self.W > 0)), len(self.W))
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
    near = index != np.arange(n)
    # Of many samples at one place a sample need not be among those that are nearest to it.
    near[-1] &= near[:-1].sum(axis=0) < count
    node = np.broadcast_to(np.arange(n), index.shape)[near]
    other = index[near]
    pairs, said = np.unique(np.minimum(node, other) * n + np.maximum(node, other), return_counts=True)
    i, j = np.divmod(pairs, n)
    W = np.zeros((n, n))
    weights = said.astype(np.float64) * 0.5
    W[i, j] = W[j, i] = weights
    return SimilarityGraph(W, (i, j, weights))


def gaussian_graph(X: Array, sigma: float) -> SimilarityGraph:
    """All samples X (n, d) joined, with the weight exp(-|x - x'|^2 / (2 sigma^2))."""
    from scipy.spatial.distance import cdist

    n = len(X)
    W = np.empty((n, n))
    for start in range(0, n, _ROWS):
        part = slice(start, start + _ROWS)
        weights = cdist(X[part], X[: part.stop], "sqeuclidean")
        weights *= -0.5 / sigma / sigma
        np.maximum(weights, _LEAST_EXPONENT, out=weights)
        np.exp(weights, out=weights)
        np.copyto(weights, 0.0, where=weights < _NO_WEIGHT)
        W[part, : part.stop] = weights
        W[:start, part] = weights[:, :start].T
    np.fill_diagonal(W, 0.0)
    return SimilarityGraph(W)
