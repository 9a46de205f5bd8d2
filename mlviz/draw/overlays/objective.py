"""Charts shared by several methods."""

from __future__ import annotations

import numpy as np

from mlviz.draw.layer import Context, chart
from mlviz.draw.marks import Lines, Mark, Points
from mlviz.draw.plot import Plot
from mlviz.draw.protocols import HasObjective


@chart("objective", "objective")
def objective(model: HasObjective, context: Context) -> Plot | None:
    values = np.asarray(context.history, dtype=np.float64)
    # Steps before the objective exists (seeding) carry NaN.
    steps = np.flatnonzero(np.isfinite(values))
    if len(steps) < 2:
        return None
    marks: list[Mark] = [Lines("curve", np.column_stack((steps, values[steps])), label="objective")]
    if context.step < len(values) and np.isfinite(values[context.step]):
        marks.append(Points("now", np.array([[context.step, values[context.step]]]), label="this step"))
    return Plot("objective", "Objective", "step", model.objective_name, tuple(marks), x_whole=True)
