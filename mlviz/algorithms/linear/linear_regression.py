"""Linear regression: least squares on the inputs or on their monomials, with or without an L2 penalty."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Algorithm, CannotFit, Code, Model, ModelFact, Traits
from mlviz.algorithms.checking import weighted_rows
from mlviz.algorithms.facts import WEIGHT_LENGTH
from mlviz.algorithms.linear import linear_regression_charts
from mlviz.draw.layer import CODES, Explanation, Names
from mlviz.draw.marks import Points
from mlviz.draw.overlays import regions
from mlviz.numerics import polynomials
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid, as_dtype
from mlviz.numerics.linalg.least_squares import Solution, least_squares, ridge_path, triangle
from mlviz.numerics.standardizing import mean_and_spread
from mlviz.spec import choice, integer, real

MOST_TERMS = 1000


@dataclass(frozen=True, eq=False)
class LinearRegressionModel(Model):
    """A polynomial ``intercept + coef . monomials(x)``; coef (p,) belongs to the monomials `exponents` (p, d).

    It is evaluated through `solution`, the same polynomial in ``t = (x - center) / scale``, with which nothing cancels.
    """

    coef: Array
    intercept: float
    exponents: polynomials.Exponents
    solution: Solution
    center: Array
    scale: Array
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
        WEIGHT_LENGTH,
        ModelFact(
            "offset",
            lambda m: m.intercept,
            "What is added to the weighted terms: the value of the function where all of them are 0.",
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
        T = (np.asarray(X, dtype=np.float64) - self.center) / self.scale
        return np.asarray(polynomials.monomials(T, self.exponents) @ self.solution.coef + self.solution.intercept)

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> NDArray[Any]:
        """The predicted values at every node, (ny, nx)."""
        scaled = grid.scaled(1 / self.scale, -self.center / self.scale)
        values = polynomials.on_grid(scaled, self.exponents, self.solution.coef) + self.solution.intercept
        return as_dtype(values, dtype)

    def path(self, lambdas: Array) -> Array:
        """The coefficients with an L2 penalty of each strength (m,), (m, p)."""
        return ridge_path(polynomials.monomials(self.X, self.exponents), self.y, self.weights, lambdas)

    @cached_property
    def objective(self) -> float:  # type: ignore[override]
        """The mean squared residual and the penalty."""
        residuals = self.y - self.predict(self.X)
        return float(self.weights @ residuals**2 + self.lambda_ * (self.coef @ self.coef))

    @property
    def _residuals(self) -> Array:
        return self.y - self.predict(self.X)

    @property
    def _spread(self) -> Array:
        return self.y - self.weights @ self.y

    @cached_property
    def r2(self) -> float | None:
        """The share of the target's variance that the model explains, where it has any."""
        spread = float(mean_and_spread(self.y[:, None], self.weights)[1][0])
        return 1 - float(self.weights @ (self._residuals / spread) ** 2) if spread > 0 else None

    def explain(self, x: Array, names: Names = CODES) -> Explanation | None:
        """The prediction as the sum of its largest terms."""
        value = float(self.predict(x[None])[0])
        terms = polynomials.monomials(x[None], self.exponents)[0] * self.coef
        called = [names.of_input(j) for j in range(self.exponents.shape[1])]
        largest = sorted(np.argsort(-np.abs(terms), kind="stable")[:4])
        words = [f"{self.intercept:.4g}"]
        for j in largest:
            sign = "+" if terms[j] >= 0 else "-"
            words.append(f"{sign} {abs(terms[j]):.4g} ({polynomials.name(self.exponents[j].tolist(), called)})")
        rest = " + smaller terms" if len(terms) > len(largest) else ""
        marks = (Points("now", np.array([[x[0], value]])),) if len(x) == 1 else ()
        return Explanation(f"prediction {value:.4g} = {' '.join(words)}{rest}.", marks)

    @cached_property
    def condition(self) -> float:
        """How much larger than the errors of the data those of the weights can be."""
        design = polynomials.monomials(self.X, self.exponents)
        centred = (design - self.weights @ design) * np.sqrt(self.weights)[:, None]
        small = triangle(centred) if len(centred) > len(self.coef) else centred
        s = np.linalg.svd(small, compute_uv=False)[: len(self.coef) if self.lambda_ else self.solution.rank]
        if not len(s):
            return 1.0
        smallest = s[-1] if len(s) == len(self.coef) or not self.lambda_ else 0.0
        return float(np.hypot(s[0], self.lambda_**0.5) / max(np.hypot(smallest, self.lambda_**0.5), 1e-300))

    @cached_property
    def gradient_norm(self) -> float:
        """The gradient's length in the scaled terms, as a share of what it sums up without the signs."""
        T = (self.X - self.center) / self.scale
        design = polynomials.monomials(T, self.exponents)
        design = (design - self.weights @ design) * self.weights[:, None]
        to_plain = polynomials.expansion(self.exponents, self.center, self.scale)[1:, 1:]
        now = float(np.linalg.norm(design.T @ self._residuals - self.lambda_ * (to_plain.T @ self.coef)))
        terms = float(np.linalg.norm(np.abs(design).T @ np.abs(self.y)))
        return now / terms if terms > 0 else 0.0


@dataclass(frozen=True)
class LinearRegression(Algorithm):
    """Linear regression by least squares (Legendre 1805, Gauss 1809; ridge regression: Hoerl and Kennard 1970).

    Draws the line, plane or polynomial f(x) = w·φ(x) + b for which the mean squared residual
    (1/n) Σ (yᵢ − w·φ(xᵢ) − b)² is smallest. φ(x) are the inputs themselves, or all their monomials up to a degree: the
    method stays linear in the weights w, however bent the curve is.

    A high degree follows every sample and swings wildly between them. The L2 penalty adds λ|w|² (never on the offset b)
    and so pulls the weights towards 0: the curve calms down as λ grows, at the price of larger residuals. It acts on
    the weights of the inputs as they are, so it depends on their units: standardize them to treat all alike.

    In the picture, with one input: each thin segment is a residual. Switch the squared residuals on to see areas that
    add up to n times the mean squared residual: without a penalty this sum is what is made smallest, with one the
    penalty counts too. They look square only while both axes have equal units (View menu).

    With two inputs the prediction is a shade: blue where it is large, orange where it is small, and without colour
    halfway between the largest and the smallest value in view.

    The weights as bars and, with a penalty, their path over λ stand beside the picture. Where samples are too few for
    the terms, many curves pass through all of them; the one with the smallest |w| is drawn.

    Reference: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 2nd edition, sections 3.2, 3.4.1
    and 5.1, doi:10.1007/978-0-387-84858-7.
    """

    id = "linear-regression"
    label = "linear regression"
    family = "Regression"
    tasks = ("regression",)
    main = "degree"
    overlays = (regions.value_field, regions.squared_residuals, regions.residuals, regions.curve)
    charts = (linear_regression_charts.weights, linear_regression_charts.basis, linear_regression_charts.path)
    traits = Traits(playable=False)

    basis: str = choice("linear", "polynomial", help="the inputs themselves, or all their monomials up to the degree")
    degree: int = integer(
        3, soft=(1, 12), valid=(1, 15), help="largest total degree of a monomial", when=("basis", ("polynomial",))
    )
    penalty: str = choice("none", "L2", help="L2 adds λ|w|² to the mean squared residual (ridge regression)")
    lambda_: float = real(
        0.01,
        soft=(1e-6, 1e3),
        valid=(0, None),
        open_low=True,
        log=True,
        label="λ",
        help="strength of the penalty: larger means smaller weights",
        when=("penalty", ("L2",)),
        equivalent=lambda owner, n: f"scikit-learn: alpha = n λ = {n * owner.lambda_:.4g}",
    )

    def steps(
        self, X: Array, y: NDArray[Any] | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[LinearRegressionModel]:
        """Yield the minimum, once."""
        if y is None or not len(X):
            raise CannotFit("There are no samples yet.")
        _, X, y, weights = weighted_rows(X, y, sample_weight)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            model = self._minimum(X, y.astype(np.float64), weights / weights.sum())
        if model is None:
            raise CannotFit("The numbers grow too large in the powers of the inputs: standardize, or lower the degree.")
        yield model

    def code(self, model: LinearRegressionModel) -> Code:
        """Ridge or LinearRegression, on the monomials."""
        expand, name = "PolynomialFeatures", "Ridge" if self.penalty == "L2" else "LinearRegression"
        imports = (f"from sklearn.linear_model import {name}",)
        # The sum of the squared residuals stands there, not their mean.
        fit = f"Ridge(alpha=len(y) * {self.lambda_!r})" if self.penalty == "L2" else "LinearRegression()"
        if self.basis == "linear":
            return Code(imports, (fit,))
        return Code(
            (*imports, f"from sklearn.preprocessing import {expand}"),
            (f"{expand}({self.degree}, include_bias=False)", fit),
        )

    def _minimum(self, X: Array, y: Array, weights: Array) -> LinearRegressionModel | None:
        degree = self.degree if self.basis == "polynomial" else 1
        terms = polynomials.count_monomials(X.shape[1], degree)
        if terms > MOST_TERMS and degree > 1:
            raise CannotFit(f"Degree {degree} in {X.shape[1]} inputs has {terms} terms: lower the degree.")
        E = polynomials.exponents(X.shape[1], degree)
        center, scale = (X.max(axis=0) + X.min(axis=0)) / 2, (X.max(axis=0) - X.min(axis=0)) / 2
        scale = np.where(scale > 0, scale, 1.0)
        to_plain = polynomials.expansion(E, center, scale)
        # The square of an entry must be a number too: lengths of columns are taken.
        largest = polynomials.monomials(np.abs(X).max(axis=0)[None], E)
        if not np.isfinite(to_plain**2).all() or not np.isfinite(largest**2).all():
            return None
        lambda_ = self.lambda_ if self.penalty == "L2" else 0.0
        design = polynomials.monomials((X - center) / scale, E)
        solution = least_squares(design, y, weights, to_plain[1:, 1:], lambda_)
        intercept, *coef = to_plain @ np.append(solution.intercept, solution.coef)
        if not np.isfinite(intercept) or not np.isfinite(coef).all():
            return None
        return LinearRegressionModel(
            np.array(coef), float(intercept), E, solution, center, scale, X, y, weights, lambda_
        )
