"""Overlays of clusterings that have centres: cells, assignment, centres and their trails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.layer import Context, Overlay, overlay
from mlviz.draw.marks import Field, Lines, Mark, Points, Segments
from mlviz.draw.overlays.centers import coloured_crosses
from mlviz.draw.overlays.voronoi import cell_edges
from mlviz.draw.protocols import HasCenters, HasClusters, HasSeedingChances, HasTrail

STRENGTH = 110
"""How strong the tint of a cluster's cell is, of 255."""


@overlay("regions", "clusters", "the places nearest to each centre")
def cells(model: HasCenters, context: Context) -> Sequence[Mark]:
    if context.grid is None or context.field is None:
        return ()
    clusters = np.asarray(context.field).astype(np.uint8)
    marks: list[Mark] = [
        Field("region", context.grid.x, context.grid.y, np.full(clusters.shape, STRENGTH, dtype=np.uint8), clusters)
    ]
    edges = cell_edges(model.centers, context.grid.limits)
    if len(edges):
        marks.append(Lines("cell", edges, label="cell borders"))
    return marks


def _members(model: HasClusters) -> Iterator[tuple[int, NDArray[np.intp], NDArray[np.float64]]]:
    """Code, members and centre of each cluster that has any."""
    for code, center in zip(model.clusters, model.centers, strict=True):
        members = np.flatnonzero(model.labels == code)
        if len(members):
            yield int(code), members, center


@overlay("assignment", "assignment", "a dot in each sample: the cluster it is in at this step")
def assignment(model: HasClusters, context: Context) -> Sequence[Mark]:
    # Tied to the samples, the dots have a place also where the axes are not the inputs.
    places = context.X if context.grid is not None else np.full((len(context.X), 2), np.nan)
    return [
        Points(f"member {code}", places[members], rows=context.rows[members], label=f"cluster {code + 1}")
        for code, members, _ in _members(model)
    ]


@overlay("links", "links to the centres", "from each sample to the centre of its cluster", shown=False)
def links(model: HasClusters, context: Context) -> Sequence[Mark]:
    if context.grid is None:
        return ()
    return [
        Segments(f"link {code}", context.X[members], np.tile(center, (len(members), 1)), context.rows[members])
        for code, members, center in _members(model)
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
def centers(model: HasCenters, context: Context) -> Sequence[Mark]:
    if context.grid is None:
        return ()
    return (coloured_crosses(model.centers, range(len(model.centers)), "centres"),)


@overlay("chances", "chance to be next", "while starting: the larger the disc, the likelier the next centre")
def chances(model: HasSeedingChances, context: Context) -> Sequence[Mark]:
    if context.grid is None or model.seeding_chances is None:
        return ()
    possible = np.flatnonzero(model.seeding_chances > 0)
    chance = model.seeding_chances[possible]
    # The area of a disc is its chance; the smallest still show.
    size = np.maximum(3 * np.sqrt(chance / chance.max()), 0.3)
    return (
        Points(
            "seeding chance", context.X[possible], size, context.rows[possible], label="chance to be the next centre"
        ),
    )


trails = Overlay("trails", "path of the centres", trail_marks, "where the centres have been since the start")
