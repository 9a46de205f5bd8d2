"""How fast each rule for the step of gradient descent comes to the minimum of linear regression."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlviz.algorithms.linear.linear_regression.descent import RULES, DescendedModel
from mlviz.draw.inks import Dash, RoleInk, Tone
from mlviz.draw.layer import Context, chart
from mlviz.draw.marks import Lines, Mark, Points
from mlviz.draw.overlays import loss_surface
from mlviz.draw.plot import Plot
from mlviz.numerics.convex.gradient_descent import accelerated, descent

_COMPARED, _WORK = 100, 500_000
"""So many steps of each rule are compared, and fewer where they would go through more numbers of the design."""
_RULE_INKS: tuple[tuple[Tone, Dash], ...] = (
    (Tone("curve"), "solid"),
    (Tone("second"), "solid"),
    (Tone("second", deep=0.45), "dashed"),
    (Tone("accent"), "dashed"),
    (Tone(pale=0.15), "dotted"),
)
INKS = loss_surface.INKS | {
    f"rule {k}": RoleInk(tone, width=1.8, dash=dash) for k, (tone, dash) in enumerate(_RULE_INKS)
}


@chart("step rules", "step rules compared")
def rules_chart(model: DescendedModel, context: Context) -> Plot | None:
    """How far each rule is above the minimum after each step, on a logarithmic scale."""
    way, settings = model.way, context.algorithm
    most = min(settings.max_iter, _COMPARED, _WORK // way.loss.inputs.size)
    if not most or not way.knows_minimum:
        return None
    start, rate = np.zeros(len(way.prices)), settings.learning_rate
    ways: dict[str, Any] = {
        name.removeprefix("gradient, "): descent(way.loss, way.prices, start, rule, rate, most)
        for name, rule in RULES.items()
    }
    ways["accelerated"] = accelerated(way.loss, way.prices, start, most)
    lines: list[Mark] = []
    floor = 1e-10 * max(way.loss.value(start)[0], 1e-300)
    for k, (name, steps) in enumerate(ways.items()):
        above = np.array([(step.steps, step.value - way.least) for step in steps if np.isfinite(step.value)])
        xy = np.column_stack((above[:, 0], np.maximum(above[:, 1], floor)))
        lines.append(Lines(f"rule {k}", xy, label=name))
    if model.iterate.steps <= most:
        here = (model.iterate.steps, max(model.iterate.value - way.least, floor))
        lines.append(Points("now", np.array([here]), label="this step"))
    words = ("Step rules compared", "step", "above the minimum")
    return Plot("step rules", *words, tuple(lines), y_scale="log", x_whole=True)
