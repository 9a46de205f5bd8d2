"""Nyström's approximation of a kernel by few centres, and regularised least squares in its features.

Williams and Seeger, NIPS 13 (2001) 682-688. With the centres Z (m, d) and the Cholesky factor L of K_ZZ, the features
are phi(x) = L^-1 k_Z(x): then phi(x).phi(x') is k(x, x') wherever x or x' is a centre, and nearly so near by. The
centres are the pivots of the Cholesky factorization that takes the sample represented worst next.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.kernels.base import Kernel
from mlviz.numerics.linalg.cholesky import pivoted_cholesky

_BLOCK = 1024
"""So many samples at a time stay in the cache."""


@dataclass(frozen=True, eq=False)
class Nystroem:
    """The approximation; `left` is the share of the kernel's trace that it leaves out."""

    kernel: Kernel
    centers: Array
    """(m, d)."""
    factor: Array
    """L (m, m)."""
    left: float

    @classmethod
    def of(cls, kernel: Kernel, X: Array, most: int, tolerance: float) -> Nystroem:
        """At most so many centres from among the rows of X (n, d).

        None is added where no row misses more than that share of the largest k(x, x).
        """
        diagonal = kernel.diagonal(X)
        G, pivots, left = pivoted_cholesky(
            lambda pivot: kernel.matrix(X[pivot : pivot + 1], X)[0], diagonal, tolerance, min(most, len(X))
        )
        return cls(kernel, X[pivots], np.tril(G[:, pivots].T), float(left.sum() / max(diagonal.sum(), 1e-300)))

    def features(self, X: Array) -> Array:
        """The features of the rows of X (n, d), as columns: (m, n)."""
        from scipy.linalg import blas

        K = self.kernel.matrix(X, self.centers)
        return np.asarray(blas.dtrsm(1.0, self.factor.T, K.T, lower=0, trans_a=1, overwrite_b=1))

    def coef(self, w: Array) -> Array:
        """The coefficients (m,) with which the kernel's values at the centres add up to w.phi(x)."""
        from scipy.linalg import solve_triangular

        return np.asarray(solve_triangular(self.factor, w, lower=True, trans=1, check_finite=False))


@dataclass(frozen=True, eq=False)
class MomentSolution:
    """The weights w (m,), the offset, the mean squared residual, the sum of the leverages, the gradient's length as a
    share of that at w = 0.
    """

    w: Array
    offset: float
    mean_squared: float
    freedom: float
    residual: float


class Moments:
    """Weighted sums of products of (phi(x), 1, y) over samples: all that least squares needs to know of them.

    There may be several `targets` y, each with a solution of its own.
    """

    def __init__(self, nystroem: Nystroem, targets: int = 1) -> None:
        self.nystroem = nystroem
        size = len(nystroem.centers) + 1 + targets
        self._sums = np.zeros((size, size))

    def add(self, X: Array, y: Array, share: Array) -> None:
        """Count samples in, or out where their share is negative: X (n, d), y (n,) or (n, targets), share (n,)."""
        m = len(self.nystroem.centers)
        for first in range(0, len(X), _BLOCK):
            rows = slice(first, first + _BLOCK)
            whole = np.empty((len(self._sums), len(X[rows])))
            whole[:m], whole[m], whole[m + 1 :] = self.nystroem.features(X[rows]), 1.0, y[rows].T
            self._sums += (whole * share[rows]) @ whole.T

    def solve(self, ridge: float, target: int = 0) -> MomentSolution:
        """The minimum for one of the targets; raises `np.linalg.LinAlgError` where it has too few digits."""
        from scipy.linalg import cholesky, lapack

        m = len(self.nystroem.centers)
        y, total = m + 1 + target, float(self._sums[m, m])
        mean, level = self._sums[:m, m] / total, float(self._sums[m, y]) / total
        G = self._sums[:m, :m] / total - np.outer(mean, mean)
        c = self._sums[:m, y] / total - level * mean
        matrix = G + ridge * np.eye(m)
        factor = cholesky(matrix.T, lower=True, check_finite=False)
        w = lapack.dpotrs(factor, c, lower=1)[0]
        inverse = lapack.dpotri(factor, lower=1)[0]
        size = float(np.linalg.norm(c))
        return MomentSolution(
            w,
            level - float(mean @ w),
            max(0.0, (float(self._sums[y, y]) / total - level**2) - 2 * float(c @ w) + float(w @ G @ w)),
            1 + m - ridge * float(inverse.diagonal().sum()),
            float(np.linalg.norm(c - matrix @ w)) / size if size > 0 else 0.0,
        )
