"""Nodes of a graph as places in the space of the first eigenvectors of a Laplacian, grouped there by k-means.

J. Shi and J. Malik (2000) take the eigenvectors of the random walk's Laplacian, A. Ng, M. Jordan and Y. Weiss (2002)
those of the symmetric one with the rows brought to length 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array, Labels, names_by_first
from mlviz.numerics.density.kmeans_starts import best_start, drawn_starts
from mlviz.numerics.density.lloyd import SortedSamples, assign, update
from mlviz.numerics.graphs.laplacian import Eigenpairs
from mlviz.numerics.graphs.similarity import SimilarityGraph
from mlviz.spec.brief import Brief

_NOTHING = 1e-6
"""Entries of an eigenvector that are so small a share of its largest do not tell its sign."""


def signed_eigenvectors(spectrum: Eigenpairs, graph: SimilarityGraph, kind: str) -> Array:
    """The eigenvectors of a Laplacian, (n, m), in a common unit.

    Signs are arbitrary: those of connected components are positive there, the others below 0 at the first node.
    """
    U, constant = spectrum.vectors.copy(), slice(int(graph.components.max()) + 1)
    if kind == "random walk":
        U /= np.sqrt(graph.divisors)[:, None]
        U /= np.abs(U).max()
        # Rounding would sort the nodes for k-means.
        U[:, constant] = np.where(U[:, constant] > 0, U[:, constant].max(axis=0), 0.0)
    size = np.abs(U)
    telling = np.argmax(size > _NOTHING * size.max(axis=0), axis=0)
    others = np.arange(U.shape[1]) > graph.components.max()
    return np.where(others & (U[telling, np.arange(U.shape[1])] > 0), -U, U)


def embedded(U: Array, kind: str, k: int) -> Array:
    """The places (n, k) at which k-means sees the nodes, by the eigenvectors U (n, m)."""
    Z = U[:, :k]
    if kind == "symmetric":
        length = np.linalg.norm(Z, axis=1, keepdims=True)
        return np.asarray(Z / np.where(length > 0, length, 1.0))
    return Z


@dataclass(frozen=True, eq=False)
class Grouping(Brief):
    """One round of k-means: the group of each node (n,), the centres (k, m) and the sum of squared distances."""

    labels: Labels
    centers: Array
    inertia: float
    settled: bool


def groupings(Z: Array, k: int, starts: int, rng: np.random.Generator) -> list[Grouping]:
    """The rounds of k-means from the best of some starts on the places Z (n, m); groups are in the order of the nodes.

    There are fewer groups where there are no k different places.
    """
    samples = SortedSamples.of(Z, np.ones(len(Z)))
    drawn = drawn_starts(samples, k, starts, rng)
    best = _rounds(samples, drawn[best_start(samples, drawn)])
    # Where rounding leaves a group without nodes it comes last.
    name = names_by_first(samples.unsorted(best[-1].labels), len(best[-1].centers))
    order = np.argsort(name)
    return [Grouping(name[samples.unsorted(one.labels)], one.centers[order], one.inertia, one.settled) for one in best]


def _rounds(samples: SortedSamples, centers: Array) -> list[Grouping]:
    found = list[Grouping]()
    while True:
        labels, gaps = assign(samples, centers)
        inertia = float(samples.weights @ gaps)
        same = bool(found) and bool((labels == found[-1].labels).all() or inertia >= found[-1].inertia)
        found.append(Grouping(labels, centers, inertia, same))
        if same:
            return found
        centers = update(samples, labels, gaps, len(centers))
