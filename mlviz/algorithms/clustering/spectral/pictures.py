"""How spectral clustering is drawn: the graph, its clusters, eigenvalues and eigenvectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlviz.algorithms.clustering.spectral.model import SpectralModel
from mlviz.draw.contours import some_lines
from mlviz.draw.layer import Context, OnField, OnGrid, chart, overlay
from mlviz.draw.marks import Lines, Mark, Points, Segments
from mlviz.draw.overlays.centroids import cell_edges, cluster_shade
from mlviz.draw.plot import Handle, Plot
from mlviz.numerics.arrays import Array, Labels

_MOST_EDGES = 3000
"""So many of the heaviest edges are drawn; more would be a black sheet."""
_LEAST_WEIGHT = 0.02
"""Edges of a smaller share of the largest weight are not drawn."""
_CONSTANT = 1e-9
"""An eigenvector whose entries differ by less than this share of the others' is constant."""
_HEAVY = (("light edge", 0.0), ("edge", 0.34), ("heavy edge", 0.67))
"""The ink of edges from so large a share of the largest weight on."""


@overlay("regions", "clusters", "the cluster of the nearest sample of the graph: the method itself only knows samples")
def regions(model: SpectralModel, context: OnField) -> Sequence[Mark]:
    region = cluster_shade(context.nodes, np.asarray(context.field))
    if context.grid is None or len(model.clusters) < 2:
        return (region,)
    edges = cell_edges(model.data.places, context.grid.limits, model.grouping.labels)
    return region, *some_lines("cell", edges, "cluster borders")


@overlay("edges", "graph", f"the edges, stronger where heavier, at most {_MOST_EDGES:,}; those that are cut are red")
def edges(model: SpectralModel, context: OnGrid) -> Sequence[Mark]:
    graph = model.data.graph
    heaviest = float(graph.W.max())
    if not heaviest > 0:
        return ()
    i, j, weights = graph.edges(_LEAST_WEIGHT * heaviest, _MOST_EDGES)
    some = "" if len(weights) == graph.edge_count else f", {len(weights):,} of {graph.edge_count:,}"
    cut = model.grouping.labels[i] != model.grouping.labels[j]
    level = np.searchsorted([least for _, least in _HEAVY], weights / heaviest, side="right") - 1
    groups = [(role, ~cut & (level == number)) for number, (role, _) in enumerate(_HEAVY)]
    places = model.data.places
    drawn = [("cut edge", cut, "cut edges"), *((role, mine, f"edges{some}") for role, mine in reversed(groups))]
    marks = [Segments(role, places[i[mine]], places[j[mine]], label=label) for role, mine, label in drawn if mine.any()]
    return marks[::-1]


@overlay("eigenvector", "second eigenvector", "each sample in the colour of its entry, 0 without colour", shown=False)
def eigenvector(model: SpectralModel, context: Context) -> Sequence[Mark]:
    if model.data.U.shape[1] < 2:
        return ()
    entries = model.data.U[:, 1]
    strength = np.rint(128 + 127 * entries / np.abs(entries).max()).astype(np.uint8)
    rows = np.arange(len(context.X))
    return context.symbols("target", rows, "second eigenvector", strength=strength[model.data.node_of_sample])


@chart("eigenvalues", "eigenvalues")
def eigenvalue_chart(model: SpectralModel, context: Context) -> Plot | None:
    """The smallest eigenvalues, with the gap after the last one that counts; the handle chooses k."""
    values = model.data.eigenvalues
    if len(values) < 2:
        return None
    places = np.column_stack((np.arange(1.0, len(values) + 1), values))
    k = min(len(model.clusters), len(values))
    marks: list[Mark] = [Lines("path", places), Points("path", places)]
    if k < len(values):
        ends = np.array([(k + 0.5, values[k - 1]), (k + 0.5, values[k])])
        marks.append(Lines("curve", ends, label=f"gap after {k}"))
    handles = (Handle("algorithm.n_clusters", places, places[:, 0], k - 1, label="k"),)
    return Plot(
        "eigenvalues", "Smallest eigenvalues", "number", "eigenvalue", tuple(marks), x_whole=True, handles=handles
    )


@chart("second", "second eigenvector")
def eigenvector_chart(model: SpectralModel, context: Context) -> Plot | None:
    """Its entries in their order, each in the colour of its cluster."""
    if model.data.U.shape[1] < 2:
        return None
    entries = model.data.U[:, 1] / np.linalg.norm(model.data.U[:, 1])
    order = np.argsort(entries, kind="stable")
    xy = np.column_stack((np.arange(1.0, len(order) + 1), entries[order]))
    zero = Lines("zero", np.array([(0.0, 0.0), (len(order) + 1.0, 0.0)]))
    marks = (zero, *_dots(xy, model.grouping.labels[order], model.clusters))
    return Plot("second", "Second eigenvector", "node, by its entry", "entry", marks, x_whole=True)


@chart("embedding", "as k-means sees it")
def embedding_chart(model: SpectralModel, context: Context) -> Plot | None:
    """The nodes at the numbers by which k-means groups them, and the centres: the two that differ most among them."""
    Z, centers = model.data.Z, model.grouping.centers
    spread = np.ptp(Z, axis=0)
    order = np.argsort(-spread, kind="stable")
    if np.count_nonzero(spread > _CONSTANT * spread.max()) < 2:
        return None  # the one that differs has a chart of its own
    a, b = sorted(order[:2].tolist())
    mix = np.eye(len(centers), dtype=np.float32)
    dots = _dots(Z[:, [a, b]], model.grouping.labels, model.clusters)
    marks = (*dots, Points("center", centers[:, [a, b]], mix=mix, label="centres"))
    scaled = ", rows of length 1" if model.data.laplacian == "symmetric" else ""
    names = [f"eigenvector {number + 1}{scaled}" for number in (a, b)]
    return Plot("embedding", "As k-means sees it", names[0], names[1], marks)


def _dots(xy: Array, labels: Labels, clusters: Labels) -> tuple[Mark, ...]:
    """Small symbols at places (m, 2), in the colours of their clusters (m,)."""
    return tuple(
        Points(f"dot {code}", xy[labels == code], label=f"cluster {code + 1}")
        for code in clusters.tolist()
        if (labels == code).any()
    )
