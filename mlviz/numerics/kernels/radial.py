"""Radial functions phi(|x - c|) other than the Gaussian, and sums of radial functions that are shares of a whole.

Unlike a kernel, a radial function need not be positive semi-definite. M. J. D. Powell, Radial basis functions for
multivariable interpolation, in Algorithms for Approximation (1987); J. Duchon, Splines minimizing rotation-invariant
semi-norms in Sobolev spaces (1977), for the thin plate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.distances import distance_measure
from mlviz.numerics.grid import Grid, as_dtype, far_away
from mlviz.numerics.kernels.base import Gaussian, Kernel
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.kernels.on_grid import BLOCK_SIZE, envelopes, gaussian_profile, rows_in_blocks

_FAINT = 1e-100
"""Where radial functions add up to less, those left out of a product of matrices may matter."""
_FARTHEST = 1e140
"""Places farther away, in widths, have no squares."""


@dataclass(frozen=True)
class Radial(Kernel):
    """A function of the distance r = |x - c| in units of sigma."""

    sigma: float = 1.0

    def of_squares(self, squares: AnyArray) -> AnyArray:
        """The function of r^2."""
        raise NotImplementedError

    def slope_of_squares(self, squares: AnyArray) -> AnyArray:
        """Twice its derivative in r^2, which is the slope in r, divided by r."""
        raise NotImplementedError

    def matrix(self, A: AnyArray, B: AnyArray) -> AnyArray:
        """phi(|a - b|) for the rows of A and B."""
        return self.of_squares(_squares(A, B, self.sigma))

    def diagonal(self, A: Array) -> Array:
        """phi(0)."""
        return self.of_squares(np.zeros(len(A)))

    def slopes(self, X: Array, centers: Array, weights: Array) -> Array:
        """The weighted sums of its gradients."""
        weighted = self.slope_of_squares(_squares(X, centers, self.sigma)) * weights
        return np.asarray((weighted.sum(axis=1)[:, None] * X - weighted @ centers) / self.sigma**2)


@dataclass(frozen=True)
class Multiquadric(Radial):
    """The multiquadric, phi(r) = sqrt(1 + r^2)."""

    def of_squares(self, squares: AnyArray) -> AnyArray:
        """The function of r^2."""
        return np.asarray(np.sqrt(1 + squares))

    def slope_of_squares(self, squares: AnyArray) -> AnyArray:
        """Twice its derivative in r^2."""
        return np.asarray(1 / np.sqrt(1 + squares))


@dataclass(frozen=True)
class InverseMultiquadric(Radial):
    """The inverse multiquadric, phi(r) = 1 / sqrt(1 + r^2)."""

    def of_squares(self, squares: AnyArray) -> AnyArray:
        """The function of r^2."""
        return np.asarray(1 / np.sqrt(1 + squares))

    def slope_of_squares(self, squares: AnyArray) -> AnyArray:
        """Twice its derivative in r^2."""
        return np.asarray(-((1 + squares) ** -1.5))


@dataclass(frozen=True)
class ThinPlate(Radial):
    """The thin plate spline, phi(r) = r^2 log r."""

    smooth = False

    def of_squares(self, squares: AnyArray) -> AnyArray:
        """The function of r^2, which is 0 at 0."""
        return np.asarray(0.5 * squares * np.log(np.maximum(squares, np.finfo(squares.dtype).tiny)))

    def slope_of_squares(self, squares: AnyArray) -> AnyArray:
        """Twice its derivative in r^2."""
        return np.asarray(np.log(np.maximum(squares, np.finfo(squares.dtype).tiny)) + 1)


@np.errstate(over="ignore")
def _squares(A: AnyArray, B: AnyArray, sigma: float) -> AnyArray:
    """The squared distances, in units of sigma, of the rows of A (m, d) and B (n, d): (m, n)."""
    width = max(A.dtype.type(sigma), np.finfo(A.dtype).tiny)
    return distance_measure([(A[:, j, None] - B[None, :, j]) / width for j in range(A.shape[1])], "euclidean")


@far_away
def shares(kernel: Gaussian | InverseMultiquadric, X: Array, centers: Array) -> Array:
    """phi(|x - c_j|) as a share of the sum over all centers (m, d), at the rows of X (n, d): (n, m)."""
    squares = _squares(np.clip(X, -_FARTHEST, _FARTHEST), centers, kernel.sigma)
    if isinstance(kernel, Gaussian):
        # In units of the nearest one: far from all centres it has all, and not 0 / 0.
        exponent = (squares - squares.min(axis=1, keepdims=True)) / -2
        np.copyto(exponent, -np.inf, where=exponent < -700)
        values = np.exp(exponent)
    else:
        least = squares.min(axis=1, keepdims=True)
        values = np.sqrt((1 + least) / (1 + squares))
    return np.asarray(values / values.sum(axis=1, keepdims=True))


@dataclass(frozen=True, eq=False)
class NormalizedExpansion(Expansion):
    """f(x) = sum_s coef_s phi(|x - p_s|) / sum_s phi(|x - p_s|) + offset: a weighted mean of the coefficients."""

    kernel: Gaussian | InverseMultiquadric

    @property
    def base(self) -> float:
        """The offset."""
        return self.offset

    def at(self, X: Array) -> Array:
        """The values f at the rows of X (n, d)."""
        places = np.asarray(X, dtype=np.float64) - self.origin
        m = len(self.coef)
        told = rows_in_blocks(places, m, lambda rows: shares(self.kernel, rows, self.centers) @ self.coef, BLOCK_SIZE)
        return np.asarray(told + self.offset)

    def terms(self, X: Array) -> Array:
        """The terms of the sum at the rows of X (n, d): (n, m)."""
        return shares(self.kernel, X - self.origin, self.centers) * self.coef

    def on_grid(self, grid: Grid, dtype: Any, finest: float) -> AnyArray:
        """The values f at the nodes of the grid; in double precision, for small sums decide where all are small."""
        if not isinstance(self.kernel, Gaussian):
            return as_dtype(self.at(grid.points()).reshape(grid.shape), dtype)
        up, across = envelopes(
            grid.scaled(1.0, -self.origin), self.centers, self.kernel.sigma, gaussian_profile, np.float64
        )
        whole, part = up @ across.T, (up * self.coef) @ across.T
        faint = np.flatnonzero(whole <= _FAINT)
        whole.flat[faint] = 1.0
        field = part / whole + self.offset
        if len(faint):
            field.flat[faint] = self.at(grid.points()[faint])
        return as_dtype(field, dtype)
