"""How wide a plot must be to show its marks."""

from __future__ import annotations

import numpy as np

from mlviz.draw.marks import Arrows, Ellipses, Field, Lines, Mark, Points, Polygons, Segments, Text
from mlviz.draw.plot import Limits, Plot
from mlviz.numerics.arrays import Array

MARGIN = 0.04
"""Room left at each side, as a share of the width of the marks."""
WORDS = 0.12
"""The same above and below where words stand at the marks."""


def full_limits(plot: Plot) -> Limits:
    """The plot's own limits, or ones about all of its marks."""
    if plot.limits is not None:
        return plot.limits
    places = [spot for mark in plot.marks for spot in _places(mark)]
    xy = np.concatenate(places) if places else np.empty((0, 2))
    x0, x1 = _span(xy[:, 0], plot.x_scale == "log")
    words = any(isinstance(mark, Text) for mark in plot.marks)
    y0, y1 = _span(xy[:, 1], plot.y_scale == "log", WORDS if words else MARGIN)
    return x0, x1, y0, y1


def _places(mark: Mark) -> list[Array]:
    match mark:
        case Points() | Lines() | Text():
            return [mark.xy]
        case Segments() | Arrows():
            return [mark.start, mark.end]
        case Polygons():
            return list(mark.vertices)
        case Ellipses():
            reach = np.linalg.norm(mark.axes, axis=2)
            return [mark.center - reach, mark.center + reach]
        case Field():
            return [np.array([(mark.x[0], mark.y[0]), (mark.x[-1], mark.y[-1])])]
    return []


def _span(values: Array, log: bool, margin: float = MARGIN) -> tuple[float, float]:
    values = values[np.isfinite(values) & ((values > 0) | (not log))]
    if not len(values):
        return (0.1, 10.0) if log else (0.0, 1.0)
    if log:
        low, high = _span(np.log10(values), False, margin)
        return 10.0**low, 10.0**high
    low, high = float(values.min()), float(values.max())
    # Numbers that are all the same still get an axis on which they can be told from their neighbours.
    room = margin * (high - low) if high - low > 1e-12 * max(abs(low), abs(high)) else max(abs(low) * 0.1, 0.5)
    return low - room, high + room
