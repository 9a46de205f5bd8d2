"""The smallest eigenvalues of the Laplacian of a graph with few edges, by Lanczos' method on its inverse.

The nodes are put into an order in which neighbours are near each other (E. Cuthill and J. McKee 1969), so that the
Laplacian is a narrow band, and quickly solved for. What is smallest there is largest for the inverse, where the method
of C. Lanczos (1950), with restarts (ARPACK), finds it in a few dozen products: Y. Saad, Numerical Methods for Large
Eigenvalue Problems (2011), chapters 6 to 8.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.graphs.similarity import SimilarityGraph

_NARROW = 0.25
"""A wider band, as a share of the nodes, takes as long as the whole matrix."""
_SHIFT = 1e-3
"""So much, as a share of the largest number on the diagonal, is added to all eigenvalues: 0 has no inverse."""
_SAME = 1e-9
"""Eigenvalues that differ by less, as a share of the size of the matrix, are the same but for rounding."""
_ROUGH = 1e-6
"""So well is the next eigenvalue known, which only has to be larger."""


def smallest_beyond(graph: SimilarityGraph, normalized: bool, null: Array, count: int) -> tuple[Array, Array] | None:
    """The `count` smallest eigenvalues, rising, and eigenvectors (n, count) at right angles to those of 0, (n, c).

    None where the band is not narrow, or where an eigenvalue occurs several times and may have been missed: all
    products of one start lie in a space with one vector of each.
    """
    from scipy.linalg import lapack
    from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

    n = len(graph.W)
    if (banded := _band(graph, normalized)) is None:
        return None
    band, order = banded
    size = float(band[0].max())
    band[0] += (shift := _SHIFT * size)
    factor, failed = lapack.dpbtrf(band, lower=1, overwrite_ab=1)
    if failed:
        return None

    def inverse_without(known: Array) -> Any:
        across = np.ascontiguousarray(known.T)

        def product(v: Array) -> Array:
            solved: Array = lapack.dpbtrs(factor, v - known @ (across @ v), lower=1)[0]
            solved -= known @ (across @ solved)
            return solved

        return LinearOperator((n, n), matvec=product, dtype=np.float64)

    start = np.random.default_rng(0).standard_normal(n)
    try:
        inverses, vectors = eigsh(inverse_without(null[order]), count, which="LA", v0=start)
        known = np.column_stack((null[order], vectors))
        following = eigsh(inverse_without(known), 1, ncv=6, which="LA", v0=start, tol=_ROUGH, return_eigenvectors=False)
    except ArpackError:
        return None
    rising = np.argsort(-inverses, kind="stable")
    values = 1 / inverses[rising] - shift
    if 1 / float(following[0]) - shift < values[-1] - _SAME * size:
        return None
    placed = np.empty_like(vectors)
    placed[order] = vectors[:, rising]
    return values, placed


def _band(graph: SimilarityGraph, normalized: bool) -> tuple[Array, Any] | None:
    """The Laplacian from its diagonal downwards, (width, n), and the order (n,) of the nodes in it."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    n = len(graph.W)
    if np.count_nonzero(graph.W) > 2 * _NARROW * n * n:
        return None
    i, j = np.divmod(np.flatnonzero(graph.W.ravel() > 0), n)
    weights = graph.W[i, j]
    starts = np.concatenate(([0], np.cumsum(np.bincount(i, minlength=n))))
    order = reverse_cuthill_mckee(csr_array((weights, j, starts), shape=(n, n)), symmetric_mode=True)
    position = np.empty(n, dtype=np.intp)
    position[order] = np.arange(n)
    below = position[i] - position[j]
    if not len(below) or below.max() > _NARROW * n:
        return None
    if normalized:
        root = np.sqrt(graph.divisors)
        weights /= root[i] * root[j]
    band = np.zeros((int(below.max()) + 1, n), order="F")
    lower = below > 0
    band[below[lower], position[j[lower]]] = -weights[lower]
    band[0] = (graph.degrees > 0)[order] if normalized else graph.degrees[order]
    return band, order
