"""What a quantile regression has learned: a curve, straight or not, and those of other quantiles beside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import Model, ModelFact
from mlviz.algorithms.kernels.parameters import GAMMA
from mlviz.algorithms.linear_model import told_sum
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.marks import Points
from mlviz.draw.numbers import number, place, signed, summed
from mlviz.numerics import polynomials
from mlviz.numerics.arrays import Array, Labels, Mask, without_rounding
from mlviz.numerics.distances import sample_at
from mlviz.numerics.grid import Grid, as_dtype, far_away
from mlviz.numerics.kernels.base import Linear
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.kernels.features import FeatureSum
from mlviz.spec.brief import Brief

_ON_CURVE = 1e-7
"""A residual below this share of the targets' extent is on the curve."""


@dataclass(frozen=True, eq=False)
class Terms(Brief):
    """A polynomial: the sum of its terms and an offset."""

    sum: FeatureSum
    offset: float

    @far_away
    def at(self, X: Array) -> Array:
        """Its values at the rows of X (n, d)."""
        return as_dtype(self.sum.expand(np.asarray(X, dtype=np.float64)) + self.offset, np.float64)


@dataclass(frozen=True, eq=False)
class Quantile(Brief):
    """The curve of one quantile, and its values (n,) at the samples used."""

    tau: float
    curve: Terms | Expansion
    fitted: Array


@dataclass(frozen=True, eq=False, kw_only=True)
class QuantileModel(Model):
    """The curve of the quantile tau, and those of others that are shown beside it."""

    X: Array
    """(n, d) the samples."""
    y: Array
    """(n,) their targets."""
    share: Array
    """(n,) their weights, summing to one, 0 for those that take no part."""
    quantile: Quantile
    fan: tuple[Quantile, ...] = ()
    objective: float
    dual_objective: float
    caveat: str = ""
    field = "predict"

    known_facts: ClassVar[tuple[ModelFact, ...]] = (
        ModelFact(
            "samples below the curve",
            lambda m: float(m.share[m.below].sum()),
            "Share of the samples that are below the curve: at the solution at most τ, and with those on the curve at "
            "least τ.",
            unit="share",
        ),
        ModelFact(
            "samples on the curve",
            lambda m: int(np.count_nonzero(m.on_curve)),
            "Samples through which the curve goes: without a penalty at least as many as it has weights, the offset "
            "among them, where the samples can tell these apart.",
        ),
        ModelFact(
            "pinball loss",
            lambda m: m.mean_loss,
            "Mean of τ times the residual for samples above the curve and 1 − τ times it for those below.",
            beside=lambda m: m.size,
        ),
        ModelFact(
            "cost of too low : too high",
            lambda m: f"{number(m.tau / (1 - m.tau))} : 1" if m.tau >= 0.5 else f"1 : {number((1 - m.tau) / m.tau)}",
            "The curve is the best decision where a prediction that is too low costs c1 a unit and one that is too "
            "high c2, with τ = c1/(c1 + c2).",
        ),
        ModelFact(
            "quantiles cross",
            lambda m: m.crossed or None,
            "Samples at which the curve of a larger quantile is below that of a smaller one. True quantiles never "
            "cross; these may, since each is fitted by itself.",
        ),
    )

    @property
    def tau(self) -> float:
        """The quantile."""
        return self.quantile.tau

    @property
    def residual(self) -> Array:
        """(n,) of the samples, 0 for those that take no part."""
        return np.where(self.share > 0, self.y - self.quantile.fitted, 0.0)

    @cached_property
    def _least(self) -> float:
        used = self.y[self.share > 0]
        return _ON_CURVE * float(np.ptp(used)) + 1e-12 * float(np.abs(used).max())

    @property
    def size(self) -> float:
        """How far from 0 the targets are."""
        return float(np.abs(self.y[self.share > 0]).max())

    @property
    def on_curve(self) -> Mask:
        """Which samples (n,) are on the curve."""
        return (np.abs(self.residual) <= self._least) & (self.share > 0)

    @property
    def below(self) -> Mask:
        """Which samples (n,) are below the curve."""
        return np.asarray(self.residual < -self._least)

    @property
    def mean_loss(self) -> float:
        """The mean pinball loss of the samples."""
        return float(self.share @ pinball(self.residual, self.tau))

    @property
    def crossed(self) -> int:
        """At how many samples the quantiles are in the wrong order."""
        every = sorted((self.quantile, *self.fan), key=lambda one: one.tau)
        steps = np.diff([one.fitted for one in every], axis=0)
        return int(np.count_nonzero((steps < -self._least).any(axis=0) & (self.share > 0)))

    def predict(self, X: Array) -> Array:
        """The values of the curve, (n,)."""
        return self.quantile.curve.at(X)

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The prediction as a sum; on a sample, on which side it is and what that costs."""
        value = float(self.predict(x[None])[0])
        marks = (Points("now", np.array([[x[0], value]])),) if len(x) == 1 else ()
        row, _ = sample_at(self.X, x)
        said = "" if row is None or not self.share[row] else f" {self._say_sample(row)}"
        return Explanation(f"{self._told(x, value, names)}.{said}", marks, measured=True)

    def _told(self, x: Array, value: float, names: Names) -> str:
        raise NotImplementedError

    def _say_sample(self, row: int) -> str:
        if self.on_curve[row]:
            return "The sample there is on the curve."
        r = float(self.residual[row])
        side, price = ("above", self.tau) if r > 0 else ("below", 1 - self.tau)
        cost = number(price * abs(r))
        return f"The sample there is {number(abs(r))} {side} the curve, which costs {number(price)} a unit: {cost}."


def pinball(r: Array, tau: float) -> Array:
    """The loss of residuals: tau times those above 0, 1 - tau times the size of those below."""
    return np.maximum(tau * r, (tau - 1) * r)


@dataclass(frozen=True, eq=False, kw_only=True)
class StraightQuantileModel(QuantileModel):
    """A curve that is linear in its weights: ``intercept + coef . monomials(x)``."""

    coef_of_terms: Array
    """(p,) the weights of the monomials of the inputs themselves, in their order."""
    intercept: float
    basis: Labels
    """The samples through which the curve goes, by the linear program."""

    known_facts = (
        *QuantileModel.known_facts,
        ModelFact("terms", lambda m: len(m.coef_of_terms), "Number of weights: one for each input or monomial."),
        ModelFact(
            "offset",
            lambda m: m.intercept,
            "What is added to the weighted terms: the value of the function where all inputs are 0.",
            beside=lambda m: float(np.abs(m.y).max()),
            level="more",
        ),
        ModelFact(
            "dual objective",
            lambda m: m.dual_objective,
            "Lower bound of the pinball loss, by the multipliers of the samples; at the solution both are equal.",
            level="solver",
        ),
        ModelFact(
            "relative duality gap",
            lambda m: gap(m.objective, m.dual_objective, m.spread),
            "How far the loss may be above the smallest one, as a share of it: the error of the solution.",
            level="solver",
        ),
    )

    @property
    def terms(self) -> Terms:
        """The curve."""
        curve = self.quantile.curve
        assert isinstance(curve, Terms)
        return curve

    @property
    def cost(self) -> int:  # type: ignore[override]
        """One for each term."""
        return len(self.coef_of_terms)

    @property
    def exponents(self) -> polynomials.Exponents:
        """Of the monomials, (p, d)."""
        return self.terms.sum.features.exponents

    @property
    def coef(self) -> Array | None:
        """The weights (d,) of the inputs where it has no other terms."""
        return self.coef_of_terms if len(self.coef_of_terms) == self.X.shape[1] else None

    @property
    def spread(self) -> float:
        """How far apart the targets are."""
        return float(np.ptp(self.y[self.share > 0]))

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> NDArray[Any]:
        """The values of the curve at every node, (ny, nx)."""
        with np.errstate(over="ignore", invalid="ignore"):
            return as_dtype(self.terms.sum.on_grid(grid) + self.terms.offset, dtype)

    def _told(self, x: Array, value: float, names: Names) -> str:
        called = [names.of_input(j) for j in range(self.exponents.shape[1])]
        inputs = polynomials.monomials(x[None], self.exponents)[0]
        told = told_sum(
            value,
            self.intercept,
            self.coef_of_terms,
            inputs,
            lambda j: polynomials.name(self.exponents[j].tolist(), called),
            digits=4,
            beside=float(np.abs(self.y).max()),
        )
        return f"prediction {told}"


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelQuantileModel(QuantileModel):
    """A curve that is a sum of bumps at the samples."""

    norm: float
    support: Labels
    at_bound: Mask
    lambda_: float
    spread: float
    kkt_residual: float

    known_facts = (
        *QuantileModel.known_facts,
        ModelFact(
            "|w|",
            lambda m: m.norm,
            "Length of w in the space of the kernel: the smaller it is, the calmer the function.",
        ),
        GAMMA,
        ModelFact(
            "objective",
            lambda m: m.objective,
            "The mean pinball loss plus λ|w|², which is made as small as possible.",
        ),
        ModelFact(
            "dual objective",
            lambda m: m.dual_objective,
            "Lower bound of the objective, by the multipliers of the samples; at the solution both are equal.",
            level="solver",
        ),
        ModelFact(
            "relative duality gap",
            lambda m: gap(m.objective, m.dual_objective, m.spread),
            "How far both objectives are apart, as a share of the primal one: the error of the solution.",
            level="solver",
        ),
        ModelFact(
            "KKT residual",
            lambda m: m.kkt_residual,
            "Largest violation of the conditions that hold at the exact solution, in units of the target.",
            level="solver",
        ),
    )

    @property
    def expansion(self) -> Expansion:
        """The sum that the curve is."""
        curve = self.quantile.curve
        assert isinstance(curve, Expansion)
        return curve

    @property
    def cost(self) -> int:  # type: ignore[override]
        """That of the sum."""
        return self.expansion.cost

    @property
    def coef(self) -> Array | None:
        """The weights w (d,) for the linear kernel."""
        if not isinstance(self.expansion.kernel, Linear):
            return None
        coef, centers = self.expansion.coef, self.expansion.centers
        return without_rounding(coef @ centers, np.abs(coef) @ np.abs(centers))

    @property
    def intercept(self) -> float:
        """The offset b."""
        return self.expansion.base

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> NDArray[Any]:
        """The values of the curve at every node, (ny, nx)."""
        return self.expansion.on_grid(grid, dtype, finest=1e-4 * self.spread)

    def _told(self, x: Array, value: float, names: Names) -> str:
        if not len(self.support):
            return f"prediction {number(value, 4, beside=self.spread)}"
        terms = self.expansion.terms(x[None])[0]
        largest = int(np.argmax(np.abs(terms)))
        value, base, rest = summed(self.intercept, value - self.intercept, beside=abs(float(terms[largest])))
        told = f"prediction {number(value, 4)} = offset {number(base, 4)} {signed(rest, ' ', 4)} from the samples"
        _, _, part = summed(self.intercept, float(terms[largest]))
        if part:
            told += f"; the largest part, {number(part, 4)}, from the one at {place(self.X[self.support[largest]])}"
        return told


def gap(objective: float, dual: float, spread: float) -> float:
    """How far they are apart, as a share of the objective; of what is nothing beside the targets there is no share."""
    return max(0.0, objective - dual) / max(abs(objective), 1e-12 * spread, 1e-300)
