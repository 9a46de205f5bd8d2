"""Two multipliers that move at a time: the samples they belong to, from where to where, and the violation left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from mlviz.algorithms.margin.smo.model import SMOModel
from mlviz.draw.contours import join_lines
from mlviz.draw.layer import Context, chart, overlay
from mlviz.draw.marks import Lines, Mark, Points, Segments, Text
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import Array


@overlay("moved pair", "moved pair", "the two samples whose α this step moved", parts="probe")
def moved(model: SMOModel, context: Context) -> Sequence[Mark]:
    if model.pair is None:  # the start
        return ()
    grown, shrunk = model.moved
    rows = np.concatenate((grown, shrunk))
    seen = context.grid is not None
    places = context.X[rows][:, :2] if seen else np.full((len(rows), 2), np.nan)
    marks: list[Mark] = [Points("visited", places, rows=context.rows[rows], label="the two α that moved")]
    if seen:
        start, end = context.X[grown[:1]][:, :2], context.X[shrunk[:1]][:, :2]
        marks.insert(0, Segments("now", start, end, context.rows[grown[:1]]))
    return marks


@overlay("moves", "moves", "from where to where the two α went", parts="probe")
def moves(model: SMOModel, context: Context) -> Sequence[Mark]:
    if context.grid is None or model.pair is None:
        return ()
    grown, shrunk = model.moved
    places = context.X[[grown[0], shrunk[0]]][:, :2]
    return (Text("now", places, tuple(f"α {move}" for move in model.told_moves)),)


@chart("violation", "KKT violation", parts="each")
def violation(models: Sequence[SMOModel], context: Context) -> Plot | None:
    lines = [line[line[:, 1] > 0] for line in _courses(models, "violations")]
    if sum(map(len, lines)) < 2:
        return None
    reach = max(float(line[-1, 0]) for line in lines if len(line))
    ends = np.array([(0.0, context.algorithm.tol), (reach, context.algorithm.tol)])
    marks = (*_curves(lines, "violation"), Lines("reference", ends, label="tolerance"))
    return Plot("violation", "KKT violation", "step", "violation", marks, y_scale="log", x_whole=True)


@chart("dual objective", "dual objective", parts="each")
def dual_objective(models: Sequence[SMOModel], context: Context) -> Plot | None:
    lines = _courses(models, "objectives")
    if sum(map(len, lines)) < 2:
        return None
    marks = _curves(lines, "dual objective")
    return Plot("dual objective", "Dual objective", "step", "dual objective", marks, x_whole=True)


def _courses(models: Sequence[SMOModel], what: Literal["violations", "objectives"]) -> list[Array]:
    """Step and value (m, 2) of what there was to tell of each binary model until now."""
    return [model.run.course.until(model.told, what) for model in models]


def _curves(lines: list[Array], label: str) -> tuple[Mark, ...]:
    if len(lines) > 1:
        return (Lines("curve", join_lines(lines), label=f"{label} of each binary model"),)
    return Lines("curve", lines[0], label=label), Points("now", lines[0][-1:], label="this step")
