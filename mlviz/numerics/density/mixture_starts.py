"""Where EM may start: a few steps of k-means, means that are samples drawn at random, or random responsibilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.density.gaussian_mixture import (
    Gaussians,
    SamplesInUnits,
    covariances,
    from_labels,
    maximization,
    seeds,
    starts,
)
from mlviz.numerics.density.kmeans_starts import draw_centers
from mlviz.spec.brief import Brief

BY_KMEANS, RANDOM_MEANS, RANDOM_RESPONSIBILITIES = "start by k-means", "random means", "random responsibilities"
DRAWN_STARTS = (BY_KMEANS, RANDOM_MEANS, RANDOM_RESPONSIBILITIES)


@dataclass(frozen=True, eq=False)
class MixtureStart(Brief):
    """A mixture to start from, in units, and the assignments (n,) of the sorted samples by which k-means led to it."""

    mixture: Gaussians
    assignments: tuple[Labels, ...] = ()


def drawn_start(
    data: SamplesInUnits, k: int, kind: str, how: str, rng: np.random.Generator, compared: bool = False
) -> MixtureStart:
    """One of the `DRAWN_STARTS` of k components; `compared`: k-means from the best of several drawings."""
    if how == RANDOM_MEANS:
        return MixtureStart(
            _about(data, data.samples.places(draw_centers(data.samples, k, "random points", rng)[0]), kind)
        )
    if how == RANDOM_RESPONSIBILITIES:
        return MixtureStart(maximization(data, _random_responsibilities(data, k, rng), kind))
    rows = seeds(data, k, rng) if compared else draw_centers(data.samples, k, "k-means++", rng)[0]
    assignments = tuple(starts(data, rows))
    return MixtureStart(from_labels(data, assignments[-1], k, kind), assignments)


def _about(data: SamplesInUnits, means: Array, kind: str) -> Gaussians:
    """Equally likely components with those means (k, d), each as wide as all samples together."""
    k = len(means)
    weights = np.full(k, 1 / k)
    one = maximization(data, np.ones((1, len(data.samples.weights))), "full")
    return Gaussians(
        weights, means, covariances(np.repeat(one.covariances, k, axis=0), weights, kind, data.units.scale)
    )


def _random_responsibilities(data: SamplesInUnits, k: int, rng: np.random.Generator) -> Array:
    """Uniform random numbers (k, n), each divided by the sum for its sample; samples at one place have the same."""
    heavy = data.samples.weights > 0
    places = data.samples.columns[:, heavy]
    new = np.ones(places.shape[1], dtype=bool)
    new[1:] = (places[:, 1:] != places[:, :-1]).any(axis=0)
    drawn = rng.random((int(new.sum()), k)).T
    drawn /= drawn.sum(axis=0)
    found = np.full((k, len(heavy)), 1 / k)
    found[:, heavy] = drawn[:, np.cumsum(new) - 1]
    return found
