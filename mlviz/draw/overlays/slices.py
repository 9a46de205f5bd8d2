"""A cut through the field along a line: the function as the sum of the bumps of which it is made.

Schölkopf and Smola, Learning with Kernels (2002), section 4.2: f(x) = sum_i alpha_i k(x_i, x) + b.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.draw.contours import curves, join_lines
from mlviz.draw.layer import Context, OnGrid, chart, overlay
from mlviz.draw.marks import Lines, Mark, Segments, Text
from mlviz.draw.plot import Limits, Plot
from mlviz.draw.protocols import HasBinaryModels, HasFunctions, HasMargin, HasScores, IsExpanded, provides
from mlviz.numerics.arrays import Array
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.sampling import subsample

MOST_TICKS = 1000
"""So many samples of a class, evenly along the line, have a tick: more are one bar, and take long to paint."""
MOST_TERMS = 60
"""More bumps are not told apart: the largest ones are drawn."""
LINE_NODES = 161
_MARGINS = (-1.0, 1.0)
_NEAR, _TICK = 0.05, 0.06
"""Samples are near the line up to this share of the view; their ticks are so long, as a share of the height."""
_LARGEST_TERM_RATIO = 2.0
"""Bumps are in view up to so many times the height of their sum: with a large C huge ones cancel."""


@dataclass(frozen=True)
class _Shown:
    """What is cut: the function, and for a classifier which classes (or None, all others) its signs speak for."""

    function: Expansion
    negative: int | None = None
    positive: int | None = None
    classifies: bool = False
    street: bool = False
    """Whether it has margins."""


def _shown(model: object, context: Context) -> _Shown | None:
    """The model's own function, or where it is made of several that of the leading class, or pair of classes."""
    classes = model.classes.tolist() if isinstance(model, HasScores) else []
    if isinstance(model, IsExpanded) and len(classes) in (0, 2):
        negative, positive = classes or (None, None)
        return _Shown(model.expansion, negative, positive, bool(classes), provides(model, HasMargin))
    if context.slice is None or len(classes) < 2 or not isinstance(model, HasScores):
        return None
    place = context.slice.mean(axis=0) if context.probe is None else context.probe
    scores = model.decision_function(place[None])[0]
    first, second = model.classes[np.argsort(-scores, kind="stable")[:2]].tolist()
    for function, negative, positive in _functions(model):
        if isinstance(function, IsExpanded) and {negative, positive} in ({first, second}, {first, None}):
            return _Shown(function.expansion, negative, positive, True, provides(function, HasMargin))
    return None


def _functions(model: HasScores) -> list[tuple[object, Any, Any]]:
    """The functions that a classifier is made of, and which classes their signs speak for: None for all others."""
    if isinstance(model, HasBinaryModels):
        return [(part.model, part.negative, part.positive) for part in model.parts]
    if isinstance(model, HasFunctions):
        return [(function, None, code) for function, code in zip(model.functions, model.classes.tolist(), strict=True)]
    return []


@chart("cut", "sum of bumps")
def slice_chart(model: object, context: Context) -> Plot | None:
    line, shown = context.slice, _shown(model, context)
    if line is None or shown is None or not (line[0] != line[1]).any():
        return None
    way = np.linspace(0.0, 1.0, LINE_NODES)
    places = line[0] + way[:, None] * (line[1] - line[0])
    function = shown.function
    total, (bumps, coef) = function.at(places), _largest(function, places)
    which = "largest bumps" if len(function.coef) > len(coef) else "bumps"
    marks: list[Mark] = [Lines("zero", _level(context.threshold))]
    if shown.street:
        marks.append(Lines("margin", join_lines(map(_level, _MARGINS)), label="margins f = ±1"))
    if not shown.classifies:
        marks.append(Lines("basis", curves(way, bumps), label=which))
    else:
        for code, mine in ((shown.negative, coef < 0), (shown.positive, coef > 0)):
            role = "basis" if code is None else f"link {code}"
            if mine.any():
                marks.append(
                    Lines(role, curves(way, bumps[:, mine]), label=f"{which} of {context.names.of_class(code)}")
                )
    if function.base:
        marks.append(Lines("offset", _level(function.base), label="offset"))
    marks.append(Lines("curve", np.column_stack((way, total)), label="their sum and the offset"))
    limits = _limits(total, bumps, (function.base, context.threshold, *(_MARGINS if shown.street else ())))
    if shown.classifies:
        marks += _near(context, limits)
    ends, label = ("A", "B"), "along the line from A to B"
    if _is_default(context):
        ends, label = ("left", "right"), "horizontal through the middle of the view"
    ticks = ((0.0, ends[0]), (0.5, "middle"), (1.0, ends[1]))
    y_label = "f" if shown.classifies else "prediction"
    return Plot("cut", "Sum of bumps", label, y_label, tuple(marks), limits, x_ticks=ticks)


def _largest(function: Expansion, places: Array) -> tuple[Array, Array]:
    """The bumps (NODES, m) that are largest along the line, and their coefficients (m,)."""
    values = function.terms(places)
    largest = np.sort(np.argsort(-np.abs(values).max(axis=0), kind="stable")[:MOST_TERMS])
    return values[:, largest], function.coef[largest]


def _near(context: Context, limits: Limits) -> list[Mark]:
    """Of the samples near the line, ticks at the bottom where they are along it, by class."""
    line, grid = context.slice, context.grid
    if line is None or grid is None or context.y is None:
        return []
    view = np.array([np.ptp(grid.x), np.ptp(grid.y)])
    start, end = grid.to_nodes(line)
    way, away = (end - start) / view, (grid.to_nodes(context.X) - start) / view
    along = away @ way / (way @ way)
    near = (along >= 0) & (along <= 1) & (np.linalg.norm(away - along[:, None] * way, axis=1) < _NEAR)
    bottom, top = limits[2], limits[2] + _TICK * (limits[3] - limits[2])
    marks: list[Mark] = []
    for code in np.unique(context.y[near]).tolist():
        x = along[near & (context.y == code)]
        x = x[np.sort(subsample(np.argsort(x, kind="stable"), MOST_TICKS))]
        start, end = np.column_stack((x, np.full(len(x), bottom))), np.column_stack((x, np.full(len(x), top)))
        marks.append(Segments(f"ellipse {code}", start, end))
    return marks


def _level(height: float) -> Array:
    return np.array([(0.0, height), (1.0, height)])


def _limits(total: Array, bumps: Array, levels: Sequence[float]) -> Limits:
    low, high = min(float(total.min()), *levels, 0.0), max(float(total.max()), *levels, 0.0)
    room = _LARGEST_TERM_RATIO * (high - low) or 1.0
    low = min(low, max(float(bumps.min(initial=0.0)), low - room))
    high = max(high, min(float(bumps.max(initial=0.0)), high + room))
    flat = not high - low > 1e-9 * max(abs(low), abs(high))
    rim = 0.1 * max(abs(low), abs(high)) or 1.0 if flat else 0.06 * (high - low)
    return 0.0, 1.0, low - rim, high + 3 * rim


@overlay("slice", "line of the slice", "the line that you drew, along which the side plot cuts through f")
def line(model: object, context: OnGrid) -> Sequence[Mark]:
    if context.slice is None or _is_default(context) or _shown(model, context) is None:
        return ()
    return (
        Lines("slice", context.slice, label="cut of the side plot"),
        Text("slice", context.slice, ("A", "B")),
    )


def _is_default(context: Context) -> bool:
    """Whether nobody drew the line: it goes level from rim to rim."""
    if context.grid is None or context.slice is None:
        return False
    grid = context.grid
    (x0, y0), (x1, y1) = grid.to_nodes(context.slice)
    width, height = float(np.ptp(grid.x)), float(np.ptp(grid.y))
    return bool(abs(y0 - y1) < 1e-9 * height and abs(x0 - grid.x[0]) + abs(x1 - grid.x[-1]) < 1e-9 * width)
