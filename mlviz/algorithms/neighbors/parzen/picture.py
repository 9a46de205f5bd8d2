"""Where the windows about places hold samples."""

from __future__ import annotations

from collections.abc import Sequence

from mlviz.draw.contours import contour
from mlviz.draw.layer import Context, overlay
from mlviz.draw.marks import Lines, Mark
from mlviz.numerics.neighbors.search import nearest
from mlviz.numerics.neighbors.windows import ENDING

NODES = 100
"""A line about discs is round enough with so many nodes a side."""


@overlay(
    "reach",
    "reach of the windows",
    "outside this line the window (box or triangle) is empty, and the nearest sample decides",
)
def reach(model: object, context: Context) -> Sequence[Mark]:
    if context.grid is None or context.algorithm.window not in ENDING:
        return ()
    grid = context.grid
    step = 1 if context.fine else max(1, max(grid.shape) // NODES)
    coarse = grid.every(step)
    _, distance = nearest(coarse.points(), context.X, 1, "euclidean")
    xy = contour(coarse, distance.reshape(coarse.shape), context.algorithm.width, fine=context.fine)
    return (Lines("reach", xy, label="outside: no sample in the window"),) if len(xy) else ()
