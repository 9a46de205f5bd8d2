"""The tools. Each is a generator: it starts with the press, is sent the drags, and ends with the release. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from mlviz.data.dataset import Dataset
from mlviz.interaction.attempt_tools import attempt_tool, hits_attempt
from mlviz.interaction.basis_tools import basis_tool, hits_basis
from mlviz.interaction.gesture import Pointer, ToolContext, ToolGenerator, rounded
from mlviz.interaction.note_tools import ink_tool, text_tool
from mlviz.interaction.probe_tools import hits_pin, pan_tool, pin_tool, slice_tool
from mlviz.interaction.selection import drag_samples, lasso_tool, select_tool
from mlviz.interaction.starts import hits_start, start_tool
from mlviz.interaction.turning import hits_turnable, turn_tool
from mlviz.interaction.values import added, painted_value, value_tool
from mlviz.numerics.arrays import Array, Mask, Rows
from mlviz.scene.splits.edits import marked
from mlviz.scene.values.edits import with_values

_SPRAY_AT_PRESS = 3
_SPRAY_PER_HOLD = 1
_SPRAY_PER_RADIUS = 2.0
"""How many points a brush sprays at the press, at each hold, and on a way as long as its radius."""


@dataclass(frozen=True)
class Tool:
    """A tool: what it does, whether it works in a circle, whether it goes on while the hand rests.

    `grabs` says that a sample under the pointer would be dragged, `hits` whether something else would that only this
    tool drags: the cursor shows both. `looks` says that it changes nothing but what is looked at.
    """

    id: str
    strokes: Callable[[ToolContext, Pointer], ToolGenerator]
    circle: bool = False
    repeats: bool = False
    grabs: bool = False
    looks: bool = False
    hits: Callable[[ToolContext, Pointer], bool] = lambda context, press: False


def pen_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Adds a point; drags the sample that was hit; the other button or Shift adds one of the next class, or value.

    With Ctrl it removes the nearest sample.
    """
    if press.control:
        nearest, _ = context.axes.nearest(context.dataset, press.place, 1 / context.unit)
        if nearest >= 0:
            context.edit(context.dataset.erase([nearest]), "remove point")
        return
    row = None if press.other else context.hit(press.place)
    if row is not None:
        moved = yield from drag_samples(context, press, np.array([row]))
        if moved:
            return
    context.edit(added(context, rounded(press.place, context.unit), press.other), "add point")
    if row is None:
        yield from drag_samples(context, press, np.array([len(context.dataset) - 1]))


def brush_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Sprays points of the class, or value, into the circle: some at the press, more with the way and in a rest."""
    # The same stroke on the same data gives the same points.
    seed = [context.scene.seed, len(context.dataset), *np.abs(press.pixel).astype(int).tolist()]
    rng = np.random.default_rng(seed)
    _spray(context, press.place, press.other, _SPRAY_AT_PRESS, rng)
    pointer, owed = press, 0.0
    while pointer.kind != "release":
        previous, pointer = pointer, (yield)
        way = float(np.hypot(*(pointer.pixel - previous.pixel)))
        owed += _SPRAY_PER_RADIUS * way / context.hand.radius + (_SPRAY_PER_HOLD if pointer.kind == "hold" else 0)
        middles = previous.place + rng.random((int(owed), 1)) * (pointer.place - previous.place)
        _spray(context, middles, press.other, int(owed), rng)
        owed -= int(owed)


def _spray(context: ToolContext, middle: Array, other: bool, count: int, rng: np.random.Generator) -> None:
    if count:
        angle, radius = 2 * np.pi * rng.random(count), context.hand.radius * np.sqrt(rng.random(count))
        offset = np.column_stack((radius * np.cos(angle), radius * np.sin(angle))) * context.unit
        context.edit(added(context, rounded(middle + offset, context.unit), other), "spray points")


def eraser_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Removes the samples that the circle passes over."""
    yield from _sweep(context, press, "erase points", Dataset.erase)


def relabel_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Gives the samples that the circle passes over the active class, or the next one; where they have values, these.

    With the other button or Shift it is the next class, or the mirrored value.
    """
    if (painted := painted_value(context, press.other)) is not None:
        name, value = painted
        to_value = partial(with_values, values=value, name=name)
        column = context.dataset.column(name)
        yield from _sweep(context, press, "paint values", to_value, lambda data: data.X[:, column] == value)
        return
    code = context.hand.next_code(context.dataset) if press.other else context.hand.code
    relabel = partial(Dataset.relabel, label=code)
    yield from _sweep(context, press, "relabel points", relabel, lambda data: data.labels == code)


def hold_out_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Holds out the samples that the circle passes over; with the other button or Shift they are for training again."""
    out = not press.other

    def change(data: Dataset, rows: Rows) -> Dataset:
        return data.with_held_out(marked(data.held_out, rows, out))

    yield from _sweep(
        context, press, "hold out points" if out else "train on points", change, lambda data: data.held_out == out
    )


def switch_off_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Switches the samples off that the circle passes over; with the other button or Shift they are on again."""
    on = press.other

    def change(data: Dataset, rows: Rows) -> Dataset:
        return data.with_active(marked(data.active, rows, on))

    yield from _sweep(context, press, f"switch points {'on' if on else 'off'}", change, lambda data: data.active == on)


def _sweep(
    context: ToolContext,
    press: Pointer,
    what: str,
    change: Callable[[Dataset, Rows], Dataset],
    done: Callable[[Dataset], Mask] | None = None,
) -> ToolGenerator:
    """Change the samples that the circle passes over, but not those that are `done`."""
    previous = pointer = press
    while True:
        rows = context.within(pointer.place, previous.place)
        rows = rows if done is None else rows[~done(context.dataset)[rows]]
        if len(rows):
            context.edit(change(context.dataset, rows), what)
        if pointer.kind == "release":
            return
        previous, pointer = pointer, (yield)


def move_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Drags the sample that was hit, all selected ones if it is one of them, or else the view."""
    row = context.hit(press.place)
    if row is None:
        yield from pan_tool(context, press)
    else:
        yield from drag_samples(context, press, context.selection if row in context.selection else np.array([row]))


TOOLS: dict[str, Tool] = {
    tool.id: tool
    for tool in (
        Tool("pen", pen_tool, grabs=True),
        Tool("brush", brush_tool, circle=True, repeats=True),
        Tool("eraser", eraser_tool, circle=True),
        Tool("move", move_tool, grabs=True),
        Tool("select", select_tool, grabs=True),
        Tool("lasso", lasso_tool, grabs=True),
        Tool("relabel", relabel_tool, circle=True),
        Tool("value", value_tool, grabs=True),
        Tool("hold-out", hold_out_tool, circle=True),
        Tool("switch-off", switch_off_tool, circle=True),
        Tool("slice", slice_tool, looks=True),
        Tool("attempt", attempt_tool, hits=hits_attempt),
        Tool("text", text_tool),
        Tool("ink", ink_tool),
    )
}
"""Id -> tool."""

PAN_TOOL = Tool("pan", pan_tool, looks=True)
"""What the middle button, and Alt with any button, do whatever the tool."""
_HELD = (
    (hits_pin, Tool("pin", pin_tool, looks=True)),
    (hits_start, Tool("start", start_tool)),
    (hits_turnable, Tool("turn", turn_tool)),
    (hits_basis, Tool("basis", basis_tool)),
)
"""What can be dragged whatever the tool: the pinned place, centres to start from, directions, knots and widths."""


def holding_tool(context: ToolContext, press: Pointer) -> Tool | None:
    """The tool of what a press takes hold of, whatever the tool in the hand; None where there is nothing."""
    return next((tool for hits, tool in _HELD if hits(context, press)), None)
