"""What is selected: the two tools that select, how samples are dragged, what the keys do to them. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Generator

import numpy as np

from mlviz.draw.marks import Polygons
from mlviz.interaction.gesture import STILL_PX, Pointer, ToolContext, ToolGenerator, follow, rounded
from mlviz.interaction.tool_state import ToolState
from mlviz.numerics.arrays import Array, Mask, Rows
from mlviz.scene.canvas_axes import CanvasAxes
from mlviz.scene.history import Store
from mlviz.scene.scene import Scene


def select_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Selects the samples in a rectangle, or drags the selected ones."""
    yield from _select(context, press, _rectangle)


def lasso_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
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
    way = [press.place]

    def draw(pointer: Pointer) -> None:
        way.append(pointer.place)
        context.show_preview((Polygons("selection", (outline(np.array(way)),)),))

    yield from follow(press, draw, STILL_PX)
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

    def drag(pointer: Pointer) -> None:
        shift = pointer.place - press.place
        # One sample lands on a round place; several keep their shape, so only their way is rounded.
        places = rounded(start + shift, context.unit) if len(rows) == 1 else start + rounded(shift, context.unit)
        if not np.array_equal(places, axes.places(context.dataset)[rows]):
            moved_to = axes.move(context.dataset, rows, places)
            context.edit(moved_to, "move point" if len(rows) == 1 else "move points")
            if kept:
                context.hand.select(rows, context.dataset)

    return (yield from follow(press, drag, STILL_PX))


def _rectangle(way: Array) -> Array:
    (x0, y0), (x1, y1) = way[0], way[-1]
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def inside(places: Array, outline: Array) -> Mask:
    """Which places (n, 2) lie inside the closed outline (m, 2): a ray from them crosses it an odd number of times."""
    x, y = places[:, 0], places[:, 1]
    odd = np.zeros(len(places), dtype=bool)
    for (x0, y0), (x1, y1) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        crossed = (y0 > y) != (y1 > y)
        if crossed.any():
            # Only edges that are crossed are asked where, so that a level edge divides nothing by zero.
            odd[crossed] ^= x[crossed] < x0 + (y[crossed] - y0) / (y1 - y0) * (x1 - x0)
    return odd


def select_all(store: Store, hand: ToolState) -> None:
    """Select every sample."""
    hand.select(np.arange(len(store.scene.dataset)), store.scene.dataset)


def select_next(store: Store, hand: ToolState, step: int) -> int | None:
    """Select the sample `step` rows after the selected ones, around the ends; its row, None where there are none."""
    n = len(store.scene.dataset)
    if not n:
        return None
    rows = hand.selection(store.scene.dataset)
    last = int(rows[-1] if step > 0 else rows[0]) if len(rows) else -1 if step > 0 else n
    row = (last + step) % n
    hand.select([row], store.scene.dataset)
    return row


def delete_selection(store: Store, hand: ToolState) -> None:
    """Remove the selected samples."""
    scene = store.scene
    rows = hand.selection(scene.dataset)
    if len(rows):
        store.push(scene.replace(dataset=scene.dataset.erase(rows)), "delete points")


def relabel_selection(store: Store, hand: ToolState, code: int) -> None:
    """Put the selected samples into that class; they stay selected."""
    scene = store.scene
    rows = hand.selection(scene.dataset)
    if (scene.dataset.labels[rows] != code).any():
        changed = scene.dataset.relabel(rows, code)
        store.push(scene.replace(dataset=changed), "relabel points")
        hand.select(rows, changed)


def change_selection(store: Store, hand: ToolState, edit: Callable[[Scene, Rows], Scene], what: str) -> None:
    """Change the selected samples, which stay selected: they keep their rows."""
    rows = hand.selection(store.scene.dataset)
    if len(rows):
        store.push(edit(store.scene, rows), what)
        hand.select(rows, store.scene.dataset)


def shift_selection(store: Store, hand: ToolState, axes: CanvasAxes, shift: Array, unit: Array, key: object) -> None:
    """Move the selected samples by shift (2,) on the axes, rounded to pixels of size unit (2,); one undo a key."""
    scene = store.scene
    rows = hand.selection(scene.dataset)
    if len(rows):
        places = axes.places(scene.dataset)[rows] + rounded(shift, unit)
        # Sums of round numbers are seldom round themselves.
        places = rounded(places, unit) if len(rows) == 1 else places
        changed = axes.move(scene.dataset, rows, places)
        store.push(scene.replace(dataset=changed), "nudge points", key)
        hand.select(rows, changed)
