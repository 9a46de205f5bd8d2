"""The smallest eigenvalues of a Laplacian by the method of C. Lanczos (1950).

It finds the largest ones of a matrix in a few dozen products; all of its vectors are kept at right angles, so that none
is found twice. The matrix is the inverse of the Laplacian, whose largest eigenvalues are far apart. All products of one
start lie in a space with one vector of each eigenvalue: of those that occur several times some may be missed, which has
to be found out. Y. Saad, Numerical Methods for Large Eigenvalue Problems (2011), chapters 6 to 8.
"""

from __future__ import annotations

import math

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.graphs.operators import Product, WholeMatrix, banded, times_laplacian
from mlviz.numerics.graphs.similarity import SimilarityGraph

_SHIFT, _SHIFT_OF_WHOLE = 1e-3, 1e-7
"""So much, as a share of the largest number on the diagonal, is added to all eigenvalues, since 0 has no inverse: in a
band, and in the whole matrix, where samples that are far from all others have eigenvalues next to 0."""
_SAME, _SAME_OF_WHOLE = 1e-9, 1e-12
"""Eigenvalues that differ by less, as a share of the size of the matrix, are the same but for rounding."""
_EXACT, _ROUGH = 1e-14, 1e-6
"""How large the residual of an eigenvalue of the inverse may be, as a share of it: of those that are wanted, and of the
next one, which only has to be smaller."""
_LEFT = 1e-13
"""How large the residual of an eigenvalue of the whole matrix may be, as a share of its size."""
_FEW = 1 / 80
"""For more eigenvalues than this share of all, the whole matrix takes as long as finding all of them."""
_EXHAUSTED = 1e-12
"""Less than this share of a product is rounding: the start is made up of few eigenvectors."""
_MOST_PRODUCTS = 80
"""After more products all eigenvalues would have been found as quickly."""
_FEWEST, _FEWEST_OF_EACH = 9, 3
"""With fewer products than these, and those for each eigenvalue that is wanted, these are hardly ever good."""
_CHECKED_EVERY = 3
"""So many products are made before it is looked how good the eigenvalues are."""


def smallest_beyond(graph: SimilarityGraph, normalized: bool, known: Array, count: int) -> tuple[Array, Array] | None:
    """The `count` smallest eigenvalues, rising, with eigenvectors (n, count) at right angles to those known, (n, c).

    None where they do not come out, or where one of them may have been missed.
    """
    size = 1.0 if normalized else float(graph.degrees.max())
    in_band = banded(graph, normalized, _SHIFT * size)
    if in_band is None:
        return _of_whole(graph, normalized, known, count, size)
    solve, order = in_band
    if (found := _largest(solve, known[order], count, _EXACT)) is None:
        return None
    inverses, vectors = found
    values = 1 / inverses[:count] - _SHIFT * size
    following = _largest(solve, np.column_stack((known[order], vectors)), 1, _ROUGH)
    if following is None or 1 / float(following[0][0]) - _SHIFT * size < values[-1] - _SAME * size:
        return None
    placed = np.empty_like(vectors)
    placed[order] = vectors
    return values, placed


def _of_whole(
    graph: SimilarityGraph, normalized: bool, known: Array, count: int, size: float
) -> tuple[Array, Array] | None:
    """The same by the whole matrix, (n, n), where all others are seen to be larger."""
    if count > _FEW * len(known):
        return None
    matrix = WholeMatrix(graph, normalized)
    if (solve := matrix.solver(_SHIFT_OF_WHOLE * size)) is None:
        return None
    values, vectors, beyond = np.empty(0), known, 0.0
    while len(values) < count:
        if (found := _largest(solve, vectors, wanted := count - len(values), _EXACT)) is None:
            return None
        inverses, nearly = found
        beyond = 1 / float(inverses[wanted]) - _SHIFT_OF_WHOLE * size
        products = times_laplacian(graph, normalized, nearly)
        next_values, turned = np.linalg.eigh(nearly.T @ products)
        next_vectors = nearly @ turned
        left = np.linalg.norm(products @ turned - next_vectors * next_values, axis=0)
        # Beside a very large inverse the others have few digits, until that one is known.
        good = int(np.argmin(np.append(left <= _LEFT * size, False)))
        if not good:
            return None
        values, vectors = np.append(values, next_values[:good]), np.column_stack((vectors, next_vectors[:, :good]))
    values = np.maximum.accumulate(values)
    bound = float(values[-1]) - _SAME_OF_WHOLE * size
    return (values, vectors[:, -count:]) if matrix.none_below(bound, beyond, vectors) else None


def _largest(product: Product, known: Array, count: int, tolerance: float) -> tuple[Array, Array] | None:
    """The largest eigenvalues of a positive definite matrix, falling, and eigenvectors (n, count) of the first ones.

    They are those at right angles to the eigenvectors `known` (n, c), and after `count` of them only about those; None
    where they do not come out.
    """
    n, c = known.shape
    most = min(_MOST_PRODUCTS, n - c)
    Q, T = np.empty((c + most + 1, n)), np.zeros((most, most))
    Q[:c] = known.T
    # Another start for other eigenvectors known: from the same one those that were missed would be missed again.
    w = np.asarray(np.random.default_rng(c).standard_normal(n), dtype=np.float64)
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
        beyond = j + 1 - _FEWEST - _FEWEST_OF_EACH * count
        if beyond >= 0 and beyond % _CHECKED_EVERY == 0:
            values, S = np.linalg.eigh(T[: j + 1, : j + 1])
            if (length * np.abs(S[-1, -count:]) <= tolerance * np.abs(values[-count:])).all():
                return values[::-1], (S[:, : -count - 1 : -1].T @ basis[c:]).T
        if j + 1 < most:
            T[j + 1, j] = length
    return None
