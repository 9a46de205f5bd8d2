"""How sure a regression is: bands about its curve, for methods that have a predictive distribution."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlviz.draw.layer import OnLine, overlay
from mlviz.draw.marks import Lines, Mark, Polygons
from mlviz.draw.protocols import HasPredictive
from mlviz.numerics.arrays import Array
from mlviz.numerics.quantiles import half_width

LEVEL = 0.95
"""The share of new targets, or of functions, that a band is meant to hold."""


@overlay(
    "bands",
    "bands",
    "where the function itself is, and where a new target is, with the stated probability",
    tasks=("regression",),
)
def bands(model: HasPredictive, context: OnLine) -> Sequence[Mark]:
    x = context.line
    middle, (of_function, of_target) = model.predict(x[:, None]), model.predict_std(x[:, None])
    width = half_width(LEVEL, model.degrees_of_freedom)
    share = f"{LEVEL:.0%}"
    return (
        Polygons("band", (_between(x, middle, width * of_function),), label=f"{share} band of the function"),
        Lines("band rim", _rims(x, middle, width * of_target), label=f"{share} band of a new target"),
    )


def _between(x: Array, middle: Array, half: Array) -> Array:
    """The outline (2m, 2) of what lies between middle - half and middle + half."""
    return np.column_stack((np.append(x, x[::-1]), np.append(middle - half, (middle + half)[::-1])))


def _rims(x: Array, middle: Array, half: Array) -> Array:
    """Both lines, parted by a row of NaN: (2m + 1, 2)."""
    low, high = np.column_stack((x, middle - half)), np.column_stack((x, middle + half))
    return np.vstack((low, [[np.nan, np.nan]], high))
