"""The samples after their covariance within the classes was made round, with the decision boundary."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from mlviz.draw.layer import Context, chart
from mlviz.draw.marks import Lines, Mark, Points
from mlviz.draw.overlays import regions
from mlviz.draw.overlays.centers import coloured_crosses
from mlviz.draw.overlays.voronoi import cell_edges
from mlviz.draw.plot import Plot
from mlviz.draw.protocols import Classifies, HasCentroids, HasScores
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid
from mlviz.numerics.sampling import spread_subsample

MOST = 1500
"""So many samples are drawn at most."""
NODES = 100
FLAT = 1e-10
"""Where one variance is smaller than this share of the other, there is nothing to make round."""


class IsWhitened(HasCentroids, HasScores, Classifies, Protocol):
    """A classifier that knows the covariance within the classes, `within` (d, d)."""

    center: Array
    within: Array


@chart("whitened", "whitened")
def whitened(model: IsWhitened, context: Context) -> Plot | None:
    if len(model.center) != 2 or context.y is None:
        return None
    root = _root(model.within)
    if root is None:
        return None
    rows = spread_subsample(context.X, MOST)
    spots = (context.X[rows] - model.center) @ np.linalg.inv(root)
    centroids = (model.centroids - model.center) @ np.linalg.inv(root)
    low, high = spots.min(axis=0), spots.max(axis=0)
    room = 0.08 * float((high - low).max())
    limits = (low[0] - room, high[0] + room, low[1] - room, high[1] + room)
    marks: list[Mark] = []
    for code in np.unique(context.y).tolist():
        mine = context.y[rows] == code
        marks.append(Points(f"dot {code}", spots[mine]))
    edges = cell_edges(centroids, limits)
    marks.append(Lines("reference", edges, label="bisector of the centroids"))
    marks += _boundary(model, root, Grid.over(limits, NODES, NODES))
    marks.append(coloured_crosses(centroids, model.classes, "centroids"))
    return Plot(
        "whitened",
        "Whitened samples",
        "whitened 1",
        "whitened 2",
        tuple(marks),
        limits,
        equal=True,
    )


def _root(covariance: Array) -> Array | None:
    """The symmetric square root of a covariance (2, 2); None where it is flat."""
    values, vectors = np.linalg.eigh(covariance)
    if not values[0] > FLAT * values[-1]:
        return None
    return np.asarray((vectors * np.sqrt(values)) @ vectors.T)


def _boundary(model: IsWhitened, root: Array, grid: Grid) -> list[Mark]:
    """Where the prediction changes, on the grid of whitened places."""
    scores = model.decision_function(grid.points() @ root + model.center)
    context = Context(
        np.empty((0, 2)),
        None,
        np.empty(0, dtype=np.intp),
        None,
        "classification",
        grid=grid,
        field=scores.reshape(grid.shape + scores.shape[1:]),
    )
    return list(regions.boundary.draw(model, context))
