"""The model of logistic regression, and the way of a fit over the loss, as over a landscape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from mlviz.algorithms.base import ModelFact
from mlviz.algorithms.linear_model import LinearScores, stage_of, way_to_zero
from mlviz.draw.layer import UNNAMED, Explanation, Names, OnGrid, opened, overlay
from mlviz.draw.marks import Mark, Points, ways
from mlviz.draw.numbers import number, probability
from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.convex.logistic_loss import softmax
from mlviz.numerics.convex.loss_surface import LossSurface
from mlviz.numerics.convex.newton import Iterate

FARTHEST_EVIDENCE = 20.0
"""A place on the boundary that is farther away than so many standard deviations is no evidence to look at."""
NAMES_TOLD = 3
"""So many inputs, or classes, at most are named in a sentence."""
_TELLING_LOG_ODDS = 7.0
"""Odds are told where neither class is almost certain."""


class ExactMinimum(Protocol):
    """The problem in standardized inputs, whose minimum is known where it is asked for."""

    @property
    def scale(self) -> Array:
        """(d,) the standard deviations."""

    @property
    def lowest(self) -> Iterate:
        """The minimum."""

    @property
    def loss_surface(self) -> LossSurface | None:
        """The loss over the two weights, or over the only one and the offset; None where there are others."""

    def on_plane(self, iterate: Iterate) -> Array:
        """Where a place is in the landscape, (1, 2)."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LogisticModel(LinearScores):
    """Its score for two classes is the log odds of classes[1]; of several classes the largest is the likeliest."""

    solver: str
    penalty: str
    objective: float
    log_loss: float
    iterate: Iterate
    caveat: str
    exact: ExactMinimum
    way_down: Array
    """(m, 2) the weights so far, or weight and offset; (0, 2) where they are not two."""
    batch_rows: Labels | None
    """Which samples decided the last step, where not all of them did."""

    known_facts = (
        ModelFact(
            "|w|",
            lambda m: float(np.linalg.norm(m.coef)),
            "Length of the weight vector: how steep the probabilities are.",
        ),
        ModelFact(
            "log loss",
            lambda m: m.log_loss,
            "Mean of −log P(class of the sample): the objective without its penalty.",
        ),
        ModelFact(
            "objective",
            lambda m: m.objective,
            "Log loss plus λ times the penalty: what is made as small as possible.",
        ),
        ModelFact(
            "weights at 0",
            lambda m: f"{int((m.coef == 0).sum())} of {m.coef.size}" if m.penalty == "L1" else None,
            "How many weights the L1 penalty has set to exactly 0: their inputs have no say.",
        ),
        ModelFact(
            "Newton steps",
            lambda m: m.iterate.steps if m.solver == "Newton" else None,
            "How many steps led here.",
            level="solver",
        ),
        ModelFact(
            "above the minimum",
            lambda m: None if m.solver == "Newton" else max(0.0, m.objective - m.exact.lowest.value),
            "How much lower the objective can become; the minimum is found by Newton's method.",
        ),
        ModelFact(
            "steps",
            lambda m: None if m.solver == "Newton" else m.iterate.steps,
            "How many steps led here.",
        ),
        ModelFact(
            "step size",
            lambda m: m.iterate.step_size if m.solver != "Newton" and np.isfinite(m.iterate.step_size) else None,
            "By what the gradient was multiplied in the last step.",
            level="solver",
        ),
        ModelFact(
            "gradient norm",
            lambda m: m.gradient_norm,
            "Length of the objective's slope, with an L1 penalty of the smallest one there is at its edges; "
            "0 at the minimum. Newton's method counts inputs in standard deviations, the others as they are.",
            level="solver",
        ),
    )

    @property
    def stage(self) -> str:  # type: ignore[override]
        """The step that led here."""
        return stage_of(self.iterate, "Newton step" if self.solver == "Newton" else "gradient step")

    @property
    def gradient_norm(self) -> float:
        """Length of the objective's slope; 0 at the minimum."""
        return self.iterate.gradient_norm

    def predict_proba(self, X: Array) -> Array:
        """The probability of each class, (n, k)."""
        scores = self.decision_function(X)
        return softmax(np.stack((0 * scores, scores), axis=-1) if scores.ndim == 1 else scores)

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The probabilities at x (d,), those of three classes at most; of two, what each input adds to the log odds."""
        proba = self.predict_proba(x[None])[0]
        sentence = "; ".join(
            f"{names.of_class(self.classes[code])} with probability {probability(proba[code])}"
            for code in np.argsort(-proba, kind="stable")[:NAMES_TOLD]
        )
        if self.coef.ndim > 1:
            return Explanation(sentence + ".")
        f = float(self.decision_function(x[None])[0])
        sentence += f"; f(x) = {self.sum_at(x, names)}"
        if abs(f) < _TELLING_LOG_ODDS:
            sentence += f", so the odds of {names.of_class(self.classes[1])} are exp(f(x)) = {number(np.exp(f))}"
        return opened(
            "", lambda threshold: Explanation(f"{sentence}.", self._to_boundary(x, f - threshold), measured=True)
        )

    @property
    def surface(self) -> LossSurface | None:
        """The loss over the two weights, or over the only one and the offset; None where there are others."""
        return self.exact.loss_surface

    @property
    def lowest(self) -> Array:
        """Where the minimum is in it, (1, 2)."""
        return self.exact.on_plane(self.exact.lowest)

    def _to_boundary(self, x: Array, f: float) -> tuple[Mark, ...]:
        """The way from x straight to where both classes are as likely, on the plane."""
        way = way_to_zero(f, self.coef) if len(x) == 2 else None
        near = way is not None and (np.abs(way) < FARTHEST_EVIDENCE * self.exact.scale).all()
        return ways(x, x + way) if way is not None and near else ()


@overlay(
    "visited",
    "samples of the step",
    "the samples that decided the last step, where they are drawn at random",
    tasks=("classification",),
)
def visited_overlay(model: LogisticModel, context: OnGrid) -> Sequence[Mark]:
    if model.batch_rows is None:
        return ()
    drawn = np.unique(model.batch_rows)
    label = "sample of this step" if len(drawn) == 1 else "samples of this step"
    return (Points("visited", context.X[drawn], rows=context.rows[drawn], label=label),)
