"""What DBSCAN finds: which samples are core, in which order clusters take them in, and what each cluster reaches."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import Model, ModelFact
from mlviz.algorithms.clustering.sizes import SIZES, SIZES_HELP, told_sizes
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.marks import Lines, Mark, Points, Segments
from mlviz.draw.numbers import counted, drawn_part, number
from mlviz.numerics.arrays import Array, Labels, Mask, Rows
from mlviz.numerics.distances import pairwise, reach, sample_at, sphere
from mlviz.numerics.grid import Grid
from mlviz.numerics.neighbors.dbscan import FEW_INPUTS, TIES, Reach, distances_that_hold, joined, visiting_order
from mlviz.numerics.pauses import finished, showing
from mlviz.numerics.sampling import SamplePlaces, spread_subsample
from mlviz.spec.brief import Brief

MOST_VISITED = 2000
"""Of more core samples each cluster is taken in at once."""
MOST_ASKED = 2000
"""Of more different samples, of more inputs than a tree parts, so many may be core."""
_MOST_SHOWN = 80
"""At most so many neighbours of a place are joined with it, the nearest ones."""


@dataclass(frozen=True, eq=False)
class DenseSamples(Brief):
    """The samples X (n, d) with weights (n,), and what is known of them before any cluster grows.

    `places` (m, d) are the different ones that carry weight, sorted by their coordinates: `held` (m,) is the radius
    that holds min_samples about each, `clusters` (m,) the cluster of those that are core, -1 of others. Where these
    would take too long, they are some of the different ones.
    """

    X: Array
    weights: Array
    eps: float
    min_samples: int
    places: Array
    held: Array
    clusters: Labels
    group: Labels
    """(n,) which of the places each sample is; -1 of those at none of them."""
    different: int
    """How many different ones there are that carry weight."""

    searched: bool = True
    """Whether all places are known that are core; until then, `places` are those that were asked so far."""

    @classmethod
    def of(cls, X: Array, weights: Array, eps: float, min_samples: int) -> Generator[DenseSamples, None, DenseSamples]:
        """The core samples, joined; where there are many samples, yields those that were found so far, not joined."""
        merged = SamplePlaces.of(X, weights)
        all_places, different, radius = merged.X, len(merged.X), eps * TIES
        some = different > MOST_ASKED and X.shape[1] > FEW_INPUTS
        rows = spread_subsample(all_places, MOST_ASKED) if some else np.arange(different)

        def of_places(held: Array, clusters: Labels, known: Rows, searched: bool) -> DenseSamples:
            code = np.full(different, -1)
            code[rows[known]] = np.arange(len(known))
            group = np.where(merged.group >= 0, code[merged.group], -1)
            places = all_places[rows[known]]
            return cls(X.copy(), weights.copy(), eps, min_samples, places, held, clusters, group, different, searched)

        def so_far(held: Array) -> DenseSamples:
            known = np.flatnonzero(~np.isnan(held))
            return of_places(held[known], np.where(held[known] <= radius, 0, -1), known, False)

        search = distances_that_hold(all_places, merged.weight, min_samples, rows)
        held, near, listed = yield from showing(so_far, search)
        places = all_places[rows]
        if some:
            _, near, listed = finished(distances_that_hold(places, np.ones(len(places)), 1))
        clusters = joined(places, held <= radius, near, listed, radius)
        return of_places(held, clusters, np.arange(len(rows)), True)

    @property
    def radius(self) -> float:
        """Eps, and what rounding may add to distances of just that."""
        return self.eps * TIES

    @property
    def all_asked(self) -> bool:
        """Whether each sample with weight was asked whether it is core."""
        return len(self.places) == self.different

    @cached_property
    def core(self) -> Mask:
        """Which samples are core, (n,)."""
        return np.asarray(self.of_samples(self.clusters >= 0, False))

    @cached_property
    def asked(self) -> Mask:
        """Which samples might have been core, had they weight, (n,)."""
        return np.asarray((self.group >= 0) | (self.weights == 0))

    def of_samples(self, values: Any, else_value: Any) -> Any:
        """The values (m,) of the places for the samples, (n,), where these are at one."""
        return np.where(self.group >= 0, values[self.group], else_value)

    @cached_property
    def order(self) -> Rows:
        """The places that are core, in the order in which clusters take them in."""
        rows = np.flatnonzero(self.clusters >= 0)
        rows = rows[np.argsort(self.clusters[rows], kind="stable")]
        return (
            rows
            if len(rows) > MOST_VISITED
            else rows[visiting_order(self.places[rows], self.clusters[rows], self.radius)]
        )

    def stops(self, most: int) -> list[int]:
        """After how many core samples the growth is looked at, at most so many times: none first, not all of them."""
        sizes = np.bincount(self.clusters[self.clusters >= 0])
        total = int(sizes.sum())
        ends = np.cumsum(sizes) if total > MOST_VISITED else np.arange(total + 1)
        kept = np.linspace(0, len(ends) - 1, min(len(ends), most)).astype(np.intp)
        return [0, *sorted({int(ends[k]) for k in kept} - {0, total})]


@dataclass(frozen=True, eq=False)
class DBSCANModel(Model):
    """The clusters when so many core samples were taken in; None when all were, and the rest is noise."""

    samples: DenseSamples
    visited: int | None = None

    field = "predict"

    known_facts = (
        ModelFact("clusters", lambda m: m.n_clusters, "How many clusters there are; noise is none."),
        ModelFact(
            "core samples",
            lambda m: int(m.samples.core.sum()) if m.samples.all_asked else None,
            "Samples that have at least min_samples within eps, themselves included: what clusters are made of.",
        ),
        ModelFact(
            "core samples found",
            lambda m: None if m.samples.all_asked else int(m.samples.core.sum()),
            "Samples that have at least min_samples within eps, themselves included, of those that were drawn to be "
            "asked: others may have as many.",
        ),
        ModelFact(
            "border samples",
            lambda m: int(m.border.sum()) if m.finished else None,
            "Samples within eps of a core sample that are not core themselves: clusters end there.",
        ),
        ModelFact(
            "further samples",
            lambda m: (int(m.further.sum()) or None) if m.finished else None,
            "Samples within eps of a core sample that were not asked whether they are core, or have no weight.",
        ),
        ModelFact(
            "noise",
            lambda m: int(m.noise.sum()) if m.finished else None,
            "Samples that are not within eps of any core sample, and in no cluster.",
        ),
        ModelFact(SIZES, lambda m: told_sizes(m.labels, np.arange(m.n_clusters)), SIZES_HELP),
    )

    @property
    def finished(self) -> bool:
        """Whether all clusters have grown."""
        return self.visited is None

    @property
    def n_clusters(self) -> int:
        """How many clusters have begun to grow."""
        return int(self._reach.labels.max(initial=-1)) + 1

    @property
    def stage(self) -> str:  # type: ignore[override]
        """What the step shows."""
        if not self.samples.searched:
            return "search for core samples"
        if self.finished:
            return "noise"
        return f"growth of cluster {self.n_clusters}" if self.visited else "core samples"

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """That not all samples may be core, or that there is no cluster, and why."""
        asked, different = len(self.samples.places), self.samples.different
        if not self.samples.searched:
            return f"{asked:,} of {different:,} different samples asked so far whether they are core"
        part = drawn_part(asked, different, "different samples")
        some = f"core samples sought among {part}: clusters that others would join may be apart"
        within = f"{counted(self.samples.min_samples, 'sample')} within eps = {number(self.samples.eps)}"
        none = f"no cluster: {'no sample' if self.samples.all_asked else 'none of them'} has {within}, itself included"
        found = (self.samples.clusters >= 0).any()
        return "; ".join(filter(None, ("" if self.samples.all_asked else some, "" if found else none)))

    @cached_property
    def _taken(self) -> Rows:
        """The places that are core and taken in so far."""
        if self.finished:
            return np.flatnonzero(self.samples.clusters >= 0)
        return self.samples.order[: self.visited] if self.visited else np.empty(0, dtype=np.intp)

    @cached_property
    def _reach(self) -> Reach:
        """What the clusters reach that have grown so far."""
        rows = self._taken
        return Reach(self.samples.places[rows], self.samples.clusters[rows], self.samples.radius)

    @cached_property
    def labels(self) -> Labels:
        """The cluster of each sample, -1 of those in none, (n,)."""
        grown = np.full(len(self.samples.places), -1)
        grown[self._taken] = self.samples.clusters[self._taken]
        found = self.samples.of_samples(grown, -1)
        rest = np.flatnonzero(~self.samples.core)
        found[rest] = self._reach.at(self.samples.X[rest])
        return np.asarray(found)

    @property
    def border(self) -> Mask:
        """Which samples are in a cluster and not core though they might be, (n,)."""
        return np.asarray(~self.samples.core & (self.labels >= 0) & (self.samples.group >= 0))

    @property
    def further(self) -> Mask:
        """Which samples are in a cluster and were not asked whether they are core, or have no weight, (n,)."""
        return np.asarray((self.labels >= 0) & (self.samples.group < 0))

    @property
    def noise(self) -> Mask:
        """Which samples are in no cluster, (n,)."""
        return self.labels < 0

    rating_name = "clusters found"

    @property
    def rating(self) -> float:
        """How many clusters there are."""
        return float(self.n_clusters)

    def rating_of(self, centers: Array) -> float:
        """In how many of them places (k, d) are."""
        found = self.predict(centers)
        return float(len(np.unique(found[found >= 0])))

    def predict(self, X: Array) -> Labels:
        """The cluster that reaches each place, the first of several; -1 where none does, (q,)."""
        return self._reach.at(np.asarray(X, dtype=np.float64))

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> Labels:
        """The same at every node, (ny, nx); whole numbers whatever the dtype."""
        return self._reach.on_grid(grid)

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """Who is within eps, of the sample there or of the place."""
        samples = self.samples
        row, here = sample_at(samples.X, x)
        distance = pairwise(here[None], samples.X)[0]
        inside = np.flatnonzero((distance <= samples.radius) & (samples.weights > 0))
        inside = inside[np.argsort(distance[inside], kind="stable")]
        held, eps = float(samples.weights[inside].sum()), number(samples.eps)
        told = counted(round(held), "sample") if held == round(held) else f"samples of the weight {number(held)}"
        told = f"{told if held else 'no sample'} within eps = {eps}"
        cores = inside[samples.core[inside]]
        label = int(self.labels[row]) if row is not None else int(self.predict(here[None])[0])
        name = f"cluster {label + 1}" if label >= 0 else "no cluster" if self.finished else "no cluster yet"
        near = number(float(distance[cores[0]]), beside=reach(x, samples.X)) if len(cores) else ""
        known = "" if samples.all_asked else "known to be "
        if row is None:
            said = f"{told}, {len(cores)} of them {known}core" if len(inside) else told
        elif samples.core[row]:
            said = f"a core sample, {told}, itself included"
        elif not samples.asked[row]:
            said = f"not among those of which core samples were sought, {told}, itself included, "
            said += f"and a core sample is {near} away" if near else "none of them known to be core"
        elif label >= 0:
            what = "a border sample" if samples.group[row] >= 0 else "a sample without weight"
            said = f"{what}, {told}, itself included, and a core sample is {near} away"
        else:
            said = f"{'noise' if self.finished else 'no core sample'}, {told}, itself included"
            said += f", none of them {known}core" if not len(cores) else ""
        return Explanation(f"{name}: {said}.", self._evidence(here, inside[:_MOST_SHOWN]), measured=True)

    def _evidence(self, here: Array, inside: Rows) -> tuple[Mark, ...]:
        """The circle about a place, and links to the samples in it."""
        if len(here) != 2:
            return ()
        places = self.samples.X[inside]
        links = Segments("neighbour", places, np.broadcast_to(here, places.shape))
        rings = Points("neighbour", places, label=f"within eps = {number(self.samples.eps)}")
        return Lines("neighbour", sphere(here, self.samples.eps, "euclidean")), links, rings
