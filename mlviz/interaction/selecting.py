"""The two tools that select, a rectangle and a line drawn around the samples, and how samples are dragged. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Generator

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.marks import Polygons
from mlviz.interaction.gesture import STILL_PX, Pointer, ToolContext, ToolGenerator
from mlviz.interaction.tool_state import Rows
from mlviz.numerics.arrays import Array


def select(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Selects the samples in a rectangle, or drags the selected ones."""
    yield from _select(context, press, _rectangle)


def lasso(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Selects the samples inside a line drawn around them, or drags the selected ones."""
    yield from _select(context, press, lambda way: way)


def _select(context: ToolContext, press: Pointer, outline: Callable[[Array], Array]) -> ToolGenerator:
    """A sample that is hit is selected and dragged; from elsewhere an outline is drawn.

    Shift adds to the selection, Ctrl takes out of it. Pressing on nothing lets go of all.
    """
    row, before = context.hit(press.place), context.selection
    if row is not None and not press.control:
        if row not in before:
            context.hand.select([*before, row] if press.shift else [row], context.dataset)
        yield from drag_samples(context, press, context.selection)
        return
    if row is not None:
        context.hand.select(before[before != row], context.dataset)
        return
    way, pointer, drawing = [press.place], press, False
    while pointer.kind != "release":
        pointer = yield
        drawing = drawing or float(np.hypot(*(pointer.pixel - press.pixel))) >= STILL_PX
        if drawing:
            way.append(pointer.place)
            context.show_preview((Polygons("selection", (outline(np.array(way)),)),))
    # A press that did not move has an outline that nothing is inside of.
    found = np.flatnonzero(inside(context.axes.places(context.dataset), outline(np.array(way))))
    if press.control:
        found = np.setdiff1d(before, found)
    elif press.shift:
        found = np.union1d(before, found)
    context.hand.select(found, context.dataset)


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


def _rectangle(way: Array) -> Array:
    (x0, y0), (x1, y1) = way[0], way[-1]
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def inside(places: Array, outline: Array) -> NDArray[np.bool_]:
    """Which places (n, 2) lie inside the closed outline (m, 2): a ray from them crosses it an odd number of times."""
    x, y = places[:, 0], places[:, 1]
    odd = np.zeros(len(places), dtype=bool)
    for (x0, y0), (x1, y1) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        crossed = (y0 > y) != (y1 > y)
        if crossed.any():
            # Only edges that are crossed are asked where, so that a level edge divides nothing by zero.
            odd[crossed] ^= x[crossed] < x0 + (y[crossed] - y0) / (y1 - y0) * (x1 - x0)
    return odd
