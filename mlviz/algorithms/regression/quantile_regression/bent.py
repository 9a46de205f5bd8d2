"""Quantile regression by a kernel: what it has learned, from the solutions of quadratic programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import ModelFact
from mlviz.algorithms.kernels.explaining import KernelCurveModel, told_terms
from mlviz.algorithms.kernels.parameters import GAMMA
from mlviz.algorithms.kernels.piecewise_solution import PiecewiseSolution
from mlviz.algorithms.regression.quantile_regression.model import Quantile, QuantileModel, gap
from mlviz.draw.layer import Names
from mlviz.draw.numbers import number
from mlviz.numerics.arrays import Array, Mask, Rows
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.spec.brief import Brief


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelQuantileModel(KernelCurveModel, QuantileModel):
    """A curve that is a sum of bumps at the samples."""

    norm: float
    support: Rows
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
            "How far apart the two objectives are, as a share of the primal one: the error of the solution.",
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
    def expansion(self) -> Expansion:  # type: ignore[override]
        """The sum that the curve is."""
        curve = self.quantile.curve
        assert isinstance(curve, Expansion)
        return curve

    def _told(self, x: Array, value: float, names: Names) -> str:
        if not len(self.support):
            return f"prediction {number(value, 4, beside=self.spread)}"
        terms = self.expansion.terms(x[None])[0]
        return told_terms(value, self.intercept, terms, "samples", self.X[self.support])[0]


@dataclass(frozen=True, eq=False)
class Maker(Brief):
    """Makes models of solutions for the samples X (n, d), the first for tau, the others for the fan."""

    X: Array
    y: Array
    taus: tuple[float, ...]
    lambda_: float

    def alone(self, found: PiecewiseSolution) -> KernelQuantileModel:
        """The model without a fan."""
        return self([found])

    def first_of(self, found: list[PiecewiseSolution]) -> Callable[[PiecewiseSolution], KernelQuantileModel]:
        """What makes the model of those found so far, whatever the next one is."""
        return lambda further: self(found)

    def __call__(self, found: list[PiecewiseSolution]) -> KernelQuantileModel:
        """The model of one or more solutions."""
        first, pairs = found[0], zip(self.taus, found, strict=False)
        quantiles = [Quantile(tau, one.expansion, self.y - one.residual) for tau, one in pairs]
        used = self.y[first.rows]
        limit = first.limit and self.lambda_ / first.limit
        computed = f"solved for λ = {number(limit)}, the smallest possible here" if limit else ""
        return KernelQuantileModel(
            X=self.X,
            y=self.y,
            share=first.price / first.price.sum(),
            quantile=quantiles[0],
            fan=tuple(quantiles[1:]),
            objective=first.objective * 2 * self.lambda_,
            dual_objective=first.dual_objective * 2 * self.lambda_,
            caveat="; ".join(filter(None, (first.caveat, computed))),
            norm=first.norm,
            support=first.support,
            at_bound=first.at_bound,
            lambda_=self.lambda_,
            spread=float(np.ptp(used)),
            kkt_residual=first.kkt_residual,
        )
