"""The charts of linear regression: its terms over the input, its weights as bars, their path over the penalty."""

from __future__ import annotations

import numpy as np

from mlviz.algorithms.linear.linear_regression.model import LinearRegressionModel
from mlviz.draw.contours import curves
from mlviz.draw.layer import Context, chart
from mlviz.draw.marks import Lines, Mark, Points, Polygons, Text
from mlviz.draw.overlays.charts import MOST_BARS, MOST_NAMES, bar_axis, rectangles
from mlviz.draw.overlays.regions import predicted
from mlviz.draw.plot import Handle, Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.bases.monomials import Monomials


def _names(model: LinearRegressionModel, context: Context) -> list[str]:
    """The terms that the penalized weights belong to; those of a single input need not name it."""
    d = model.X.shape[1]
    short = d == 1 and not isinstance(model.basis, Monomials)
    return model.basis.names([""] if short else [context.names.of_input(j) for j in range(d)])


def _is_mapped(model: LinearRegressionModel) -> bool:
    return isinstance(model.basis, Monomials) and model.basis.mapped


def _weight(model: LinearRegressionModel, context: Context) -> str:
    """What the weights are of: u is the same whatever the units of the inputs."""
    return "weight" if _is_mapped(model) else context.of_inputs("weight")


@chart("basis", "basis functions")
def basis_chart(model: LinearRegressionModel, context: Context) -> Plot | None:
    """Each term of the sum over the input, and the sum."""
    if context.line is None or len(model.solution.coef) < 2:
        return None
    x = context.line
    terms = model.basis.terms(x[:, None]) * model.solution.coef
    terms = np.column_stack((np.full(len(x), model.solution.intercept), terms))
    total = model.predict(x[:, None])
    marks: list[Mark] = [Lines("basis", curves(x, terms), label="weight times basis function")]
    marks.append(Lines("curve", np.column_stack((x, total)), label="their sum"))
    # As high as the samples and three times that: terms of a high degree cancel each other far outside.
    fitted = predicted(model, context)[1]
    y = fitted if context.y is None else np.append(context.y, fitted)
    low, high = (float(y.min()), float(y.max())) if len(y) else (-1.0, 1.0)
    room = (high - low) or max(abs(high), 1.0)
    limits = (float(x[0]), float(x[-1]), low - room, high + room)
    return Plot("basis", "Basis functions", context.axis_label(0), "prediction", tuple(marks), limits)


@chart("weights", "weights")
def weights_chart(model: LinearRegressionModel, context: Context) -> Plot | None:
    """The weights as bars."""
    if len(model.penalized) > MOST_BARS:
        return None
    names = _names(model, context)
    places = np.arange(float(len(names)))
    bars = rectangles(places - 0.35, places + 0.35, model.penalized)
    zero, ticks = bar_axis(names)
    marks = (Polygons("bar", bars, label="weights"), zero)
    mapped = "inputs mapped" if model.X.shape[1] > 1 else "input mapped"
    term = f"term (u: {mapped} to [−1, 1])" if _is_mapped(model) else "term"
    return Plot("weights", "Weights", term, _weight(model, context), marks, x_ticks=ticks)


@chart("path", "coefficient path")
def path_chart(model: LinearRegressionModel, context: Context) -> Plot | None:
    """Each weight over the strength of the penalty, which can be dragged."""
    if not model.lambda_:
        return None
    low, high = context.algorithm.parameter("lambda_").soft
    low, high = min(low, model.lambda_), max(high, model.lambda_)
    lambdas = np.unique(np.append(np.geomspace(low, high, 80), model.lambda_))
    at = int(np.searchsorted(lambdas, model.lambda_))
    weights = model.path(lambdas)
    names = _names(model, context)
    marks: list[Mark] = [Lines("path", curves(lambdas, weights), label="weights")]
    told = _apart(weights[0], 0.06 * float(np.ptp(weights)))
    marks.append(
        Text(
            "path",
            np.column_stack((np.full(len(told), lambdas[0]), weights[0][told])),
            tuple(names[j] for j in told),
        )
    )
    now = np.column_stack((np.full(len(names), model.lambda_), model.penalized))
    marks.append(Points("now", now, label="the fit shown"))
    places = np.column_stack((lambdas, np.zeros(len(lambdas))))
    handle = Handle("algorithm.lambda_", places, lambdas, at, label="λ", kind="upright")
    return Plot(
        "path", "Coefficient path", "λ", _weight(model, context), tuple(marks), x_scale="log", handles=(handle,)
    )


def _apart(values: Array, gap: float) -> list[int]:
    """The values, largest magnitude first, that are farther than `gap` from those before: their names have room."""
    chosen: list[int] = []
    for j in np.argsort(-np.abs(values), kind="stable").tolist():
        if len(chosen) < MOST_NAMES and all(abs(values[j] - values[i]) > gap for i in chosen):
            chosen.append(j)
    return chosen
