"""What a hand does that only looks: it draws the line of the slice, and moves the pinned place or the view. No Qt."""

from __future__ import annotations

import numpy as np

from mlviz.draw.marks import Lines, Mark, Points
from mlviz.interaction.gesture import NEAR_PX, STILL_PX, Pointer, ToolContext, ToolGenerator, follow
from mlviz.interaction.tool_state import ToolState
from mlviz.numerics.arrays import Array
from mlviz.scene.scene import Scene

_REACH_PX = 1.5 * NEAR_PX
"""A press this near to an end of the line takes hold of it, logical pixels."""


def slice_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Draws the line along which the function is cut, or moves the end that was hit, or all of it by its middle part.

    A press that does not move takes the line away.
    """
    ends = _ends(context.scene)
    part = None if ends is None else _part_at(ends, press.place, context.unit)
    moved = yield from follow(
        press, lambda pointer: _show(context, _moved(ends, part, press.place, pointer.place)), STILL_PX
    )
    if not moved and part is None:
        _show(context, None)


def _moved(ends: Array | None, part: str | None, start: Array, now: Array) -> Array:
    """The ends (2, 2) after a drag of the part that was hit; a new line where none was."""
    if ends is None or part is None:
        return np.array([start, now])
    if part == "middle":
        return ends + (now - start)
    return np.array([now, ends[1]] if part == "first" else [ends[0], now])


def _part_at(ends: Array, place: Array, unit: Array) -> str | None:
    """Which part of the line with these ends (2, 2) a place hits: "first" or "second" end, "middle", or None."""
    pixels = (ends - place) / unit
    distances = np.hypot(pixels[:, 0], pixels[:, 1])
    nearest = int(np.argmin(distances))
    if distances[nearest] <= _REACH_PX:
        return ("first", "second")[nearest]
    way = pixels[1] - pixels[0]
    along = float(np.clip(-(pixels[0] @ way) / max(float(way @ way), 1e-300), 0.0, 1.0))
    return "middle" if float(np.hypot(*(pixels[0] + along * way))) <= NEAR_PX else None


def _show(context: ToolContext, ends: Array | None) -> None:
    context.look(context.scene.with_view(slice=None if ends is None else tuple(ends.ravel().tolist())))


def _ends(scene: Scene) -> Array | None:
    line = scene.view.slice
    return None if line is None else np.array(line).reshape(2, 2)


def pan_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Moves the view with the pointer."""
    x0, x1, y0, y1 = context.scene.view.limits

    def go(pointer: Pointer) -> None:
        # By pixels: the place under a given pixel is another one as soon as the view has moved.
        dx, dy = ((press.pixel - pointer.pixel) * (1, -1) * context.unit).tolist()
        context.look(context.scene.with_view(limits=(x0 + dx, x1 + dx, y0 + dy, y1 + dy)))

    yield from follow(press, go)


def pin_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Moves the pinned place."""
    yield from follow(press, lambda pointer: context.look(context.scene.with_view(probe=tuple(pointer.place.tolist()))))


def hits_pin(context: ToolContext, press: Pointer) -> bool:
    """Whether a press takes hold of the pinned place, whatever the tool."""
    probe = context.scene.view.probe
    if not context.hand.pinned or probe is None or not press.plain:
        return False
    return context.held(np.array([probe]), press.place, _REACH_PX) is not None


def grips(scene: Scene, hand: ToolState) -> list[Mark]:
    """The line of the slice with its ends, while its tool is in the hand."""
    ends = _ends(scene)
    if ends is None or hand.tool != "slice":
        return []
    return [Lines("slice", ends), Points("now", ends)]
