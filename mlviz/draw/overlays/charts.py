"""Charts shared by several methods."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlviz.draw.inks import BAR_INKS
from mlviz.draw.layer import Context, chart
from mlviz.draw.marks import Lines, Mark, Points, Polygons
from mlviz.draw.plot import Plot
from mlviz.draw.protocols import HasCoef, HasObjective
from mlviz.numerics.arrays import Array

MOST_NAMES = 12
"""More weights than that are not named one by one: the names would cover each other."""
_LEAST_ROOM = 6
"""Fewer bars are no wider than so many."""
MOST_BARS = 300
"""More bars than that are too thin to be seen."""


def rectangles(left: Array, right: Array, height: Array) -> tuple[Array, ...]:
    """Bars from 0 to each height (m,)."""
    zero = np.zeros(len(height))
    return tuple(np.stack(((left, zero), (left, height), (right, height), (right, zero))).transpose(2, 0, 1))


def ends_of_bars(count: int) -> tuple[float, float]:
    """The ends of an axis for so many bars about 0, 1, ...: there is room for some, so that a single one is no wall."""
    room, middle = max(count, _LEAST_ROOM) / 2, (count - 1) / 2
    return middle - room, middle + room


def weight_bars(
    weights: Array, labels: Sequence[str] = ("weights",), first: float = 0.0, zeros: bool = True
) -> list[Mark]:
    """The line from which bars rise, and those of weights (k, m) about `first`, `first` + 1, ...: k side by side.

    With `zeros` weights that are exactly 0 have a point in place of a bar without height.
    """
    (several, m), width = weights.shape, 0.7 / len(weights)
    left = first + np.arange(m) - 0.35 + width * np.arange(several)[:, None]
    marks: list[Mark] = [Lines("reference", np.column_stack((np.add(ends_of_bars(m), first), (0.0, 0.0))))]
    for k, (label, own, at) in enumerate(zip(labels, weights, left, strict=True)):
        there = (own != 0) | (not zeros)
        if own.any():
            role = f"bar {k % BAR_INKS}" if several > 1 else "bar"
            marks.append(Polygons(role, rectangles(at[there], at[there] + width, own[there]), label=label))
    middle = (left + width / 2)[weights == 0]
    if zeros and len(middle):
        marks.append(Points("now", np.column_stack((middle, np.zeros(len(middle)))), label="exactly 0"))
    return marks


def bar_ticks(names: Sequence[str]) -> tuple[tuple[float, str], ...] | None:
    """The ticks of bars about 0, 1, ... with their names, where these have room."""
    return tuple((float(j), name) for j, name in enumerate(names)) if len(names) <= MOST_NAMES else None


@chart("objective", "objective")
def objective_chart(model: HasObjective, context: Context) -> Plot | None:
    values = np.asarray(context.history, dtype=np.float64)
    # Steps before the objective exists (seeding) carry NaN.
    steps = np.flatnonzero(np.isfinite(values))
    if len(steps) < 2:
        return None
    marks: list[Mark] = [Lines("curve", np.column_stack((steps, values[steps])), label="objective")]
    begin, first = int(steps[0]), float(values[steps[0]])
    if begin:
        told = "step 0 finds" if begin == 1 else f"steps 0 to {begin - 1} find"
        marks.append(Lines("reference", np.array([(0.0, first), (begin, first)]), label=f"{told} the start"))
    if context.step < len(values) and (context.step < begin or np.isfinite(values[context.step])):
        height = first if context.step < begin else values[context.step]
        marks.append(Points("now", np.array([[context.step, height]]), label="this step"))
    name = context.measured(model.objective_name) if model.objective_measured else model.objective_name
    return Plot("objective", "Objective", "step", name, tuple(marks), x_whole=True)


@chart("weights", "weights", parts="each")
def weights_chart(models: Sequence[HasCoef], context: Context) -> Plot | None:
    """The weight of each input, those that are exactly 0 marked; side by side those of binary models."""
    known = [model.coef for model in models if model.coef is not None and model.coef.ndim == 1]
    if len(known) < len(models):
        return None
    coef = np.array(known)
    d = coef.shape[1]
    if coef.size > MOST_BARS:
        return None
    marks = weight_bars(coef, context.pairs or ("weights",))
    ticks = bar_ticks([context.names.of_input(j) for j in range(d)])
    most = 1.15 * float(np.abs(coef).max()) or 1.0
    low, high = (-most if (coef < 0).any() else -0.1 * most), (most if (coef >= 0).any() else 0.1 * most)
    limits = (*ends_of_bars(d), low, high)
    return Plot(
        "weights",
        "Weights",
        "input",
        context.measured("weight"),
        tuple(marks),
        limits,
        x_ticks=ticks,
    )
