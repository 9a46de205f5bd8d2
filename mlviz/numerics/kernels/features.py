"""The features of the linear and the polynomial kernel, written out, k(x, x') = phi(x).phi(x'), and ridge regression.

f(x) = w.phi(x) keeps its digits where sum_s c_s k(x, p_s) has none left: with large c and k, the terms of that sum
cancel. Schölkopf and Smola, Learning with Kernels (2002), proposition 2.1.

Far from 0 all features say nearly the same, and far apart their sizes differ by many powers of ten: their own singular
values have no digits left. In the middle of the samples z = (x - center) / scale and phi(x) = M' g(z) with monomials g,
which are well-conditioned, and a matrix M whose rows and columns differ in size and in hardly anything else. Jacobi's
method finds the singular values of such a matrix with all their digits (Drmač and Veselić, SIAM J. Matrix Anal. Appl.
29 (2008) 1322-1362).

Where there are too many samples, Nyström's features by few centres approximate any kernel (Williams and Seeger, NIPS 13
(2001) 682-688). With the centres Z (m, d) and the Cholesky factor L of K_ZZ, they are phi(x) = L^-1 k_Z(x): then
phi(x).phi(x') is k(x, x') wherever x or x' is a centre, and nearly so near by. The centres are the pivots of the
Cholesky factorization that takes the sample represented worst next.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array, without_rounding
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Kernel, Linear, Polynomial, orders
from mlviz.numerics.kernels.on_grid import rows_in_blocks
from mlviz.numerics.linalg.cholesky import pivoted_cholesky
from mlviz.numerics.linalg.ridge import RidgeSolution, left_out
from mlviz.numerics.polynomials import Exponents, count_monomials, expansion, exponents, monomials, on_grid
from mlviz.spec.brief import Brief

MOST_FEATURES = 5000
"""A kernel of more features than this is not written out."""
_MOST_INDEPENDENT = 300
"""Nor is one where more of the samples' features than this would be independent: a step takes its square."""
_MOST_GRADED = 500
"""With more monomials M takes too long."""


@dataclass(frozen=True, eq=False)
class Features(Brief):
    """phi_j(x) = factor_j times the monomial with the exponents_j."""

    exponents: Exponents
    """(p, d)."""
    factor: Array
    """(p,)."""

    def values(self, X: Array) -> Array:
        """The features at the rows of X (n, d): (n, p)."""
        return monomials(X, self.exponents) * self.factor


@dataclass(frozen=True, eq=False)
class FeatureSum(Brief):
    """w.phi((x - center) / scale); it is `constant` less than the sum in the kernel's own features."""

    features: Features
    w: Array
    """(p,)."""
    center: Array | float = 0.0
    """(d,)."""
    scale: Array | float = 1.0
    """(d,)."""
    constant: float = 0.0

    @property
    def _weights(self) -> Array:
        return self.features.factor * self.w

    def expand(self, X: Array) -> Array:
        """The sum at the rows of X (n, d): (n,)."""
        weights, E = self._weights, self.features.exponents
        return rows_in_blocks((X - self.center) / self.scale, len(weights), lambda rows: monomials(rows, E) @ weights)

    def gradient(self, X: Array) -> Array:
        """Its gradient at the rows of X: (n, d)."""
        columns, E, Z = [], self.features.exponents, (X - self.center) / self.scale
        for j in range(X.shape[1]):
            lower = E.copy()
            lower[:, j] = np.maximum(E[:, j] - 1, 0)
            columns.append(monomials(Z, lower) @ (self._weights * E[:, j]))
        return np.column_stack(columns) / self.scale

    def on_grid(self, grid: Grid) -> Array:
        """The sum at the nodes of a grid, in two dimensions: (ny, nx)."""
        scaled = grid.scaled(1.0, np.negative(self.center)).scaled(np.reciprocal(self.scale), 0.0)
        return on_grid(scaled, self.features.exponents, self._weights)


def features_of(kernel: Kernel, n: int, d: int) -> Features | None:
    """Those of the kernel for n samples in d variables; None where there are too many to compute with."""
    if isinstance(kernel, Linear):
        return (
            Features(np.eye(d, dtype=np.intp), np.ones(d))
            if min(n, d) <= _MOST_INDEPENDENT and d <= MOST_FEATURES
            else None
        )
    if not isinstance(kernel, Polynomial):
        return None
    p = count_monomials(d, kernel.degree) + 1
    if p > MOST_FEATURES or min(n, p) > _MOST_INDEPENDENT:
        return None
    E = exponents(d, kernel.degree, least=0)
    # (x.x' + c)^n = sum of n! / (e_1! ... e_d! r!) c^r times the monomials e of x and of x', with r = n - |e|
    left = kernel.degree - E.sum(axis=1)
    ways = [orders((*e, r)) for e, r in zip(E.tolist(), left.tolist(), strict=True)]
    factor = np.sqrt(np.array(ways, dtype=np.float64)) * np.sqrt(kernel.coef0) ** left
    return Features(E[factor > 0], factor[factor > 0])


def graded_ridge(
    features: Features, X: Array, targets: Array, share: Array, ridge: float
) -> list[tuple[RidgeSolution, FeatureSum]] | None:
    """The solution for each of the targets (n, t) of the samples X (n, d), and its sum.

    None where that can't be computed.
    """
    degree = int(features.exponents.max())
    if count_monomials(X.shape[1], degree) > _MOST_GRADED:
        return None
    low, high = X.min(axis=0), X.max(axis=0)
    center, scale = low / 2 + high / 2, high / 2 - low / 2
    scale[scale <= 1e-14 * np.abs(center)] = 1.0
    E = exponents(X.shape[1], degree, least=0)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        table = expansion(E[1:], -center / scale, 1 / scale)
    place = {tuple(e): number for number, e in enumerate(E.tolist())}
    M = table[:, [place[tuple(e)] for e in features.exponents.tolist()]] * features.factor
    constant, M, E = M[0], M[1:], E[1:]
    # From large rows to small ones: then the triangle below mixes into each only what is smaller.
    order = np.argsort(-np.abs(M).max(axis=1), kind="stable")
    M, E = M[order], E[order]
    G, root, levels = monomials((X - center) / scale, E), np.sqrt(share)[:, None], share @ targets
    mean = share @ G
    centred, t = G - mean, root * (targets - levels)
    Q, R = np.linalg.qr(centred * root)
    found = _decomposed(R @ M)
    if found is None:
        return None
    U, s, V = found
    filtered, seen = s**2 + ridge, U.T @ (Q.T @ t)
    w, along = V @ ((s / filtered)[:, None] * seen), U @ ((s**2 / filtered)[:, None] * seen)
    # M w cancels. What it lost is put back where samples can tell: all of it, if they determine the polynomial.
    v = M @ w
    lost = along - R @ v
    for _ in range(3):
        v = v + np.linalg.lstsq(R, along - R @ v, rcond=None)[0]
    # Far away, what rounding has left of nothing would be large.
    v[:, ~without_rounding(along, np.linalg.norm(t, axis=0)).any(axis=0)] = 0.0
    fitted = levels + centred @ v
    errors = np.abs(Q @ (lost if np.linalg.matrix_rank(R) < len(v) else along - R @ v) / root).max(axis=0)
    leverage = share + ((Q @ U) ** 2 * (s**2 / filtered)).sum(axis=1)
    alone = left_out(targets - fitted, leverage)
    sums, sizes = Features(E, np.ones(len(E))), np.abs(targets - levels).max(axis=0)
    return [
        (
            RidgeSolution(w[:, k], float(levels[k] - mean @ v[:, k]), fitted[:, k], leverage, alone[:, k], error),
            FeatureSum(sums, v[:, k], center, scale, float(constant @ w[:, k])),
        )
        for k, error in enumerate((errors / np.where(sizes > 0, sizes, 1.0)).tolist())
    ]


def _decomposed(S: Array) -> tuple[Array, Array, Array] | None:
    """The singular value decomposition S = U diag(s) V' with the digits of each s; None where there is none."""
    from scipy.linalg import lapack

    unit = float(np.abs(S).max(initial=0.0))
    wide, least = S.shape[0] < S.shape[1], min(S.shape)
    if unit == 0:  # all samples at one place
        return np.eye(S.shape[0], least), np.zeros(least), np.eye(S.shape[1], least)
    if not unit < 1e250:
        return None
    s, U, V, work, _, failed = lapack.dgejsv((S.T if wide else S) / unit, joba=2, jobu=0, jobv=0)
    if failed:
        return None
    if wide:
        U, V = V, U
    return U[:, :least], s * (work[0] / work[1] * unit), V[:, :least]


_BLOCK = 1024
"""So many samples at a time stay in the cache."""


@dataclass(frozen=True, eq=False)
class Nystroem(Brief):
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
class MomentSolution(Brief):
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

    There may be several `targets` y, each with a solution of its own, or none.
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

    def centred(self) -> tuple[Array, Array]:
        """The mean (m,) and the covariance (m, m) of the features."""
        m = len(self.nystroem.centers)
        total = float(self._sums[m, m])
        mean = self._sums[:m, m] / total
        return mean, self._sums[:m, :m] / total - np.outer(mean, mean)

    def uncentred(self, level: float) -> tuple[Array, Array, float]:
        """The sums of products of the features (m, m), of these with y less the level (m,), of its square."""
        m = len(self.nystroem.centers)
        y, total = m + 1, float(self._sums[m, m])
        square = float(self._sums[y, y]) - 2 * level * float(self._sums[m, y]) + level**2 * total
        return self._sums[:m, :m], self._sums[:m, y] - level * self._sums[:m, m], max(0.0, square)

    def solve(self, ridge: float, target: int = 0) -> MomentSolution:
        """The minimum for one of the targets; raises `np.linalg.LinAlgError` where it has too few digits."""
        from scipy.linalg import cholesky, lapack

        m = len(self.nystroem.centers)
        y, total = m + 1 + target, float(self._sums[m, m])
        level = float(self._sums[m, y]) / total
        mean, G = self.centred()
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
