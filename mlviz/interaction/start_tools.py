"""The hand that moves, adds and removes the centres from which a clustering starts, whatever its tool. No Qt."""

from __future__ import annotations

import numpy as np

from mlviz.algorithms.clustering.start_by_hand import MOST_CENTERS
from mlviz.interaction.gesture import STILL_PX, Pointer, ToolContext, ToolGenerator, follow, rounded
from mlviz.interaction.starts import Start, start_on, starts_by_hand, with_start


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
