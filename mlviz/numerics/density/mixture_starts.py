"""Where EM may start: a few steps of k-means, means that are samples drawn at random, or random responsibilities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array, Labels, Rows
from mlviz.numerics.density.gaussian_mixture import (
    Gaussians,
    SamplesInUnits,
    covariances,
    from_labels,
    maximization,
)
from mlviz.numerics.density.kmeans_starts import draw_centers
from mlviz.numerics.density.lloyd import LloydRounds, assign
from mlviz.spec.brief import Brief

BY_KMEANS, RANDOM_MEANS, RANDOM_RESPONSIBILITIES = "start by k-means", "random means", "random responsibilities"
DRAWN_STARTS = (BY_KMEANS, RANDOM_MEANS, RANDOM_RESPONSIBILITIES)


_LLOYD = 5
"""So many assignments of k-means, at the most, find where EM starts."""
_SEEDINGS = 10
"""So many drawn starts are compared, as long as that takes no more than `_COMPARED` distances."""
_COMPARED = 1_000_000


@dataclass(frozen=True, eq=False)
class MixtureStart(Brief):
    """A mixture to start from, in units, and the assignments (n,) of the sorted samples by which k-means led to it."""

    mixture: Gaussians
    assignments: tuple[Labels, ...] = ()
    centers: tuple[Array, ...] = ()
    """Those (k, d) to which each assignment led."""

    def of_all(self, data: SamplesInUnits, kind: str) -> MixtureStart:
        """The start of all samples that this one of some of them comes to: by k-means all go to the same centres."""
        if not self.centers:
            return self
        assignments = tuple(assign(data.samples, centers)[0] for centers in self.centers)
        mixture = from_labels(data, assignments[-1], len(self.mixture.weights), kind)
        return MixtureStart(mixture, assignments, self.centers)


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
    assignments, centers = zip(*starts(data, rows), strict=True)
    return MixtureStart(from_labels(data, assignments[-1], k, kind), assignments, centers)


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


def seeds(data: SamplesInUnits, k: int, rng: np.random.Generator) -> Rows:
    """The rows of k sorted samples, as k-means++ draws them; of several drawings that of the least inertia.

    A single one often has two seeds in one heap and none in another, from where EM doesn't find back.
    """
    samples = data.samples
    drawings = max(1, min(_SEEDINGS, _COMPARED // (k * len(samples.weights))))
    drawn = [draw_centers(samples, k, "k-means++", rng)[0] for _ in range(drawings)]
    return min(drawn, key=lambda rows: float(samples.weights @ assign(samples, samples.places(rows))[1]))


def starts(data: SamplesInUnits, rows: Rows) -> Iterator[tuple[Labels, Array]]:
    """The clusters of the sorted samples after each of the first assignments of k-means from k of them, `rows`.

    With the centres (k, d) that they were assigned to.
    """
    # Components are named by the sorted samples, from left to right.
    rounds = LloydRounds.of(data.samples, data.samples.places(np.sort(rows)))
    labels = None
    for _ in range(_LLOYD):
        rounds.assign()
        if labels is not None and (rounds.labels == labels).all():
            return
        labels = rounds.labels
        yield labels, rounds.centers
        rounds.update()
