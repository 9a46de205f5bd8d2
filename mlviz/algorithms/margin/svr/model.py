"""The model of support vector regression."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.algorithms.base import LAMBDA, ModelFact
from mlviz.algorithms.explaining import explained_value
from mlviz.algorithms.kernels.explaining import KernelCurveModel, told_terms
from mlviz.algorithms.kernels.parameters import GAMMA
from mlviz.algorithms.kernels.piecewise_solution import PiecewiseSolution
from mlviz.algorithms.margin.dual_facts import objective_facts, support_facts
from mlviz.algorithms.margin.svm.model import bound_name
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.numbers import number, numbers_apart
from mlviz.numerics.arrays import Array, Mask, Rows
from mlviz.numerics.distances import sample_at
from mlviz.numerics.kernels.expansion import Expansion


@dataclass(frozen=True, eq=False, kw_only=True)
class SVRModel(KernelCurveModel):
    """The prediction f(x) = sum_s beta_s k(x_s, x) + b, and the tube f - epsilon to f + epsilon about it."""

    X: Array
    """(n, d) the samples."""
    y: Array
    """(n,) their targets."""
    solution: PiecewiseSolution
    C: float
    epsilon: float
    field = "predict"

    known_facts = (
        *support_facts("the edge of the tube", "outside the tube or on its edge"),
        ModelFact(
            "samples outside the tube",
            lambda m: int(np.count_nonzero(m.solution.slack)),
            "Samples that are farther than ε from their prediction: each costs C times its slack.",
        ),
        ModelFact(
            "ε-insensitive loss",
            lambda m: float(m.bound @ m.solution.slack / m.bound.sum()),
            "Mean of max(0, |residual| − ε) over the samples: what they are outside of the tube.",
        ),
        ModelFact(
            "|w|",
            lambda m: m.solution.norm,
            "Length of w in the space of the kernel: the smaller it is, the calmer the function.",
        ),
        ModelFact(
            "offset",
            lambda m: m.intercept,
            "b, which is added to the sum of the bumps: the curve falls back to it where they end.",
            beside=lambda m: m.spread,
            level="more",
        ),
        LAMBDA,
        ModelFact(
            "C computed with",
            lambda m: m.solution.limit and m.C * m.solution.limit,
            "A very large C is approached by this one.",
            level="solver",
        ),
        GAMMA,
        *objective_facts("½|w|² + C Σ (ξ + ξ*)", lambda m: m.solution, ", in units of the target"),
    )

    @property
    def expansion(self) -> Expansion:  # type: ignore[override]
        """The sum over the support vectors that f is."""
        return self.solution.expansion

    @property
    def bound(self) -> Array:
        """(n,) the largest alpha that each sample may have, 0 for those that take no part."""
        return self.solution.bound

    @cached_property
    def spread(self) -> float:  # type: ignore[override]
        """How far apart the targets are."""
        return float(np.ptp(self.y[self.solution.rows]))

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """What must be told of it."""
        limit = self.solution.limit
        computed = "" if limit is None else f"solved for C = {number(self.C * limit)}, the largest possible here"
        return "; ".join(filter(None, (self.solution.caveat, computed)))

    @property
    def support(self) -> Rows:
        """The rows of the support vectors."""
        return self.solution.support

    @property
    def at_bound(self) -> Mask:
        """Which of all samples (n,) have the largest possible α."""
        return self.solution.at_bound

    @property
    def bound_name(self) -> str:
        """What that is called."""
        return bound_name(self.bound, self.C * (self.solution.limit or 1.0))

    @property
    def lambda_(self) -> float:
        """The strength of the penalty beside the mean loss."""
        return 1 / (2 * float(self.bound.sum()))

    @property
    def dual_coef(self) -> Array:
        """(m,) of the support vectors: α, negative for those below the tube."""
        return self.expansion.coef

    def predict(self, X: Array) -> Array:
        """The predicted values, (n,)."""
        return self.solution.at(X)

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The prediction as offset and terms; on a sample, where it is and its multiplier as well."""
        row, _ = sample_at(self.X, x)
        value = float(self.predict(x[None])[0])
        told = f"prediction {number(value, 4, beside=self.spread)}"
        if len(self.support):
            terms = self.expansion.terms(x[None])[0]
            told, _ = told_terms(value, self.intercept, terms, "support vectors", self.X[self.support])
        said = "" if row is None or not self.bound[row] else f" {self._say_sample(row)}"
        return explained_value(f"{told}.{said}", x, value)

    def _say_sample(self, row: int) -> str:
        found, rim = self.solution, f"ε = {number(self.epsilon)}"
        residual = float(found.residual[row])
        above = "above" if residual > 0 else "below"
        away = f"{number(abs(residual))} {above} its prediction"
        if self.at_bound[row]:
            where = f"slack {number(float(found.slack[row]))} beyond {rim}"
            return f"Support vector at the bound, {away}: α = {self.bound_name} = {number(self.bound[row])}, {where}."
        if row in self.support:
            alpha, most = numbers_apart(abs(float(found.beta[row])), float(self.bound[row]))
            return f"Free support vector, {away}, {rim}: α = {alpha} of {self.bound_name} = {most}."
        within = "inside the tube" if not found.slack[row] else "not yet inside the tube"
        return f"The sample there is {away}, {within}, {rim}: no support vector, α = 0."
