"""A cut through the field along a line: the function as the sum of the bumps of which it is made.

Schölkopf and Smola, Learning with Kernels (2002), section 4.2: f(x) = sum_i alpha_i k(x_i, x) + b.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.context import Chart, Context, Overlay
from mlviz.draw.marks import Lines, Mark, Text
from mlviz.draw.plot import Limits, Plot
from mlviz.numerics.expansions import Expansion
from mlviz.numerics.grid import Array

MOST = 60
"""More bumps are not told apart: the largest ones are drawn."""
NODES = 161
ROOM = 2.0
"""Bumps are in view up to so many times the height of their sum: with a large C huge ones cancel."""


class Expanded(Protocol):
    """A model whose function is an expansion; `classes` (2,), where it has them, part at the threshold."""

    @property
    def expansion(self) -> Expansion:
        """The function."""


def _cut(model: Any, context: Context) -> Plot | None:
    cut, function = context.slice, getattr(model, "expansion", None)
    if cut is None or not isinstance(function, Expansion) or not (cut[0] != cut[1]).any():
        return None
    way = np.linspace(0.0, 1.0, NODES)
    places = cut[0] + way[:, None] * (cut[1] - cut[0])
    total = function.at(places)
    bumps, groups = _bumps(model, context, function, places)
    several = len(function.coef) > bumps.shape[1]
    marks: list[Mark] = [Lines("reference", _level(context.threshold))]
    for role, name, which in groups:
        if which.any():
            label = f"largest bumps{name}" if several else f"bumps{name}"
            marks.append(Lines(role, _curves(way, bumps[:, which]), label=label))
    if function.foot:
        marks.append(Lines("margin", _level(function.foot), label="offset"))
    marks.append(Lines("curve", np.column_stack((way, total)), label="their sum and the offset"))
    y_label = "prediction" if context.task == "regression" else "f"
    limits = _limits(total, bumps, (function.foot, context.threshold))
    ends, label = ("A", "B"), "along the line from A to B"
    if _is_default(context):
        ends, label = ("left", "right"), "level through the middle of the view"
    ticks = ((0.0, ends[0]), (0.5, "middle"), (1.0, ends[1]))
    return Plot("cut", "Sum of bumps", label, y_label, tuple(marks), limits, x_ticks=ticks)


def _bumps(
    model: Any, context: Context, function: Expansion, places: Array
) -> tuple[Array, list[tuple[str, str, NDArray[np.bool_]]]]:
    """The bumps (NODES, m) that are largest along the line; groups of them, each a role and what it is called."""
    values = function.kernel.matrix(places - function.origin, function.centers)
    values *= function.coef
    largest = np.sort(np.argsort(-np.abs(values).max(axis=0), kind="stable")[:MOST])
    positive = function.coef[largest] > 0
    classes = getattr(model, "classes", None)
    if classes is None:
        return values[:, largest], [("basis", "", np.ones(len(largest), dtype=bool))]
    groups = []
    for code, which in zip(np.asarray(classes).tolist(), (~positive, positive), strict=True):
        name = context.class_names[code] if code < len(context.class_names) else f"class {code}"
        groups.append((f"link {code}", f" of {name}", which))
    return values[:, largest], groups


def _curves(way: Array, columns: Array) -> Array:
    """Columns (NODES, m) over the way as polylines parted by NaN."""
    xy = np.full((columns.shape[1], len(way) + 1, 2), np.nan)
    xy[:, :-1, 0], xy[:, :-1, 1] = way, columns.T
    return xy.reshape(-1, 2)[:-1]


def _level(height: float) -> Array:
    return np.array([(0.0, height), (1.0, height)])


def _limits(total: Array, bumps: Array, levels: Sequence[float]) -> Limits:
    low, high = min(float(total.min()), *levels, 0.0), max(float(total.max()), *levels, 0.0)
    room = ROOM * (high - low) or 1.0
    low = min(low, max(float(bumps.min(initial=0.0)), low - room))
    high = max(high, min(float(bumps.max(initial=0.0)), high + room))
    flat = not high - low > 1e-9 * max(abs(low), abs(high))
    rim = 0.1 * max(abs(low), abs(high)) or 1.0 if flat else 0.06 * (high - low)
    return 0.0, 1.0, low - rim, high + 3 * rim


def _line(model: Any, context: Context) -> Sequence[Mark]:
    if context.slice is None or _is_default(context) or not isinstance(getattr(model, "expansion", None), Expansion):
        return ()
    return (
        Lines("slice", context.slice, label="cut of the side plot"),
        Text("slice", context.slice, ("A", "B")),
    )


def _is_default(context: Context) -> bool:
    """Whether nobody drew the line: it goes level from rim to rim."""
    if context.grid is None or context.slice is None:
        return False
    (x0, y0), (x1, y1) = context.slice
    width = float(np.ptp(context.grid.x))
    return bool(y0 == y1 and abs(x0 - context.grid.x[0]) + abs(x1 - context.grid.x[-1]) < 1e-9 * width)


line = Overlay("slice", "line of the slice", _line, "the line that you drew, along which the side plot cuts through f")
chart = Chart("cut", "sum of bumps", _cut)
