"""Centres as crosses in the colour of their class or cluster, their Voronoi cells, and what joins two centroids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from mlviz.draw.contours import some_lines
from mlviz.draw.layer import Context, OnField, OnGrid, Overlay, overlay
from mlviz.draw.marks import Field, Lines, Mark, Points, Segments
from mlviz.draw.numbers import share
from mlviz.draw.palette import COLOUR_NAMES
from mlviz.draw.plot import Limits
from mlviz.draw.protocols import HasCenters, HasCentroids, HasClusters, HasMembers, HasTrail
from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.clipping import clip_segments
from mlviz.numerics.grid import Grid

MOST_CODES = 256 // len(COLOUR_NAMES) * len(COLOUR_NAMES)
"""Codes of a shade are below it, so that a cluster beyond has its own colour all the same."""
CELL_STRENGTH = 110
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
    "the segment between two centroids with no other nearer to its middle, where the boundary crosses it unless a "
    "threshold or costs move it",
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


def cluster_shade(nodes: Grid, codes: Labels, strength: ArrayLike = CELL_STRENGTH) -> Field:
    """A tint of each node in the colour of its cluster, codes (ny, nx), so strong; none where the code is below 0."""
    shown = np.where(codes >= 0, strength, 0).astype(np.uint8)
    return Field("region", nodes.x, nodes.y, shown, (np.maximum(codes, 0) % MOST_CODES).astype(np.uint8))


@overlay("regions", "clusters", "the places nearest to each centre")
def cells(model: HasCenters, context: OnField) -> Sequence[Mark]:
    region = cluster_shade(context.nodes, np.asarray(context.field))
    edges = np.empty((0, 2)) if context.grid is None else cell_edges(model.centers, context.grid.limits)
    return region, *some_lines("cell", edges, "cluster borders")


@overlay("assignment", "assignment", "a dot in each sample: the cluster it is in at this step")
def assignment(model: HasMembers, context: Context) -> Sequence[Mark]:
    members = ((code, np.flatnonzero(model.labels == code)) for code in model.clusters.tolist())
    return [mark for code, rows in members for mark in context.symbols(f"member {code}", rows, f"cluster {code + 1}")]


@overlay("links", "links to the centres", "from each sample to the centre of its cluster", shown=False)
def links(model: HasClusters, context: OnGrid) -> Sequence[Mark]:
    centers = zip(model.clusters.tolist(), model.centers, strict=True)
    members = ((code, center, np.flatnonzero(model.labels == code)) for code, center in centers)
    return [
        Segments(f"link {code}", context.X[mine], np.tile(center, (len(mine), 1)), rows=context.rows[mine])
        for code, center, mine in members
        if len(mine)
    ]


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


class HasStart(Protocol):
    """Where the hand has placed the centres to start from, (k, d); None where it has not."""

    @property
    def start(self) -> Array | None:
        """The places."""


@overlay("start", "start by hand", "where the centres start: drag one, pull one out with Shift, Ctrl+click one away")
def starts(model: HasStart, context: OnGrid) -> Sequence[Mark]:
    if model.start is None:
        return ()
    mix = np.eye(len(model.start), dtype=np.float32)
    return (Points("start", model.start, mix=mix, label="start by hand"),)


@overlay("chances", "chance to be next", "while starting: the larger the disc, the likelier the next centre")
def chances(model: HasClusters, context: OnGrid) -> Sequence[Mark]:
    if model.seeding_chances is None:
        return ()
    possible = np.flatnonzero(model.seeding_chances > 0)
    chance = model.seeding_chances[possible]
    # The area of a disc is its chance; the smallest still show.
    return (
        Points(
            "seeding chance",
            context.X[possible],
            np.maximum(3 * np.sqrt(chance / chance.max()), 0.3),
            rows=context.rows[possible],
            label=f"chance to be the next centre, at most {share(float(chance.max()))}",
        ),
    )


trails = Overlay("trails", "path of the centres", trail_marks, "where the centres have been since the start")


MOST_CELLS = 5000
"""More cells are smaller than the symbols of their samples, and take seconds."""
_FAR = 1e4
"""Four helping points stand this many times the size of the scene away, so that every cell seen is bounded."""


def cell_edges(points: Array, limits: Limits, labels: Labels | None = None) -> Array:
    """The edges between the Voronoi cells of points (n, 2) inside limits, as one polyline with rows of NaN.

    With labels (n,) only those between different labels. Copies of a point share a cell; points on a line are fine.
    Empty where there is nothing to part.
    """
    from scipy.spatial import QhullError, Voronoi

    x0, x1, y0, y1 = limits
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    unique, first = np.unique(points, axis=0, return_index=True)
    places = unique - middle
    if len(places) < 2:
        return np.empty((0, 2))
    size = max(float(np.abs(places).max()), (x1 - x0) / 2, (y1 - y0) / 2)
    # Turned a little, so that they are symmetric to no scene: equidistant points make qhull's life hard.
    far = _FAR * np.array([(1.0, 0.1), (-0.1, 1.0), (-1.0, -0.1), (0.1, -1.0)])
    try:
        cells = Voronoi(np.vstack((places / size, far)))
    except QhullError:
        return np.empty((0, 2))
    pairs, ends = np.asarray(cells.ridge_points), np.asarray(cells.ridge_vertices)
    real = (pairs < len(places)).all(axis=1) & (ends >= 0).all(axis=1)
    if labels is not None:
        one, other = labels[first[np.minimum(pairs, len(first) - 1)]].T
        real &= one != other
    start, end = (cells.vertices[ends[real, side]] * size + middle for side in (0, 1))
    start, end = clip_segments(start, end, (x0, y0), (x1, y1))
    polyline = np.full((len(start), 3, 2), np.nan)
    polyline[:, 0], polyline[:, 1] = start, end
    return polyline.reshape(-1, 2)[:-1]


def _no_cells(algorithm: Any, classes: int) -> str:
    has_cells = (algorithm.n_neighbors, algorithm.metric) == (1, "euclidean")
    return "" if has_cells else "The cells are those of k = 1 and the Euclidean distance."


@overlay(
    "cells",
    "Voronoi cells",
    f"the places nearest to each sample (for k = 1, the Euclidean distance and up to {MOST_CELLS:,} samples)",
    tasks=("classification",),
    idle=_no_cells,
)
def nearest_cells(model: object, context: OnGrid) -> Sequence[Mark]:
    if _no_cells(context.algorithm, 0) or len(context.X) > MOST_CELLS:
        return ()
    return some_lines("cell", cell_edges(context.X, context.grid.limits), "Voronoi cells")
