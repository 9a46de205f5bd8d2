"""Random Fourier features, whose products approximate a kernel (Rahimi and Recht, NIPS 20 (2007) 1177-1184).

A kernel k(x - x') is the mean of cos(w.(x - x')) over frequencies w that are distributed as its Fourier transform, so
that it is the mean of the products of sqrt(2) cos(w.x + b) and sqrt(2) cos(w.x' + b) over these and over phases b.
Gaussian kernels have normal frequencies, Laplacian ones (of the city-block distance) have Cauchy's in each input.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.cosines import cosines
from mlviz.numerics.grid import Grid, as_dtype, far_away
from mlviz.numerics.kernels.base import Gaussian, Laplacian
from mlviz.numerics.kernels.on_grid import from_pairs, rows_in_blocks
from mlviz.spec.brief import Brief

SpectralKernel = Gaussian | Laplacian
_LONG = 64
"""So many places at the least are worth to be looked at whether they are evenly spaced."""
SEEDS = 2**31
"""Seeds of frequencies and of phases are below it."""


@dataclass(frozen=True, eq=False)
class RandomFeatures(Brief):
    """The features sqrt(2/m) cos(w_j.x + b_j): frequencies (m, d) and phases (m,)."""

    frequencies: Array
    phases: Array

    @classmethod
    def drawn(cls, kernel: SpectralKernel, m: int, d: int, seeds: tuple[int, int]) -> RandomFeatures:
        """Those of a kernel of d inputs: of the same seeds, fewer are the first of more."""
        of_waves, of_phases = (np.random.default_rng(seed) for seed in seeds)
        unit = of_waves.normal(size=(m, d)) if isinstance(kernel, Gaussian) else of_waves.standard_cauchy(size=(m, d))
        return cls(unit / kernel.sigma, of_phases.uniform(0, 2 * np.pi, m))

    @property
    def m(self) -> int:
        """How many there are."""
        return len(self.phases)

    @far_away
    def values(self, X: Array) -> Array:
        """The features at the rows of X (n, d): (n, m)."""
        X, frequencies = np.asarray(X, dtype=np.float64), self.frequencies.T / (2 * np.pi)
        waves = X * frequencies if X.shape[1] == 1 else X @ frequencies  # the former is faster
        waves += self.phases / (2 * np.pi)
        cosines(waves, (2 / self.m) ** 0.5)
        return as_dtype(waves, np.float64)

    def expand(self, X: Array, coef: Array) -> Array:
        """The sum of the features times coef (m,) at the rows of X: (n,)."""
        if X.shape[1] == 1 and len(X) >= _LONG:
            x = X[:, 0]
            even = x[0] + (x[-1] - x[0]) / (len(x) - 1) * np.arange(len(x))
            if np.abs(x - even).max() <= 8 * np.finfo(np.float64).eps * np.abs(x[[0, -1]]).max():
                return self._expand_on_line(even, coef)
        return rows_in_blocks(X, self.m, lambda rows: self.values(rows) @ coef)

    @far_away
    def _expand_on_line(self, x: Array, coef: Array) -> Array:
        """The same at evenly spaced places (n,), in rows of about as many steps as there are rows of them."""
        width = int(np.sqrt(len(x)))
        return self._sums((x[::width], 0), (x[:width] - x[0], 0), coef, np.float64).ravel()[: len(x)]

    def _sums(self, up: tuple[Array, int], across: tuple[Array, int], coef: Array, dtype: Any) -> AnyArray:
        """The sums for places (q,) of an input plus places (r,) of another: (q, r).

        With the angles a that are up, and b across, cos(a + b) = cos a cos b - sin a sin b.
        """
        (x, i), (z, j) = up, across
        q, r = len(x), len(x) + len(z)
        waves = np.empty((2, r, self.m))
        np.multiply.outer(x, self.frequencies[:, i] / (2 * np.pi), out=waves[0, :q])
        np.multiply.outer(z, self.frequencies[:, j] / (2 * np.pi), out=waves[0, q:])
        waves[0, :q] += self.phases / (2 * np.pi)
        # A sine is a cosine of a quarter less, and the opposite of one of a quarter more.
        np.add(waves[0, :q], 0.25, out=waves[1, :q])
        np.subtract(waves[0, q:], 0.25, out=waves[1, q:])
        cosines(waves)
        pairs = ((part[:q], part[q:]) for part in waves)
        return as_dtype(from_pairs(pairs, coef * (2 / self.m) ** 0.5, dtype), dtype)

    @far_away
    def expand_on_grid(self, grid: Grid, coef: Array, dtype: Any) -> AnyArray:
        """The same at the nodes of a grid, (ny, nx), summed in that dtype."""
        return self._sums((grid.y, 1), (grid.x, 0), coef, dtype)

    def errors(self, kernel: SpectralKernel, X: Array, counts: Labels) -> Array:
        """The error of the kernel by the first of them, for rising counts (c,): the root of the mean square over pairs.

        The pairs are those of rows of X (n, d).
        """
        i, j = np.triu_indices(len(X), 1)
        exact = kernel.matrix(X, X)[i, j]
        waves = np.sqrt(self.m / 2) * self.values(X)
        found, total, former = [], np.zeros((len(X), len(X))), 0
        for count in counts.tolist():
            part = waves[:, former:count]
            total += part @ part.T
            former = count
            found.append(np.sqrt(np.mean((2 / count * total[i, j] - exact) ** 2)))
        return np.array(found)


def expected_error(kernel: SpectralKernel, X: Array) -> float:
    """C, where the error over the pairs of rows of X is expected to be C / sqrt(m) with m features.

    2 cos(w.x + b) cos(w.x' + b) is cos(w.(x - x')) and a cosine whose phase alone is random, of the variance 1/2; with
    cos^2 a = (1 + cos 2a) / 2 the first one has (1 + k(2 (x - x'))) / 2 - k(x - x')^2.
    """
    i, j = np.triu_indices(len(X), 1)
    at, doubled = kernel.matrix(X, X)[i, j], kernel.matrix(2 * X, 2 * X)[i, j]
    return float(np.sqrt(np.mean(1 + doubled / 2 - at**2)))
