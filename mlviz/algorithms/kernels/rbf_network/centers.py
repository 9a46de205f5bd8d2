"""Where the radial functions of a network stand, and how wide they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.draw.numbers import counted, drawn_part
from mlviz.numerics.arrays import Array
from mlviz.numerics.density.kmeans_starts import draw_centers
from mlviz.numerics.density.lloyd import LloydRounds, SortedSamples
from mlviz.numerics.distances import pairwise
from mlviz.numerics.pauses import Work
from mlviz.numerics.sampling import spread_subsample
from mlviz.spec.brief import Brief

MOST_CENTERS = 500
"""So many different samples are centres; of more, some stand for all."""
_FEWEST, _MOST_VALUES = 100, 15_000_000
"""With very many samples there are fewer centres, down to so many: about so many radial functions are worked out."""
MOST_GROUPED = 2000
"""So many samples are grouped by k-means; of more, some stand for all."""
_ROUNDS = 100
"""So many steps k-means takes at the most; hardly ever so many."""
_PAUSE = 300_000
"""After about so many distances there is a pause."""


@dataclass(frozen=True, eq=False)
class Centers(Brief):
    """The centres (m, d), sorted, and what must be told of them."""

    places: Array
    caveat: str = ""
    some: bool = False
    """Whether they are those of some of the samples, which stand for all."""

    @property
    def to_nearest(self) -> Array:
        """The distance of each centre to the nearest of the others, (m,); of a single one, none."""
        if len(self.places) < 2:
            return np.empty(0)
        apart = pairwise(self.places, self.places)
        np.fill_diagonal(apart, np.inf)
        return np.asarray(apart.min(axis=1))


def every_sample(X: Array) -> Centers:
    """All different places of the samples X (n, d), or where these are too many, some of them."""
    different = np.unique(X, axis=0)
    most = int(np.clip(_MOST_VALUES // len(X), _FEWEST, MOST_CENTERS))
    if len(different) <= most:
        return Centers(different)
    chosen = different[spread_subsample(different, most)]
    return Centers(chosen, f"centres are {drawn_part(most, len(different), 'different samples')}", True)


def some_samples(X: Array, count: int) -> Centers:
    """The places of so many of the samples X (n, d), for a draft."""
    return Centers(np.unique(X[spread_subsample(X, count)], axis=0), "a draft with few centres", True)


def centers_by_kmeans(X: Array, weights: Array, k: int, rng: np.random.Generator) -> Work[Centers]:
    """Find the centres of k clusters of the samples X (n, d), or fewer where fewer differ."""
    rows = spread_subsample(X, MOST_GROUPED)
    samples = SortedSamples.of(X[rows], weights[rows])
    there = min(k, samples.different)
    start = samples.places(np.sort(draw_centers(samples, there, "k-means++", rng)[0]))
    rounds, work = LloydRounds.of(samples, start), 0
    for _ in range(_ROUNDS):
        rounds.assign()
        if rounds.settled:
            break
        rounds.update()
        work += len(rows) * len(start)
        if work > _PAUSE:
            work = 0
            yield
    told, centers = [], rounds.centers
    if len(centers) < k:
        told.append(f"only {counted(len(centers), 'centre')}, since no more samples differ")
    if len(rows) < len(X):
        told.append(f"centres of {drawn_part(len(rows), len(X))}")
    return Centers(centers[np.lexsort(centers.T[::-1])], "; ".join(told), len(rows) < len(X))


def mean_distance(centers: Centers, X: Array) -> float:
    """How far a centre is from the nearest other one, on average; of a single centre, how far the samples are."""
    near = centers.to_nearest
    if len(near):
        return float(near.mean()) or 1.0
    return float(np.sqrt(((X - centers.places[0]) ** 2).sum(axis=1).mean())) or 1.0
