"""Laplacians of graphs and their smallest eigenvalues.

    unnormalized   L = D - W
    symmetric      I - D^-1/2 W D^-1/2
    random walk    I - D^-1 W

D holds the degrees. The last two have the same eigenvalues; eigenvectors v of the one are D^-1/2 v for the other. The
eigenvalue 0 has as many eigenvectors as the graph has connected components: those that are constant on one of them,
times the roots of the degrees for the symmetric one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.graphs.lanczos import smallest_beyond
from mlviz.numerics.graphs.similarity import SimilarityGraph
from mlviz.numerics.linalg.some_eigenvectors import some_eigenvectors
from mlviz.spec.brief import Brief

_MANY = 300
"""Of fewer nodes the decomposition of the whole matrix is as quick."""


@dataclass(frozen=True, eq=False)
class Eigenpairs(Brief):
    """The smallest eigenvalues (m,), rising, and their eigenvectors (n, m), of length 1 and at right angles."""

    values: Array
    vectors: Array


def laplacian(graph: SimilarityGraph, normalized: bool) -> Array:
    """The unnormalized or the symmetric one, (n, n)."""
    if normalized:
        root = np.sqrt(graph.divisors)
        L = graph.W / root
        L /= -root[:, None]
        np.fill_diagonal(L, graph.degrees > 0)
    else:
        L = -graph.W
        np.fill_diagonal(L, graph.degrees)
    return L


def smallest_eigenvalues(
    graph: SimilarityGraph, normalized: bool, count: int, known: Eigenpairs | None = None
) -> Eigenpairs:
    """The `count` smallest of a Laplacian, fewer if there are no more; those that are `known` are not found again."""
    null = _null_vectors(graph, normalized)[:, :count]
    if known is None or known.vectors.shape[1] < null.shape[1]:
        known = Eigenpairs(np.zeros(null.shape[1]), null)
    n, before = known.vectors.shape
    wanted = min(count, n) - before
    if wanted <= 0:
        return known
    found = smallest_beyond(graph, normalized, known.vectors, wanted) if n >= _MANY else None
    values, vectors = found or _of_all(graph, normalized, known.vectors, wanted)
    # Rounding makes none smaller than those before it.
    values = np.maximum(values, known.values.max(initial=0.0))
    return Eigenpairs(np.concatenate((known.values, values)), np.column_stack((known.vectors, vectors)))


def _of_all(graph: SimilarityGraph, normalized: bool, known: Array, count: int) -> tuple[Array, Array]:
    """The smallest eigenvalues, rising, with vectors at right angles to those known, (n, c), by the whole matrix."""
    from scipy.linalg import blas

    L = laplacian(graph, normalized)
    # Lifted above all others, what is known already is not found again.
    lift = 4.0 * float(L.diagonal().max())
    for vector in known.T:
        blas.dger(lift, vector, vector, a=L.T, overwrite_a=True)
    return some_eigenvectors(L, 0, count - 1)


def _null_vectors(graph: SimilarityGraph, normalized: bool) -> Array:
    """One of length 1 for each component, (n, c)."""
    components = graph.components
    inside = np.zeros((len(components), components.max() + 1))
    inside[np.arange(len(components)), components] = np.sqrt(graph.divisors) if normalized else 1.0
    inside /= inside.max(axis=0)
    return np.asarray(inside / np.linalg.norm(inside, axis=0))
