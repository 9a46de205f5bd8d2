"""The functions of the basis as linear regression weighs them: over the input, on the canvas, and as bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlviz.algorithms.basis_pictures import basis_handles, term_axis
from mlviz.algorithms.linear.linear_regression.model import LinearRegressionModel
from mlviz.draw.contours import curves
from mlviz.draw.layer import Context, OnLine, chart, overlay
from mlviz.draw.marks import Lines, Mark
from mlviz.draw.overlays.charts import MOST_BARS, bar_ticks, weight_bars
from mlviz.draw.overlays.regions import predicted
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import Array


@chart("basis", "basis functions")
def basis_chart(model: LinearRegressionModel, context: Context) -> Plot | None:
    """Each term of the sum over the input, and the sum."""
    if context.line is None or len(model.solution.coef) < 2:
        return None
    x = context.line
    terms = np.column_stack((np.full(len(x), model.solution.intercept), _terms(model, x)))
    total = model.predict(x[:, None])
    marks: list[Mark] = [Lines("basis", curves(x, terms), label="weight times basis function")]
    marks.append(Lines("curve", np.column_stack((x, total)), label="their sum"))
    # As high as the samples and three times that: terms of a high degree cancel each other far outside.
    fitted = predicted(model, context)[1]
    y = fitted if context.y is None else np.append(context.y, fitted)
    low, high = (float(y.min()), float(y.max())) if len(y) else (-1.0, 1.0)
    room = (high - low) or max(abs(high), 1.0)
    limits = (float(x[0]), float(x[-1]), low - room, high + room)
    reach, handles = basis_handles(model.basis, limits)
    marks += reach
    return Plot("basis", "Basis functions", context.axis_label(0), "prediction", tuple(marks), limits, handles=handles)


@overlay(
    "basis functions",
    "basis functions",
    "each function of the basis times its weight, and the offset; the curve is their sum",
    shown=False,
    tasks=("regression",),
    idle=lambda algorithm, classes: "The inputs themselves are the basis." if algorithm.basis == "linear" else "",
)
def basis_functions(model: LinearRegressionModel, context: OnLine) -> Sequence[Mark]:
    if len(model.solution.coef) < 2:
        return ()
    x = context.line
    terms = np.column_stack((np.full(len(x), model.solution.intercept), _terms(model, x)))
    values = model.y if context.height is None else np.asarray(context.height)
    middle, room = (float(values.max()) + float(values.min())) / 2, float(np.ptp(values)) or 1.0
    # Terms of a high degree cancel each other far outside of what is seen.
    terms[~(np.abs(terms - middle) <= 2 * room)] = np.nan
    marks: list[Mark] = []
    for role, lines, label in (
        ("basis", terms[:, 1:], "weight times basis function"),
        ("offset", terms[:, :1], "offset"),
    ):
        xy = curves(x, lines)
        xy[np.isnan(xy[:, 1])] = np.nan
        if np.isfinite(xy).any():
            marks.append(Lines(role, xy, label=label))
    return marks


def _terms(model: LinearRegressionModel, x: Array) -> Array:
    """Each function times its weight at places x (m,): (m, p)."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(model.basis.terms(x[:, None]) * model.solution.coef)


@chart("weights", "weights")
def weights_chart(model: LinearRegressionModel, context: Context) -> Plot | None:
    """The weights as bars."""
    if len(model.penalized) > MOST_BARS:
        return None
    (names, term, label), w = term_axis(model.basis, context), model.penalized
    marks = tuple(weight_bars(w[None], zeros=model.problem.l1 > 0))
    return Plot("weights", "Weights", term, label, marks, x_ticks=bar_ticks(names))
