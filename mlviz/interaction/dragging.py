"""What several tools do with a drag: move samples, move the view. No Qt."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from mlviz.interaction.gesture import STILL_PX, Pointer, ToolContext, ToolGenerator
from mlviz.interaction.tool_state import Rows


def drag_samples(context: ToolContext, press: Pointer, rows: Rows) -> Generator[None, Pointer, bool]:
    """Move samples with the pointer until the release; returns whether they moved."""
    # Components turn with the samples: what the hand means is told by the axes that it took hold on.
    axes = context.axes
    start = axes.places(context.dataset)[rows]
    kept = len(context.selection) and np.isin(rows, context.selection).all()
    pointer, moved = press, False
    while pointer.kind != "release":
        pointer = yield
        if not moved and np.hypot(*(pointer.pixel - press.pixel)) < STILL_PX:
            continue
        shift = pointer.place - press.place
        # One sample lands on a round place; several keep their shape, so only their way is rounded.
        places = context.rounded(start + shift) if len(rows) == 1 else start + context.rounded(shift)
        if not np.array_equal(places, axes.places(context.dataset)[rows]):
            moved_to = axes.move(context.dataset, rows, places)
            context.edit(moved_to, "move point" if len(rows) == 1 else "move points")
            if kept:
                context.hand.select(rows, context.dataset)
        moved = True
    return moved


def pan(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Moves the view with the pointer."""
    x0, x1, y0, y1 = context.scene.view.limits
    pointer = press
    while pointer.kind != "release":
        pointer = yield
        # By pixels: the place under a given pixel is another one as soon as the view has moved.
        dx, dy = ((press.pixel - pointer.pixel) * (1, -1) * context.unit).tolist()
        context.look(context.scene.with_view(limits=(x0 + dx, x1 + dx, y0 + dy, y1 + dy)))
