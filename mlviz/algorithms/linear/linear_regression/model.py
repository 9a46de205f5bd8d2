"""A fitted polynomial, and its charts: its terms over the input, its weights as bars, their path over the penalty."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Model, ModelFact
from mlviz.algorithms.linear_model import told_sum
from mlviz.draw.contours import curves
from mlviz.draw.layer import UNNAMED, Context, Explanation, Names, chart
from mlviz.draw.marks import Lines, Mark, Points, Polygons, Text
from mlviz.draw.numbers import NO_BREAK, number, signed
from mlviz.draw.overlays.charts import MOST_NAMES, bar_axis, rectangles
from mlviz.draw.overlays.regions import predicted
from mlviz.draw.plot import Handle, Plot
from mlviz.numerics import polynomials
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid, as_dtype
from mlviz.numerics.linalg.least_squares import Solution, ridge_path, triangle
from mlviz.numerics.standardizing import mean_and_spread


@dataclass(frozen=True, eq=False)
class LinearRegressionModel(Model):
    """A polynomial ``intercept + coef . monomials(x)``; coef (p,) belongs to the monomials `exponents` (p, d).

    It is evaluated through `solution`, the same polynomial in ``u = (x - center) / scale``, with which nothing cancels:
    u goes from -1 to 1 over the samples. The penalty acts on the weights of u where the model is `mapped`, else on
    `coef`.
    """

    coef: Array
    intercept: float
    exponents: polynomials.Exponents
    solution: Solution
    center: Array
    scale: Array
    mapped: bool
    X: Array
    y: Array
    weights: Array
    """(n,) summing to one."""
    lambda_: float
    """0 without a penalty."""
    field = "predict"

    known_facts = (
        ModelFact(
            "R²",
            lambda m: m.r2,
            "Share of the target's variance that the model explains: 1 is perfect, 0 no better than the mean.",
        ),
        ModelFact(
            "|w|",
            lambda m: float(np.linalg.norm(m.penalized)),
            "Length of the weight vector, without the offset: the shorter it is, the calmer the function. Weights of "
            "monomials are those of u, the inputs mapped to [−1, 1].",
        ),
        ModelFact(
            "offset",
            lambda m: m.intercept,
            "What is added to the weighted terms: the value of the function where all inputs are 0.",
            beside=lambda m: float(np.abs(m.y).max()),
            level="more",
        ),
        ModelFact(
            "in powers of x",
            lambda m: m.in_powers,
            "The polynomial of u multiplied out: the weights of the powers of the input itself.",
        ),
        ModelFact(
            "terms",
            lambda m: len(m.coef),
            "Number of weights: one for each input or monomial.",
        ),
        ModelFact(
            "rank",
            lambda m: m.solution.rank,
            "Number of terms that the samples can tell apart; below the number of terms many fits are equal.",
        ),
        ModelFact(
            "solution",
            lambda m: (
                "the one with the smallest |w| of many" if m.solution.rank < len(m.coef) and not m.lambda_ else None
            ),
            "Many weights fit equally well; of these the shortest vector is taken.",
        ),
        ModelFact(
            "condition number",
            lambda m: m.condition,
            "How many times larger than the errors of the data those of the weights can be; above about 1e8 "
            "the weights mean little.",
        ),
        ModelFact(
            "gradient norm",
            lambda m: m.gradient_norm,
            "Length of the objective's gradient, as a share of its length where all weights are 0.",
            level="solver",
        ),
    )

    def predict(self, X: Array) -> Array:
        """The predicted values, (n,)."""
        U = (np.asarray(X, dtype=np.float64) - self.center) / self.scale
        return np.asarray(polynomials.monomials(U, self.exponents) @ self.solution.coef + self.solution.intercept)

    @property
    def penalized(self) -> Array:
        """The weights (p,) that a penalty acts on."""
        return self.solution.coef if self.mapped else self.coef

    @property
    def _design(self) -> Array:
        """The terms that they are weights of, at the samples: (n, p)."""
        X = (self.X - self.center) / self.scale if self.mapped else self.X
        return polynomials.monomials(X, self.exponents)

    @property
    def in_powers(self) -> str | None:
        """The polynomial of one input in its powers, where it has more than one."""
        if not self.mapped or self.exponents.shape[1] > 1 or not len(self.coef) > 1:
            return None
        powers = [polynomials.name(row, ("x",)) for row in self.exponents.tolist()]
        terms = (f"{signed(w, ' ', 4)}{NO_BREAK}{power}" for w, power in zip(self.coef.tolist(), powers, strict=True))
        return " ".join((number(self.intercept, 4), *terms))

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> NDArray[Any]:
        """The predicted values at every node, (ny, nx)."""
        scaled = grid.scaled(1 / self.scale, -self.center / self.scale)
        values = polynomials.on_grid(scaled, self.exponents, self.solution.coef) + self.solution.intercept
        return as_dtype(values, dtype)

    def path(self, lambdas: Array) -> Array:
        """The weights that it acts on with an L2 penalty of each strength (m,), (m, p)."""
        return ridge_path(self._design, self.y, self.weights, lambdas)

    @cached_property
    def objective(self) -> float:  # type: ignore[override]
        """The mean squared residual and the penalty."""
        return float(self.weights @ self._residuals**2 + self.lambda_ * (self.penalized @ self.penalized))

    @property
    def _residuals(self) -> Array:
        return self.y - self.predict(self.X)

    @cached_property
    def r2(self) -> float | None:
        """The share of the target's variance that the model explains, where it has any."""
        spread = float(mean_and_spread(self.y[:, None], self.weights)[1][0])
        return 1 - float(self.weights @ (self._residuals / spread) ** 2) if spread > 0 else None

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation | None:
        """The prediction as the sum of its largest terms."""
        value = float(self.predict(x[None])[0])
        monomials = polynomials.monomials(x[None], self.exponents)[0]
        called = [names.of_input(j) for j in range(self.exponents.shape[1])]
        told = told_sum(
            value,
            self.intercept,
            self.coef,
            monomials,
            lambda j: polynomials.name(self.exponents[j].tolist(), called),
            digits=4,
            beside=float(np.abs(self.y).max()),
        )
        marks = (Points("now", np.array([[x[0], value]])),) if len(x) == 1 else ()
        return Explanation(f"prediction {told}.", marks, measured=True)

    @cached_property
    def condition(self) -> float:
        """How much larger than the errors of the data those of the weights can be."""
        design = self._design
        centred = (design - self.weights @ design) * np.sqrt(self.weights)[:, None]
        small = triangle(centred) if len(centred) > len(self.coef) else centred
        s = np.linalg.svd(small, compute_uv=False)[: len(self.coef) if self.lambda_ else self.solution.rank]
        if not len(s):
            return 1.0
        smallest = s[-1] if len(s) == len(self.coef) or not self.lambda_ else 0.0
        return float(np.hypot(s[0], self.lambda_**0.5) / max(np.hypot(smallest, self.lambda_**0.5), 1e-300))

    @cached_property
    def gradient_norm(self) -> float:
        """The gradient's length in the terms of u, as a share of what it sums up without the signs."""
        U = (self.X - self.center) / self.scale
        design = polynomials.monomials(U, self.exponents)
        design = (design - self.weights @ design) * self.weights[:, None]
        slope = self.solution.coef if self.mapped else self.coef / self.scale
        now = float(np.linalg.norm(design.T @ self._residuals - self.lambda_ * slope))
        terms = float(np.linalg.norm(np.abs(design).T @ np.abs(self.y)))
        return now / terms if terms > 0 else 0.0


def _names(model: LinearRegressionModel, context: Context) -> list[str]:
    """The terms that the penalized weights belong to: u is an input mapped to [-1, 1]."""
    inputs = range(model.exponents.shape[1])
    mapped = [f"u{j + 1}" for j in inputs] if len(inputs) > 1 else ["u"]
    variables = mapped if model.mapped else [context.names.of_input(j) for j in inputs]
    return [polynomials.name(row, variables) for row in model.exponents.tolist()]


def _weight(model: LinearRegressionModel, context: Context) -> str:
    """What the weights are of: u is the same whatever the units of the inputs."""
    return "weight" if model.mapped else context.of_inputs("weight")


@chart("basis", "basis functions")
def basis_chart(model: LinearRegressionModel, context: Context) -> Plot | None:
    """Each term of the sum over the input, and the sum."""
    if context.line is None or len(model.coef) < 2:
        return None
    x = context.line
    terms = polynomials.monomials((x[:, None] - model.center) / model.scale, model.exponents) * model.solution.coef
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
    names = _names(model, context)
    places = np.arange(float(len(names)))
    bars = rectangles(places - 0.35, places + 0.35, model.penalized)
    zero, ticks = bar_axis(names)
    marks = (Polygons("bar", bars, label="weights"), zero)
    mapped = "inputs mapped" if model.exponents.shape[1] > 1 else "input mapped"
    term = f"term (u: {mapped} to [−1, 1])" if model.mapped else "term"
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
