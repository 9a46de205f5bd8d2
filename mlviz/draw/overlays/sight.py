"""Marks over one input that may be very much farther from the samples than these are from each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mlviz.draw.layer import Context
from mlviz.draw.marks import Lines, Mark, Polygons, Segments

_OUT_OF_SIGHT = 1000.0
"""So many heights of the canvas above or below it, curves, bands and residuals end."""


def in_sight(marks: Sequence[Mark], context: Context) -> Sequence[Mark]:
    """The lines and areas; what is far above or below the canvas ends where it is out of sight."""
    if context.height is None:
        return marks
    low, high = context.height
    reach = _OUT_OF_SIGHT * (high - low)
    ends = np.array([-np.inf, low - reach]), np.array([np.inf, high + reach])
    clipped: list[Mark] = []
    for mark in marks:
        match mark:
            case Lines():
                clipped.append(replace(mark, xy=np.clip(mark.xy, *ends)))
            case Segments():
                clipped.append(replace(mark, start=np.clip(mark.start, *ends), end=np.clip(mark.end, *ends)))
            case Polygons():
                clipped.append(replace(mark, vertices=tuple(np.clip(corners, *ends) for corners in mark.vertices)))
            case _:
                clipped.append(mark)
    return tuple(clipped)
