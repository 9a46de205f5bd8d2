"""Gaussians of classes: their moments, and what they say of places: distances, densities, how small is unlikely.

Means and covariances are found by class (maximum likelihood: divided by the weight of the class), in units of the
spread within the classes: there one floor suits every scale, and neither a far origin nor classes far apart cost
digits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.density.gaussian_mixture import Gaussians, Units, log_density
from mlviz.spec.brief import Brief

_PROBES = 512
"""The density is probed at so many places about each mean."""


def normal_below(z: float) -> float:
    """How many standard normal numbers are below z."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


def squared_distances(gaussians: Gaussians, Z: Array) -> Array:
    """The squared Mahalanobis distances of the places Z (n, d) from every mean, (k, n)."""
    found = np.empty((len(gaussians.means), len(Z)))
    for row, mean, factor in zip(found, gaussians.means, gaussians.whitening, strict=True):
        white = (Z - mean) @ factor.T
        np.einsum("ij,ij->i", white, white, out=row)
    return found


def log_joint(gaussians: Gaussians, Z: Array) -> Array:
    """Log(weight times density) of every Gaussian at the places Z (n, d), (k, n).

    `Gaussians.coefficients` are faster for many places of few inputs; here nothing cancels, and many inputs need no
    monomials.
    """
    return np.asarray(gaussians.log_peaks[:, None] - 0.5 * squared_distances(gaussians, Z))


def outlier_log_density(gaussians: Gaussians, share: float) -> float:
    """The log-density that only this share of what the Gaussians together would draw stays below.

    For one Gaussian that is the density where the squared Mahalanobis distance is the (1 - share)-quantile of the
    chi-square distribution with d degrees of freedom. For several, each is probed at distances of known probability,
    dense where it is small, in directions drawn once for all.
    """
    d = gaussians.means.shape[1]
    exceeded, chance = _strata(_PROBES)
    normal = _probes(d)
    factors = np.linalg.cholesky(gaussians.covariances)
    places = gaussians.means[:, None, :] + normal @ factors.transpose(0, 2, 1)
    if len(factors) == 1:
        return float(np.interp(share, exceeded, log_density(log_joint(gaussians, places[0]))))
    found = log_density(log_joint(gaussians, places.reshape(-1, d)))
    mass = np.multiply.outer(gaussians.weights, chance).ravel()
    order = np.argsort(found, kind="stable")
    return float(np.interp(share, np.cumsum(mass[order]) - mass[order] / 2, found[order]))


@lru_cache(maxsize=4)
def _probes(d: int) -> Array:
    """Places (_PROBES, d) about 0 in random directions, at the radii of the strata; the same with every call."""
    directions = np.random.default_rng(0).standard_normal((_PROBES, d))
    return np.asarray((_radii(_PROBES, d) / np.linalg.norm(directions, axis=1))[:, None] * directions)


@cache
def _strata(m: int) -> tuple[Array, Array]:
    """In how many cases a radius is exceeded, rising, and the share of the cases that it stands for, both (m,)."""
    edges = (np.arange(m + 1) / m) ** 2
    return (edges[1:] + edges[:-1]) / 2, np.diff(edges)


@cache
def _radii(m: int, d: int) -> Array:
    """The distances from the mean that a normal sample exceeds with the probabilities of the strata, (m,)."""
    exceeded, _ = _strata(m)
    if d == 2:
        return np.asarray(np.sqrt(-2 * np.log(exceeded)))
    from scipy.special import gammainccinv

    return np.asarray(np.sqrt(2 * gammainccinv(d / 2, exceeded)))


_LARGEST, _SMALLEST = 1e150, 1e-150
"""Spreads beyond have no square in floating point."""


@dataclass(frozen=True, eq=False)
class ClassMoments(Brief):
    """Of k classes; means and covariances in units."""

    units: Units
    counts: Array
    """(k,) the sum of the weights of each class's samples."""
    means: Array
    """(k, d)."""
    covariances: Array
    """(k, d, d)."""

    @classmethod
    def of(cls, X: Array, starts: Labels, weights: Array) -> ClassMoments | None:
        """Those of the samples X (n, d), sorted by class, whose rows begin at `starts` (k,); None where floats end."""
        # Sums along rows of memory take a tenth of the time.
        columns = np.ascontiguousarray(X.T)
        ends = np.append(starts[1:], len(X))
        lengths = ends - starts
        counts = np.add.reduceat(weights, starts)
        shares = weights / np.repeat(counts, lengths)
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            # Dividing by the largest magnitude first keeps the squares from overflowing and from vanishing.
            size = np.abs(columns).max(axis=1, keepdims=True)
            size[size < np.finfo(np.float64).tiny] = 1.0
            columns = columns / size
            means, centred = _centred(columns, shares, starts, lengths)
            spreads = np.sqrt(np.add.reduceat(shares * centred**2, starts, axis=1))
            # Rounding leaves a constant column with a spread of a few units in the last place of its mean.
            spreads[spreads <= 4 * np.finfo(np.float64).eps * np.abs(means)] = 0.0
            spreads[spreads * size < np.finfo(np.float64).tiny] = 0.0
            means, spreads = (means * size).T, (spreads * size).T
            units = _units(X, weights, counts / counts.sum(), means, spreads)
        if not (units.scale.min() > _SMALLEST and units.scale.max() < _LARGEST):
            return None
        centred *= size / units.scale[:, None]
        covariances = [centred[:, i:j] * shares[i:j] @ centred[:, i:j].T for i, j in zip(starts, ends, strict=True)]
        return cls(units, counts, units.inside(means), np.array(covariances))

    @property
    def pooled(self) -> Array:
        """The covariance (d, d) within the classes, each counting by its weight."""
        return np.asarray(np.einsum("k,kij->ij", self.counts / self.counts.sum(), self.covariances))


def _centred(columns: Array, shares: Array, starts: Labels, lengths: Labels) -> tuple[Array, Array]:
    """The means (d, k) of the classes, and the columns (d, n) less the mean of their class."""
    means = np.add.reduceat(shares * columns, starts, axis=1)
    # Far from 0 the sum has lost digits: what remains of the mean is found once more.
    means += np.add.reduceat(shares * (columns - np.repeat(means, lengths, axis=1)), starts, axis=1)
    return means, columns - np.repeat(means, lengths, axis=1)


def _units(X: Array, weights: Array, shares: Array, means: Array, spreads: Array) -> Units:
    """The spread within the classes; of inputs that do not vary there, that of all samples."""
    largest = float(spreads.max()) or 1.0
    within = largest * np.sqrt(shares @ (spreads / largest) ** 2)
    if not within.all():
        within = np.where(within > 0, within, Units.of(X, weights).scale)
    return Units(within, shares @ means)
