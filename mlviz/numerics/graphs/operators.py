"""Laplacians as operators: their products; and with all eigenvalues shifted what solves for them, and their signs.

Of a graph with few edges the Laplacian is a narrow band, with its nodes in an order in which neighbours are near each
other (E. Cuthill and J. McKee 1969). Otherwise it is the whole matrix. The symmetric Laplacian is left as
D^1/2 (1 + shift) D^1/2 - W there, which is positive definite where it is, too.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows
from mlviz.numerics.graphs.similarity import SimilarityGraph

_NARROW = 0.25
"""A wider band, as a share of the nodes, takes as long as the whole matrix."""
_LIFT = 4.0
"""So much, as a share of the largest number on the diagonal, is above all eigenvalues."""
_WELL_BEYOND = 4e-3
"""Half of this share of the largest eigenvalue is many times what rounding changes in single precision."""
_LEAST = 1e-30
"""Such a share is added to all weights: it is lost in rounding, but with those next to 0 each product would be a number
with few digits, which takes many times as long."""

Product = Callable[[Array], Array]


def times_laplacian(graph: SimilarityGraph, normalized: bool, V: Array) -> Array:
    """The products of the unnormalized or the symmetric Laplacian with vectors V (n, m), without the matrix itself."""
    # Of few vectors that are side by side in memory they take a third of the time of those one after the other.
    if normalized:
        root = np.sqrt(graph.divisors)[:, None]
        return np.asarray((graph.degrees > 0)[:, None] * V - graph.W @ np.ascontiguousarray(V / root) / root)
    return np.asarray(graph.degrees[:, None] * V - graph.W @ np.ascontiguousarray(V))


def banded(graph: SimilarityGraph, normalized: bool, shift: float) -> tuple[Product, Labels] | None:
    """What solves (L + shift) x = v, and the order (n,) of the nodes in it, in which edges are near the diagonal.

    None where the band is not narrow.
    """
    from scipy.linalg import lapack
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    n = len(graph.W)
    if graph.links is None:
        return None
    order: Rows = reverse_cuthill_mckee(graph.links, symmetric_mode=True).astype(np.intp)
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


class WholeMatrix:
    """L + shift as the whole matrix (n, n), times the same numbers from both sides.

    It is for one shift to solve with, and for others to see the signs of the eigenvalues by.
    """

    def __init__(self, graph: SimilarityGraph, normalized: bool) -> None:
        self._graph, self._normalized = graph, normalized
        self._size = 1.0 if normalized else float(graph.degrees.max())
        self._root = np.sqrt(graph.divisors) if normalized else np.ones(len(graph.W))
        # A large array is used again: fresh memory takes as long as a decomposition.
        self._matrix = np.empty(graph.W.shape, order="F")
        # But for the diagonal it is the same for all shifts.
        self._single = self._without_diagonal().astype(np.float32)

    def solver(self, shift: float) -> Product | None:
        """What solves (L + shift) x = v, until the next shift; None where this is not positive definite."""
        from scipy.linalg import blas, lapack

        root = self._root
        np.fill_diagonal(self._matrix, self._diagonal(shift))
        factor, failed = lapack.dpotrf(self._matrix, lower=1, clean=0, overwrite_a=1)

        def solve(v: Array) -> Array:
            # One call for each triangle takes half as long as that which is made for several vectors.
            half = blas.dtrsv(factor, root * v, lower=1, overwrite_x=1)
            return np.asarray(root * blas.dtrsv(factor, half, lower=1, trans=1, overwrite_x=1))

        return None if failed else solve

    def none_below(self, bound: float, beyond: float, known: Array) -> bool:
        """Whether only the eigenvectors `known` (n, c) have eigenvalues below a bound; `beyond` it the next is thought.

        With what is known lifted above all others, L minus the bound is positive definite then. Single precision takes
        half as long, and tells it where the next eigenvalue is well beyond the bound.
        """
        well_beyond = beyond - bound > _WELL_BEYOND * self._size
        if well_beyond and self._definite((bound + beyond) / 2, known, self._single.copy(order="F"), "s"):
            return True
        return self._definite(bound, known, self._without_diagonal(), "d")

    def _definite(self, bound: float, known: Array, matrix: AnyArray, precision: str) -> bool:
        """Whether L minus the bound is positive definite with the eigenvectors `known` lifted.

        The matrix (n, n) is its lower triangle but for the diagonal, and is used up.
        """
        from scipy.linalg import blas, lapack

        syrk, potrf = getattr(blas, precision + "syrk"), getattr(lapack, precision + "potrf")
        np.fill_diagonal(matrix, self._diagonal(-bound))
        lifted = (self._root[:, None] * known).astype(matrix.dtype)
        matrix = syrk(_LIFT * self._size, lifted, 1.0, matrix, lower=1, overwrite_c=1)
        return not potrf(matrix, lower=1, clean=0, overwrite_a=1)[1]

    def _without_diagonal(self) -> Array:
        from scipy.linalg import blas

        np.negative(self._graph.W.T, out=self._matrix)
        blas.dger(-_LEAST * self._size, self._root, self._root, a=self._matrix, overwrite_a=1)
        return self._matrix

    def _diagonal(self, shift: float) -> Array:
        graph = self._graph
        return graph.divisors * ((graph.degrees > 0) + shift) if self._normalized else graph.degrees + shift
