"""Kernel density estimates (Rosenblatt 1956, Parzen 1962): a small bump about each sample, all added up.

A sample x_i whose share of all weights is w_i gives w_i c k(|x - x_i| / h) / h^d, where h is the width and k one of

    gaussian       exp(-r^2 / 2)
    epanechnikov   1 - r^2         up to r = 1, then 0
    uniform        1               up to r = 1, then 0
    triangular     1 - r           up to r = 1, then 0
    biweight       (1 - r^2)^2     up to r = 1, then 0

and c makes the integral 1 in d dimensions: B. W. Silverman, Density Estimation for Statistics and Data Analysis (1986),
sections 3.3 and 4.2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.density.bounded_kernels import along_chords, has_chords, value_by_value
from mlviz.numerics.distances import DistanceProducts, distance_measure
from mlviz.numerics.grid import Grid, as_dtype, far_away
from mlviz.numerics.kernels.on_grid import envelopes, gaussian_profile
from mlviz.numerics.pauses import Work, blocks
from mlviz.spec.brief import Brief

GAUSSIAN = "gaussian"
_PROFILES: dict[str, tuple[float, ...]] = {
    "epanechnikov": (1, 0, -1),
    "uniform": (1,),
    "triangular": (1, -1),
    "biweight": (1, 0, -2, 0, 1),
}
"""The coefficients of 1, r, r^2, ... in the kernels that end at r = 1."""
KERNELS = (GAUSSIAN, *_PROFILES)
JUMPING_KERNELS = ("uniform",)
"""Kernels whose estimate is not continuous."""
_POINTED, _TIP = ("triangular",), 1e-2
"""Kernels with a tip at their sample, and up to which squared distance the rounding of it would tell in its root."""
_TAIL = 7.0
"""A Gaussian has next to nothing beyond so many widths."""
_BLOCK = 200_000
"""So many kernel values are worked on at a time."""
_FEW_INPUTS, _ROOMY = 3, 1000.0
"""Of more inputs than these products tell distances of samples and places that are within so many widths."""
_FARTHEST = 1e140
"""Samples and places that are farther apart, in widths, count as so far: the square of it is a number."""


@dataclass(frozen=True)
class KernelConstants:
    """What a kernel is in d dimensions: its factor c, its second moment along an axis, and the integral of its square.

    Silverman calls the last two alpha and beta, in section 4.3.
    """

    factor: float
    second_moment: float
    roughness: float


_EDGE = 1 + 2e-9
"""A squared distance, in squares of the width, up to which a kernel that ends at 1 still reaches."""


@cache
def kernel_constants(kernel: str, d: int) -> KernelConstants:
    """The constants of a kernel in d dimensions."""
    if kernel == GAUSSIAN:
        return KernelConstants((2 * math.pi) ** (-d / 2), 1.0, (4 * math.pi) ** (-d / 2))
    profile = np.array(_PROFILES[kernel], dtype=np.float64)
    # The surface of the unit ball times the integral of r^(d-1) k(r), which is a polynomial.
    surface = 2 * math.exp(d / 2 * math.log(math.pi) - math.lgamma(d / 2))
    factor = 1 / (surface * _moment(profile, d - 1))
    return KernelConstants(
        factor,
        factor * surface * _moment(profile, d + 1) / d,
        factor**2 * surface * _moment(np.convolve(profile, profile), d - 1),
    )


def _moment(profile: Array, power: int) -> float:
    """The integral from 0 to 1 of r^power times the polynomial with those coefficients."""
    return float((profile / (np.arange(len(profile)) + power + 1)).sum())


def canonical_ratio(kernel: str, d: int) -> float:
    """How many times wider a kernel must be than a Gaussian to smooth as much (Marron and Nolan 1988)."""
    own, gaussian = kernel_constants(kernel, d), kernel_constants(GAUSSIAN, d)
    power = 1 / (d + 4)
    return float((own.roughness / own.second_moment**2 / gaussian.roughness) ** power)


def values_of(kernel: str, squares: AnyArray) -> AnyArray:
    """The kernel k at squared distances r^2, which are used up."""
    if kernel == GAUSSIAN:
        squares *= -0.5
        np.copyto(squares, -np.inf, where=squares < -700)
        return np.asarray(np.exp(squares, out=squares))
    if kernel == "uniform":
        # Rounding must not decide about a sample at just that distance, as there are many in rounded tables.
        return np.asarray(squares <= _EDGE, dtype=squares.dtype)
    if kernel == "triangular":
        np.sqrt(squares, out=squares)
    np.subtract(1, squares, out=squares)
    np.maximum(squares, 0, out=squares)
    return squares * squares if kernel == "biweight" else squares


@dataclass(frozen=True, eq=False)
class KernelDensity(Brief):
    """The estimate of samples X (n, d) with weights (n,), by a kernel of that width."""

    X: Array
    weights: Array
    kernel: str
    width: float

    @property
    def reach(self) -> float:
        """How far a kernel reaches from its sample, but for next to nothing."""
        return self.width * (_TAIL if self.kernel == GAUSSIAN else 1.0)

    @property
    def log_unit(self) -> float:
        """The logarithm of what a sum of weights times kernel values is multiplied by."""
        d = self.X.shape[1]
        volume = d * math.log(self.width) + math.log(float(self.weights.sum()))
        return float(math.log(kernel_constants(self.kernel, d).factor) - volume)

    def log_density(self, places: Array) -> Array:
        """The logarithm of the density at places (m, d), (m,); minus infinity where no kernel reaches."""
        return self._logs(places, None) + self.log_unit

    def log_densities(self, places: Array) -> Work[Array]:
        """The same of many places, with pauses."""
        found = np.empty(len(places))
        for part in blocks(len(places), len(self.X)):
            found[part] = self.log_density(places[part])
            yield
        return found

    def left_out_log_density(self) -> Array:
        """The same at each sample by all others, (n,); a sample that counts for several leaves one of them out.

        It is minus infinity where no kernel of another one reaches.
        """
        own = np.minimum(self.weights, 1.0)
        total = float(self.weights.sum())
        others = total - own
        share = np.where(others > 0, others / total, 1.0)
        found = self._logs(self.X, self.weights - own) + self.log_unit - np.log(share)
        return np.where(others > 0, found, -np.inf)

    def _logs(self, places: Array, own: Array | None) -> Array:
        """The logarithms of the sums at places; `own` (n,): at the samples, whose own weights are these there."""
        found = np.empty(len(places))
        size = max(1, _BLOCK // len(self.X))
        for first in range(0, len(places), size):
            part = slice(first, first + size)
            squares = self._squares(places[part])
            weights: Array = self.weights
            if own is not None:
                itself = np.arange(len(squares)), first + np.arange(len(squares))
                weights = np.tile(weights, (len(squares), 1))
                weights[itself] = own[part]
                squares[itself] = np.where(own[part] > 0, 0.0, np.inf)
            found[part] = _log_sums(self.kernel, squares, weights)
        return found

    @far_away
    def _squares(self, places: Array) -> Array:
        """The squared distances (m, n) of places from the samples, in widths."""
        if self.X.shape[1] > _FEW_INPUTS and self._near is not None:
            return self._by_products(places, self._near)
        return self._one_by_one(places)

    def _one_by_one(self, places: Array) -> Array:
        steps = [(places[:, j, None] - self.X[:, j]) / self.width for j in range(self.X.shape[1])]
        return distance_measure([np.clip(step, -_FARTHEST, _FARTHEST) for step in steps], "euclidean")

    @cached_property
    def _near(self) -> DistanceProducts | None:
        """The products that tell distances, in widths; None where a sample is too far for them."""
        products = DistanceProducts.of(self.X, self.width)
        return products if products.farthest < _ROOMY else None

    def _by_products(self, places: Array, products: DistanceProducts) -> Array:
        """The same by a product of matrices; one by one for places far away, and where kernels end or are pointed."""
        squares, own = products.squares(places)
        np.maximum(squares, 0.0, out=squares)
        far = np.flatnonzero(~(own < _ROOMY**2))
        squares[far] = self._one_by_one(places[far])
        if self.kernel != GAUSSIAN:
            asked = np.abs(squares - 1) <= products.doubt(_ROOMY**2) + _EDGE - 1
            if self.kernel in _POINTED:
                asked |= squares <= _TIP
            # `nonzero` of a matrix takes several times as long.
            rows, columns = divmod(np.flatnonzero(asked), squares.shape[1])
            steps = [(places[rows, j] - self.X[columns, j]) / self.width for j in range(places.shape[1])]
            squares[rows, columns] = distance_measure(steps, "euclidean")
        return squares

    def on_grid(self, grid: Grid, dtype: Any) -> AnyArray:
        """The density at the nodes of a grid of the plane, (ny, nx)."""
        with np.errstate(over="ignore"):
            unit = np.exp(self.log_unit)
        if self.kernel == GAUSSIAN:
            up, across = envelopes(grid, self.X, self.width, gaussian_profile, dtype)
            field = (up * self.weights.astype(dtype)) @ across.T
        else:
            field = self._bounded_on_grid(grid, dtype)
        with np.errstate(over="ignore", invalid="ignore"):
            return as_dtype(field * unit, dtype)

    @far_away
    def _bounded_on_grid(self, grid: Grid, dtype: Any) -> Array:
        """The sums at the nodes, of kernels that end."""
        profile = _PROFILES[self.kernel]
        if not any(profile[1::2]) and has_chords(grid, self.width, profile[::2]):
            return along_chords(grid, self.X, self.weights, self.width, profile[::2], _EDGE)
        values = partial(values_of, self.kernel)
        exact = np.float64 if self.kernel in JUMPING_KERNELS else dtype
        return value_by_value(grid, self.X, self.weights, self.width, values, exact)

    def draw(self, count: int, rng: np.random.Generator) -> Array:
        """So many places (count, d) drawn from the estimate, spread evenly over the samples by their weights."""
        d = self.X.shape[1]
        ends = np.cumsum(self.weights)
        rows = np.searchsorted(ends, (np.arange(count) + 0.5) / count * ends[-1])
        steps = rng.standard_normal((count, d))
        if self.kernel != GAUSSIAN:
            # The radius has the density r^(d-1) k(r).
            power = {"uniform": 1, "epanechnikov": 2, "biweight": 3, "triangular": 2}[self.kernel]
            triangular = self.kernel == "triangular"
            radii = rng.beta(d, 2, count) if triangular else np.sqrt(rng.beta(d / 2, power, count))
            steps *= (radii / np.linalg.norm(steps, axis=1))[:, None]
        return np.asarray(self.X[np.minimum(rows, len(ends) - 1)] + self.width * steps)


def _log_sums(kernel: str, squares: Array, weights: Array) -> Array:
    """The logarithms of the weighted sums of kernel values at squared distances (m, n), which are used up, (m,)."""
    least = np.zeros((len(squares), 1))
    if kernel == GAUSSIAN:
        # Relative to the nearest sample: far from all of them no value is 0.
        least = squares.min(axis=1, keepdims=True)
        least[~np.isfinite(least)] = 0.0
        squares -= least
    values = values_of(kernel, squares)
    sums = values @ weights if weights.ndim == 1 else np.einsum("ij,ij->i", values, weights)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(sums) - least[:, 0] / 2)
