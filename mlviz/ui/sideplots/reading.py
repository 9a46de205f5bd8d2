"""What stands in a plot under the cursor, in words."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF

from mlviz.draw.marks import Field, Lines
from mlviz.draw.numbers import format_number
from mlviz.draw.plot import Area, Plot, full_limits
from mlviz.numerics.arrays import Array
from mlviz.ui.paint.axes import AxesFrame

REACH_PX = 14
"""How near the cursor must come to a value."""


def value_at(plot: Plot, frame: AxesFrame, pixel: QPointF) -> tuple[Array, str] | None:
    """The place (2,) of the value nearest to a pixel, and what it says; None where there is none near.

    Where a click sets hyperparameters, that is said as well.
    """
    area = area_at(plot, frame, pixel)
    if area is None or not area.settings:
        return _nearest(plot, frame, pixel) or _middle(area) or _cell_at(plot, frame, pixel)
    # In a column the curves tell more; what a smaller part sets may be more than the two numbers of a point in it.
    low, high = full_limits(plot)[2:]
    is_column = area.limits[2] <= low and high <= area.limits[3]
    found = (_nearest(plot, frame, pixel) if is_column else None) or _middle(area)
    return found and (found[0], f"{found[1]}; click to adopt")


def _nearest(plot: Plot, frame: AxesFrame, pixel: QPointF) -> tuple[Array, str] | None:
    """The place (2,) of the value nearest to a pixel, and what it says; None where there is none near."""
    best, found = float(REACH_PX), None
    for mark in plot.marks:
        values = mark.places()
        if mark.readable and len(values):
            offset = frame.to_pixels(values) - pixel.toTuple()
            distances = np.nan_to_num(np.hypot(offset[:, 0], offset[:, 1]), nan=np.inf)
            nearest = int(np.argmin(distances))
            if distances[nearest] < best:
                best, found = float(distances[nearest]), (mark, values[nearest])
    if found is None:
        return None
    mark, place = found
    x, y = place.tolist()
    if plot.y_ticks is not None and y not in dict(plot.y_ticks):
        return None  # between named places a height is no value
    where = dict(plot.x_ticks or ()).get(x) or f"{plot.x_label} {format_number(x)}"
    labels = {mark.label for mark in plot.marks if isinstance(mark, Lines) and mark.label}
    if plot.y_ticks is not None:
        return place, f"{where}: {dict(plot.y_ticks)[y]}"
    what = mark.label if len(labels) > 1 and mark.label else plot.y_label
    return place, f"{where}: {what} {format_number(y)}"


def area_at(plot: Plot, frame: AxesFrame, pixel: QPointF) -> Area | None:
    """The part of a plot at a pixel that can be clicked, the last of several."""
    x, y = frame.to_data([pixel.toTuple()])[0].tolist()
    under = [a for a in plot.areas if a.limits[0] <= x <= a.limits[1] and a.limits[2] <= y <= a.limits[3]]
    return under[-1] if under else None


def _middle(area: Area | None) -> tuple[Array, str] | None:
    """Of what can be clicked the middle, and what it says; None where it is nothing."""
    if area is None:
        return None
    x0, x1, y0, y1 = area.limits
    return np.array([(x0 + x1) / 2, (y0 + y1) / 2]), area.label


def _cell_at(plot: Plot, frame: AxesFrame, pixel: QPointF) -> tuple[Array, str] | None:
    """Of a matrix the cell at a pixel: its row, its column and its value."""
    x, y = np.rint(frame.to_data([pixel.toTuple()])[0]).tolist()
    for mark in plot.marks:
        if isinstance(mark, Field) and mark.cells is not None:
            row, column = np.searchsorted(mark.y, y), np.searchsorted(mark.x, x)
            if y in mark.y and x in mark.x:
                name, value = mark.cell_name.format(x=x, y=y), format_number(float(mark.cells[row, column]), 3)
                return np.array([x, y]), f"{name} = {value}"
    return None
