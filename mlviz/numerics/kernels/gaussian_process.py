"""Gaussian processes: what is known of a function once noisy values of it were seen.

Before, the function's values at any places are jointly normal with the covariance signal k(x, x'). With the targets r,
less the mean, at the samples X and noise of the variance noise / weight on each,

    mean(x) = signal k(x, X) A^-1 r,   cov(x, x') = signal k(x, x') - signal^2 k(x, X) A^-1 k(X, x'),
    A = signal k(X, X) + diag(noise / weight)

Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), algorithm 2.1; for few centres section 8.3.4.
A sample of weight w says what w samples at its place with its target say.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Kernel
from mlviz.numerics.kernels.features import Nystroem
from mlviz.numerics.kernels.on_grid import rows_in_blocks
from mlviz.spec.brief import Brief


class Process(Protocol):
    """How sure a function is, at places (m, d)."""

    @property
    def factor(self) -> Array:
        """Of the matrix of as many unknowns as it has rows."""

    def variance(self, places: Array) -> Array:
        """The variance (m,)."""

    def variance_on_grid(self, grid: Grid) -> Array:
        """The variance (ny nx,) at the nodes of a grid, row by row."""

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

    @cached_property
    def _inverse(self) -> Array:
        """L^-1 (n, n), lower, column by column in memory."""
        from scipy.linalg.lapack import dtrtri

        return np.asarray(dtrtri(self.factor, lower=1)[0])

    def _explained(self, K: Array) -> Array:
        """(n, m): what the samples tell of places with k(place, sample) = K (m, n), which is used up.

        The squares of a column are together what the samples take of the variance.
        """
        from scipy.linalg.blas import dtrmm, dtrsm

        if self.unit != 1:
            K /= self.unit
        if len(K) > len(self.samples) and self.diagonal is None:
            return np.asarray(dtrmm(1.0, self._inverse, K.T, lower=1, overwrite_b=1))
        return np.asarray(dtrsm(1.0, self.factor, K.T, lower=1, overwrite_b=1))

    def _left(self, prior: Array, K: Array) -> Array:
        """The variance (m,) left of that of the prior at places with k(place, sample) = K (m, n), which is used up."""
        V = self._explained(K)
        return np.asarray(np.maximum(prior - self.prior.signal * self.unit * np.einsum("ij,ij->j", V, V), 0.0))

    def variance(self, places: Array) -> Array:
        """The variance (m,) at places (m, d)."""
        kernel, samples = self.prior.kernel, self.samples
        return rows_in_blocks(
            places, len(samples), lambda some: self._left(self.prior.variance(some), kernel.matrix(some, samples))
        )

    def variance_on_grid(self, grid: Grid) -> Array:
        """The variance (ny nx,) at the nodes of a grid, row by row."""

        def left(rows: Array) -> Array:
            part = Grid(grid.x, rows)
            K = self.prior.kernel.matrix_on_grid(part, self.samples)
            return self._left(self.prior.variance(part.points()), K)

        return rows_in_blocks(grid.y, len(grid.x) * len(self.samples), left)

    def covariance(self, places: Array) -> Array:
        """The covariance (m, m) at places (m, d)."""
        V = self._explained(self.prior.kernel.matrix(places, self.samples))
        return self.prior.covariance(places) - self.prior.signal * self.unit * (V.T @ V)

    def inverse_diagonal(self) -> Array:
        """The diagonal (n,) of the inverse of L L'."""
        if self.diagonal is not None:
            return self.diagonal
        root = np.tril(self._inverse)
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

    def variance_on_grid(self, grid: Grid) -> Array:
        """The variance (ny nx,) at the nodes of a grid, row by row."""
        return self.variance(grid.points())

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


def symmetric_root(C: Array) -> Array:
    """The symmetric square root of a covariance C (m, m), which changes steadily as C does."""
    values, Q = np.linalg.eigh(C)
    return np.asarray((Q * np.sqrt(np.maximum(values, 0.0))) @ Q.T)
