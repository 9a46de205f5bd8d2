"""The smallest eigenvalues of a Laplacian by the method of C. Lanczos (1950).

It finds the largest ones of a matrix in a few dozen products; all of its vectors are kept at right angles, so that none
is found twice. The matrix is the inverse of the Laplacian of a graph with few edges: with its nodes in an order in
which neighbours are near each other (E. Cuthill and J. McKee 1969) the Laplacian is a narrow band, and quickly solved
for. Y. Saad, Numerical Methods for Large Eigenvalue Problems (2011), chapters 6 to 8.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.graphs.similarity import SimilarityGraph

_NARROW = 0.25
"""A wider band, as a share of the nodes, takes as long as the whole matrix."""
_SHIFT = 1e-3
"""So much, as a share of the largest number on the diagonal, is added to all eigenvalues: 0 has no inverse."""
_SAME = 1e-9
"""Eigenvalues that differ by less, as a share of the size of the matrix, are the same but for rounding."""
_EXACT, _ROUGH = 1e-14, 1e-6
"""How large the residual of an eigenvalue of the inverse may be, as a share of it: of those that are wanted, and of the
next one, which only has to be smaller."""
_EXHAUSTED = 1e-12
"""Less than this share of a product is rounding: the start is made up of few eigenvectors."""
_MOST_PRODUCTS = 80
"""After more products all eigenvalues would have been found as quickly."""
_FEWEST = 3
"""For fewer products than this times the eigenvalues that are wanted, these are never good."""
_CHECKED_EVERY = 5
"""So many products are made before it is looked how good the eigenvalues are."""

Product = Callable[[Array], Array]


def smallest_beyond(graph: SimilarityGraph, normalized: bool, known: Array, count: int) -> tuple[Array, Array] | None:
    """The `count` smallest eigenvalues, rising, with eigenvectors (n, count) at right angles to those known, (n, c).

    None where the band is not narrow, or where an eigenvalue occurs several times and may have been missed: all
    products of one start lie in a space with one vector of each.
    """
    size = 1.0 if normalized else float(graph.degrees.max())
    if (banded := _banded(graph, normalized, shift := _SHIFT * size)) is None:
        return None
    solve, order = banded
    if (found := _largest(solve, known[order], count, _EXACT)) is None:
        return None
    inverses, vectors = found
    values = 1 / inverses - shift
    following = _largest(solve, np.column_stack((known[order], vectors)), 1, _ROUGH)
    if following is None or 1 / float(following[0][0]) - shift < values[-1] - _SAME * size:
        return None
    placed = np.empty_like(vectors)
    placed[order] = vectors
    return values, placed


def _largest(product: Product, known: Array, count: int, tolerance: float) -> tuple[Array, Array] | None:
    """The largest eigenvalues of a positive definite matrix, falling, and its eigenvectors (n, count).

    They are those at right angles to the eigenvectors `known` (n, c); None where they do not come out.
    """
    n, c = known.shape
    most = min(_MOST_PRODUCTS, n - c)
    Q, T = np.empty((c + most + 1, n)), np.zeros((most, most))
    Q[:c] = known.T
    w = np.asarray(np.random.default_rng(0).standard_normal(n), dtype=np.float64)
    for _ in range(2):
        w -= (Q[:c] @ w) @ Q[:c]
    Q[c] = w / np.linalg.norm(w)
    for j in range(most):
        w = product(Q[c + j])
        basis = Q[: c + j + 1]
        for _ in range(2):
            part = basis @ w
            w -= part @ basis
            T[j, j] += part[-1]
        length = math.sqrt(float(w @ w))
        if not length > _EXHAUSTED * T[j, j]:
            return None
        np.divide(w, length, out=Q[c + j + 1])
        beyond = j + 1 - _FEWEST * count
        if beyond >= 0 and beyond % _CHECKED_EVERY == 0:
            values, S = np.linalg.eigh(T[: j + 1, : j + 1])
            if (length * np.abs(S[-1, -count:]) <= tolerance * np.abs(values[-count:])).all():
                return values[: -count - 1 : -1], (S[:, : -count - 1 : -1].T @ basis[c:]).T
        if j + 1 < most:
            T[j + 1, j] = length
    return None


def _banded(graph: SimilarityGraph, normalized: bool, shift: float) -> tuple[Product, Labels] | None:
    """What solves (L + shift) x = v, and the order (n,) of the nodes in it, in which edges are near the diagonal."""
    from scipy.linalg import lapack
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    n = len(graph.W)
    if graph.links is None:
        return None
    order: Labels = reverse_cuthill_mckee(graph.links, symmetric_mode=True).astype(np.intp)
    position = np.empty(n, dtype=np.intp)
    position[order] = np.arange(n)
    i, j, weights = graph.all_edges
    apart = np.abs(position[i] - position[j])
    if not len(apart) or apart.max() > _NARROW * n:
        return None
    if normalized:
        root = np.sqrt(graph.divisors)
        weights = weights / (root[i] * root[j])
    band = np.zeros((int(apart.max()) + 1, n), order="F")
    band[apart, np.minimum(position[i], position[j])] = -weights
    band[0] = (graph.degrees > 0)[order] if normalized else graph.degrees[order]
    band[0] += shift
    factor, failed = lapack.dpbtrf(band, lower=1, overwrite_ab=1)
    return None if failed else ((lambda v: lapack.dpbtrs(factor, v, lower=1)[0]), order)
