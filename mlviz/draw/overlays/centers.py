"""Centres as crosses in the colour of their class or cluster, and what joins the centroids of two classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from mlviz.draw.layer import Context, overlay
from mlviz.draw.marks import Mark, Points, Segments
from mlviz.draw.protocols import HasCentroids
from mlviz.numerics.arrays import Array


def coloured_crosses(places: Array, codes: ArrayLike, label: str) -> Points:
    """Crosses at places (m, 2), each in the colour of its class or cluster (m,)."""
    codes = np.asarray(codes, dtype=np.intp)
    return Points("center", places, mix=np.eye(codes.max(initial=0) + 1, dtype=np.float32)[codes], label=label)


@overlay("centroids", "centroids", "the mean of each class", parts="probe", tasks=("classification",))
def crosses(model: HasCentroids, context: Context) -> Sequence[Mark]:
    if context.grid is None:
        return ()
    return (coloured_crosses(model.centroids, model.classes, "centroids"),)


@overlay(
    "joins",
    "between the centroids",
    "the segment between two centroids whose regions touch on it, and its middle, where the boundary crosses it",
    parts="probe",
    tasks=("classification",),
)
def joins(model: HasCentroids, context: Context) -> Sequence[Mark]:
    """Of each pair between which no third centroid is in the way: the segment and its middle."""
    if context.grid is None:
        return ()
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
