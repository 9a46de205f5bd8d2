"""Charts of a polynomial: its terms over the input, its weights as bars, their path over the penalty."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.layer import Context, chart
from mlviz.draw.marks import Lines, Mark, Points, Polygons, Text
from mlviz.draw.overlays.regions import predicted
from mlviz.draw.plot import Handle, Plot
from mlviz.draw.protocols import Predicts
from mlviz.numerics import polynomials
from mlviz.numerics.arrays import Array

NAMED = 12
"""More weights than that are not named one by one: the names would cover each other."""


class IsPolynomial(Predicts, Protocol):
    """A sum of terms: products of the inputs to the powers `exponents` (p, d), times `coef` (p,), and an offset."""

    exponents: NDArray[np.intp]
    coef: Array
    lambda_: float

    @property
    def intercept(self) -> float:
        """The offset."""

    def path(self, lambdas: Array) -> Array:
        """The weights for each strength of the penalty, (m, p)."""


def _names(model: IsPolynomial, context: Context) -> list[str]:
    variables = context.input_names(model.exponents.shape[1])
    return [polynomials.name(row, variables) for row in model.exponents.tolist()]


@chart("basis", "basis functions")
def basis(model: IsPolynomial, context: Context) -> Plot | None:
    """Each term of the sum over the input, and the sum."""
    if context.line is None or len(model.coef) < 2:
        return None
    x = context.line
    terms = polynomials.monomials(x[:, None], model.exponents) * model.coef
    terms = np.column_stack((np.full(len(x), model.intercept), terms))
    total = model.predict(x[:, None])
    marks: list[Mark] = [Lines("basis", _curves(x, terms), label="weight times basis function")]
    marks.append(Lines("curve", np.column_stack((x, total)), label="their sum"))
    # As high as the samples and three times that: terms of a high degree cancel each other far outside.
    fitted = predicted(model, context)[1]
    y = fitted if context.y is None else np.append(context.y, fitted)
    low, high = (float(y.min()), float(y.max())) if len(y) else (-1.0, 1.0)
    room = (high - low) or max(abs(high), 1.0)
    limits = (float(x[0]), float(x[-1]), low - room, high + room)
    return Plot("basis", "Basis functions", context.input_names(1)[0], "prediction", tuple(marks), limits)


def _curves(x: Array, columns: Array) -> Array:
    """Columns (m, p) over x (m,) as polylines parted by NaN."""
    gap = np.full((1, 2), np.nan)
    parts = [part for column in columns.T for part in (np.column_stack((x, column)), gap)]
    return np.concatenate(parts[:-1])


@chart("weights", "weights")
def weights(model: IsPolynomial, context: Context) -> Plot | None:
    """The weights as bars."""
    names = _names(model, context)
    bars = []
    for place, weight in enumerate(model.coef.tolist()):
        left, right = place - 0.35, place + 0.35
        bars.append(np.array([(left, 0.0), (left, weight), (right, weight), (right, 0.0)]))
    zero = Lines("reference", np.array([(-0.5, 0.0), (len(names) - 0.5, 0.0)]))
    marks = (Polygons("bar", tuple(bars), label="weights"), zero)
    ticks = tuple((float(i), name) for i, name in enumerate(names)) if len(names) <= NAMED else None
    return Plot("weights", "Weights", "term", "weight", marks, x_ticks=ticks)


@chart("path", "coefficient path")
def path(model: IsPolynomial, context: Context) -> Plot | None:
    """Each weight over the strength of the penalty, which can be dragged."""
    if not model.lambda_:
        return None
    low, high = context.algorithm.parameter("lambda_").soft
    low, high = min(low, model.lambda_), max(high, model.lambda_)
    lambdas = np.unique(np.append(np.geomspace(low, high, 80), model.lambda_))
    at = int(np.searchsorted(lambdas, model.lambda_))
    weights = model.path(lambdas)
    names = _names(model, context)
    marks: list[Mark] = [Lines("path", _curves(lambdas, weights), label="weights")]
    told = _apart(weights[0], 0.06 * float(np.ptp(weights)))
    marks.append(
        Text("path", np.column_stack((np.full(len(told), lambdas[0]), weights[0][told])), _picked(names, told))
    )
    now = np.column_stack((np.full(len(names), model.lambda_), model.coef))
    marks.append(Points("now", now, label="the fit shown"))
    handle = Handle("algorithm.lambda_", np.column_stack((lambdas, np.zeros(len(lambdas)))), lambdas, at, label="λ")
    return Plot("path", "Coefficient path", "λ", "weight", tuple(marks), x_scale="log", handles=(handle,))


def _apart(values: Array, gap: float) -> list[int]:
    """The values, largest magnitude first, that are farther than `gap` from those before: their names have room."""
    chosen: list[int] = []
    for j in np.argsort(-np.abs(values), kind="stable").tolist():
        if len(chosen) < NAMED and all(abs(values[j] - values[i]) > gap for i in chosen):
            chosen.append(j)
    return chosen


def _picked(names: list[str], chosen: list[int]) -> tuple[str, ...]:
    return tuple(names[j] for j in chosen)
