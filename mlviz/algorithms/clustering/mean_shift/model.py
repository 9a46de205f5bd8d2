"""What mean shift finds: where each sample has climbed to, and the modes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import Model, ModelFact
from mlviz.algorithms.clustering.sizes import SIZES, told_sizes
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.marks import Arrows, Lines, Mark
from mlviz.draw.numbers import cleared, drawn_part, number
from mlviz.numerics.arrays import Array, Labels, Rows, middle_row
from mlviz.numerics.density.mean_shift import (
    MOST_ROUNDS,
    STILL,
    Climb,
    climb,
    densities,
    kernel_weights,
    merged,
    summits,
)
from mlviz.numerics.distances import reach, sphere
from mlviz.numerics.grid import Grid
from mlviz.numerics.neighbors.search import Search
from mlviz.numerics.sampling import SamplePlaces, spread_subsample
from mlviz.spec.brief import Brief

MOST_SAMPLES = 1500
"""Of more different samples, so many make the density and climb it."""


@dataclass(frozen=True, eq=False)
class ShiftedSamples(Brief):
    """The samples X (n, d), and those that make the density: the different ones, sorted, or some of these.

    `used` (m, d) are these, Z (m, d) the same from `middle` (d,) on in units of the bandwidth, and `weights` (m,). Of
    these the rows `starts` climb. The walk grows with the fit.
    """

    X: Array
    bandwidth: float
    kernel: str
    used: Array
    weights: Array
    middle: Array
    starts: Labels
    different: int
    """How many different samples there are."""
    walk: list[Climb] = field(default_factory=list)

    @classmethod
    def of(
        cls, X: Array, weights: Array, bandwidth: float, kernel: str, climbing: int = MOST_SAMPLES
    ) -> ShiftedSamples:
        """The samples, merged where they are equal; at most so many climb."""
        merged = SamplePlaces.of(X, weights, MOST_SAMPLES)
        used = merged.X
        middle = middle_row(used)
        starts = spread_subsample(used, climbing)
        return cls(X.copy(), bandwidth, kernel, used, merged.weight, middle, starts, merged.different)

    def climb(self) -> Iterator[int]:
        """Let them climb: the number of each round, after it."""
        for rounds, now in enumerate(climb(self.Z, self.weights, self.kernel, self.starts)):
            self.walk.append(now)
            yield rounds

    @cached_property
    def Z(self) -> Array:
        """The samples that make the density, in units of the bandwidth."""
        return (self.used - self.middle) / self.bandwidth

    def outside(self, places: Array) -> Array:
        """Places in units (k, d), in the coordinates of the samples."""
        return places * self.bandwidth + self.middle

    @cached_property
    def search(self) -> Search:
        """Finds the nearest of those that climb."""
        return Search(self.used[self.starts], "euclidean")

    def nearest(self, places: Array) -> Rows:
        """Which of those that climb is the nearest to each place (q, d), (q,)."""
        return self.search.first(places)

    @cached_property
    def own(self) -> Labels:
        """(n,) which of those that climb is the nearest to each sample: itself where it does."""
        return self.nearest(self.X)


@dataclass(frozen=True, eq=False)
class MeanShiftModel(Model):
    """The climbers after so many rounds; at the end with their modes made exact and merged."""

    samples: ShiftedSamples
    rounds: int
    finished: bool = False

    field = "predict"

    known_facts = (
        ModelFact("clusters", lambda m: len(m.modes), "How many places there are at which samples arrive."),
        ModelFact(
            SIZES,
            lambda m: told_sizes(m.labels, np.arange(len(m.modes))),
            "How many samples arrive at each mode, in the order of their colours.",
        ),
        ModelFact(
            "largest shift",
            lambda m: m.largest_shift,
            f"How far the last round moved a place at most; one that moves by less than {STILL:g} h has arrived.",
        ),
        ModelFact("rounds", lambda m: m.rounds, "How many times all places have moved.", level="solver"),
    )

    @property
    def stage(self) -> str:  # type: ignore[override]
        """What the step does."""
        return "modes" if self.finished else "shift" if self.rounds else "start"

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """That some samples stand for all, or that the climb was stopped."""
        n, used = self.samples.different, len(self.samples.used)
        some = f"with {drawn_part(used, n, 'different samples')}" if used < n else ""
        late = self.rounds >= MOST_ROUNDS and self.samples.walk[self.rounds].climbing
        return "; ".join(filter(None, (some, f"stopped after {self.rounds} rounds" if late else "")))

    @property
    def largest_shift(self) -> float | None:
        """The length of the longest shift of the last round."""
        moved = self.samples.walk[self.rounds].moved * self.samples.bandwidth
        return cleared(moved, reach(self.samples.used)) if self.rounds else None

    @cached_property
    def _climber(self) -> Labels:
        """Which climber each of the samples that climb is now."""
        at = self.samples.walk[0].heirs
        for now in self.samples.walk[1 : self.rounds + 1]:
            at = now.heirs[at]
        return at

    @cached_property
    def _found(self) -> tuple[Array, Labels]:
        """The modes (k, d) in units, and the one of each of the climbers."""
        samples, places = self.samples, self.samples.walk[self.rounds].places
        kernel, weights = samples.kernel, samples.weights
        rows, codes = merged(places, densities(places, samples.Z, weights, kernel))
        modes = places[rows]
        if self.finished and kernel == "gaussian":
            modes = summits(modes, samples.Z, weights)
            rows, joined = merged(modes, densities(modes, samples.Z, weights, kernel))
            modes, codes = modes[rows], joined[codes]
        return modes, codes

    @property
    def climbers(self) -> Array:
        """Where the climbers are, (m, d)."""
        return self.samples.outside(self.samples.walk[self.rounds].places)

    @cached_property
    def modes(self) -> Array:
        """Where samples arrive, (k, d), from left to right; on the way, where the densest of those near by is."""
        return self.samples.outside(self._found[0])

    @cached_property
    def _labels_of_starts(self) -> Labels:
        return self._found[1][self._climber]

    @cached_property
    def labels(self) -> Labels:
        """The cluster of each sample, (n,)."""
        return self._labels_of_starts[self.samples.own]

    def paths(self) -> tuple[Array, Array]:
        """The shifts so far, from (s, d) to (s, d): of those that go on as one, only once."""
        walk = self.samples.walk[: self.rounds + 1]
        starts = [before.places for before in walk[:-1]]
        ends = [now.places[now.heirs] for now in walk[1:]]
        none = np.empty((0, self.samples.used.shape[1]))
        return self.samples.outside(np.concatenate([none, *starts])), self.samples.outside(
            np.concatenate([none, *ends])
        )

    rating_name = "clusters found"

    @property
    def rating(self) -> float:
        """How many clusters there are."""
        return float(len(self.modes))

    def rating_of(self, centers: Array) -> float:
        """In how many of them places (k, d) are."""
        return float(len(np.unique(self.predict(centers))))

    def shifted(self, x: Array) -> Array:
        """The weighted mean of the samples about a place (d,); the place itself where there are none."""
        samples = self.samples
        W = (
            kernel_weights((x[None] - samples.middle) / samples.bandwidth, samples.Z, samples.kernel)[0]
            * samples.weights
        )
        return samples.outside(W @ samples.Z / W.sum()) if W.any() else x

    def predict(self, X: Array) -> Labels:
        """The cluster of the nearest sample, (q,)."""
        return self._labels_of_starts[self.samples.nearest(np.asarray(X, dtype=np.float64))]

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> Labels:
        """The same at every node, (ny, nx); whole numbers whatever the dtype."""
        return self.predict(grid.points()).reshape(grid.shape)

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The shift from there."""
        label, there = int(self.predict(x[None])[0]), self.shifted(x)
        length = float(np.hypot.reduce(there - x))
        name = f"cluster {label + 1}, that of the nearest sample"
        told = number(length, beside=reach(x, self.samples.used))
        return Explanation(f"{name}: the shift from here is {told} long.", self._evidence(x, there), measured=True)

    def _evidence(self, x: Array, there: Array) -> tuple[Mark, ...]:
        """The kernel about a place, and the shift."""
        if len(x) != 2:
            return ()
        radii = (1, 2) if self.samples.kernel == "gaussian" else (1,)
        rims = [Lines("neighbour", sphere(x, radius * self.samples.bandwidth, "euclidean")) for radius in radii]
        return *rims, Arrows("neighbour", x[None], there[None])
