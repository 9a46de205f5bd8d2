"""Two multipliers that move at a time: the samples they belong to, from where to where, and the violation left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mlviz.draw.context import Chart, Context, Overlay
from mlviz.draw.marks import Lines, Mark, Points, Segments, Text
from mlviz.draw.overlays import joined
from mlviz.draw.plot import Plot


def _moved(model: Any, context: Context) -> Sequence[Mark]:
    grown, shrunk = model.moved
    rows = np.concatenate((grown, shrunk))
    if not len(rows):
        return ()
    seen = context.grid is not None
    places = context.X[rows][:, :2] if seen else np.full((len(rows), 2), np.nan)
    marks: list[Mark] = [Points("visited", places, rows=context.rows[rows], label="the two α that moved")]
    if seen:
        start, end = context.X[grown[:1]][:, :2], context.X[shrunk[:1]][:, :2]
        marks.insert(0, Segments("now", start, end, context.rows[grown[:1]]))
    return marks


def _moves(model: Any, context: Context) -> Sequence[Mark]:
    grown, shrunk = model.moved
    if context.grid is None or not len(grown):
        return ()
    places = context.X[[grown[0], shrunk[0]]][:, :2]
    return (Text("now", places, tuple(f"α {move}" for move in model.told_moves)),)


def _violation(model: Any, context: Context) -> Plot | None:
    models = [part.model for part in getattr(model, "parts", ())] or [model]
    lines, tolerances, reach = [], [], 0.0
    for binary in models:
        course, told = binary.run.course, binary.told
        line = np.column_stack((course.steps[:told], course.violations[:told])).astype(np.float64)
        lines.append(line[line[:, 1] > 0])
        reach = max(reach, float(course.steps[told - 1]))
        tolerances.append(context.algorithm.tol)
    if not reach or not any(len(line) for line in lines):
        return None
    label = "violation" if len(models) == 1 else "violation of each binary model"
    ends = np.array([(0.0, tolerances[0]), (reach, tolerances[0])])
    marks: list[Mark] = [Lines("curve", joined(lines), label=label), Lines("reference", ends, label="tolerance")]
    return Plot("violation", "KKT violation", "step", "violation", tuple(marks), y_scale="log", x_whole=True)


moved = Overlay("moved pair", "moved pair", _moved, "the two samples whose α this step moved", parts="probe")
moves = Overlay("moves", "moves", _moves, "from where to where the two α went", parts="probe")
violation = Chart("violation", "KKT violation", _violation)
