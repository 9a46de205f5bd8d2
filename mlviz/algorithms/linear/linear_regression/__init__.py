"""Linear regression: least squares on the inputs or on their monomials, with or without an L2 penalty."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Algorithm, CannotFit, Code, Traits
from mlviz.algorithms.checking import weighted_rows
from mlviz.algorithms.drawn import LineObjective
from mlviz.algorithms.kernels.many_ridges import Design, ManyRidges
from mlviz.algorithms.linear.linear_regression import model as fitted
from mlviz.algorithms.linear.linear_regression.model import LinearRegressionModel
from mlviz.algorithms.traits import Trial
from mlviz.draw.numbers import counted, number
from mlviz.draw.overlays import regions
from mlviz.numerics import polynomials
from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.least_squares import least_squares
from mlviz.spec import choice, integer, real

_MOST_TERMS = 1000
_TOO_LARGE = "The numbers grow too large in the powers of the inputs: standardize, or lower the degree."


@dataclass(frozen=True)
class LinearRegression(Algorithm):
    """Linear regression by least squares (Legendre 1805, Gauss 1809; ridge regression: Hoerl and Kennard 1970).

    Draws the line, plane or polynomial f(x) = w·φ(x) + b for which the mean squared residual
    (1/n) Σ (yᵢ − w·φ(xᵢ) − b)² is smallest. φ(x) are the inputs themselves, or all their monomials up to a degree: the
    method stays linear in the weights w, however bent the curve is.

    A high degree follows every sample and swings wildly between them. The L2 penalty adds λ|w|² (never on the offset b)
    and so pulls the weights towards 0: the curve calms down as λ grows, at the price of larger residuals. Monomials are
    those of u, which is each input mapped to [−1, 1] by the range of the samples: powers of x itself have such unequal
    sizes that no λ would calm the high ones and leave the low ones alone. Without monomials the penalty acts on the
    weights of the inputs as they are, so it depends on their units: standardize them to treat all alike.

    In the picture, with one input: each thin segment is a residual. Switch the squared residuals on to see areas that
    add up to n times the mean squared residual: without a penalty this sum is what is made smallest, with one the
    penalty counts too. They look square only while both axes have equal units (View menu).

    With two inputs the prediction is a shade: blue where it is large, orange where it is small, and without colour
    halfway between the largest and the smallest target.

    The weights as bars and, with a penalty, their path over λ stand beside the picture. Where samples are too few for
    the terms, many curves pass through all of them; the one with the smallest |w| is drawn. To see overfitting and its
    cure, draw the example "Ten points of a sine" and take degree 9, then an L2 penalty, and raise λ from 1e-9.

    Reference: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 2nd edition, sections 3.2, 3.4.1
    and 5.1, doi:10.1007/978-0-387-84858-7. Bishop, Pattern Recognition and Machine Learning (2006), section 1.1.
    """

    id = "linear-regression"
    label = "linear regression"
    family = "Regression"
    tasks = ("regression",)
    main = "degree"
    trials = (
        Trial("the straight line through the points", "linear"),
        Trial("a curve that follows the sine", "sine", {"basis": "polynomial", "degree": 5}),
    )
    overlays = (regions.value_field, regions.squared_residuals, regions.residuals, regions.curve)
    charts = (fitted.weights_chart, fitted.basis_chart, fitted.path_chart)
    traits = Traits(playable=False)

    basis: str = choice("linear", "polynomial", help="the inputs themselves, or all their monomials up to the degree")
    degree: int = integer(
        3, soft=(1, 12), valid=(1, 15), help="largest total degree of a monomial", when=("basis", ("polynomial",))
    )
    penalty: str = choice("none", "L2", help="L2 adds λ|w|² to the mean squared residual (ridge regression)")
    lambda_: float = real(
        0.01,
        soft=(1e-9, 1e3),
        valid=(0, None),
        open_low=True,
        log=True,
        label="λ",
        help="strength of the penalty: larger means smaller weights",
        when=("penalty", ("L2",)),
        equivalent=lambda owner, n: f"scikit-learn: alpha = n λ = {number(n * owner.lambda_, 4)}",
    )

    def steps(
        self, X: Array, y: NDArray[Any] | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[LinearRegressionModel]:
        """Yield the minimum, once."""
        _, X, y, weights = weighted_rows(X, y, sample_weight)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            model = self._minimum(X, y.astype(np.float64), weights / weights.sum())
        yield model

    def line_objective(self) -> LineObjective | None:
        """That of straight functions; the weights of monomials are others."""
        penalty = self.lambda_ if self.penalty == "L2" else 0.0
        return LineObjective("squared", l2=penalty) if self.basis == "linear" else None

    def many_fits(self) -> ManyRidges:
        """Those for all penalties by one decomposition."""
        return ManyRidges(lambda method: (method.basis, method.degree), _design)

    def code(self, model: LinearRegressionModel) -> Code:
        """Ridge or LinearRegression, on the monomials."""
        expand, name = "PolynomialFeatures", "Ridge" if self.penalty == "L2" else "LinearRegression"
        imports = (f"from sklearn.linear_model import {name}",)
        # The sum of the squared residuals stands there, not their mean.
        fit = f"Ridge(alpha=len(y) * {self.lambda_!r})" if self.penalty == "L2" else "LinearRegression()"
        if self.basis == "linear":
            return Code(imports, (fit,))
        return Code(
            (*imports, f"from sklearn.preprocessing import MinMaxScaler, {expand}"),
            ("MinMaxScaler((-1, 1))", f"{expand}({self.degree}, include_bias=False)", fit),
        )

    def _minimum(self, X: Array, y: Array, weights: Array) -> LinearRegressionModel:
        degree = self.degree if self.basis == "polynomial" else 1
        terms = polynomials.count_monomials(X.shape[1], degree)
        if terms > _MOST_TERMS and degree > 1:
            raise CannotFit(f"Degree {degree} in {counted(X.shape[1], 'input')} has {terms} terms: lower the degree.")
        E = polynomials.exponents(X.shape[1], degree)
        center, scale = (X.max(axis=0) + X.min(axis=0)) / 2, (X.max(axis=0) - X.min(axis=0)) / 2
        scale = np.where(scale > 0, scale, 1.0)
        to_plain = polynomials.expansion(E, center, scale)
        # The square of an entry must be a number too: lengths of columns are taken.
        largest = polynomials.monomials(np.abs(X).max(axis=0)[None], E)
        if not np.isfinite(to_plain**2).all() or not np.isfinite(largest**2).all():
            raise CannotFit(_TOO_LARGE)
        lambda_ = self.lambda_ if self.penalty == "L2" else 0.0
        mapped = self.basis == "polynomial"
        design = polynomials.monomials((X - center) / scale, E)
        penalty = np.eye(len(E)) if mapped else to_plain[1:, 1:]
        solution = least_squares(design, y, weights, penalty, lambda_)
        intercept, *coef = to_plain @ np.append(solution.intercept, solution.coef)
        if not np.isfinite(intercept) or not np.isfinite(coef).all():
            raise CannotFit(_TOO_LARGE)
        return LinearRegressionModel(
            np.array(coef), float(intercept), E, solution, center, scale, mapped, X, y, weights, lambda_
        )


def _design(method: LinearRegression, X: Array) -> Design | None:
    """The inputs, or without a penalty the monomials; those that are penalised are mapped for each fit anew."""
    if method.basis == "linear":
        return Design(X, False)
    low, high = X.min(axis=0), X.max(axis=0)
    if method.penalty != "none" or polynomials.count_monomials(X.shape[1], method.degree) > _MOST_TERMS:
        return None
    if not (high > low).all():
        return None
    return Design(
        polynomials.monomials((2 * X - high - low) / (high - low), polynomials.exponents(X.shape[1], method.degree)),
        False,
    )
