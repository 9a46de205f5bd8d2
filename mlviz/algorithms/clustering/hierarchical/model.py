"""The clusters after some merges, and the tree that they are part of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import Model, ModelFact
from mlviz.algorithms.clustering.sizes import SIZES, SIZES_HELP, told_sizes
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.marks import ways
from mlviz.draw.numbers import counted, drawn_part, number
from mlviz.numerics.arrays import Array, Labels, Mask, Rows
from mlviz.numerics.distances import reach
from mlviz.numerics.grid import Grid
from mlviz.numerics.linkage.tree import MergeTree
from mlviz.numerics.neighbors.labels import nearest_labels
from mlviz.numerics.neighbors.search import Search
from mlviz.spec.brief import Brief

_FEW = 20
"""Of so many clusters most nodes of a grid are not near a border."""


class Linked:
    """The samples that are joined, copies of one place as one: `places` (m, d), sorted, with `weight` (m,).

    `group` (n,) is for each sample which of them it is, or is nearest to where only some were drawn.
    """

    def __init__(self, places: Array, weight: Array, group: Labels, drawn_from: int) -> None:
        self.places, self.weight, self.group = places, weight, group
        self.drawn_from = drawn_from
        """How many different places there are."""
        self._search = Search(places, "euclidean")
        self._on_grid: tuple[Grid, Labels] | None = None

    def nearest(self, X: Array) -> Rows:
        """Which of the places is nearest to each row of X (q, d), (q,)."""
        return self._search.first(X)

    def clusters_on_grid(self, grid: Grid, clusters: Labels, few: bool) -> Labels:
        """The cluster of the nearest place at each node, (ny, nx), by the clusters (m,) of the places.

        Where they are `few`, most nodes are told many at a time. Otherwise which place is nearest to each node is
        looked for and kept: it is the same at every step.
        """
        known = self._on_grid
        if known is None or not (np.array_equal(known[0].x, grid.x) and np.array_equal(known[0].y, grid.y)):
            if few:
                return nearest_labels(grid, self.places, clusters, self._search)
            known = self._on_grid = grid, self.nearest(grid.points()).reshape(grid.shape)
        return clusters[known[1]]


@dataclass(frozen=True, eq=False)
class Hierarchy(Brief):
    """What all steps have in common: the samples, their tree, how it was made and how many clusters are `wanted`."""

    linked: Linked
    tree: MergeTree
    linkage: str
    wanted: int

    @property
    def reachable(self) -> int:
        """How many clusters there are at the end."""
        return min(self.wanted, self.tree.n)

    @cached_property
    def colours(self) -> Labels:
        """The cluster of each place at the end, (m,), whose colour it has."""
        known = len(self.tree.merges.heights)
        return self.tree.clusters_after(min(self.tree.n - self.reachable, known))


@dataclass(frozen=True, eq=False)
class HierarchicalModel(Model):
    """The clusters after the first `done` merges."""

    hierarchy: Hierarchy
    done: int

    field = "predict"

    known_facts = (
        ModelFact("clusters", lambda m: m.n_clusters, "How many clusters there are after the merges so far."),
        # Before the end several clusters have the colour of the one that they end in.
        ModelFact(SIZES, lambda m: told_sizes(m.labels, np.arange(m.n_clusters)) if m.last else None, SIZES_HELP),
        ModelFact(
            "height of the last merge",
            lambda m: float(m.tree.merges.heights[m.done - 1]) if m.done else None,
            "How far the two clusters of the last merge were from each other, as the linkage measures it.",
        ),
        ModelFact(
            "height of the next merge",
            lambda m: float(m.tree.merges.heights[m.done]) if m.done < len(m.tree.merges.heights) else None,
            "How far the nearest two of the clusters are from each other: a cut below it keeps them apart.",
        ),
        ModelFact(
            "widest gap at k",
            lambda m: m.tree.widest_gap,
            "The number of clusters that stays longest while the cut is moved up or down, not counting one.",
            level="more",
        ),
        ModelFact(
            "inversions",
            lambda m: len(m.tree.inversions) if m.hierarchy.linkage == "centroid" else None,
            "Merges at a lower height than one before them in the same branch; only centroid linkage has them.",
        ),
    )

    @property
    def linked(self) -> Linked:
        """The samples that are joined."""
        return self.hierarchy.linked

    @property
    def tree(self) -> MergeTree:
        """All merges, those to come as well."""
        return self.hierarchy.tree

    @property
    def n_clusters(self) -> int:
        """How many clusters there are now."""
        return self.tree.n - self.done

    @property
    def last(self) -> bool:
        """Whether this is the end."""
        return self.n_clusters == self.hierarchy.reachable

    @property
    def stage(self) -> str:  # type: ignore[override]
        """A merge, or the start."""
        return "merge" if self.done else "start"

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """That only some samples are linked, that there are fewer clusters than wanted, or that no height cuts so."""
        n, k, wanted, told = self.tree.n, self.hierarchy.reachable, self.hierarchy.wanted, []
        if n < self.linked.drawn_from:
            part = drawn_part(n, self.linked.drawn_from, "different samples")
            told.append(f"linkage of {part}; each other one as the nearest of these")
        if k < wanted:
            there = "is only 1 distinct sample" if k == 1 else f"are only {k} distinct samples"
            told.append(f"only {counted(k, 'cluster')} for k = {wanted}, since there {there}")
        elif len(self.tree.merges.heights) and (room := self.tree.room_for(k)) <= 0:
            why = "a later merge is lower, an inversion" if room < 0 else "merges there are equally high"
            told.append(f"no height cuts the tree into {k} clusters: {why}")
        return "; ".join(told)

    @cached_property
    def clusters(self) -> Labels:
        """The cluster of each place now, (m,)."""
        return self.tree.clusters_after(self.done)

    @cached_property
    def joined(self) -> Mask:
        """Which places (m,) share a cluster with others by now, or are one by themselves at the end."""
        return np.asarray(self.last | (np.bincount(self.clusters)[self.clusters] > 1))

    @property
    def labels(self) -> Labels:
        """The cluster of each sample, (n,)."""
        return self.clusters[self.linked.group]

    rating_name = "clusters found"

    @property
    def rating(self) -> float:
        """How many clusters there are."""
        return float(self.n_clusters)

    def rating_of(self, centers: Array) -> float:
        """How many clusters have the nearest sample to one of some places (k, d)."""
        return float(len(np.unique(self.predict(centers))))

    def predict(self, X: Array) -> Labels:
        """The cluster of the nearest sample, (q,)."""
        return self.clusters[self.linked.nearest(np.asarray(X, dtype=np.float64))]

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> Labels:
        """The cluster of every node, (ny, nx); whole numbers whatever the dtype."""
        return self.linked.clusters_on_grid(grid, self.clusters, few=self.n_clusters <= _FEW)

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """In which cluster the nearest sample is."""
        nearest = int(self.linked.nearest(x[None])[0])
        place = self.linked.places[nearest]
        away = number(float(np.hypot.reduce(place - x)), beside=reach(x, self.linked.places))
        now = "" if self.last else " of this step"
        sentence = f"cluster {self.clusters[nearest] + 1}{now}, that of the nearest sample, {away} away"
        return Explanation(f"{sentence}; the tree tells about the samples alone.", ways(place, x), measured=True)
