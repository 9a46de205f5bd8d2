"""Centres as crosses in the colour of their class or cluster, and what joins the centroids of two classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from mlviz.draw.contours import some_lines
from mlviz.draw.layer import Context, OnField, OnGrid, Overlay, overlay
from mlviz.draw.marks import Field, Lines, Mark, Points, Segments
from mlviz.draw.overlays.voronoi import cell_edges
from mlviz.draw.protocols import HasCenters, HasCentroids, HasClusters, HasTrail
from mlviz.numerics.arrays import Array

_STRENGTH = 110
"""How strong the tint of a cluster's cell is, of 255."""


def coloured_crosses(places: Array, codes: ArrayLike, label: str) -> Points:
    """Crosses at places (m, 2), each in the colour of its class or cluster (m,)."""
    codes = np.asarray(codes, dtype=np.intp)
    return Points("center", places, mix=np.eye(codes.max(initial=0) + 1, dtype=np.float32)[codes], label=label)


@overlay("centroids", "centroids", "the mean of each class", parts="probe", tasks=("classification",))
def crosses(model: HasCentroids, context: OnGrid) -> Sequence[Mark]:
    return (coloured_crosses(model.centroids, model.classes, "centroids"),)


@overlay(
    "joins",
    "between the centroids",
    "the segment between two centroids whose regions touch on it, and its middle, where the boundary crosses it",
    parts="probe",
    tasks=("classification",),
)
def joins(model: HasCentroids, context: OnGrid) -> Sequence[Mark]:
    """Of each pair between which no third centroid is in the way: the segment and its middle."""
    places = model.centroids
    i, j = np.triu_indices(len(places), 1)
    middle = (places[i] + places[j]) / 2
    squared = ((middle[:, None, :] - places) ** 2).sum(axis=2)
    half = ((places[i] - places[j]) ** 2).sum(axis=1) / 4
    touching = (half > 0) & (squared.min(axis=1) >= half * (1 - 1e-9))
    if not touching.any():
        return ()
    i, j, middle = i[touching], j[touching], middle[touching]
    return (
        Segments("component line", places[i], places[j], label="between the centroids, with its middle"),
        Points("foot", middle, np.full(len(middle), 1.6)),
    )


@overlay("regions", "clusters", "the places nearest to each centre")
def cells(model: HasCenters, context: OnField) -> Sequence[Mark]:
    clusters = np.asarray(context.field).astype(np.uint8)
    strength = np.full(clusters.shape, _STRENGTH, dtype=np.uint8)
    region = Field("region", context.nodes.x, context.nodes.y, strength, clusters)
    edges = np.empty((0, 2)) if context.grid is None else cell_edges(model.centers, context.grid.limits)
    return region, *some_lines("cell", edges, "cell borders")


@overlay("assignment", "assignment", "a dot in each sample: the cluster it is in at this step")
def assignment(model: HasClusters, context: Context) -> Sequence[Mark]:
    marks: list[Mark] = []
    for code in model.clusters.tolist():
        marks += context.symbols(f"member {code}", np.flatnonzero(model.labels == code), f"cluster {code + 1}")
    return marks


@overlay("links", "links to the centres", "from each sample to the centre of its cluster", shown=False)
def links(model: HasClusters, context: OnGrid) -> Sequence[Mark]:
    marks = []
    for code, center in zip(model.clusters.tolist(), model.centers, strict=True):
        mine = np.flatnonzero(model.labels == code)
        if len(mine):
            ends = np.tile(center, (len(mine), 1))
            marks.append(Segments(f"link {code}", context.X[mine], ends, rows=context.rows[mine]))
    return marks


def trail_marks(model: HasTrail, context: Context, label: str = "path of the centres") -> Sequence[Mark]:
    """One line for each centre, through all the places of `model.trail` (steps, k, 2)."""
    if context.grid is None or len(model.trail) < 2:
        return ()
    steps, k, _ = model.trail.shape
    lines = np.full((k, steps + 1, 2), np.nan)
    lines[:, :steps] = model.trail.transpose(1, 0, 2)
    return (Lines("trail", lines.reshape(-1, 2)[:-1], label=label),)


@overlay("centers", "centres", "the mean of each cluster")
def centers(model: HasClusters, context: OnGrid) -> Sequence[Mark]:
    return (coloured_crosses(model.centers, model.clusters, "centres"),)


@overlay("chances", "chance to be next", "while starting: the larger the disc, the likelier the next centre")
def chances(model: HasClusters, context: OnGrid) -> Sequence[Mark]:
    if model.seeding_chances is None:
        return ()
    possible = np.flatnonzero(model.seeding_chances > 0)
    chance = model.seeding_chances[possible]
    # The area of a disc is its chance; the smallest still show.
    size = np.maximum(3 * np.sqrt(chance / chance.max()), 0.3)
    return (
        Points(
            "seeding chance",
            context.X[possible],
            size,
            rows=context.rows[possible],
            label="chance to be the next centre",
        ),
    )


trails = Overlay("trails", "path of the centres", trail_marks, "where the centres have been since the start")
