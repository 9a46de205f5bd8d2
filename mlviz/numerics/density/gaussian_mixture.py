"""Mixtures of Gaussians and their EM algorithm (Dempster, Laird, Rubin 1977), on weighted samples.

Everything is in *units*, samples moved to their mean and divided by each input's standard deviation: moments don't
cancel, one floor suits every scale. Log-densities are linear in 1, x_j, x_i x_j: all are one product of matrices.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.density.lloyd import SortedSamples
from mlviz.numerics.grid import Grid
from mlviz.numerics.standardizing import mean_and_spread
from mlviz.spec.brief import Brief

LEAST_EIGENVALUE = 1e-6
"""The least variance of a component in any direction, as a share of the samples' own: it can't collapse on a sample."""
_INVERTIBLE = 1e-13
"""The least variance of a component as a share of its largest: with less, its inverse is rounding."""
_NEGLIGIBLE = {np.dtype(np.float64): -300.0, np.dtype(np.float32): -80.0}
"""Exponents of responsibilities below it are raised to it: nothing is lost, and no product is subnormal."""
_UNSHARED = 1e-300
"""The responsibility of a component for a sample that another one has alone: none is left without any."""
TOLERANCE = 1e-10
"""EM has settled when a round raises the log-likelihood by less than this a sample."""
_BLOCK = 2048
"""So many samples are shared among the components at a time: as many as the processor keeps at hand."""
_FARTHEST = 1e120
"""Coordinates farther out, in units, count as this far: their squares are numbers."""
TIED_DIAGONAL = "tied diagonal"
"""The kind of mixture whose components have one diagonal covariance in common."""
EQUAL_CIRCLES = "equal circles"
"""The kind of mixture whose components have one variance in common, in every direction, and equal weights."""
ROUNDS = 1000
"""After so many rounds EM stops, settled or not."""
_WORK, _FEWEST_ROUNDS = 120_000_000, 40
"""With very many samples it stops after so much work, half a second or more, but after no fewer rounds than this."""


@dataclass(frozen=True, eq=False)
class Units(Brief):
    """Units are ``(x - shift) / scale``; scale and shift are (d,)."""

    scale: Array
    shift: Array

    @classmethod
    def of(cls, X: Array, weights: Array) -> Units:
        """Those in which the samples X (n, d) have mean 0 and variance 1; constant inputs get the widest's scale."""
        mean, scale = mean_and_spread(X, weights)
        largest = float(np.abs(X).max())
        widest = float(scale.max()) or (largest if largest >= np.finfo(np.float64).tiny else 1.0)
        return cls(np.where(scale > 0, scale, widest), mean)

    @np.errstate(over="ignore")
    def inside(self, X: Array) -> Array:
        """The places X (n, d) in units."""
        return np.clip((X - self.shift) / self.scale, -_FARTHEST, _FARTHEST)


@dataclass(frozen=True, eq=False)
class Gaussians(Brief):
    """A mixture: weights (k,), means (k, d) and covariances (k, d, d), always full matrices."""

    weights: Array
    means: Array
    covariances: Array

    def inside(self, units: Units) -> Gaussians:
        """The same mixture in units."""
        return Gaussians(
            self.weights,
            units.inside(self.means),
            self.covariances / np.multiply.outer(units.scale, units.scale),
        )

    def outside(self, units: Units) -> Gaussians:
        """The mixture in units, in the coordinates that the units are made of."""
        return Gaussians(
            self.weights,
            self.means * units.scale + units.shift,
            self.covariances * np.multiply.outer(units.scale, units.scale),
        )

    @cached_property
    def collapsed(self) -> int:
        """How many components, in units, are as narrow as they may be: they keep their few samples and hardly move."""
        return int((np.linalg.eigvalsh(self.covariances)[:, 0] < 1.1 * LEAST_EIGENVALUE).sum())

    @cached_property
    def whitening(self) -> Array:
        """(k, d, d): what makes each component's deviations from its mean independent, of variance 1."""
        return np.linalg.inv(np.linalg.cholesky(self.covariances))

    @cached_property
    def log_peaks(self) -> Array:
        """(k,) log(weight times density) of every component at its mean."""
        volumes = np.linalg.slogdet(self.covariances)[1] + self.means.shape[1] * np.log(2 * np.pi)
        return np.asarray(np.log(self.weights) - 0.5 * volumes)

    @cached_property
    def coefficients(self) -> Array:
        """(k, m): those of the monomials in log(weight times density) of every component."""
        d = self.means.shape[1]
        precisions = np.linalg.inv(self.covariances)
        linear = (precisions @ self.means[:, :, None])[:, :, 0]
        constant = (
            np.log(self.weights)
            - 0.5 * np.linalg.slogdet(self.covariances)[1]
            - 0.5 * (linear * self.means).sum(axis=1)
            - 0.5 * d * np.log(2 * np.pi)
        )
        i, j, share = _pairs(d)
        return np.concatenate((constant[:, None], linear, share * precisions[:, i, j]), axis=1)


@cache
def _pairs(d: int) -> tuple[Labels, Labels, Array]:
    """The indices i and j of the monomials x_i x_j, and the share of such an entry of a precision in the exponent."""
    i, j = np.triu_indices(d)
    return i, j, np.where(i == j, -0.5, -1.0)


def monomials(columns: Array) -> Array:
    """(m, n): 1, x_j and x_i x_j (i not above j) of the places columns (d, n)."""
    d, n = columns.shape
    i, j, _ = _pairs(d)
    result = np.empty((1 + d + len(i), n))
    result[0] = 1.0
    result[1 : 1 + d] = columns
    np.multiply(columns[i], columns[j], out=result[1 + d :])
    return result


def quadratics_on_grid(coefficients: Array, grid: Grid) -> Array:
    """Sums of monomials of the plane with coefficients (k, 6) at the nodes of a grid, (k, ny, nx).

    On a grid the monomials are sums of products of x and y.
    """
    c, x, y = coefficients, *(np.clip(nodes, -_FARTHEST, _FARTHEST) for nodes in (grid.x, grid.y))
    along, across = np.empty((len(c), 3, len(x))), np.empty((len(c), len(y), 3))
    along[:, 0], along[:, 1], along[:, 2] = 1.0, c[:, 1, None] * x + c[:, 3, None] * (x * x), x
    across[..., 0] = c[:, 2, None] * y + c[:, 5, None] * (y * y) + c[:, 0, None]
    across[..., 1], across[..., 2] = 1.0, c[:, 4, None] * y
    return np.asarray(across @ along)


@dataclass(frozen=True, eq=False)
class SamplesInUnits(Brief):
    """Samples sorted by their coordinates and in units, with what every round of EM needs of them."""

    samples: SortedSamples
    units: Units
    monomials: Array
    """(m, n)."""
    weighted: Array
    """(m, n): each sample's monomials times its weight."""
    total: float
    """The sum of the weights."""

    @classmethod
    def of(cls, X: Array, weights: Array | None) -> SamplesInUnits:
        """The samples X (n, d) with weights (n,), None for all ones."""
        ones = np.ones(len(X))
        units = Units.of(X, ones if weights is None else weights)
        samples = SortedSamples.of(units.inside(X), ones if weights is None else weights)
        phi = monomials(samples.columns)
        return cls(samples, units, phi, phi if weights is None else phi * samples.weights, float(samples.weights.sum()))

    @property
    def in_inputs(self) -> SortedSamples:
        """The samples in the coordinates that the units are made of, in the same order."""
        columns = self.samples.columns * self.units.scale[:, None] + self.units.shift[:, None]
        return SortedSamples(columns, self.samples.weights, self.samples.rows, columns * self.samples.weights)

    def work(self, k: int) -> int:
        """How long a round of EM with k components takes: their responsibilities, and half as much a monomial."""
        return len(self.samples.weights) * (2 * k + len(self.monomials)) // 2

    def most_rounds(self, k: int) -> int:
        """After how many rounds EM stops with k components."""
        return min(ROUNDS, max(_FEWEST_ROUNDS, _WORK // self.work(k)))

    def some(self, most: int) -> SamplesInUnits:
        """At most so many of those that carry weight, as if drawn at random, in the same units."""
        few = self.samples.some(most)
        phi, weighted = (array.take(few.rows, axis=1) for array in (self.monomials, self.weighted))
        return SamplesInUnits(few, self.units, phi, weighted, float(few.weights.sum()))

    def likelihood(self, in_units: float) -> float:
        """The log-likelihood in the coordinates that the units are made of."""
        return in_units - self.total * float(np.log(self.units.scale).sum())


def _relative(joint: AnyArray) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Densities (k, ...) relative to the largest, their sum (...) and its logarithm, absolute; joint is used up."""
    top = np.maximum.reduce(joint)
    joint -= top
    # Against an array of its own shape the maximum is three times as fast as against a number.
    np.maximum(joint, np.full(top.shape, _NEGLIGIBLE[joint.dtype], dtype=joint.dtype), out=joint)
    np.exp(joint, out=joint)
    total = np.add.reduce(joint)
    return joint, total, np.log(total) + top


def to_responsibilities(joint: AnyArray) -> tuple[AnyArray, AnyArray]:
    """From log(weight times density) (k, ...), which is used up: responsibilities (k, ...) and log-densities (...)."""
    relative, total, density = _relative(joint)
    relative /= total
    return relative, density


def log_density(joint: AnyArray) -> AnyArray:
    """From log(weight times density) (k, ...), which is used up: log-densities (...)."""
    return _relative(joint)[2]


def expectation(data: SamplesInUnits, mixture: Gaussians) -> tuple[Array, float]:
    """The E-step: responsibilities (k, n) of the sorted samples, and the log-likelihood of the mixture."""
    responsibilities, density = to_responsibilities(mixture.coefficients @ data.monomials)
    return responsibilities, float(data.samples.weights @ density)


def moments_expected(data: SamplesInUnits, mixture: Gaussians) -> tuple[Array, float]:
    """The sums of the weighted monomials times the responsibilities, (k, m), and the log-likelihood of the mixture.

    The same as after an `expectation` of all samples, but some at a time, as many as the processor keeps at hand.
    """
    moments, likelihood = np.zeros((len(mixture.weights), len(data.monomials))), 0.0
    for first in range(0, len(data.samples.weights), _BLOCK):
        part = slice(first, first + _BLOCK)
        shares, density = to_responsibilities(mixture.coefficients @ data.monomials[:, part])
        moments += shares @ data.weighted[:, part].T
        likelihood += float(data.samples.weights[part] @ density)
    return moments, likelihood


def maximization(data: SamplesInUnits, responsibilities: Array, kind: str) -> Gaussians:
    """The M-step: the likeliest mixture for responsibilities (k, n), its covariances at least the floor."""
    return of_moments(data, responsibilities @ data.weighted.T, kind)


def of_moments(data: SamplesInUnits, moments: Array, kind: str) -> Gaussians:
    """The same from the sums (k, m) of the weighted monomials times the responsibilities."""
    d = len(data.samples.columns)
    counts = moments[:, 0]
    means = moments[:, 1 : 1 + d] / counts[:, None]
    i, j, _ = _pairs(d)
    second = np.empty((len(counts), d, d))
    second[:, i, j] = second[:, j, i] = moments[:, 1 + d :] / counts[:, None]
    scatter = second - means[:, :, None] * means[:, None, :]
    shares = counts / counts.sum()
    weights = np.full_like(shares, 1 / len(shares)) if kind == EQUAL_CIRCLES else shares
    return Gaussians(weights, means, covariances(scatter, shares, kind, data.units.scale))


def covariances(scatter: Array, weights: Array, kind: str, scale: Array) -> Array:
    """The likeliest covariances of a kind for scatter matrices (k, d, d), among those not below the floor."""
    match kind:
        case "full":
            return floor_eigenvalues(scatter)
        case "tied":
            return np.repeat(floor_eigenvalues(np.einsum("k,kij->ij", weights, scatter)[None]), len(weights), axis=0)
    if kind in (EQUAL_CIRCLES, TIED_DIAGONAL):
        scatter = np.repeat(np.einsum("k,kij->ij", weights, scatter)[None], len(weights), axis=0)
    variances = np.diagonal(scatter, axis1=1, axis2=2)
    if kind in ("spherical", EQUAL_CIRCLES):
        # A circle in the coordinates of the samples is an ellipse in units.
        ratio = np.maximum(scale / scale.max(), 1e-100)
        variances = np.maximum((variances * ratio**2).mean(axis=1), LEAST_EIGENVALUE)[:, None] / ratio**2
    result = np.zeros_like(scatter)
    result[:, range(len(scale)), range(len(scale))] = np.maximum(variances, LEAST_EIGENVALUE)
    return result


def floor_eigenvalues(scatter: Array) -> Array:
    """Scatter matrices (k, d, d) with every eigenvalue at least the floor: the likeliest ones among such.

    One of next to no weight may be so wide that only a higher floor leaves it an inverse.
    """
    values, vectors = np.linalg.eigh(scatter)
    floor = np.maximum(LEAST_EIGENVALUE, _INVERTIBLE * values[:, -1:])
    if (values >= floor).all():
        return scatter
    floored = (vectors * np.maximum(values, floor)[:, None, :]) @ vectors.transpose(0, 2, 1)
    return np.where((values[:, :1] < floor)[:, :, None], floored, scatter)


def from_labels(data: SamplesInUnits, labels: Labels, k: int, kind: str) -> Gaussians:
    """The likeliest mixture when each sorted sample belongs to one component alone."""
    return maximization(data, one_hot(labels, k), kind)


def one_hot(labels: Labels, k: int) -> Array:
    """Responsibilities (k, n) that leave no doubt."""
    return np.where(labels == np.arange(k)[:, None], 1.0, _UNSHARED)
