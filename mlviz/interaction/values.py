"""The hand that gives samples values over the plane: the present value, the tool that drags one, the keys. No Qt."""

from __future__ import annotations

import numpy as np

from mlviz.data.dataset import KEYED_CLASSES, Dataset
from mlviz.draw.marks import Mark, Text
from mlviz.draw.numbers import format_number
from mlviz.draw.value_scale import ValueScale
from mlviz.interaction.gesture import STILL_PX, Pointer, ToolContext, ToolGenerator, follow, rounded
from mlviz.interaction.tool_state import Place, ToolState
from mlviz.numerics.arrays import Array, Rows
from mlviz.scene.history import Store
from mlviz.scene.scene import Scene
from mlviz.scene.values import OVER_PLANE, present_value_column, scale_of, value_column
from mlviz.scene.values.edits import raise_step, with_last_values, with_raised_values, with_values

_WHOLE_PX = 240.0
"""A drag so far goes from one end of the scale to the other, logical pixels."""
_BESIDE_PX = 12.0
"""The value is written so far beside its sample."""
NONE = f'Points have no value here: choose the task "{OVER_PLANE}" beside the method.'


def present_value(scene: Scene, hand: ToolState, name: str) -> float:
    """The value that a click gives: the one chosen for that column, or else the middle of the scale.

    Where there are no values but those at its ends it is the high one: then the other button gives the low one.
    """
    if hand.value is not None and hand.value_column in (None, name):
        return hand.value
    values = scene.dataset.X[:, scene.dataset.column(name)]
    scale = ValueScale.of(values)
    between = len(values) and ((values != values.min()) & (values != values.max())).any()
    return scale.rounded(scale.middle) if between else scale.high


def _choose(hand: ToolState, value: float, name: str | None) -> None:
    hand.value_column = name
    hand.value = value


def shown_value(scene: Scene, hand: ToolState, index: int) -> float | None:
    """The value that is to be seen beside the tools: of the selected samples their mean; None where there are none."""
    name = value_column(scene, index)
    if name is None:
        return None
    rows, data = hand.selection(scene.dataset), scene.dataset
    if not len(rows):
        return present_value(scene, hand, name)
    values = data.X[rows, data.column(name)]
    low, high = float(values.min()), float(values.max())
    return (
        low
        if low == high
        else scale_of(data, name).rounded(low + float((values / len(values) - low / len(values)).sum()))
    )


def added(context: ToolContext, points: Array, other: bool) -> Dataset:
    """With samples at points (m, 2), or (2,): of the active class, and of the present value where they have values.

    The `other` button is for the next class, or, on a canvas of values, for the value mirrored in the scale.
    """
    scene, hand, data = context.scene, context.hand, context.dataset
    own = value_column(scene, context.panel)
    name = own or present_value_column(scene)
    if name is not None:  # what the first click gives the next ones give, whatever becomes of the scale
        _choose(hand, present_value(scene, hand, name), name)
    code = hand.next_code(data) if other and own is None else hand.code
    grown = context.axes.add(data, points, code)
    return with_last_values(grown, len(grown) - len(data), _value(context, name, other and own is not None), name)


def painted_value(context: ToolContext, other: bool) -> tuple[str, float] | None:
    """The column and the value that a brush gives to samples; None where samples have no values."""
    name = value_column(context.scene, context.panel)
    return None if name is None else (name, _value(context, name, other))


def chosen_value(context: ToolContext) -> float:
    """The present value on a canvas of values, which stays the present one from now on."""
    name = value_column(context.scene, context.panel)
    if name is None:
        return 0.0
    _choose(context.hand, present_value(context.scene, context.hand, name), name)
    return present_value(context.scene, context.hand, name)


def _value(context: ToolContext, name: str | None, other: bool) -> float:
    if name is None:
        return 0.0
    value = present_value(context.scene, context.hand, name)
    return scale_of(context.dataset, name).mirrored(value) if other else value


def value_tool(context: ToolContext, press: Pointer) -> ToolGenerator:
    """Raises or lowers the value of the sample that was hit, of all selected ones if it is one of them.

    On empty space it adds a point first. A sample that is only clicked gives its value to the next points.
    """
    name = value_column(context.scene, context.panel)
    if name is None:
        context.hand.refusal = NONE
        return
    row, rows = context.hit(press.place), context.selection
    what = "add point" if row is None else "set value"
    if row is None:
        context.edit(added(context, rounded(press.place, context.unit), press.other), what)
        row = len(context.dataset) - 1
    kept = row in rows
    rows = rows if kept else np.array([row], dtype=np.intp)
    column, scale = context.dataset.column(name), scale_of(context.dataset, name)
    start = context.dataset.X[rows, column]
    _show(context, row, name)

    def drag(pointer: Pointer) -> None:
        values = start + _raised(scale, press, pointer)
        context.edit(with_values(context.dataset, rows, [scale.rounded(v) for v in values.tolist()], name), what)
        if kept:
            context.hand.select(rows, context.dataset)
        _show(context, row, name)

    yield from follow(press, drag, STILL_PX)
    _choose(context.hand, float(context.dataset.X[row, column]), name)


def _raised(scale: ValueScale, press: Pointer, pointer: Pointer) -> float:
    """By how much a drag raises a value."""
    up = float(press.pixel[1] - pointer.pixel[1]) / _WHOLE_PX
    return up * scale.high - up * scale.low


def hovered_value(context: ToolContext, place: Place | None) -> tuple[Mark, ...]:
    """The value of the sample at a place, written beside it while the hand has the tool for values."""
    name = value_column(context.scene, context.panel) if context.hand.tool == "value" else None
    row = None if name is None or place is None else context.hit(np.array(place))
    return () if name is None or row is None else _written(context, row, name)


def _show(context: ToolContext, row: int, name: str) -> None:
    context.show_preview(_written(context, row, name))


def _written(context: ToolContext, row: int, name: str) -> tuple[Mark, ...]:
    """The value of a sample, beside it."""
    value = float(context.dataset.X[row, context.dataset.column(name)])
    place = context.axes.places(context.dataset)[row] + np.array([_BESIDE_PX, _BESIDE_PX]) * context.unit
    return (Text("selection", place[None], (f"{name} = {format_number(value)}",)),)


def set_value(store: Store, hand: ToolState, index: int, value: float, key: object = None) -> None:
    """Choose the value of the next points; selected ones get it, too, and stay selected. One step of undo a key."""
    name = value_column(store.scene, index)
    if name is not None:
        _push(store, hand, with_values(store.scene.dataset, hand.selection(store.scene.dataset), value, name), key)
    _choose(hand, value, name)


def raise_value(store: Store, hand: ToolState, index: int, steps: int, key: object = None) -> None:
    """Raise the present value by steps of a twentieth of the scale; of selected points their own ones instead."""
    name = value_column(store.scene, index)
    if name is None:
        hand.refusal = NONE
        return
    rows, scale = hand.selection(store.scene.dataset), scale_of(store.scene.dataset, name)
    if len(rows):
        _push(store, hand, with_raised_values(store.scene.dataset, rows, steps, name), key)
    else:
        step = raise_step(scale.low, scale.high)
        _choose(hand, scale.rounded(present_value(store.scene, hand, name) + steps * step), name)


def keyed_values(scale: ValueScale) -> list[float]:
    """The values of the digits: the first one is the low end of the scale, the last the high one."""
    return [scale.at(code / (KEYED_CLASSES - 1)) for code in range(KEYED_CLASSES)]


def keyed_value(scene: Scene, index: int, code: int) -> float | None:
    """The value of a digit, by its code from 0; None where points have no values."""
    name = value_column(scene, index)
    return None if name is None else keyed_values(scale_of(scene.dataset, name))[code]


def _push(store: Store, hand: ToolState, dataset: Dataset, key: object) -> None:
    rows: Rows = hand.selection(store.scene.dataset)
    if dataset is not store.scene.dataset:
        store.push(store.scene.replace(dataset=dataset), "set value" if len(rows) == 1 else "set values", key)
        hand.select(rows, dataset)
