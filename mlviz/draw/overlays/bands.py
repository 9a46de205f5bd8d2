"""How sure a regression is: bands of a predictive distribution or of all minima, and what is decided under costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from mlviz.draw.contours import join_lines, numbered_lines, some_lines
from mlviz.draw.layer import Context, OnLine, OnNodes, OnTargets, chart, overlay
from mlviz.draw.marks import Lines, Mark, Points, Polygons
from mlviz.draw.numbers import number, share, typographic
from mlviz.draw.overlays.regions import in_sight
from mlviz.draw.plot import Handle, Plot
from mlviz.draw.protocols import HasPredictive, Predicts
from mlviz.draw.ticks import round_levels
from mlviz.numerics.arrays import Array
from mlviz.numerics.asymmetric_cost import COSTS, AsymmetricCost
from mlviz.numerics.grid import Grid
from mlviz.numerics.quantiles import half_width, standard_density, standard_probability

_NODES, _FEWEST_NODES = {False: 51, True: 101}, 9
"""So many nodes a side tell a standard deviation on the plane, coarse or fine; fewer where it takes long."""
_WORK = {False: 3e8, True: 1e9}
"""So many products, about, are added up for it if it takes the square of what a prediction does."""
_LINES = 5.0
"""About so many lines of equal standard deviation, and of equal decision, there are."""
_SEEN = 4.0
"""The chart of costs shows so many standard deviations on either side, and more where the decision is farther."""
_PLACES, _APART = 241, 1e-6
"""So many places of it are worked out, and none so near to the decision, as a share of the chart."""
_ROUNDING = 1e-12
_DENSITY = 0.6
"""How high the density of a new target is drawn, as a share of the chart."""
_HIGHEST = 4.0
"""Costs are seen up to so many times the larger one of the decision and of the prediction."""


class HasMinima(Predicts, Protocol):
    """It may be one of several minima."""

    def minima(self, X: Array) -> Array:
        """The values (k, n) of the minima of which all others are means; none where it is alone."""


@overlay(
    "bands",
    "bands",
    "where the function itself is, and where a new target is, with the stated probability",
    tasks=("regression",),
)
def bands(model: HasPredictive, context: OnLine) -> Sequence[Mark]:
    x = context.line
    middle, (of_function, of_target) = model.predict(x[:, None]), model.predict_std(x[:, None])
    width = half_width(context.level, model.degrees_of_freedom)
    if not np.isfinite(width) or not np.isfinite(of_target).all():
        return ()
    level = typographic(share(context.level))
    inner, outer = (
        [np.column_stack((x, middle + sign * width * of)) for sign in (-1, 1)] for of in (of_function, of_target)
    )
    marks = (
        Polygons("band", (np.vstack((inner[0], inner[1][::-1])),), label=f"{level} band of the function"),
        Lines("band rim", join_lines(outer), label=f"{level} band of a new target"),
    )
    return in_sight(marks, context)


@overlay(
    "minima",
    "all minima",
    "where several curves have the same smallest loss: from the lowest to the highest of them at each place",
    tasks=("regression",),
)
def minima(model: HasMinima, context: OnLine) -> Sequence[Mark]:
    x = context.line
    values = model.minima(x[:, None])
    if not len(values) or not np.isfinite(values).all():
        return ()
    low, high = values.min(axis=0), values.max(axis=0)
    outline = np.column_stack((np.append(x, x[::-1]), np.append(low, high[::-1])))
    return in_sight((Polygons("minima", (outline,), label="curves as good as this one"),), context)


@overlay(
    "standard deviation",
    "lines of equal standard deviation",
    "how uncertain the function is at a place of the plane, in the units of the target",
    shown=False,
    tasks=("regression",),
)
def deviations(model: HasPredictive, context: OnNodes) -> Sequence[Mark]:
    grid = _coarse(model, context)
    deviation = _asked(grid, lambda X: model.predict_std(X)[0])
    if not np.isfinite(deviation).any():
        return ()
    low, high = float(np.nanmin(deviation)), float(np.nanmax(deviation))
    levels = round_levels(low, high, _LINES)
    label = "equal standard deviation of the function"
    return numbered_lines("deviation", label, grid, deviation, levels, context.fine)


@overlay(
    "decision",
    "decision under costs",
    "the value whose expected cost is lowest, where too low and too high cost differently",
    tasks=("regression",),
)
def decided(model: HasPredictive, context: OnTargets) -> Sequence[Mark]:
    cost = context.value_cost
    if cost is None:
        return ()

    def best(X: Array) -> Array:
        return cost.best(model.predict(X), model.predict_std(X)[1], model.degrees_of_freedom)

    if context.line is not None:
        course = np.column_stack((context.line, best(context.line[:, None])))
        told = course if np.isfinite(course).all() else course[:0]
        return in_sight(some_lines("decided", told, _named(cost)), context)
    if context.nodes is None or not len(context.y):
        return ()
    grid = _coarse(model, context)
    a = _asked(grid, best)
    # The levels are those of the lines of equal prediction, so that both can be compared.
    levels = round_levels(float(context.y.min()), float(context.y.max()), 7.0)
    return numbered_lines("decided", f"equal {_named(cost)}", grid, a, levels, context.fine)


def costs_in_words(cost: AsymmetricCost) -> str:
    """What predictions on either side cost, as a clause."""
    return f"too low costs {number(cost.below)} and too high {number(cost.above)}"


def _named(cost: AsymmetricCost) -> str:
    return typographic(f"decision where {costs_in_words(cost)} ({share(cost.share)} quantile)")


def _coarse(model: Any, context: Context) -> Grid:
    """A grid over the same view with fewer nodes."""
    assert context.nodes is not None
    able = int(np.sqrt(_WORK[context.fine]) / max(1, model.cost))
    count = int(np.clip(able, _FEWEST_NODES, _NODES[context.fine]))
    x, y = (np.linspace(side[0], side[-1], min(count, len(side))) for side in (context.nodes.x, context.nodes.y))
    return replace(context.nodes, x=x, y=y)


def _asked(grid: Grid, at: Any) -> Array:
    """What is said at the nodes, (ny, nx)."""
    return np.asarray(at(grid.points()), dtype=np.float64).reshape(grid.shape)


@chart("expected cost", "expected cost")
def expected_cost(model: HasPredictive, context: OnTargets) -> Plot | None:
    """The expected cost over the decision at one place: its minimum can be dragged, which sets the costs."""
    cost, nu = context.value_cost, model.degrees_of_freedom
    if cost is None or not nu > 1 or not len(context.X):
        return None
    place = context.X.mean(axis=0) if context.probe is None else context.probe
    middle, deviation = float(model.predict(place[None])[0]), float(model.predict_std(place[None])[1][0])
    if not (np.isfinite(middle) and np.isfinite(deviation) and deviation > _ROUNDING * abs(middle)):
        return None
    shift = cost.shift(nu)
    far = max(_SEEN, 1.25 * abs(shift))
    z = np.linspace(-far, far, _PLACES)
    z = np.union1d(z[np.abs(z - shift) > _APART * far], shift)
    costs = deviation * cost.expected(z, nu)
    at = middle + deviation * z
    best, usual = (deviation * cost.expected(np.array([shift, 0.0]), nu)).tolist()
    top = _HIGHEST * usual
    density = _DENSITY * top * standard_density(z, nu) / standard_density(np.zeros(1), nu)
    below = z <= shift
    under = np.vstack(((at[0], 0.0), np.column_stack((at, density))[below], (middle + deviation * shift, 0.0)))
    marks: tuple[Mark, ...] = (
        Polygons("band", (under,), label=typographic(f"{share(cost.share)} of new targets are below it")),
        Lines("basis", np.column_stack((at, density)), label="density of a new target, its height to no scale"),
        Lines("curve", np.column_stack((at, costs)), label="expected cost"),
        Points("foot", np.array([(middle, usual)]), label="if the prediction is decided for"),
        Points("now", np.array([(middle + deviation * shift, best)]), label="the decision: lowest expected cost"),
    )
    where = "at the mean of the inputs" if context.probe is None else "at the cursor"
    limits = (float(at[0]), float(at[-1]), 0.0, top)
    handle = _handle(cost, nu, at, z)
    return Plot("expected cost", "Expected cost", f"decision {where}", "cost", marks, limits, handles=handle)


def _handle(cost: AsymmetricCost, nu: float, at: Array, z: Array) -> tuple[Handle, ...]:
    """What is dragged along the decisions `at` (m,), so many deviations z (m,) above the middle: the cost of too low.

    That of too high stays: each decision is the best one for one ratio of both.
    """
    below, above = standard_probability(z, nu), standard_probability(-z, nu)
    found = np.full(len(z), np.nan)
    np.divide(cost.above * below, above, out=found, where=above > 0)
    found[z == cost.shift(nu)] = cost.below  # to the last digit
    able = (found >= COSTS[0]) & (found <= COSTS[1])
    places, values = np.column_stack((at, np.zeros(len(at))))[able], found[able]
    here = int(np.searchsorted(values, cost.below))
    return (Handle("decision.cost_below", places, values, min(here, len(values) - 1), "cost of too low", "upright"),)
