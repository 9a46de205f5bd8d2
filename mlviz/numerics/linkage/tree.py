"""The tree of merges: its branches from left to right, and the clusters that a cut leaves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.numerics.arrays import Array, Labels, numbered_by_first
from mlviz.numerics.linkage.merging import Merges
from mlviz.spec.brief import Brief

_EQUAL = 1e-9
"""Heights that differ by a smaller share are the same but for rounding."""


@dataclass(frozen=True, eq=False)
class MergeTree(Brief):
    """The merges of n places; where they are not known yet there are none. Node n + t is what merge t has made."""

    n: int
    merges: Merges

    @cached_property
    def parents(self) -> Labels:
        """The node of which each node is a part, (2n - 1,); the last one is its own."""
        parents = np.arange(self.n + len(self.merges.pairs))
        parents[self.merges.pairs] = self.n + np.arange(len(self.merges.pairs))[:, None]
        return parents

    @cached_property
    def node_heights(self) -> Array:
        """The height of each node, (2n - 1,): 0 for places."""
        return np.concatenate((np.zeros(self.n), self.merges.heights))

    def clusters_after(self, merges: int) -> Labels:
        """The cluster of each place (n,) after so many merges, numbered by their earliest places: 0, 1, ..."""
        nodes = np.arange(self.n + merges)
        lead = self.parents[: self.n + merges]
        lead = np.where(lead < self.n + merges, lead, nodes)
        while (lead[lead] != lead).any():
            lead = lead[lead]
        return numbered_by_first(lead[: self.n])

    @cached_property
    def spans(self) -> tuple[Labels, Labels]:
        """The first leaf of each node (2n - 1,) and how many it has, from left to right: the earlier part first."""
        start, count = [0] * len(self.parents), [1] * len(self.parents)
        pairs = self.merges.pairs.tolist()
        for node, (a, b) in enumerate(pairs, start=self.n):
            count[node] = count[a] + count[b]
        for node in range(len(start) - 1, self.n - 1, -1):
            a, b = pairs[node - self.n]
            start[a], start[b] = start[node], start[node] + count[a]
        return np.array(start), np.array(count)

    @cached_property
    def order(self) -> Labels:
        """The places (n,) as they stand below the tree, from left to right."""
        return np.argsort(self.spans[0][: self.n])

    def leaves(self, node: int) -> Labels:
        """The places of a node, from left to right."""
        start, count = self.spans
        return self.order[start[node] : start[node] + count[node]]

    @cached_property
    def earliest(self) -> Labels:
        """The earliest place of each node, (2n - 1,)."""
        earliest = np.concatenate((np.arange(self.n), self.merges.pairs[:, 0]))
        while (earliest >= self.n).any():
            earliest = earliest[earliest]
        return earliest

    @cached_property
    def across(self) -> Array:
        """Where each node (2n - 1,) stands from left to right: places at 0, 1, ..., others midway between parts."""
        across = self.spans[0].astype(np.float64).tolist()
        for node, (a, b) in enumerate(self.merges.pairs.tolist(), start=self.n):
            across[node] = (across[a] + across[b]) / 2
        return np.array(across)

    @cached_property
    def inversions(self) -> Labels:
        """Which merges are lower than one of their parts."""
        parts = self.node_heights[self.merges.pairs].max(axis=1, initial=0.0)
        return np.flatnonzero(self.merges.heights < parts * (1 - _EQUAL))

    @cached_property
    def reached(self) -> Array:
        """The largest height of the merges up to each one, (n - 1,): without inversions the height itself."""
        return np.maximum.accumulate(self.merges.heights)

    def cut_for(self, k: int) -> float:
        """A height that parts the merges that leave k clusters from those after them: midway between the two."""
        reached = np.concatenate(((0.0,), self.reached, (1.05 * self.reached[-1],)))
        return float(reached[self.n - k] + reached[self.n - k + 1]) / 2

    def room_for(self, k: int) -> float:
        """Between which heights a cut leaves k clusters: how much higher all merges after them are than those before.

        It is 0 where merges are equally high, and below 0 where one after them is lower than one before.
        """
        if not 1 < k < self.n:
            return float("inf")
        below, above = float(self.reached[self.n - k - 1]), float(self.merges.heights[self.n - k :].min())
        return above - below if abs(above - below) > _EQUAL * below else 0.0

    @property
    def widest_gap(self) -> int | None:
        """The number of clusters, two at the least, between whose merges the height rises most; None without any."""
        gaps = np.diff(self.reached)
        if not len(gaps) or gaps.max() <= _EQUAL * self.reached[-1]:
            return None
        return self.n - 1 - int(np.argmax(gaps))
