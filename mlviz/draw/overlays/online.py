"""Overlays and charts of methods that visit one sample after the other: the visited one, mistakes, lines that turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from mlviz.draw.contours import contour, join_lines, some_lines
from mlviz.draw.layer import Context, OnGrid, OnNodes, chart, overlay
from mlviz.draw.marks import Arrows, Lines, Mark, Polygons, Text
from mlviz.draw.numbers import number
from mlviz.draw.plot import Plot
from mlviz.draw.protocols import HasField, IsLine
from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.convex.online_learning import MistakeLog, Visit
from mlviz.numerics.grid import Grid

_MOST_NUMBERS = 25
"""More numbers at samples hide each other."""
_ARROW = 0.2
"""How long the arrow of the weights is, as a share of the view."""
_LARGEST_RING = 2.4
_MOST_BARS = 100
_FAR = 10
"""A bound more than so many times the mistakes needs a logarithmic axis."""


class HasVisited(Protocol):
    """Which samples the step looked at, (m,), and what the legend calls them."""

    visited: Labels
    visited_as: str


class HasMistakes(Protocol):
    """How often each sample was misclassified when visited, (n,)."""

    counts: Labels


class HasFormer(Protocol):
    """The model before a mistake, or None."""

    former: HasField | None


class HasDiary(HasMistakes, Protocol):
    """It counts mistakes: a `visit` (None at the start), a diary of which the first `mistakes` are its own.

    `bound` is what the number of mistakes can't exceed, where that is known.
    """

    visit: Visit | None
    diary: MistakeLog
    mistakes: int
    bound: float | None


def say_mistakes(count: int) -> str:
    """How often a sample was misclassified when it was visited, in a sentence."""
    if not count:
        return "This sample was never misclassified when visited, so it has no part in f."
    times = {1: "once", 2: "twice"}.get(count, f"{count} times")
    return f"This sample was misclassified {times} when visited, and counts that often in f."


@overlay("visited", "visited sample", "the sample that this step looks at", parts="each")
def visited(model: HasVisited, context: Context) -> Sequence[Mark]:
    return context.symbols("visited", model.visited, model.visited_as)


@overlay(
    "mistaken",
    "misclassified when visited",
    "samples that were misclassified when they were visited, larger when often: f was learned from them",
    parts="each",
)
def mistaken(model: HasMistakes, context: Context) -> Sequence[Mark]:
    rows, counts = _mistakes(model, context)
    size = np.minimum(0.8 + 0.2 * np.sqrt(counts), _LARGEST_RING)
    return context.symbols("mistaken", rows, "misclassified when visited, larger when often", size)


@overlay(
    "mistake counts", "mistake counts", "how often each sample was misclassified when it was visited", parts="probe"
)
def counts(model: HasMistakes, context: OnGrid) -> Sequence[Mark]:
    rows, counts = _mistakes(model, context)
    if not 0 < len(rows) <= _MOST_NUMBERS:
        return ()
    return (Text("mistaken", context.X[rows][:, :2], tuple(map(str, counts.tolist()))),)


def _mistakes(model: HasMistakes, context: Context) -> tuple[Labels, Labels]:
    """The samples with mistakes, and how many each has: those of its copies, by which it weighs more, added up."""
    rows = np.flatnonzero(model.counts)
    _, first, group = np.unique(context.rows[rows], return_index=True, return_inverse=True)
    return rows[first], np.bincount(group, model.counts[rows], len(first)).astype(np.intp)


@overlay("former boundary", "boundary before", "where the boundary was before this mistake", parts="probe")
def former_boundary(model: HasFormer, context: OnNodes) -> Sequence[Mark]:
    if model.former is None:
        return ()
    xy = contour(context.nodes, context.nodes.field_of(model.former, np.float32), context.threshold)
    return some_lines("former boundary", xy, "boundary before")


@overlay("w", "w", "the direction of the weights, perpendicular to the boundary", parts="probe")
def weight_arrow(model: IsLine, context: OnGrid) -> Sequence[Mark]:
    start = middle_of_boundary(model.coef, model.intercept - context.threshold, context.grid)
    if start is None:
        return ()
    view = context.grid.size
    way = model.coef / np.abs(model.coef).max()
    way *= _ARROW / np.hypot(*(way / view))  # which squares nothing that is too large or too small for it
    word = Text("weights", (start + 1.12 * way)[None], ("w",), centered=True)
    return Arrows("weights", start[None], (start + way)[None], label="w"), word


def middle_of_boundary(coef: Array, intercept: float, grid: Grid) -> Array | None:
    """The middle (2,) of the part of the line coef.x + intercept = 0 that is in view; None where none is."""
    corners = grid.corners[[0, 1, 2, 3, 0]]
    f = corners @ coef + intercept
    crossed = np.flatnonzero((f[:-1] > 0) != (f[1:] > 0))
    if len(crossed) != 2:
        return None
    share = f[crossed] / (f[crossed] - f[crossed + 1])
    return np.asarray((corners[crossed] + share[:, None] * (corners[crossed + 1] - corners[crossed])).mean(axis=0))


@chart("mistakes", "mistakes so far", parts="each")
def mistakes_so_far_chart(models: Sequence[HasDiary], context: Context) -> Plot | None:
    models = [model for model in models if model.mistakes]
    if not models:
        return None
    label = "mistakes" if len(models) == 1 else "mistakes of each binary model"
    lines, bound = [_staircase(binary) for binary in models], models[0].bound if len(models) == 1 else None
    far = bound is not None and bound > _FAR * models[0].mistakes
    # A logarithmic axis has no place for 0.
    marks = [Lines("curve", join_lines(line[2:] if far else line for line in lines), label=label)]
    if bound is not None:
        level = np.column_stack((lines[0][[0, -1], 0], (bound, bound)))
        marks.append(Lines("reference", level, label=f"bound (R/γ)² = {number(bound)}"))
    return Plot("mistakes", "Mistakes so far", "epoch", "mistakes", tuple(marks), y_scale="log" if far else "linear")


def _staircase(model: HasDiary) -> Array:
    """Epochs and mistakes so far, (m, 2): each mistake is a step upwards, and the last level lasts until now."""
    visits = np.array(model.diary.visits[: model.mistakes])
    now = model.visit.visits if model.visit is not None else 0
    x = np.concatenate(([0], np.repeat(visits, 2), [now])) / len(model.counts)
    return np.column_stack((x, np.repeat(np.arange(model.mistakes + 1), 2)))


@chart("mistakes per epoch", "mistakes per epoch", parts="each")
def mistakes_per_epoch_chart(models: Sequence[HasDiary], context: Context) -> Plot | None:
    epochs = [model.visit.epoch for model in models if model.visit is not None]
    if not epochs:
        return None
    counts = np.zeros(max(epochs), dtype=np.intp)
    for binary in models:
        visits = np.array(binary.diary.visits[: binary.mistakes], dtype=np.intp)
        counts += np.bincount((visits - 1) // len(binary.counts), minlength=len(counts))
    first = max(0, len(counts) - _MOST_BARS)
    bars = [
        np.array([(k + 0.6, 0), (k + 1.4, 0), (k + 1.4, counts[k]), (k + 0.6, counts[k])], dtype=np.float64)
        for k in range(first, len(counts))
    ]
    title = "Mistakes per epoch" if not first else f"Mistakes in each of the last {_MOST_BARS} epochs"
    return Plot("mistakes per epoch", title, "epoch", "mistakes", (Polygons("bar", tuple(bars)),), x_whole=True)
