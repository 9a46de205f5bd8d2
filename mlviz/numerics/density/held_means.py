"""Mixtures of Gaussians whose means are given, and only their weights and shapes are looked for, by EM."""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.density.gaussian_mixture import (
    EQUAL_CIRCLES,
    TOLERANCE,
    Gaussians,
    SamplesInUnits,
    covariances,
    expectation,
    maximization,
    one_hot,
)
from mlviz.numerics.density.lloyd import assign

_ROUNDS = 200
"""EM stops after so many rounds."""


def likelihood_of_means(data: SamplesInUnits, means: Array, kind: str) -> float:
    """The log-likelihood in units of a mixture with those means (k, d), in units, after EM on all else.

    It starts from the nearest mean of each sample. Two means in one place count as one Gaussian.
    """
    means = np.unique(means, axis=0)
    mixture = held_mixture(data, one_hot(assign(data.samples, means)[0], len(means)), means, kind)
    reached = -np.inf
    for _ in range(min(_ROUNDS, data.most_rounds(len(means)))):
        responsibilities, likelihood = expectation(data, mixture)
        if likelihood - reached < TOLERANCE * data.total:
            return max(likelihood, reached)
        reached = likelihood
        mixture = held_mixture(data, responsibilities, means, kind)
    return reached


def held_mixture(data: SamplesInUnits, responsibilities: Array, means: Array, kind: str) -> Gaussians:
    """The likeliest mixture for responsibilities (k, n) with those means (k, d): samples spread about these."""
    free = maximization(data, responsibilities, "full")
    moved = free.means - means
    scatter = free.covariances + moved[:, :, None] * moved[:, None, :]
    weights = np.full_like(free.weights, 1 / len(means)) if kind == EQUAL_CIRCLES else free.weights
    return Gaussians(weights, means, covariances(scatter, free.weights, kind, data.units.scale))
