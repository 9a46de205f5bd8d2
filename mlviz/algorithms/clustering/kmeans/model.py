"""What k-means learns: centres and clusters, on the way and at the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import Model, ModelFact
from mlviz.algorithms.clustering.sizes import CLUSTER_SIZES
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.marks import ways
from mlviz.draw.numbers import numbers_apart, probability
from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.density.lloyd import SortedSamples, assign, inertia, smallest
from mlviz.numerics.distances import distance_measure, gaps_on_grid, pairwise, reach, sample_at
from mlviz.numerics.grid import Grid


@dataclass(frozen=True, eq=False)
class KMeansModel(Model):
    """Centres (k, d) on the way or at the end; k clusters were `wanted`, and as many are `reachable` as places differ.

    `assigned` (n,) are the sorted samples' clusters; in an update step those of the assignment before, None in a
    seeding step, when only the clusters `codes` (k,) exist. The first `walked` places of the walk are behind it: that
    grows with the fit, and holds where the centres have been. `chances` (n,) is the probability with which each sorted
    sample becomes the next centre, `drawn_with` that of the newest one.
    """

    samples: SortedSamples
    wanted: int
    centers: Array
    stage: str
    assigned: Labels | None = None
    codes: Labels | None = None
    reached: float | None = None
    """The inertia, where the steps have worked it out."""
    walk: list[Array] = field(default_factory=list)
    walked: int = 0
    chances: Array | None = None
    drawn_with: float | None = None
    settled: bool = False
    late: bool = False
    """Whether Lloyd's steps were stopped here, since there are very many samples."""
    start: Array | None = None
    """Where the centres (k, d) start, where the hand has placed them."""
    given: str | None = None
    """The text that says where; None where the start is another one."""
    left_out: str = ""
    """That not all restarts were made, where so many take too long."""

    field = "predict"
    objective_name = "inertia"
    objective_measured = True

    known_facts = (
        ModelFact(
            "inertia",
            lambda m: m.inertia,
            "Sum of squared distances of the samples to the centres of their clusters; from one start it never rises.",
        ),
        CLUSTER_SIZES,
        ModelFact(
            "converged",
            lambda m: m.settled,
            "Whether the assignment stayed the same in the last step, so that nothing would change any more.",
        ),
        ModelFact(
            "chance of the newest centre",
            lambda m: m.drawn_with,
            "While starting: the chance with which the sample was drawn that is the newest centre; for the first one "
            "it is 1/n, or the share of its weight.",
            "share",
        ),
        ModelFact(
            "largest chance",
            lambda m: None if m.chances is None else float(m.chances.max()),
            "While starting: the largest chance that a sample has to become the next centre.",
            "share",
        ),
        ModelFact(
            "the same as",
            lambda m: "the mean of all samples" if len(m.centers) == m.reachable == 1 and m.settled else None,
            "What one cluster comes to: its centre is the mean, and the inertia the sum of squared distances from it.",
        ),
    )

    @cached_property
    def reachable(self) -> int:
        """How many clusters there can be."""
        return min(self.wanted, self.samples.different)

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """That there are fewer clusters than were wanted, that the steps were stopped, or were fewer restarts."""
        few, k = "", self.reachable
        if k < self.wanted:
            there = "is only 1 distinct sample" if k == 1 else f"are only {k} distinct samples"
            few = f"only {k} cluster{'s' * (k != 1)} for k = {self.wanted}, since there {there}"
        stopped = f"stopped after {self.walked} assignments" if self.late else ""
        return "; ".join(filter(None, (few, stopped, self.left_out)))

    @cached_property
    def labels(self) -> Labels:
        """The cluster of each sample, (n,)."""
        return self.samples.unsorted(self.clusters[self._nearest])

    @cached_property
    def inertia(self) -> float:
        """The weighted sum of squared distances from the samples to the centres of their clusters."""
        return inertia(self.samples, self._nearest, self.centers) if self.reached is None else self.reached

    @cached_property
    def objective(self) -> float:  # type: ignore[override]
        """The inertia, once all centres are there and move."""
        return self.inertia if self.walked else float("nan")

    @property
    def trail(self) -> Array:
        """Where the centres were, (steps, k, d)."""
        return np.array(self.walk[: self.walked]).reshape(-1, *self.centers.shape)

    @property
    def seeding_chances(self) -> Array | None:
        """Each sample's chance to become the next centre, (n,); None when no more are drawn."""
        return None if self.chances is None else self.samples.unsorted(self.chances)

    rating_name = "inertia"

    @property
    def rating(self) -> float:
        """The inertia of its own centres."""
        return self.rating_of(self.centers)

    def rating_of(self, centers: Array) -> float:
        """The inertia of centres (k, d), each sample with the nearest one."""
        return float(self.samples.weights @ assign(self.samples, centers)[1])

    @cached_property
    def _nearest(self) -> Labels:
        return assign(self.samples, self.centers)[0] if self.assigned is None else self.assigned

    @property
    def clusters(self) -> Labels:
        """The codes of the clusters, (k,)."""
        return np.arange(len(self.centers)) if self.codes is None else self.codes

    def predict(self, X: Array) -> Labels:
        """The cluster of the nearest centre, (q,)."""
        columns = np.asarray(X, dtype=np.float64).T
        nearest, _ = smallest(distance_measure(columns - center[:, None], "euclidean") for center in self.centers)
        return np.asarray(self.clusters[nearest])

    def transform(self, X: Array) -> Array:
        """The distances to the centres, (q, k)."""
        return pairwise(np.asarray(X, dtype=np.float64), self.centers)

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> Labels:
        """The cluster of every node, (ny, nx); whole numbers whatever the dtype."""
        nearest, _ = smallest(gaps_on_grid(grid, center, "euclidean") for center in self.centers)
        return nearest if self.codes is None else self.codes[nearest]

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """How far the nearest two centres are."""
        distances = self.transform(x[None, :])[0]
        nearest = np.argsort(distances, kind="stable")[:2]
        called = [f"cluster {self.clusters[j] + 1}" for j in nearest]
        told = numbers_apart(*distances[nearest].tolist(), beside=reach(x, self.samples.columns))
        sentence = f"{called[0]}: its centre is {told[0]} away"
        if len(nearest) > 1:
            sentence += f", the next one, of {called[1]}, {told[1]}"
        sentence += self._told_chance(x)
        return Explanation(sentence + ".", ways(self.centers[nearest], x), measured=True)

    def _told_chance(self, x: Array) -> str:
        """How likely the sample at a place, if there is one, is the next centre."""
        if self.chances is None:
            return ""
        row, _ = sample_at(self.samples.columns.T, x)
        if row is None:
            return ""
        chance = float(self.chances[row])
        if chance in (0.0, 1.0):
            return f"; this sample is {'certainly' if chance else 'not'} the next centre"
        return f"; the chance of this sample to be the next centre is {probability(chance)}"
