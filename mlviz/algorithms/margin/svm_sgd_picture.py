"""What a method that comes nearer and nearer to a known minimum shows of it: its boundary and its objective."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mlviz.draw.contours import contour
from mlviz.draw.layer import Chart, Context, Overlay
from mlviz.draw.marks import Lines, Mark, Points
from mlviz.draw.overlays import objective
from mlviz.draw.plot import Plot


def _exact_boundary(model: Any, context: Context) -> Sequence[Mark]:
    exact = model.exact
    if exact is None or context.grid is None:
        return ()
    xy = contour(context.grid, context.grid.field_of(exact, np.float32), 0.0, fine=context.fine)
    return (Lines("exact boundary", xy, label="exact boundary"),) if len(xy) else ()


def _objective_and_exact(model: Any, context: Context) -> Plot | None:
    """The objective against the true step; `model.shown(k)` gives the numbers of the first k steps that are shown."""
    if hasattr(model, "parts"):
        return objective.objective.draw(model, context)
    values = np.asarray(context.history, dtype=np.float64)
    steps = model.shown(len(values))
    known = np.flatnonzero((steps > 0) & (values > 0))
    if len(known) < 2:
        return None
    marks: list[Mark] = [Lines("curve", np.column_stack((steps, values))[known], label="objective")]
    if model.minimum is not None:
        ends = steps[known[[0, -1]]]
        marks.append(Lines("reference", np.column_stack((ends, [model.minimum] * 2)), label="exact minimum"))
    if context.step in known:
        marks.append(Points("now", np.array([[steps[context.step], values[context.step]]]), label="this step"))
    return Plot("objective", "Objective", "step", "objective", tuple(marks), x_scale="log", y_scale="log")


exact_boundary = Overlay(
    "exact boundary", "exact boundary", _exact_boundary, "the boundary that the steps come near to", parts="probe"
)
objective_and_exact = Chart("objective", "objective", _objective_and_exact)
