"""What is drawn of DBSCAN: what clusters reach, core, border and noise, and the radii that hold enough samples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlviz.algorithms.clustering.dbscan.model import DBSCANModel
from mlviz.draw.layer import Context, OnField, OnGrid, chart, overlay
from mlviz.draw.marks import Lines, Mark, Points, Segments
from mlviz.draw.overlays.centroids import cluster_shade
from mlviz.draw.plot import Handle, Plot
from mlviz.numerics.arrays import groups_of
from mlviz.numerics.neighbors.dbscan import pairs_within
from mlviz.numerics.sampling import subsample

_MOST_LINKED = 2000
"""Links of more core samples are not told apart."""
_PLACES = 500
"""A curve over more samples has so many places."""
_VALUES = 200
"""So many values of eps can be dragged to."""


@overlay("regions", "clusters", "the places within eps of a core sample, where a further sample would join its cluster")
def regions(model: DBSCANModel, context: OnField) -> Sequence[Mark]:
    return (cluster_shade(context.nodes, np.asarray(context.field)),)


@overlay(
    "links",
    "links",
    f"between core samples within eps of each other, which are in one cluster (up to {_MOST_LINKED:,} core samples)",
    shown=False,
)
def links(model: DBSCANModel, context: OnGrid) -> Sequence[Mark]:
    rows = np.flatnonzero(model.samples.core & (model.labels >= 0))
    if not 0 < len(rows) <= _MOST_LINKED:
        return ()
    rows = rows[np.lexsort(context.X[rows].T[::-1])]
    start, end = rows[pairs_within(context.X[rows], model.samples.radius)].T
    codes = model.labels[start]
    return [
        Segments(f"link {codes[own[0]]}", context.X[start[own]], context.X[end[own]], rows=context.rows[start[own]])
        for own in groups_of(codes)
    ]


@overlay("core", "core samples", "a dot in each sample that has at least min_samples within eps, itself included")
def core(model: DBSCANModel, context: Context) -> Sequence[Mark]:
    waiting = np.flatnonzero(model.samples.core & (model.labels < 0))
    marks = context.symbols("not reached yet", waiting, "core samples, not reached yet")
    return [*_by_cluster(model, context, "member", model.samples.core & (model.labels >= 0), "core samples"), *marks]


@overlay("border", "border samples", "a ring about each sample within eps of a core sample that is not core itself")
def border(model: DBSCANModel, context: Context) -> Sequence[Mark]:
    parts = (model.border, "border samples"), (model.further, "further samples")
    return [mark for which, label in parts for mark in _by_cluster(model, context, "vote", which, label)]


@overlay("noise", "noise", "a cross in each sample that is not within eps of any core sample")
def noise(model: DBSCANModel, context: Context) -> Sequence[Mark]:
    return context.symbols("noise", np.flatnonzero(model.noise), "noise") if model.finished else ()


def _by_cluster(model: DBSCANModel, context: Context, kind: str, which: np.ndarray, label: str) -> list[Mark]:
    """Symbols on some samples, in the colours of their clusters."""
    rows = np.flatnonzero(which)
    codes = model.labels[rows]
    return [mark for own in groups_of(codes) for mark in context.symbols(f"{kind} {codes[own[0]]}", rows[own], label)]


@chart("k-distance", "k-distance")
def k_distances(model: DBSCANModel, context: Context) -> Plot | None:
    """The radius that holds min_samples about each sample, rising, with the level of eps, which can be dragged."""
    samples = model.samples
    held = np.sort(samples.held[samples.group[samples.group >= 0]])
    if len(held) < 2 or not np.isfinite(held[-1]):
        return None
    at = subsample(np.arange(len(held)), _PLACES)
    curve = Lines("curve", np.column_stack((at + 1, held[at])), label="radius, in rising order")
    count, eps = int(np.searchsorted(held, samples.radius, side="right")), samples.eps
    level = Lines("now", np.array([(0.0, eps), (len(held) + 1.0, eps)]), label="eps")
    crossing = Points("now", np.array([[count, eps]]), label="core samples up to here")
    # A few samples far away leave room for all others.
    top = 1.1 * max(eps, min(float(held[-1]), 4 * float(np.quantile(held, 0.9))) or eps)
    low, high = context.algorithm.parameter("eps").soft
    values = np.unique(np.append(np.geomspace(min(low, eps), max(high, eps), _VALUES), eps))
    places = np.column_stack((np.full(len(values), 1.0), values))
    handle = Handle("algorithm.eps", places, values, int(np.searchsorted(values, eps)), "eps", "level")
    return Plot(
        "k-distance",
        "k-distance",
        "samples, by that radius",
        context.measured(f"radius of {samples.min_samples} samples"),
        (level, curve, crossing),
        (0.0, len(held) + 1.0, 0.0, top),
        x_whole=True,
        handles=(handle,),
    )
