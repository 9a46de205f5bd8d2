"""What methods share that give each sample a place in few dimensions: the samples, models and a follower."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Protocol, TypeVar

import numpy as np

from mlviz.algorithms.base import CannotFit, Model, ModelFact
from mlviz.algorithms.checking import refuse_distant
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.marks import Mark, ways
from mlviz.draw.numbers import counted, drawn_part, place
from mlviz.numerics.arrays import AnyArray, Array, Labels, Rows
from mlviz.numerics.distances import pairwise, sample_at
from mlviz.numerics.embedding.distance_matrix import all_distances, nearest_of_each, neighbours_kept, some_pairs
from mlviz.numerics.linalg.principal_axes import COMPUTABLE_DISTANCES, principal_axes
from mlviz.numerics.neighbors.search import Search
from mlviz.numerics.pauses import Work, finished, meanwhile
from mlviz.numerics.sampling import SamplePlaces
from mlviz.spec.brief import Brief

MOST_SAMPLES, MOST_IN_STEPS = 1000, 400
"""Of more different samples so many get a place at once, or in a thousand steps, whose time goes by the square."""
MOST_OF_DRAFT = 400
"""So many at the most while one is moved."""
_MANY = 400
"""With more samples the distances take a while."""
_NEIGHBOURS = 10
"""So many nearest samples are compared."""
_FARTHEST = 1e150
_UNSURE = 1e-9
"""A coordinate below this share of the largest is no more than what iterations leave."""
_MOST_PAIRS = 2000
"""Of more pairs of distances some are drawn."""
_LINES = 5
"""Lines lead to so many samples that are near in the embedding."""


@dataclass(frozen=True, eq=False)
class EmbeddedSamples(Brief):
    """The different samples, sorted, or some of them: `places` (m, d) with weights (m,), in units from a middle.

    `distances` (m, m) are in the unit, and None while they are worked out. `node` (n,) says which of them a sample of
    X (n, d) is, -1 where it is none of these.
    """

    X: Array
    places: Array
    weights: Array
    metric: str
    middle: Array
    unit: float
    node: Labels
    different: int
    """How many different samples there are."""
    distances: Array | None = None

    @classmethod
    def of(cls, X: Array, sample_weight: Array | None, metric: str, most: int) -> EmbeddedSamples:
        """At most so many of the samples X (n, d), without distances; raises `CannotFit`."""
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        heavy = np.flatnonzero(weights > 0)
        refuse_distant(X[heavy])
        merged = SamplePlaces.of(X, weights, most)
        if len(merged.X) < 2:
            one = "There is only 1 sample" if len(X) == 1 else "All samples are at the same place"
            raise CannotFit(f"{one}; an embedding needs samples at two places at least.")
        middle = X[heavy].min(axis=0) / 2 + X[heavy].max(axis=0) / 2
        unit = float(np.abs(X[heavy] - middle).max())
        if not COMPUTABLE_DISTANCES[0] < unit:
            raise CannotFit("The samples are too close together to compute distances between them.")
        return cls(X.copy(), merged.X, merged.weight, metric, middle, unit, merged.group, merged.different)

    def inside(self, places: Array) -> Array:
        """Places (q, d) from the middle in units; those too far for squares count as if they were just near enough."""
        with np.errstate(over="ignore"):
            return np.clip((places - self.middle) / self.unit, -_FARTHEST, _FARTHEST)

    def with_distances(self) -> Work[EmbeddedSamples]:
        """Work out the distances."""
        distances = yield from all_distances(self.inside(self.places), self.metric)
        return replace(self, distances=distances)

    def distances_to(self, X: Array) -> Array:
        """The distances of places X (q, d) to the samples, in units: (q, m)."""
        return pairwise(self.inside(np.asarray(X, dtype=np.float64)), self.inside(self.places), self.metric)

    def scores(self, count: int) -> Array:
        """The scores (m, count) along principal components, in units; 0 where there is no further component."""
        Z, found = self.inside(self.places), np.zeros((len(self.places), count))
        axes = principal_axes(np.ascontiguousarray(Z.T), self.weights, float(self.weights.sum()))
        if axes is not None:
            mean, rows, deviations = axes
            k = min(count, len(rows))
            found[:, :k] = (Z - mean) @ rows[:k].T * (deviations[:k] > 0)
        return found

    @property
    def neighbours(self) -> int:
        """How many nearest samples of each are compared: 10, or half of the others."""
        return min(_NEIGHBOURS, max(1, (len(self.places) - 1) // 2))

    @cached_property
    def near(self) -> Labels | None:
        """The nearest ones of each, (m, neighbours)."""
        return None if self.distances is None else nearest_of_each(self.distances, self.neighbours)

    @cached_property
    def some_pairs(self) -> tuple[Labels, Labels]:
        """Some of the pairs of samples, evenly by their distances: (p,) and (p,)."""
        assert self.distances is not None
        return some_pairs(self.distances, _MOST_PAIRS)


NEIGHBOURS_KEPT = ModelFact(
    "neighbours kept",
    lambda m: m.neighbours_kept,
    f"Share of each sample's {_NEIGHBOURS} nearest ones, or of half of the others if these are fewer, that are among "
    "as many nearest ones in the embedding, too; of some that are equally far any may be the last of them.",
    "share",
)


@dataclass(frozen=True, eq=False, kw_only=True)
class EmbeddingModel(Model):
    """The places `embedding` (m, k) of the samples."""

    samples: EmbeddedSamples
    embedding: Array
    stage: str = ""
    placed_by: ClassVar[str]
    """How a place that is no sample gets into the embedding."""
    measures_distances: ClassVar[bool]
    """Whether distances in the embedding are to be those of the samples, in their units."""

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """That only some of the samples are embedded."""
        n, m = self.samples.different, len(self.samples.places)
        return f"embedding of {drawn_part(m, n, 'different samples')}" if m < n else ""

    @cached_property
    def neighbours_kept(self) -> float | None:
        """The share of near samples that are near in the embedding, too."""
        samples = self.samples
        if samples.distances is None:
            return None
        return neighbours_kept(samples.distances, self.embedding, samples.neighbours)

    @property
    def embedded_rows(self) -> Rows:
        """The rows of the fitted samples that have a place."""
        return np.flatnonzero(self.samples.node >= 0)

    def transform(self, X: Array) -> Array:
        """Where places (q, d) would be in the embedding, (q, k)."""
        raise NotImplementedError

    def at(self, x: Array) -> tuple[int | None, Array]:
        """Which of the embedded samples is at a place (d,), if any, and where that is in the embedding, (k,)."""
        row, _ = sample_at(self.samples.places, x)
        return row, self.transform(x[None])[0] if row is None else self.embedding[row]

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The place in the embedding, and lines to the samples that are near there."""
        row, there = self.at(x)
        distance = np.hypot.reduce(self.embedding - there, axis=1)
        if row is not None:
            distance[row] = np.inf
        near = np.argsort(distance, kind="stable")[: min(_LINES, len(distance) - (row is not None))]
        what = "this sample is" if row is not None else self.placed_by
        lines = f"lines lead to the {counted(len(near), 'sample')} nearest to it in the embedding"
        marks: tuple[Mark, ...] = ways(self.samples.places[near], x)
        shown = np.where(np.abs(there) > _UNSURE * np.abs(self.embedding).max(), there, 0.0)
        told = f"{what} at {place(shown)} in the embedding" + (f"; {lines}." if marks else ".")
        return Explanation(told, marks, measured=self.measures_distances)


Found = TypeVar("Found", bound=EmbeddingModel)
Found_co = TypeVar("Found_co", bound=EmbeddingModel, covariant=True)


class Embeds(Protocol[Found_co]):
    """What a method of the kind says."""

    @property
    def metric(self) -> str:
        """How distances between samples are measured."""

    @property
    def n_components(self) -> int:
        """How many coordinates the embedding has."""

    def most_samples(self, d: int) -> int:
        """How many different samples of d inputs get a place."""

    def models(
        self, samples: EmbeddedSamples, rng: np.random.Generator, start: Array | None = None
    ) -> Iterator[Found_co]:
        """The models of samples that have distances, from a start (m, k) where there is one."""


def steps_of(
    method: Embeds[Found], model: type[Found], X: Array, sample_weight: Array | None, rng: np.random.Generator
) -> Iterator[Found]:
    """The models of a method; of many samples first, again and again, principal components while it prepares."""
    bare = EmbeddedSamples.of(X, sample_weight, method.metric, method.most_samples(X.shape[1]))
    if len(bare.places) <= _MANY:
        yield from method.models(finished(bare.with_distances()), rng)
        return
    first = model(samples=bare, embedding=bare.unit * bare.scores(method.n_components), stage="principal components")
    samples = yield from meanwhile(first, bare.with_distances())
    yield from method.models(samples, rng)


class EmbeddingFollower:
    """Goes on from the last embedding, so that it turns no more than it must. Of many samples some have a place."""

    _last: EmbeddingModel | None = None

    def start_from(self, model: EmbeddingModel) -> None:
        """Go on from that model."""
        self._last = model

    def update(
        self,
        algorithm: Embeds[EmbeddingModel],
        X: Array,
        y: AnyArray | None,
        sample_weight: Array | None,
        deadline: float,
    ) -> EmbeddingModel:
        """The embedding after as many steps as there is time for, at least one."""
        last, self._last = self._last, None
        bare = EmbeddedSamples.of(X, sample_weight, algorithm.metric, MOST_OF_DRAFT)
        samples = finished(bare.with_distances())
        start = None if last is None else carried_over(last, samples, algorithm.n_components)
        for number, model in enumerate(algorithm.models(samples, np.random.default_rng(0), start)):  # noqa: B007
            # The first one is the start itself.
            if number and time.perf_counter() > deadline:
                break
        self._last = model
        return model


def carried_over(last: EmbeddingModel, samples: EmbeddedSamples, count: int) -> Array | None:
    """Where the samples (m, k) were in the last embedding, by their rows, or else by the nearest places."""
    former = last.samples
    if last.embedding.shape[1] != count or former.X.shape[1] != samples.X.shape[1]:
        return None
    found = Search(former.places, "euclidean").first(samples.places)
    if len(former.X) == len(samples.X):
        rows = np.flatnonzero((former.node >= 0) & (samples.node >= 0))
        found[samples.node[rows]] = former.node[rows]
    return last.embedding[found]
