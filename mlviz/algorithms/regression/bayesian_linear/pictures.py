"""What Bayesian linear regression draws on the data: functions from the posterior, and which samples have come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.regression.bayesian_linear.model import FUNCTIONS_DRAWN, BayesianLinearModel
from mlviz.algorithms.regression.terms import Terms
from mlviz.algorithms.traits import always
from mlviz.draw.contours import curves
from mlviz.draw.inks import CANVAS, TEXT, RoleInk, Tone
from mlviz.draw.layer import Context, OnLine, overlay
from mlviz.draw.marks import Lines, Mark
from mlviz.draw.overlays import bands
from mlviz.draw.overlays.regions import in_sight
from mlviz.numerics.arrays import Array
from mlviz.numerics.linalg.gaussian_weights import GaussianWeights, prior_weights

FLAT, NORMAL = "flat prior of b", "normal prior of b"
BY_HAND = "σ and τ by hand"
INKS = {
    "prior": RoleInk(Tone(pale=0.35), Tone(pale=0.35, opacity=0.08), width=1.4, dash="dotted"),
    "likelihood": RoleInk(Tone("second", deep=0.2), width=1.8, dash="dashed"),
    "last likelihood": RoleInk(Tone("accent", opacity=0.8), Tone("accent", opacity=0.16), width=1.0),
    "posterior": RoleInk(Tone("curve", deep=0.1), Tone("curve", opacity=0.22), width=2.2),
    "whisker": RoleInk(width=2.0),
    "largest evidence": RoleInk(fill=TEXT, symbol="triangle down", size=9.0, halo=CANVAS),
}


@dataclass(frozen=True)
class Prior:
    """What is known of the function before any sample is there, where that is something."""

    terms: Terms
    weights: GaussianWeights
    noise: float
    degrees_of_freedom = np.inf

    @classmethod
    def of(cls, settings: Any, line: Array) -> Prior | None:
        """That of the settings, with the functions of the basis over a line (m,), as there are no samples."""
        if settings.offset != NORMAL or settings.evidence != BY_HAND:
            return None
        try:
            terms = Terms.of(settings, line[[0, -1], None])
        except CannotFit:
            return None
        return cls(terms, prior_weights(len(terms) + 1, settings.tau, False), settings.noise)

    def predict(self, X: Array) -> Array:
        """The most probable function at X (m, 1), which is 0: (m,)."""
        return np.zeros(len(X))

    def predict_std(self, X: Array) -> tuple[Array, Array]:
        """The standard deviations (m,) of the function and of a new target."""
        of_function = self.weights.std(self.terms.values(X))
        return of_function, np.hypot(of_function, self.noise)

    def functions(self, X: Array, seed: int) -> Array:
        """Functions drawn from it, at X: (m, FUNCTIONS_DRAWN)."""
        normal = np.random.default_rng(seed).standard_normal((FUNCTIONS_DRAWN, len(self.terms) + 1))
        return self.weights.functions(self.terms.values(X), normal)


@overlay(
    "functions",
    "functions drawn at random",
    f"{FUNCTIONS_DRAWN} functions drawn from the posterior: each is as probable as the samples make it; before the "
    "first sample, from the prior",
    tasks=("regression",),
    needs_model=False,
    random=always,
)
def functions(model: object, context: OnLine) -> Sequence[Mark]:
    x = context.line
    if isinstance(model, BayesianLinearModel):
        of = "posterior" if model.count else "prior"
        return () if model.nowhere else in_sight((_drawn(x, model.functions(x[:, None]), of),), context)
    prior = Prior.of(context.algorithm, x) if model is None else None
    if prior is None:
        return ()
    drawn = _drawn(x, prior.functions(x[:, None], context.seed), "prior")
    mean = Lines("curve", np.column_stack((x[[0, -1]], (0.0, 0.0))), label="mean of the prior")
    return (*bands.bands.draw(prior, context), *in_sight((drawn,), context), mean)


def _drawn(x: Array, values: Array, of: str) -> Lines:
    return Lines("drawn function", curves(x, values), label=f"{FUNCTIONS_DRAWN} functions drawn from the {of}")


@overlay(
    "unseen", "samples not yet seen", "while the steps are played: samples that have not come", tasks=("regression",)
)
def unseen(model: BayesianLinearModel, context: Context) -> Sequence[Mark]:
    samples = model.samples
    if model.count == len(samples.y) or (context.grid is None and context.line is None):
        return ()
    last = context.symbols("visited", samples.rows[model.count - 1 : model.count], "the sample that came last")
    return (*context.symbols("left out", samples.rows[model.count :], "not yet seen"), *(last if model.count else ()))
