"""The model of kernel logistic regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import ModelFact, ScoreModel
from mlviz.algorithms.facts import GAMMA, LEFT_OUT
from mlviz.draw.layer import CODES, Explanation, Names
from mlviz.draw.marks import Mark, Points, ways
from mlviz.numerics.arrays import Array
from mlviz.numerics.convex.logistic_loss import softmax
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.expansion import Expansion

SHOWN = 5
"""So many samples, those that say most at a place, are shown as evidence."""
_LEAST_SHARE = 0.05
"""None is shown that says less than this share of the one that says most."""


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelLogisticModel(ScoreModel):
    """Log odds f(x) + b = sum_s dual_coef_s k(x, centers_s) + b of classes[1].

    The centers (m, d) are the samples, or the few that stand for very many.
    """

    classes: NDArray[Any]
    centers: Array
    expansion: Expansion
    objective: float
    log_loss: float
    norm: float
    """|f|"""
    gradient_norm: float
    gap: float = float("inf")
    """How far the objective is at most above its minimum; infinite where no bound is known."""
    newton_steps: int
    solved: str
    spread: float
    """How far apart the largest and the smallest log odds of the samples are."""
    left_out: float = 0.0
    """The share of the kernel's trace that the centres do not represent."""
    weights: Array | None = None
    """Those of the features, where the minimum was looked for there, and the offset: a start for the next fit."""
    caveat: str = ""
    known_facts = (
        ModelFact(
            "log loss",
            lambda m: m.log_loss,
            "Mean of −log P(class of the sample): the objective without its penalty.",
        ),
        ModelFact(
            "objective",
            lambda m: m.objective,
            "Log loss plus λ|f|²: what is made as small as possible.",
        ),
        ModelFact(
            "|f|",
            lambda m: m.norm,
            "Length of the function in the space of the kernel: the smaller it is, the calmer the probabilities.",
        ),
        ModelFact(
            "offset",
            lambda m: m.expansion.offset,
            "b, which is added to the sum of the bumps: the log odds fall back to it far from all samples.",
        ),
        GAMMA,
        ModelFact(
            "unknowns",
            lambda m: m.solved,
            "What is solved for: bumps of all samples, or of a few, or weights of the kernel's features.",
            level="solver",
        ),
        ModelFact(
            "Newton steps",
            lambda m: m.newton_steps,
            "How many steps led here.",
            level="solver",
        ),
        ModelFact(
            "gradient norm",
            lambda m: m.gradient_norm,
            "Length of the objective's gradient in what is solved for; at the exact minimum it is 0.",
            level="solver",
        ),
        ModelFact(
            "relative duality gap",
            lambda m: max(0.0, m.gap) / max(m.objective, 1e-300) if np.isfinite(m.gap) else None,
            "How far the objective can be above its minimum, as a share of it; the bumps themselves prove it.",
            level="solver",
        ),
        LEFT_OUT,
    )

    @property
    def stage(self) -> str:  # type: ignore[override]
        """The step that led here."""
        return "Newton step" if self.newton_steps else "no bumps"

    @property
    def cost(self) -> int:  # type: ignore[override]
        """That of f."""
        return self.expansion.cost

    @property
    def dual_coef(self) -> Array:
        """(m,)."""
        return self.expansion.coef

    def decision_function(self, X: Array) -> Array:
        """The log odds (n,) of classes[1]."""
        return self.expansion.at(X)

    def predict_proba(self, X: Array) -> Array:
        """The probability of each class, (n, 2)."""
        scores = self.decision_function(X)
        return softmax(np.stack((0 * scores, scores), axis=-1))

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> NDArray[Any]:
        """The log odds at every node, (ny, nx)."""
        return self.expansion.on_grid(grid, dtype, finest=1e-4 * max(1.0, self.spread))

    def explain(self, x: Array, names: Names = CODES) -> Explanation:
        """The log odds as what the bumps for either class and the offset add, with the samples that say most."""
        f, proba = float(self.decision_function(x[None])[0]), self.predict_proba(x[None])[0]
        first = int(proba[1] > proba[0])
        terms = self.expansion.terms(x[None])[0]
        against, favour = float(terms[terms < 0].sum()), float(terms[terms > 0].sum())
        # About the origin the bumps count from, the offset is what they leave.
        rest = f - favour - against
        called = [names.of_class(c) for c in self.classes]
        sentence = (
            f"{called[first]} with probability {proba[first]:.3g}; {called[1 - first]} with {proba[1 - first]:.3g}. "
            f"f(x) = {f:.3g}: bumps for {called[1]} add {favour:.3g}, those for {called[0]} take {-against:.3g}, "
            f"the offset is {rest:.3g}"
        )
        size = np.abs(terms)
        order = np.argsort(-size, kind="stable")[:SHOWN]
        order = order[size[order] > _LEAST_SHARE * size.max()] if size.max() > 0 else order[:0]
        if len(order):
            where = ", ".join(f"{c:.3g}" for c in self.centers[order[0]])
            sentence += f"; the largest part, {terms[order[0]]:.3g}, comes from the sample at ({where})"
        return Explanation(f"{sentence}.", self._evidence(x, order), measured=True)

    def _evidence(self, x: Array, samples: NDArray[np.intp]) -> tuple[Mark, ...]:
        if len(x) != 2 or not len(samples):
            return ()
        places = self.centers[samples]
        return *ways(x, places), Points("neighbour", places)
