"""Gaussian processes: what is known of a function once noisy values of it were seen.

Before, the function's values at any places are jointly normal with the covariance signal k(x, x'). With the targets r,
less the mean, at the samples X and noise of the variance noise / weight on each,

    mean(x) = signal k(x, X) A^-1 r,   cov(x, x') = signal k(x, x') - signal^2 k(x, X) A^-1 k(X, x'),
    A = signal k(X, X) + diag(noise / weight)

Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), algorithm 2.1; for few centres section 8.3.4.
A sample of weight w says what w samples at its place with its target say.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.kernels.base import Kernel
from mlviz.numerics.kernels.features import Nystroem
from mlviz.numerics.kernels.on_grid import rows_in_blocks
from mlviz.numerics.linalg.cholesky import factorized, inverted
from mlviz.numerics.pauses import Work, blocks
from mlviz.spec.brief import Brief

_WHOLE = 700
"""So many rows at the most are factorized at once."""


class Process(Protocol):
    """How sure a function is, at places (m, d)."""

    @property
    def factor(self) -> Array:
        """Of the matrix of as many unknowns as it has rows."""

    def variance(self, places: Array) -> Array:
        """The variance (m,)."""

    def covariance(self, places: Array) -> Array:
        """The covariance (m, m)."""


@dataclass(frozen=True, eq=False)
class Prior(Brief):
    """What is known before anything was seen."""

    kernel: Kernel
    signal: float

    def variance(self, places: Array) -> Array:
        """The variance (m,) at places (m, d)."""
        return self.signal * self.kernel.diagonal(places)

    def covariance(self, places: Array) -> Array:
        """The covariance (m, m) at places (m, d)."""
        return self.signal * self.kernel.matrix(places, places)


@dataclass(frozen=True, eq=False)
class SeenSamples(Brief):
    """What is known after samples were seen: L L' = k(X, X) / unit + diag(ridge)."""

    prior: Prior
    samples: Array
    """X (n, d)."""
    factor: Array
    """L (n, n), lower, column by column in memory."""
    unit: float
    diagonal: Array | None = None
    """(n,) that of the inverse, where it takes long and was worked out."""

    def explained(self, places: Array) -> Array:
        """(n, m): what the samples tell of the places (m, d), so that its square is what they take of the variance."""
        from scipy.linalg.blas import dtrsm

        K = self.prior.kernel.matrix(places, self.samples) / self.unit
        return np.asarray(dtrsm(1.0, self.factor, K.T, lower=1, overwrite_b=1))

    def variance(self, places: Array) -> Array:
        """The variance (m,) at places (m, d)."""
        scale = self.prior.signal * self.unit

        def told(some: Array) -> Array:
            V = self.explained(some)
            return np.asarray(scale * np.einsum("ij,ij->j", V, V))

        explained: Array = rows_in_blocks(places, len(self.samples), told)
        return np.asarray(np.maximum(self.prior.variance(places) - explained, 0.0))

    def covariance(self, places: Array) -> Array:
        """The covariance (m, m) at places (m, d)."""
        V = self.explained(places)
        return self.prior.covariance(places) - self.prior.signal * self.unit * (V.T @ V)

    def inverse_diagonal(self) -> Array:
        """The diagonal (n,) of the inverse of L L'."""
        from scipy.linalg.lapack import dtrtri

        if self.diagonal is not None:
            return self.diagonal
        root = np.tril(dtrtri(self.factor, lower=1)[0])
        return np.asarray(np.einsum("ij,ij->j", root, root))


@dataclass(frozen=True, eq=False)
class SeenThroughCentres(Brief):
    """What is known where a function is the sum of few centres' kernels, and what these leave out is as before.

    Its weights in the centres' features phi have the covariance noise B^-1, with B = L L' the sum of weight phi phi'
    over the samples plus noise / signal.
    """

    prior: Prior
    nystroem: Nystroem
    factor: Array
    """L (m, m), lower."""
    noise: float

    def _features(self, places: Array) -> tuple[Array, Array]:
        """Those of places (q, d), (m, q), and L^-1 times them."""
        from scipy.linalg import solve_triangular

        features = self.nystroem.features(places)
        return features, np.asarray(solve_triangular(self.factor, features, lower=True, check_finite=False))

    def variance(self, places: Array) -> Array:
        """The variance (q,) at places (q, d)."""

        def told(some: Array) -> Array:
            features, V = self._features(some)
            lost = self.prior.signal * np.einsum("ij,ij->j", features, features)
            return np.asarray(lost - self.noise * np.einsum("ij,ij->j", V, V))

        width = len(self.nystroem.centers)
        explained: Array = rows_in_blocks(places, width, told)
        return np.asarray(np.maximum(self.prior.variance(places) - explained, 0.0))

    def covariance(self, places: Array) -> Array:
        """The covariance (q, q) at places (q, d)."""
        features, V = self._features(places)
        return self.prior.covariance(places) - self.prior.signal * (features.T @ features) + self.noise * (V.T @ V)


@dataclass(frozen=True, eq=False)
class SeenInFeatures(SeenThroughCentres):
    """The same where nothing is left out: the samples' features are so few that these say all that the samples do."""

    samples: Array
    """(m, n) the features of the samples."""
    weights: Array
    """(n,)."""
    unit = 1.0

    def inverse_diagonal(self) -> Array:
        """The diagonal (n,) of the inverse of k(X, X) + diag(ridge)."""
        from scipy.linalg import solve_triangular

        V = solve_triangular(self.factor, self.samples, lower=True, check_finite=False)
        own = self.weights * self.prior.signal / self.noise
        return np.asarray(own * np.maximum(1 - self.weights * np.einsum("ij,ij->j", V, V), 0.0))


@dataclass(frozen=True, eq=False)
class FeatureSolution(Brief):
    """The solution a (n,) of (k(X, X) + diag(ratio / weight)) a = r in features of the samples; see `in_features`."""

    coef: Array
    error: float
    """The largest error of the equations that there can be, as a share of the largest |r|."""
    factor: Array
    """L (m, m), lower, with L L' the sum of weight phi phi' over the samples plus the ratio."""
    log_det: float
    """Of k(X, X) + diag(ratio / weight)."""


def in_features(samples: Array, left: float, ratio: float, weights: Array, r: Array) -> FeatureSolution:
    """The solution in features (m, n) of the samples that leave that much out of each k(x, x) at the most.

    Raises LinAlgError where there are too few digits.
    """
    from scipy.linalg.lapack import dpotrf, dpotrs

    weighted = samples * weights
    factor, failed = dpotrf(weighted @ samples.T + ratio * np.eye(len(samples)), lower=1, clean=1)
    if failed:
        raise np.linalg.LinAlgError
    a, rest, size = np.zeros(len(r)), r, float(np.abs(r).max(initial=0.0)) or 1.0
    for _ in range(2):  # solved, and refined
        fitted = dpotrs(factor, weighted @ rest, lower=1)[0] @ samples
        a = a + weights * (rest - fitted) / ratio
        rest = r - (samples @ a) @ samples - ratio / weights * a
    error = float(np.abs(rest).max(initial=0.0)) + left * float(np.abs(a).sum())
    log_det = 2 * float(np.log(factor.diagonal()).sum()) - len(samples) * math.log(ratio)
    return FeatureSolution(a, error / size, factor, log_det + float(np.log(ratio / weights).sum()))


def through_centers(products: Array, c: Array, ratio: float) -> tuple[Array, Array, float]:
    """L with L L' = products + ratio, the weights w (m,) with L L' w = c, and c'w.

    Raises LinAlgError where there are too few digits.
    """
    from scipy.linalg import solve_triangular
    from scipy.linalg.lapack import dpotrf

    factor, failed = dpotrf(products + ratio * np.eye(len(c)), lower=1, clean=1)
    if failed:
        raise np.linalg.LinAlgError
    half = solve_triangular(factor, c, lower=True, check_finite=False)
    w = solve_triangular(factor, half, lower=True, trans=1, check_finite=False)
    return np.asarray(factor), np.asarray(w), float(half @ half)


def factor_of(K: Array, ridge: Array) -> Work[Array]:
    """Work out L, lower and column by column in memory, with L L' = K + diag(ridge); pauses where it is large.

    Raises LinAlgError where K + diag(ridge) has too few digits.
    """
    from scipy.linalg.lapack import dpotrf

    A = np.empty_like(K)
    for rows in (parts := blocks(*K.shape)):
        A[rows] = K[rows]
        if len(parts) > 1:
            yield
    A.flat[:: len(A) + 1] += ridge
    if len(A) <= _WHOLE:
        factor, failed = dpotrf(A.T, lower=1, overwrite_a=1, clean=1)
        if failed:
            raise np.linalg.LinAlgError
        return np.asarray(factor)
    yield from factorized(A)
    return np.asfortranarray(A)


def inverse_diagonal(factor: Array) -> Work[Array | None]:
    """Work out the diagonal (n,) of the inverse of L L' where that takes long; None where it is soon done."""
    if len(factor) <= _WHOLE:
        return None
    root = np.empty(factor.shape)
    for rows in (parts := blocks(*factor.shape)):
        root[rows] = factor[rows]
        yield
    yield from inverted(root)
    found = np.zeros(len(root))
    for rows in parts:
        found += np.einsum("ij,ij->j", root[rows], root[rows])
        yield
    return found


def refined(K: Array, ridge: Array, factor: Array, r: Array) -> Work[tuple[Array, float]]:
    """Find the solution a (n,) of (K + diag(ridge)) a = r, and the largest error of the equations as a share of |r|."""
    from scipy.linalg.lapack import dpotrs

    size, a = float(np.abs(r).max(initial=0.0)) or 1.0, np.zeros(len(r))
    rest, error = r, np.inf
    for _ in range(3):
        step = a + dpotrs(factor, rest, lower=1)[0]
        yield
        left = r - K @ step - ridge * step
        yield
        reached = float(np.abs(left).max(initial=0.0)) / size
        if not reached < error:
            break
        a, rest, error = step, left, reached
        if error <= 1e-15:
            break
    return a, error


def symmetric_root(C: Array) -> Array:
    """The symmetric square root of a covariance C (m, m), which changes steadily as C does."""
    values, Q = np.linalg.eigh(C)
    return np.asarray((Q * np.sqrt(np.maximum(values, 0.0))) @ Q.T)
