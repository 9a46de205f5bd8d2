"""What regression by other losses draws on the data: curves of several losses, samples on them and their weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlviz.algorithms.regression.lp_regression.model import LpModel
from mlviz.draw.inks import ACCENT, CANVAS, RoleInk, Tone, ring
from mlviz.draw.layer import Context, OnLine, overlay
from mlviz.draw.marks import Lines, Mark, Points
from mlviz.draw.numbers import number
from mlviz.draw.overlays.regions import in_sight
from mlviz.numerics.residuals.losses import Huber, Loss, Power

INKS = {
    "power 1": RoleInk(Tone("second", deep=0.15), width=2.0),
    "power 2": RoleInk(width=2.0, dash="dashed"),
    "power 4": RoleInk(Tone(pale=0.35), width=1.8, dash="dotted"),
    "Huber's loss": RoleInk(ACCENT, width=2.0, dash="dashed"),
    "sample met": ring(17.0, 1.8),
    "sample weight": RoleInk(ACCENT, Tone("accent", opacity=0.12), width=1.2, symbol="ring", size=12.0, halo=CANVAS),
}
_LARGEST_SIZE = 2.4
"""Of the ring of the sample that weighs most."""
MOST_SAMPLES = 5000
"""With more samples the other losses take too long to be shown at once."""


def others(model: LpModel) -> tuple[tuple[str, str, Loss], ...]:
    """The losses beside that of the model: role, label, loss."""
    huber = Huber(model.problem.delta)
    every: list[tuple[str, str, Loss]] = [(f"power {p}", f"p = {p}", Power(float(p))) for p in (1, 2, 4)]
    every.append(("Huber's loss", named(huber), huber))
    return tuple(one for one in every if one[2] != model.loss)


def named(loss: Loss) -> str:
    """What a loss is called in a legend."""
    return f"p = {number(loss.p)}" if isinstance(loss, Power) else f"Huber, δ = {number(loss.delta)}"


@overlay(
    "other losses",
    "other losses",
    "the curves for p = 1, 2, 4 and Huber's loss, with the same basis and penalty",
    tasks=("regression",),
)
def other_losses(model: LpModel, context: OnLine) -> Sequence[Mark]:
    if len(model.problem.y) > MOST_SAMPLES:
        return ()
    x = context.line
    return in_sight(
        [
            Lines(role, np.column_stack((x, model.problem.other(loss).predict(x[:, None]))), label=label)
            for role, label, loss in others(model)
        ],
        context,
    )


@overlay("met", "samples on the curve", "samples that the curve passes through", tasks=("regression",))
def met(model: LpModel, context: Context) -> Sequence[Mark]:
    if context.grid is None and context.line is None:
        return ()
    label = "on the curve" if context.grid is None else "met exactly"
    return context.symbols("sample met", model.problem.rows[model.met], label)


@overlay(
    "sample weights",
    "weights of the samples",
    "rings whose areas are the weights with which squares pull as hard as the loss does",
    shown=False,
    tasks=("regression",),
)
def weights(model: LpModel, context: Context) -> Sequence[Mark]:
    if context.grid is None and context.line is None:
        return ()
    sizes = _LARGEST_SIZE * np.sqrt(model.sample_weights)
    marks: Sequence[Points] = context.symbols("sample weight", model.problem.rows, "weight of a sample", size=sizes)
    return marks
