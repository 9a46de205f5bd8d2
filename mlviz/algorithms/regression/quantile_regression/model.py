"""What a quantile regression has learned: a curve, straight or not, and those of other quantiles beside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from mlviz.algorithms.base import Model, ModelFact
from mlviz.algorithms.explaining import explained_value
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.numbers import number
from mlviz.numerics.arrays import Array, Mask
from mlviz.numerics.distances import sample_at
from mlviz.numerics.grid import as_dtype, far_away
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.kernels.features import FeatureSum
from mlviz.numerics.residuals.losses import pinball
from mlviz.spec.brief import Brief

_ON_CURVE = 1e-7
"""A residual below this share of the targets' extent is on the curve."""


@dataclass(frozen=True, eq=False)
class PolynomialCurve(Brief):
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
    curve: PolynomialCurve | Expansion
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
            "costs of too low and too high",
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
        row, _ = sample_at(self.X, x)
        said = "" if row is None or not self.share[row] else f" {self._say_sample(row)}"
        return explained_value(f"{self._told(x, value, names)}.{said}", x, value)

    def _told(self, x: Array, value: float, names: Names) -> str:
        raise NotImplementedError

    def _say_sample(self, row: int) -> str:
        if self.on_curve[row]:
            return "The sample there is predicted exactly."
        r = float(self.residual[row])
        side, price = ("above", self.tau) if r > 0 else ("below", 1 - self.tau)
        cost = number(price * abs(r))
        return (
            f"The sample there is {number(abs(r))} {side} its prediction, which costs {number(price)} a unit: {cost}."
        )


def gap(objective: float, dual: float, spread: float) -> float:
    """How far they are apart, as a share of the objective; of what is nothing beside the targets there is no share."""
    return max(0.0, objective - dual) / max(abs(objective), 1e-12 * spread, 1e-300)
