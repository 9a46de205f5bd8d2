"""What weighted Gaussians say of single places: distances, densities, and how small a density is unlikely."""

from __future__ import annotations

from functools import cache

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.density.gaussian_mixture import Gaussians, log_density

_PROBES = 512
"""The density is probed at so many places about each mean."""


def squared_distances(gaussians: Gaussians, Z: Array) -> Array:
    """The squared Mahalanobis distances of the places Z (n, d) from every mean, (k, n)."""
    whitening = np.linalg.inv(np.linalg.cholesky(gaussians.covariances))
    found = np.empty((len(whitening), len(Z)))
    for row, mean, factor in zip(found, gaussians.means, whitening, strict=True):
        white = (Z - mean) @ factor.T
        np.einsum("ij,ij->i", white, white, out=row)
    return found


def log_joint(gaussians: Gaussians, Z: Array) -> Array:
    """Log(weight times density) of every Gaussian at the places Z (n, d), (k, n).

    `Gaussians.coefficients` are faster for many places of few inputs; here nothing cancels, and many inputs need no
    monomials.
    """
    volumes = np.linalg.slogdet(gaussians.covariances)[1] + gaussians.means.shape[1] * np.log(2 * np.pi)
    return np.asarray((np.log(gaussians.weights) - 0.5 * volumes)[:, None] - 0.5 * squared_distances(gaussians, Z))


def outlier_log_density(gaussians: Gaussians, share: float, seed: int) -> float:
    """The log-density that only this share of what the Gaussians together would draw stays below.

    For one Gaussian that is the density where the squared Mahalanobis distance is the (1 - share)-quantile of the
    chi-square distribution with d degrees of freedom. For several, each is probed at distances of known probability,
    dense where it is small, in random directions.
    """
    d = gaussians.means.shape[1]
    exceeded, chance = _strata(_PROBES)
    directions = np.random.default_rng(seed).standard_normal((_PROBES, d))
    normal = (_radii(_PROBES, d) / np.linalg.norm(directions, axis=1))[:, None] * directions
    factors = np.linalg.cholesky(gaussians.covariances)
    places = gaussians.means[:, None, :] + normal @ factors.transpose(0, 2, 1)
    if len(factors) == 1:
        return float(np.interp(share, exceeded, log_density(log_joint(gaussians, places[0]))))
    found = log_density(log_joint(gaussians, places.reshape(-1, d)))
    mass = np.multiply.outer(gaussians.weights, chance).ravel()
    order = np.argsort(found, kind="stable")
    return float(np.interp(share, np.cumsum(mass[order]) - mass[order] / 2, found[order]))


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
