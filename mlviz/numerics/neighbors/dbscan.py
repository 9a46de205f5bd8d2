"""Density-based clustering, exact for any radius: core samples, what they join, and what they reach.

A sample is core if the samples within a radius of it, itself among them, have at least some mass. Core samples within
the radius of each other are in one cluster; a cluster reaches all places within the radius of one of its core samples.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.numerics.arrays import Array, Labels, Mask, Rows, groups_of, numbered_by_first
from mlviz.numerics.distances import DistanceProducts
from mlviz.numerics.grid import Grid
from mlviz.numerics.neighbors.discs import MOST_SPANS, discs_on_grid, first_discs_on_grid, rows_of_discs
from mlviz.numerics.pauses import blocks
from mlviz.spec.brief import Brief

TIES = 1 + 1e-9
"""Places are within a radius up to so many times as far away: rounding parts no samples on a lattice."""
_ENOUGH = 1 - 1e-12
"""Sums of weights that fall short by no more than rounding are enough."""
_LISTED = 8
"""Of each sample so many nearest ones are joined at once; what they leave apart is few clusters."""
FEW_INPUTS, _QUICK = 3, 1000
"""A tree parts places of no more inputs; of more inputs so many places take no longer to be searched."""
_FEW_CLUSTERS, _SPANS_OF_CLUSTER = 20, 1000
"""More clusters than this are laid on a grid together; unless their discs have more rows of nodes than so many each."""
_MANY_CLUSTERS, _MOST_PAIRS, _JUDGED = 200, 1_000_000, 300
"""Where there are more clusters, all core samples that reach a place are listed, unless about so many pairs or more
are to be expected by some of the places."""


def distances_that_hold(
    X: Array, weights: Array, mass: float, places: Rows | None = None
) -> Generator[Array, None, tuple[Array, Array, Rows]]:
    """How far about each of the different places X (n, d) the samples reach that have the mass together, (n,).

    It is infinite where all have less. `weights` (n,) are those of the places, each of which counts for itself. Also
    the distances to the nearest places, itself first, and their rows, (n, m) each. Of some rows `places` (q,) alone
    where these are given. Where there are many, yields what is known so far, not a number where nothing is.
    """
    from scipy.spatial import cKDTree

    n, d = X.shape
    tree: Any = cKDTree(X, balanced_tree=False)
    listed, enough = min(_LISTED, n), mass * _ENOUGH
    places = np.arange(n) if places is None else places
    held = np.full(len(places), np.nan)
    near, rows = np.empty((len(places), listed)), np.empty((len(places), listed), dtype=np.intp)
    width = min(n, max(listed, math.ceil(enough / float(weights.min()))) if weights.min() >= 1 else listed)
    missing = np.arange(len(places))
    while len(missing):
        for block in blocks(len(missing), width if d <= FEW_INPUTS else width * max(1, n // _QUICK)):
            if block.start:
                yield held.copy()
            asked = missing[block]
            distance, index = tree.query(X[places[asked]], np.arange(1, width + 1))
            if len(missing) == len(places):
                near[asked], rows[asked] = distance[:, :listed], index[:, :listed]
            reached = np.cumsum(weights[index], axis=1) >= enough
            found = reached[:, -1]
            held[asked[found]] = distance[found, reached[found].argmax(axis=1)]
        missing = missing[np.isnan(held[missing])] if width < n else missing[:0]
        width = min(n, 2 * width)
    return np.where(np.isnan(held), np.inf, held), near, rows


def joined(X: Array, core: Mask, near: Array, rows: Rows, radius: float) -> Labels:
    """The cluster of each of the core ones among the places X (n, d), sorted by their coordinates; -1 of others, (n,).

    `near` and `rows` are the nearest places of each, as `distances_that_hold` lists them. Clusters are numbered in the
    order of their first core samples.
    """
    links = core[:, None] & core[rows] & (near <= radius)
    start = np.repeat(np.arange(len(X)), links.sum(axis=1))
    labels = _components(len(X), start, rows[links])
    # What is not listed lies between samples whose lists all end within the radius.
    beyond = np.flatnonzero(core & (near[:, -1] <= radius)) if near.shape[1] < len(X) else np.empty(0, dtype=np.intp)
    start, end = _bridges(X[beyond], labels[beyond], radius)
    labels = _components(len(X), labels[beyond[start]], labels[beyond[end]])[labels]
    found = np.full(len(X), -1)
    found[core] = numbered_by_first(labels[core])
    return found


def _components(n: int, start: Rows, end: Rows) -> Labels:
    """The connected components (n,) of so many things with links from `start` (m,) to `end` (m,)."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    graph = csr_array((np.ones(len(start), dtype=np.int8), (start, end)), shape=(n, n))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.intp)


def _bridges(X: Array, labels: Labels, radius: float) -> tuple[Rows, Rows]:
    """Rows of places that belong together, which join all groups that have places within the radius of each other.

    X (m, d) are sorted by their coordinates, `labels` (m,) are their groups.
    """
    from scipy.spatial import cKDTree

    labels = _joined_at_first(X, labels, radius)
    first, group = np.unique(labels, return_index=True, return_inverse=True)[1:]
    starts, ends = [np.arange(len(X))], [first[group]]
    for own in _beside_others(X, sorted(groups_of(labels), key=len)[:-1], radius):  # the largest is met by all others
        near = within_box(X, X[own], radius)
        others = near[labels[near] != labels[own[0]]]
        if len(others):
            found, reached = nearest_within(cKDTree(X[own], balanced_tree=False), X[others], radius)
            starts.append(others[reached])
            ends.append(own[found[reached]])
    return np.concatenate(starts), np.concatenate(ends)


def _joined_at_first(X: Array, labels: Labels, radius: float) -> Labels:
    """The groups (m,) after those are joined whose first places are near ones within the radius, again and again."""
    from scipy.spatial import cKDTree

    while True:
        first, group = np.unique(labels, return_index=True, return_inverse=True)[1:]
        if len(first) < 2:
            return labels
        listed = np.arange(1, min(_LISTED, len(first)) + 1)
        tree: Any = cKDTree(X[first])
        distance, near = tree.query(X[first], listed, distance_upper_bound=np.nextafter(radius, np.inf))
        start, rank = np.nonzero(np.isfinite(distance))
        labels = _components(len(first), start, near[start, rank])[group]
        if labels.max() + 1 == len(first):
            return labels


def _beside_others(X: Array, groups: list[Rows], radius: float) -> list[Rows]:
    """Those of the groups in whose surroundings are further places: about the middle of each, as far as it reaches."""
    from scipy.spatial import cKDTree

    if not groups:
        return []
    sizes = np.array([len(own) for own in groups])
    order, begun = np.concatenate(groups), np.cumsum(sizes) - sizes
    low, high = (reduce.reduceat(X[order], begun) for reduce in (np.minimum, np.maximum))
    reach = (np.linalg.norm(high - low, axis=1) / 2 + radius) * TIES
    around = cKDTree(X, balanced_tree=False).query_ball_point((low + high) / 2, reach, return_length=True)
    return [own for own, further in zip(groups, around > sizes, strict=True) if further]


def within_box(places: Array, X: Array, room: float) -> Rows:
    """Which of the places (m, d), sorted by their first coordinate, are in the box about X (c, d) with some room."""
    low, high = X.min(axis=0) - room, X.max(axis=0) + room
    first, last = np.searchsorted(places[:, 0], low[0]), np.searchsorted(places[:, 0], high[0], side="right")
    near = places[first:last]
    return np.asarray(first + np.flatnonzero(((near >= low) & (near <= high)).all(axis=1)))


def nearest_within(tree: Any, places: Array, radius: float) -> tuple[Rows, Mask]:
    """The nearest row of a tree to each of the places (q, d), and whether it is within the radius, (q,) each."""
    distance, found = tree.query(places, distance_upper_bound=np.nextafter(radius, np.inf))
    return found, np.isfinite(distance)


def pairs_within(X: Array, radius: float) -> Rows:
    """The rows of each two of the places X (n, d) that are within the radius of each other, (m, 2)."""
    from scipy.spatial import cKDTree

    return np.asarray(cKDTree(X).query_pairs(radius, output_type="ndarray"), dtype=np.intp)


def visiting_order(X: Array, labels: Labels, radius: float) -> Rows:
    """The order in which clusters take in their core samples X (c, d): from the first of each on.

    Each core sample that was taken in puts those within the radius of it, which are not yet, at the end of a queue.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    start, end = pairs_within(X, radius).T
    graph = csr_array((np.ones(len(start), dtype=np.int8), (start, end)), shape=(len(X), len(X)))
    graph = (graph + graph.T).tocsr()
    orders = [breadth_first_order(graph, own[0], return_predecessors=False) for own in groups_of(labels)]
    return np.concatenate([np.empty(0, dtype=np.intp), *orders])


@dataclass(frozen=True, eq=False)
class Reach(Brief):
    """What clusters reach: core samples X (c, d) with their `labels` (c,), from 0 on, and the radius.

    A place within the radius of core samples of several clusters belongs to the first of these.
    """

    X: Array
    labels: Labels
    radius: float

    @cached_property
    def _clusters(self) -> list[tuple[int, Any]]:
        """Each cluster with a tree of its core samples."""
        from scipy.spatial import cKDTree

        rows = groups_of(self.labels)
        return [(int(self.labels[own[0]]), cKDTree(self.X[own], balanced_tree=False)) for own in rows]

    def at(self, places: Array) -> Labels:
        """The cluster that reaches each of the places (q, d), -1 where none does, (q,)."""
        if self.X.shape[1] > FEW_INPUTS and len(self.X):
            return self._by_products(places)
        if int(self.labels.max(initial=-1)) >= _MANY_CLUSTERS and (found := self._by_pairs(places)) is not None:
            return found
        order = np.argsort(places[:, 0], kind="stable")
        asked, found = places[order], np.full(len(places), -1)
        for label, tree in self._clusters:
            near = within_box(asked, tree.data, self.radius)
            near = near[found[order[near]] < 0]
            _, reached = nearest_within(tree, asked[near], self.radius)
            found[order[near[reached]]] = label
        return found

    def _by_pairs(self, places: Array) -> Labels | None:
        """The same from all core samples that reach a place; None where these are very many."""
        from scipy.spatial import cKDTree

        tree = cKDTree(self.X, balanced_tree=False)
        every = 1 + len(places) // _JUDGED
        if every * tree.query_ball_point(places[::every], self.radius, return_length=True).sum() > _MOST_PAIRS:
            return None
        count = np.asarray(tree.query_ball_point(places, self.radius, return_length=True))
        reached = np.flatnonzero(count)
        found, rows = np.full(len(places), -1), tree.query_ball_point(places[reached], self.radius)
        if len(reached):
            begun = np.cumsum(count[reached]) - count[reached]
            found[reached] = np.minimum.reduceat(self.labels[np.concatenate(rows)], begun)
        return found

    @np.errstate(over="ignore", invalid="ignore")
    def _by_products(self, places: Array) -> Labels:
        """The same by products of matrices; where their rounding leaves a doubt, each distance decides."""
        order, square, found = np.argsort(self.labels, kind="stable"), self.radius**2, np.full(len(places), -1)
        X = self.X[order]
        products = DistanceProducts.of(X)
        for part in blocks(len(places), len(X)):
            gaps, own = products.squares(places[part])
            doubt = products.doubt(own)
            inside, near = gaps <= (square - doubt)[:, None], gaps <= (square + doubt)[:, None]
            if np.count_nonzero(near) > np.count_nonzero(inside):
                rows, columns = np.nonzero(near & ~inside)
                steps = (places[part][rows] - X[columns]).T
                inside[rows, columns] = np.hypot.reduce(steps) <= self.radius
            first = inside.argmax(axis=1)
            found[part] = np.where(inside[np.arange(len(first)), first], self.labels[order[first]], -1)
        return found

    def on_grid(self, grid: Grid) -> Labels:
        """The same at every node, (ny, nx)."""
        if (clusters := int(self.labels.max(initial=-1)) + 1) > _FEW_CLUSTERS:
            if rows_of_discs(grid.y, self.X, self.radius)[1].sum() > max(MOST_SPANS, _SPANS_OF_CLUSTER * clusters):
                return self.at(grid.points()).reshape(grid.shape)
            return first_discs_on_grid(grid, self.X, self.radius, self.labels)
        found = np.full(grid.shape, -1)
        for label, tree in reversed(self._clusters):  # earlier ones are laid over later ones
            part = discs_on_grid(grid, tree.data, self.radius)
            if part is None:
                return self.at(grid.points()).reshape(grid.shape)
            rows, columns, inside = part
            found[rows, columns][inside] = label
        return found
