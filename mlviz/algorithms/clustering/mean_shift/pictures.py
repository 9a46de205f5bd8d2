"""What is drawn of mean shift: hills of density, the paths that climb them, the modes and their clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mlviz.algorithms.clustering.mean_shift.model import MeanShiftModel
from mlviz.draw.contours import contour_lines, join_lines, some_lines
from mlviz.draw.layer import Context, OnField, OnGrid, overlay
from mlviz.draw.marks import Mark, Points, Segments
from mlviz.draw.overlays.centroids import cluster_shade, coloured_crosses
from mlviz.numerics.arrays import groups_of
from mlviz.numerics.neighbors.windows import WindowSamples, sums_on_grid

_NAMED = 9
"""So many clusters have a name in the legend."""
_LEVELS = np.arange(1, 10) / 10
"""Of the highest density in sight."""
_SEEN = 2e-3
"""Shorter shifts than this share of what is seen are not drawn."""
_NODES = 100
"""Lines of density are smooth enough with so many nodes a side."""


@overlay("regions", "clusters", "the cluster of the nearest sample, once all have arrived")
def regions(model: MeanShiftModel, context: OnField) -> Sequence[Mark]:
    if not model.finished:
        return ()
    return (cluster_shade(context.nodes, np.asarray(context.field)),)


def _no_hills(algorithm: Any, classes: int) -> str:
    return "" if algorithm.window == "gaussian" else "The lines are those of the Gaussian kernel."


@overlay("density", "density contours", "places of the same density, tenths of the highest in sight", idle=_no_hills)
def density(model: MeanShiftModel, context: OnGrid) -> Sequence[Mark]:
    if _no_hills(context.algorithm, 0):
        return ()
    coarse = context.grid.every(1 if context.fine else max(1, max(context.grid.shape) // _NODES))
    samples = model.samples
    sums = sums_on_grid(coarse, WindowSamples(samples.used, samples.weights[:, None], 1), "gaussian", samples.bandwidth)
    heights = (sums.values[0] * np.exp(sums.log_scale)).reshape(coarse.shape)
    lines = contour_lines(coarse, heights, (_LEVELS * heights.max()).tolist(), context.fine)
    return some_lines("density", join_lines(lines), "equal density")


@overlay("paths", "paths", "how the samples climb, each shift a line")
def paths(model: MeanShiftModel, context: OnGrid) -> Sequence[Mark]:
    start, end = model.paths()
    seen = np.abs(end - start).max(axis=1, initial=0.0) > _SEEN * float(context.grid.size.max())
    return (Segments("trail", start[seen], end[seen], label="paths"),) if seen.any() else ()


@overlay("assignment", "assignment", "a dot in each sample: the cluster where its path ends")
def assignment(model: MeanShiftModel, context: Context) -> Sequence[Mark]:
    labels, named = model.labels, len(model.modes) <= _NAMED
    members = ((labels[rows[0]], rows) for rows in groups_of(labels))
    return [
        mark
        for code, rows in members
        for mark in context.symbols(f"member {code}", rows, f"cluster {code + 1}" if named else "")
    ]


@overlay("climbers", "climbers", "where the samples have climbed to, while they do")
def climbers(model: MeanShiftModel, context: OnGrid) -> Sequence[Mark]:
    return () if model.finished else (Points("climber", model.climbers, label="climbing"),)


@overlay("modes", "modes", "where samples arrive: the tops of the hills")
def modes(model: MeanShiftModel, context: OnGrid) -> Sequence[Mark]:
    return (coloured_crosses(model.modes, range(len(model.modes)), "modes"),) if model.finished else ()
