"""What Bayesian linear regression draws on the data: functions from the posterior, and which samples have come."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlviz.algorithms.regression.bayesian_linear.model import FUNCTIONS_DRAWN, BayesianLinearModel
from mlviz.draw.contours import curves
from mlviz.draw.inks import CANVAS, TEXT, RoleInk, Tone
from mlviz.draw.layer import Context, OnLine, overlay
from mlviz.draw.marks import Lines, Mark
from mlviz.draw.overlays.regions import in_sight
from mlviz.numerics.arrays import Array

INKS = {
    "prior": RoleInk(Tone(pale=0.35), Tone(pale=0.35, opacity=0.08), width=1.4, dash="dotted"),
    "likelihood": RoleInk(Tone("second", deep=0.2), width=1.8, dash="dashed"),
    "last likelihood": RoleInk(Tone("accent", opacity=0.8), Tone("accent", opacity=0.16), width=1.0),
    "posterior": RoleInk(Tone("curve", deep=0.1), Tone("curve", opacity=0.22), width=2.2),
    "whisker": RoleInk(width=2.0),
    "largest evidence": RoleInk(fill=TEXT, symbol="triangle down", size=9.0, halo=CANVAS),
}


@overlay(
    "functions",
    "functions drawn at random",
    f"{FUNCTIONS_DRAWN} functions drawn from the posterior: each is as probable as the samples make it",
    tasks=("regression",),
)
def functions(model: BayesianLinearModel, context: OnLine) -> Sequence[Mark]:
    label = f"{FUNCTIONS_DRAWN} functions drawn from the {'posterior' if model.count else 'prior'}"
    values = model.functions(context.line[:, None])
    if model.nowhere and context.height is not None:
        values = values - values[len(values) // 2] + _all_over(model.samples.normal[:, 0], *context.height)
    return in_sight((Lines("bundle", curves(context.line, values), label=label),), context)


def _all_over(normal: Array, low: float, high: float) -> Array:
    """Heights (m,) evenly from low to high, in the order of random numbers (m,)."""
    return low + (high - low) * (np.argsort(np.argsort(normal)) + 0.5) / len(normal)


@overlay(
    "unseen", "samples not yet seen", "while the steps are played: samples that have not come", tasks=("regression",)
)
def unseen(model: BayesianLinearModel, context: Context) -> Sequence[Mark]:
    samples = model.samples
    if model.count == len(samples.y) or (context.grid is None and context.line is None):
        return ()
    last = context.symbols("visited", samples.rows[model.count - 1 : model.count], "the sample that came last")
    return (*context.symbols("left out", samples.rows[model.count :], "not yet seen"), *(last if model.count else ()))
