"""Centres that start where the hand has placed them: where they are on a canvas, and changes: pure functions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.algorithms import CannotFit
from mlviz.algorithms.by_hand import StartsByHand
from mlviz.algorithms.clustering.start_by_hand import MOST_CENTERS
from mlviz.draw.marks import Points
from mlviz.interaction.gesture import STILL_PX, Pointer, ToolContext, ToolGenerator, follow, rounded
from mlviz.numerics.arrays import Array
from mlviz.pipeline.preprocessing.base import Transform
from mlviz.scene.canvas_axes import remembered
from mlviz.scene.edits import with_algorithm
from mlviz.scene.scene import Panel, Scene
from mlviz.scene.trace import fit_of
from mlviz.spec.brief import Brief


@dataclass(frozen=True, eq=False)
class Start(Brief):
    """The places (k, 2) on the canvas of panel `index` at which centres start; `transform` is that of the inputs."""

    index: int
    places: Array
    transform: Transform


def starts_by_hand(panel: Panel) -> bool:
    """Whether the method of a panel has a start by hand that is shown."""
    # To ask whether it has all of `StartsByHand` takes far longer.
    return getattr(panel.pipeline.algorithm, "started_by_hand", False) and not panel.hides("start")


@remembered
def start_on(scene: Scene, index: int) -> Start | None:
    """The start on the canvas of panel `index`; None where there is none, or its inputs are not the axes."""
    panel = scene.panels[index]
    algorithm = panel.pipeline.algorithm
    if not starts_by_hand(panel) or scene.hides_answer or not isinstance(algorithm, StartsByHand):
        return None
    found = inputs_on(scene, index)
    if found is None:
        return None
    X, transform = found
    try:
        places = algorithm.start_places(X)
    except CannotFit:
        return None
    return Start(index, on_canvas(transform, places), transform) if places.shape[1] == 2 else None


def inputs_on(scene: Scene, index: int) -> tuple[Array, Transform] | None:
    """The samples (n, d) as the method of panel `index` gets them, and what leads its inputs to the canvas and back.

    None where there are no samples, or where its inputs are not the axes.
    """
    fit = fit_of(scene, index)
    if fit.problem or not len(fit.X) or not (fit.axes.projection is not None or fit.roles.inputs == scene.axes):
        return None
    transform = fit.pipeline.preprocessor.learn(fit.X)
    return None if transform.lifts else (transform.to_model(fit.X), transform)


def on_canvas(transform: Transform, places: Array) -> Array:
    """Where places (k, d) in the first two inputs of a method are on its canvas, (k, 2)."""
    (shown,) = transform.on_canvas((Points("start", places[:, :2]),), (0, 1))
    return shown.places()


def with_start(scene: Scene, start: Start, places: Array) -> Scene:
    """With centres that start at other places (k, 2) on the canvas, as many as there are."""
    algorithm = scene.panels[start.index].pipeline.algorithm
    assert isinstance(algorithm, StartsByHand)
    return with_algorithm(scene, start.index, algorithm.started_at(np.asarray(start.transform.from_canvas(places))))


def start_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Drags the centre that was hit; with Shift pulls a further one out of it; with Ctrl takes it away."""
    hit = _hit(context, press)
    if hit is None:
        return
    start, which = hit
    if press.control:
        if len(start.places) > 1:
            context.change(with_start(context.scene, start, np.delete(start.places, which, axis=0)), "remove start")
        return
    places, what = start.places, "move start"
    if press.shift and len(places) < MOST_CENTERS:
        places, which, what = np.vstack((places, places[which])), len(places), "add start"

    def go(pointer: Pointer) -> None:
        moved = places.copy()
        moved[which] = rounded(pointer.place, context.unit)
        context.change(with_start(context.scene, start, moved), what)

    yield from follow(press, go, STILL_PX)


def hits_start(context: ToolContext, press: Pointer) -> bool:
    """Whether a press takes hold of a centre to start from."""
    return press.button == "left" and _hit(context, press) is not None


def _hit(context: ToolContext, press: Pointer) -> tuple[Start, int] | None:
    """The start and which of its centres is at the pointer, the one on top."""
    if not starts_by_hand(context.scene.panels[context.panel]):
        return None
    start = start_on(context.scene, context.panel)
    if start is None:
        return None
    which = context.held(start.places, press.place)
    return None if which is None else (start, which)
