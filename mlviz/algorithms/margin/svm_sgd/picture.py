"""What a method that comes nearer and nearer to a known minimum shows of it: its boundary and its objective."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.contours import contour
from mlviz.draw.layer import Context, chart, overlay
from mlviz.draw.marks import Lines, Mark, Points
from mlviz.draw.overlays import objective
from mlviz.draw.plot import Plot
from mlviz.draw.protocols import HasField, HasObjective


@runtime_checkable
class HasExact(HasObjective, Protocol):
    """It comes near to a known minimum: `exact` has it, or is None, and is reached at the `minimum`."""

    @property
    def exact(self) -> HasField | None:
        """The model at the minimum."""

    @property
    def minimum(self) -> float | None:
        """The smallest objective."""

    def shown(self, count: int) -> NDArray[np.intp]:
        """The numbers of the first so many steps that are shown."""


@overlay("exact boundary", "exact boundary", "the boundary that the steps come near to", parts="probe")
def exact_boundary(model: HasExact, context: Context) -> Sequence[Mark]:
    exact = model.exact
    if exact is None or context.grid is None:
        return ()
    xy = contour(context.grid, context.grid.field_of(exact, np.float32), 0.0, fine=context.fine)
    return (Lines("exact boundary", xy, label="exact boundary"),) if len(xy) else ()


@chart("objective", "objective")
def objective_and_exact(model: HasObjective, context: Context) -> Plot | None:
    """The objective against the true step; of several models together, against the steps that are shown."""
    if not isinstance(model, HasExact):
        return objective.objective.draw(model, context)
    values = np.asarray(context.history, dtype=np.float64)
    steps = model.shown(len(values))
    known = np.flatnonzero((steps > 0) & (values > 0))
    if len(known) < 2:
        return None
    marks: list[Mark] = [Lines("curve", np.column_stack((steps, values)).astype(np.float64)[known], label="objective")]
    if model.minimum is not None:
        ends = steps[known[[0, -1]]]
        marks.append(Lines("reference", np.column_stack((ends, [model.minimum] * 2)), label="exact minimum"))
    if context.step in known:
        marks.append(Points("now", np.array([[steps[context.step], values[context.step]]]), label="this step"))
    return Plot("objective", "Objective", "step", "objective", tuple(marks), x_scale="log", y_scale="log")
