"""Voronoi cells: the places nearer to one point than to any other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mlviz.draw.contours import some_lines
from mlviz.draw.layer import OnGrid, overlay
from mlviz.draw.marks import Mark
from mlviz.draw.plot import Limits
from mlviz.numerics.arrays import Array
from mlviz.numerics.clipping import clip_segments

MOST_CELLS = 5000
"""More cells are smaller than the symbols of their samples, and take seconds."""
_FAR = 1e4
"""Four helping points stand this many times the size of the scene away, so that every cell seen is bounded."""


def cell_edges(points: Array, limits: Limits) -> Array:
    """The edges between the Voronoi cells of points (n, 2) inside limits, as one polyline with rows of NaN.

    Copies of a point share a cell; points on a line are fine. Empty where there is nothing to part.
    """
    from scipy.spatial import QhullError, Voronoi

    x0, x1, y0, y1 = limits
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    places = np.unique(points, axis=0) - middle
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
