"""How wide a plot must be to show its marks."""

from __future__ import annotations

import numpy as np

from mlviz.draw.marks.base import NOWHERE, BaseMark
from mlviz.draw.plot import Limits, Plot
from mlviz.numerics.arrays import Array


def full_limits(plot: Plot) -> Limits:
    """The plot's own limits, or ones about all of its marks."""
    if plot.limits is not None:
        return plot.limits
    xy = np.concatenate((NOWHERE, *(mark.places() for mark in plot.marks)))
    x0, x1 = _span(xy[:, 0], plot.x_scale == "log", BaseMark.margin)
    y0, y1 = _span(xy[:, 1], plot.y_scale == "log", max((mark.margin for mark in plot.marks), default=BaseMark.margin))
    return x0, x1, y0, y1


def _span(values: Array, log: bool, margin: float) -> tuple[float, float]:
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
