"""The model of a support vector machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import LAMBDA, ModelFact, ScoreModel
from mlviz.algorithms.explaining import told_sum
from mlviz.algorithms.kernels.parameters import GAMMA
from mlviz.algorithms.linear_model import SupportedScores, way_to_zero
from mlviz.algorithms.margin.dual_facts import objective_facts, support_facts
from mlviz.draw.layer import UNNAMED, Explanation, Names, opened
from mlviz.draw.marks import Mark, Points, Segments
from mlviz.draw.numbers import cleared, drawn_part, number, numbers_apart, signed, summed
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.distances import sample_at
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Kernel, Linear
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.kernels.features import FeatureSum

_STRONGEST = 5
"""How many support vectors are shown, at the most, as the reason for an answer."""
_WEAK = 0.1
"""A support vector whose pull is weaker than this share of the strongest is not shown as a reason."""
_ON_MARGIN = 1e-2
"""A sample is on its margin where y f(x) is as near to 1 as this; on the way to the solution many are not yet."""


def bound_name(bound: Array, C: float) -> str:
    """What the largest multipliers `bound` (n,) are called, 0 for samples without weight: C where all of them are."""
    return "C" if np.isclose(bound[bound > 0], C, rtol=1e-9).all() else "C·weight"


def margin_widths(how: str, w: Callable[[Any], Array] | None = None) -> tuple[ModelFact, ModelFact]:
    """The margin of a model and the street, which is twice as wide: beside each other, lest one be taken for the other.

    `how` says how they are measured, `w` what the weights of a model are that does not know its margin.
    """

    def margin(model: Any) -> float | None:
        if w is None:
            return model.margin if np.isfinite(model.margin) else None
        length = float(np.linalg.norm(w(model)))
        return 1 / length if length > 0 else None

    def street(model: Any) -> float | None:
        half = margin(model)
        return None if half is None else 2 * half

    return (
        ModelFact(
            "margin width",
            margin,
            f"Distance from the boundary to either margin, 1/|w|{how}: half the width of the street.",
        ),
        ModelFact(
            "street width",
            street,
            f"Distance from one margin to the other, 2/|w|{how}: twice the width of the margin.",
        ),
    )


class StreetScores(ScoreModel):
    """What the machine and its multipliers on the way have in common: f is a sum over support vectors."""

    expansion: Expansion

    @property
    def cost(self) -> int:  # type: ignore[override]
        """That of f."""
        return self.expansion.cost

    def decision_function(self, X: Array) -> Array:
        """The values f at the rows of X (n, d): positive for classes[1]."""
        return self.expansion.at(X)

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The values f at the nodes of the grid."""
        return self.expansion.on_grid(grid, dtype, finest=1e-2)

    def with_gradient(self, X: Array) -> tuple[Array, Array]:
        """The values f (m,) and their gradient (m, d) at the rows of X."""
        return self.expansion.with_gradient(X)


@dataclass(frozen=True, eq=False, kw_only=True)
class SVMModel(SupportedScores, StreetScores):
    """f(x) = sum dual_coef_s k(x, support_vectors_s) + intercept.

    `alpha`, `slack`, `bound` (C times the sample's weight, inf with a hard margin) and `signs` are (n,), one a sample,
    0 for samples without weight. `margin` is 1/|w|. `coef` (d,) is w for the linear kernel, else None. A bound too
    large to compute with is replaced by the largest possible one, `limit`.
    """

    kernel: Kernel
    C: float
    """The price of slack; inf with a hard margin."""
    support_vectors: Array
    dual_coef: Array
    bound: Array
    signs: Array
    origin: Array
    """(d,) what is taken from all places before the kernel sees them: 0 where that would change its values."""
    offset: float
    """b, for places counted from the origin."""
    margin: float
    objective: float
    dual_objective: float
    kkt_residual: float
    lambda_: float
    """1/(2 C n), 0 with a hard margin."""
    limit: float | None
    feature_sum: FeatureSum | None = None
    """f without its offset in the kernel's features, where the sum over the support vectors has no digits."""
    caveat: str = ""
    subsample: tuple[int, int] | None
    """(m, n): m samples, drawn at random, stand for all n; None when all are used."""
    leave_one_out_error: float | None = None
    """None where it was not asked for, or not yet found."""

    known_facts = (
        *margin_widths(", in the space of the kernel"),
        *support_facts("their margin", "inside the street or beyond it"),
        ModelFact(
            "leave-one-out bound",
            lambda m: float(len(m.support) / np.count_nonzero(m.bound)),
            "Share of the samples that are support vectors. Leaving out any other changes nothing, and it "
            "was right: so the leave-one-out error is not above this (unless a whole range of offsets is "
            "equally good).",
            unit="share",
            level="more",
        ),
        ModelFact(
            "leave-one-out error",
            lambda m: m.leave_one_out_error,
            "Share of the samples that are misclassified by the machine of all others, with the same C: an "
            "almost unbiased estimate of the error on new samples.",
            unit="share",
        ),
        LAMBDA,
        ModelFact(
            "C computed with",
            lambda m: m.limit,
            "The hard margin, or a very large C, is approached by this one.",
            level="solver",
        ),
        GAMMA,
        *objective_facts("½|w|² + C Σ ξ", lambda m: m),
        ModelFact(
            "fitted on",
            lambda m: m.subsample and drawn_part(*m.subsample),
            "A fit to all samples would take too long, so some were drawn at random.",
        ),
    )

    @property
    def bound_name(self) -> str:
        """What the largest possible alpha is called; the one computed with goes for C."""
        return bound_name(self.bound, self.C if self.limit is None else self.limit)

    @property
    def coef(self) -> Array | None:
        """The weights w (d,) for the linear kernel."""
        return self.expansion.linear_weights

    @property
    def intercept(self) -> float:
        """The offset b."""
        return self.expansion.base

    @cached_property
    def expansion(self) -> Expansion:  # type: ignore[override]
        """The sum over the support vectors that f is."""
        centers = self.support_vectors - self.origin
        return Expansion(self.kernel, centers, self.dual_coef, self.origin, self.offset, self.feature_sum)

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """F, the class and the distance at x (d,); on a sample, its multiplier and slack as well.

        What is shown is the way to a straight boundary, else the support vectors with the largest terms in the sum.
        """
        row, _ = sample_at(self.X, x)
        f = float(self.decision_function(x[None])[0])
        where = "inside the street" if abs(f) < 1 else "outside the street"
        free = row is not None and row in self.support and not self.at_bound[row]
        if abs(abs(f) - 1) < (_ON_MARGIN if free else 1e-6):  # a solver's last digits are no contradiction
            where = "on an edge of the street"
        said = "" if row is None else f" {self._say_sample(row)}"
        w = self.coef

        def follows(threshold: float) -> Explanation:
            value, told, marks = f, "", self._way(f - threshold, x)
            if w is None:
                value, told, marks = self._pulls(x, f, names)
                score = number(value)
            else:
                score = told_sum(f, self.intercept, w, x, names.of_input)
            sentence = f"f(x) = {score}, {where}"
            if np.isfinite(self.margin):
                space = "" if isinstance(self.kernel, Linear) else " in feature space"
                away = number(abs(value - threshold) * self.margin, beside=max(1.0, abs(self.intercept)) * self.margin)
                sentence += f", {away} from the decision boundary{space}"
            return Explanation(f"{sentence}.{told}{said}", marks if len(x) == 2 else (), measured=w is not None)

        return opened(names.of_class(self.classes[int(f > 0)]), follows)

    def _way(self, f: float, x: Array) -> tuple[Mark, ...]:
        """From x straight to where a function is 0 that is f here and has the slope of the score."""
        way = None if self.coef is None else way_to_zero(f, self.coef)
        here = Points("probe", x[None])
        return (here,) if way is None else (Segments("now", x[None], (x + way)[None]), here)

    def _pulls(self, x: Array, f: float, names: Names) -> tuple[float, str, tuple[Mark, ...]]:
        """The score f at x, what the support vectors of both classes add to it, and the ways to the strongest."""
        here = Points("probe", x[None])
        if self.feature_sum is not None or not len(self.support):
            return cleared(f, 1.0), "", (here,)
        pull = self.expansion.terms(x[None])[0]
        positive = self.signs[self.support] > 0
        strongest = np.argsort(-np.abs(pull), kind="stable")[:_STRONGEST]
        largest = float(np.abs(pull).max())
        strongest = strongest[np.abs(pull[strongest]) > _WEAK * largest]
        favour, against = float(pull[positive].sum()), float(pull[~positive].sum())
        f, *parts = summed(favour, against, self.intercept, beside=max(1.0, largest))
        favoured, opposed, offset = map(signed, parts)
        told = (
            f" Support vectors of {names.of_class(self.classes[1])} add {favoured}, "
            f"those of {names.of_class(self.classes[0])} {opposed}, the offset {offset}."
        )
        ends = self.support_vectors[strongest]
        return f, told, (Segments("now", np.tile(x, (len(ends), 1)), ends), here)

    def _say_sample(self, row: int) -> str:
        alpha, bound, slack = self.alpha[row], self.bound[row], self.slack[row]
        if self.at_bound[row]:
            return f"Support vector at the bound: alpha = {self.bound_name} = {number(bound)}, slack {number(slack)}."
        if row in self.support:
            f = float(self.decision_function(self.X[row][None])[0])
            where = "on its margin" if abs(self.signs[row] * f - 1) < _ON_MARGIN else "not yet on its margin"
            if np.isinf(bound):
                return f"Free support vector, {where}: alpha = {number(alpha)}."
            told, most = numbers_apart(alpha, bound)
            return f"Free support vector, {where}: alpha = {told} of {self.bound_name} = {most}."
        return f"Not a support vector: alpha = 0, slack {number(slack)}."
