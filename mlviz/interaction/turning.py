"""The hand that turns a direction on the canvas, whatever its tool. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.algorithms import CannotFit
from mlviz.algorithms.by_hand import TurnsByHand
from mlviz.interaction.gesture import STILL_PX, Pointer, ToolContext, ToolGenerator, follow
from mlviz.interaction.starts import inputs_on, on_canvas
from mlviz.numerics.arrays import Array
from mlviz.pipeline.preprocessing.base import Transform
from mlviz.scene.canvas_axes import remembered
from mlviz.scene.edits import with_algorithm
from mlviz.scene.scene import Scene
from mlviz.spec.brief import Brief

LAYER = "turn"
"""The overlay that shows the ends."""


@dataclass(frozen=True, eq=False)
class Turnable(Brief):
    """A direction that can be turned: its `ends` (2, 2) on the canvas, the samples X (n, 2) and their transform."""

    ends: Array
    X: Array
    transform: Transform


@remembered
def turnable_on(scene: Scene, index: int) -> Turnable | None:
    """The direction on the canvas of panel `index`; None where there is none, or its inputs are not the axes."""
    panel = scene.panels[index]
    algorithm = panel.pipeline.algorithm
    # To ask whether it has all of `TurnsByHand` takes far longer: that is only asked where it matters.
    if not getattr(algorithm, "turned_by_hand", False) or not isinstance(algorithm, TurnsByHand):
        return None
    found = None if scene.hides_answer or panel.hides(LAYER) else inputs_on(scene, index)
    if found is None or found[0].shape[1] != 2:
        return None
    try:
        ends = algorithm.turning_ends(found[0])
    except CannotFit:
        return None
    return Turnable(on_canvas(found[1], ends), *found)


def turned(scene: Scene, index: int, turnable: Turnable, place: Array) -> Scene:
    """With the direction towards a place (2,) on the canvas of panel `index`."""
    algorithm = scene.panels[index].pipeline.algorithm
    assert isinstance(algorithm, TurnsByHand)
    (towards,) = np.asarray(turnable.transform.from_canvas(place[None]))
    return with_algorithm(scene, index, algorithm.turned_to(turnable.X, towards))


def turn_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Turns the direction after the hand: neither samples nor preprocessing change meanwhile."""
    turnable = turnable_on(context.scene, context.panel)
    if turnable is not None:
        yield from follow(
            press,
            lambda pointer: context.change(
                turned(context.scene, context.panel, turnable, pointer.place), "turn direction"
            ),
            STILL_PX,
        )


def hits_turnable(context: ToolContext, press: Pointer) -> bool:
    """Whether a press takes hold of an end of a direction."""
    turnable = turnable_on(context.scene, context.panel) if press.plain else None
    return turnable is not None and context.held(turnable.ends, press.place) is not None
