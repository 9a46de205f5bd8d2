"""What is drawn of a hierarchical clustering: its regions, its dots, what the last merge measures, and the tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mlviz.algorithms.clustering.hierarchical.model import HierarchicalModel
from mlviz.draw.contours import some_lines
from mlviz.draw.layer import Context, OnField, OnGrid, chart, overlay
from mlviz.draw.marks import Mark, Segments
from mlviz.draw.numbers import counted, number
from mlviz.draw.overlays.centroids import CELL_STRENGTH, cell_edges, cluster_shade
from mlviz.draw.plot import Area, Handle, Plot
from mlviz.numerics.arrays import Array, Labels, groups_of, scattered
from mlviz.numerics.distances import pairwise
from mlviz.numerics.linkage.tree import MergeTree
from mlviz.numerics.sampling import subsample

_ALONE = 1
"""How strong the tint about a sample is that is still alone, of 255."""
_MOST_PAIRS = 400
"""Of more distances between two clusters some are drawn."""
_MOST_AREAS = 200
"""So many of the highest branches can be clicked, and of the samples below them if these are all."""
_MEASURED = {
    "ward": "Ward's distance",
    "average": "mean distance",
    "complete": "largest distance",
    "single": "smallest distance",
    "centroid": "centroid distance",
}
"""What the height of a merge is."""


@overlay(
    "regions",
    "clusters",
    "the cluster of the nearest sample, in the colour that it ends in; pale where a sample is still alone",
)
def regions(model: HierarchicalModel, context: OnField) -> Sequence[Mark]:
    clusters = np.asarray(context.field)
    n = model.n_clusters
    # Colour and whether there is one, by the number of the cluster.
    colours = scattered(model.hierarchy.colours, model.clusters, n)
    tinted = scattered(np.where(model.joined, CELL_STRENGTH, _ALONE), model.clusters, n)
    region = cluster_shade(context.nodes, colours[clusters], tinted[clusters])
    if context.grid is None:
        return (region,)
    edges = cell_edges(model.linked.places, context.grid.limits, model.clusters)
    return region, *some_lines("cell", edges, "cluster borders")


@overlay("assignment", "assignment", "a dot in each sample that is joined: the cluster in which it ends")
def assignment(model: HierarchicalModel, context: Context) -> Sequence[Mark]:
    group = model.linked.group
    colours = np.where(model.joined, model.hierarchy.colours, -1)[group]
    name = "cluster" if model.last else "at the end cluster"
    members = ((colours[rows[0]], rows) for rows in groups_of(colours))
    return [
        mark
        for code, rows in members
        if code >= 0
        for mark in context.symbols(f"member {code}", rows, f"{name} {code + 1}")
    ]


@overlay(
    "merge",
    "last merge",
    "what the height of the last merge measures: between the nearest or farthest samples, all of them, or the means",
)
def merge(model: HierarchicalModel, context: OnGrid) -> Sequence[Mark]:
    if not model.done:
        return ()
    tree, places = model.tree, model.linked.places
    a, b = (tree.leaves(node) for node in tree.merges.pairs[model.done - 1].tolist())
    label = f"last merge, {_MEASURED[model.hierarchy.linkage]}"
    if model.hierarchy.linkage in ("ward", "centroid"):
        start, end = (np.average(places[part], axis=0, weights=model.linked.weight[part])[None] for part in (a, b))
        return (Segments("last merge", start, end, label=label),)
    distances = pairwise(places[a], places[b])
    if model.hierarchy.linkage == "average":
        pairs = subsample(np.argsort(distances, axis=None, kind="stable"), _MOST_PAIRS)
        i, j = np.unravel_index(pairs, distances.shape)
        drawn = f"{label} of {distances.size:,}" + (f", {len(pairs)} drawn" if len(pairs) < distances.size else "")
        return (Segments("averaged", places[a][i], places[b][j], label=drawn),)
    chosen = distances.argmin() if model.hierarchy.linkage == "single" else distances.argmax()
    i, j = np.unravel_index([chosen], distances.shape)
    return (Segments("last merge", places[a][i], places[b][j], label=label),)


@chart("dendrogram", "dendrogram")
def dendrogram(model: HierarchicalModel, context: Context) -> Plot | None:
    """The tree of merges, on a true scale of heights: those so far in the colours of the clusters, and the cut."""
    tree, k = model.tree, model.hierarchy.reachable
    if not len(tree.merges.heights):
        return None
    low, high = _span(tree)
    limits = (-0.5 - 0.02 * tree.n, tree.n - 0.5 + 0.02 * tree.n, low, high)
    marks = [*_branches(model), *_marked(model), *_joined_from(model, context)]
    start, end = np.array([(limits[0], tree.cut_for(k))]), np.array([(limits[1], tree.cut_for(k))])
    marks.append(Segments("now", start, end, label=f"cut, k = {k}"))
    counts = np.arange(1, tree.n + 1)
    heights = np.array([tree.cut_for(count) for count in counts.tolist()])
    handle = Handle(
        "algorithm.n_clusters",
        np.column_stack((np.full(tree.n, (tree.n - 1) / 2), heights)),
        counts.astype(np.float64),
        k - 1,
        label="cut",
        kind="level",
    )
    return Plot(
        "dendrogram",
        "Dendrogram",
        "samples, those of a branch side by side",
        context.measured(_MEASURED[model.hierarchy.linkage]),
        tuple(marks),
        limits,
        x_ticks=(),
        handles=(handle,),
        areas=tuple(_areas(model, context, low)),
    )


def _span(tree: MergeTree) -> tuple[float, float]:
    """The ends of the axis of heights."""
    high = float(tree.merges.heights.max()) or 1.0
    return -0.02 * high, 1.15 * high


def _forks(tree: MergeTree, merges: Labels) -> tuple[Array, Array]:
    """The starts and ends (3m, 2) of the two legs and the bar of each of the merges (m,)."""
    pairs, height = tree.merges.pairs[merges], tree.merges.heights[merges]
    (left, right), (low, other) = tree.across[pairs].T, tree.node_heights[pairs].T
    corners = [np.column_stack(part) for part in ((left, low), (left, height), (right, height), (right, other))]
    return np.concatenate(corners[:-1]), np.concatenate(corners[1:])


def _branches(model: HierarchicalModel) -> Iterator[Mark]:
    """The merges so far, a mark for each of the clusters at the end, and those to come."""
    tree, done = model.tree, np.arange(model.done)
    colour = model.hierarchy.colours[tree.earliest[tree.n : tree.n + model.done]]
    later = np.arange(model.done, len(tree.merges.heights))
    if len(later):
        label = "merges above the cut" if model.last else "merges to come"
        yield Segments("later merge", *_forks(tree, later), label=label)
    for code in np.unique(colour).tolist():
        yield Segments(f"branch {code}", *_forks(tree, done[colour == code]), label="merges so far")


def _marked(model: HierarchicalModel) -> Iterator[Mark]:
    """The bars of inversions, and the last merge where there are more to come."""
    tree = model.tree
    if len(tree.inversions):
        start, end = _forks(tree, tree.inversions)
        bars = slice(len(tree.inversions), 2 * len(tree.inversions))
        yield Segments("inversion", start[bars], end[bars], label="inversion: lower than its part")
    if model.done and not model.last:
        yield Segments("last merge", *_forks(tree, np.array([model.done - 1])), label="last merge")


def _joined_from(model: HierarchicalModel, context: Context) -> Iterator[Mark]:
    """The branches from the sample that is nearest to the place pointed at up to the last merge."""
    if context.probe is None:
        return
    tree = model.tree
    way = [int(model.linked.nearest(context.probe[None])[0])]
    while (parent := int(tree.parents[way[-1]])) != way[-1]:
        way.append(parent)
    across, heights = tree.across[way], tree.node_heights[way]
    # Up along a leg, then along the bar to its middle, from which the next leg rises.
    corners = np.column_stack((np.repeat(across, 2)[:-1], np.repeat(heights, 2)[1:]))
    yield Segments("pointed branch", corners[:-1], corners[1:], label="branches of the nearest sample")


def _areas(model: HierarchicalModel, context: Context, low: float) -> Iterator[Area]:
    """What lies below each of the highest merges, the highest first, and last each leaf: its samples light up."""
    tree = model.tree
    start, count = tree.spans
    of_place = np.argsort(tree.spans[0][: tree.n][model.linked.group], kind="stable")
    first = np.searchsorted(tree.spans[0][: tree.n][model.linked.group][of_place], np.arange(tree.n + 1))
    for node in range(2 * tree.n - 2, max(0, 2 * tree.n - 1 - _MOST_AREAS) - 1, -1):
        left, right = int(start[node]), int(start[node] + count[node])
        rows = of_place[first[left] : first[right]]
        height = float(tree.node_heights[node if node >= tree.n else tree.parents[node]])
        told = f"{counted(len(rows), 'sample')}, joined at {number(height)}"
        yield Area((left - 0.5, right - 0.5, low, height), told, context.rows[rows])
