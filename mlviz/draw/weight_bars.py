"""Chart of the weights of a linear function, as bars."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlviz.draw.context import Chart, Context
from mlviz.draw.marks import Lines, Mark, Points, Polygons
from mlviz.draw.plot import Plot

NAMED = 12
"""More weights than that are not named one by one: the names would cover each other."""


def _weights(model: Any, context: Context) -> Plot | None:
    """The weight of each input, those that are exactly 0 marked; None for a model made of several."""
    coef = getattr(model, "coef", None)
    if coef is None or coef.ndim != 1:
        return None
    d = len(coef)
    names = context.names if len(context.names) == d else [f"x{j + 1}" for j in range(d)]
    zero = np.flatnonzero(coef == 0)
    bars = []
    for place in np.flatnonzero(coef).tolist():
        left, right, weight = place - 0.35, place + 0.35, float(coef[place])
        bars.append(np.array([(left, 0.0), (left, weight), (right, weight), (right, 0.0)]))
    marks: list[Mark] = [Lines("reference", np.array([(-0.5, 0.0), (d - 0.5, 0.0)]))]
    if bars:
        marks.append(Polygons("bar", tuple(bars), label="weights"))
    if len(zero):
        marks.append(Points("now", np.column_stack((zero, np.zeros(len(zero)))), label="exactly 0"))
    ticks = tuple((float(j), name) for j, name in enumerate(names)) if d <= NAMED else None
    most = 1.15 * float(np.abs(coef).max(initial=0.0)) or 1.0
    low, high = (-most if (coef < 0).any() else -0.1 * most), (most if (coef >= 0).any() else 0.1 * most)
    return Plot("weights", "Weights", "input", "weight", tuple(marks), (-0.5, d - 0.5, low, high), x_ticks=ticks)


weights = Chart("weights", "weights", _weights)
