"""Many fits of one method on other samples of the same kind, as a bundle of lines, and the one in their middle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from mlviz.draw.contours import contour, join_lines
from mlviz.draw.layer import Context
from mlviz.draw.marks import Lines, Mark
from mlviz.draw.numbers import format_number
from mlviz.draw.overlays.regions import class_margins
from mlviz.draw.value_scale import ValueScale
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.grid import Grid, far_away
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.field_sample import field_on
from mlviz.pipeline.model import PipelineModel
from mlviz.spec.brief import Brief

_MOST_NODES = 80
"""Nodes along the longer side of the grid that boundaries of many models are traced on."""


class Traced:
    """What is known of the models of a bundle on the places that are seen: told once, however the bundle grows."""

    def __init__(self) -> None:
        self._places: Any = None
        self._known: dict[int, Array] = {}

    def steps(self, models: Sequence[PipelineModel], asked: Asked) -> Iterator[None]:
        """Ask one model after the other, as far as it is not known what they say; pauses after each."""
        if asked.places != self._places:
            self._places, self._known = asked.places, {}
        for number in range(len(self._known), len(models)):
            self._known[number] = asked.of(models[number])
            yield

    def values(self, models: Sequence[PipelineModel], asked: Asked) -> list[Array]:
        """What each of the models says."""
        for _ in self.steps(models, asked):
            pass
        return [self._known[number] for number in range(len(models))]


class Asked(NamedTuple):
    """What the models of a bundle are asked: a name for the places where, and what one of them tells of itself."""

    places: Any
    told: Callable[[PipelineModel], Array]

    @far_away
    def of(self, model: PipelineModel) -> Array:
        """What one of them tells."""
        return self.told(model)


@dataclass(frozen=True, eq=False)
class Bundle(Brief):
    """Models of one method, the first ones as they were in a smaller bundle that shares what is `traced`."""

    models: tuple[PipelineModel, ...]
    traced: Traced = field(default_factory=Traced, repr=False)

    def before_marks(self, context: Context, decision: Decision) -> Iterator[None]:
        """Work out what the marks need, model by model; pauses after each."""
        if (asked := self._asked(context, decision)) is not None:
            yield from self.traced.steps(self.models, asked)

    @far_away
    def marks(self, context: Context, decision: Decision, label: str, middle: str) -> Sequence[Mark]:
        """The lines of all models, thin, and the one in their middle, thick; none where the canvas shows no lines.

        Of values over the plane they are those where the models say the middle of the targets' scale.
        """
        asked = self._asked(context, decision)
        if asked is None:
            return []
        known = self.traced.values(self.models, asked)
        if context.line is not None:
            lines, mean = _curves(context.line, known)
        elif context.grid is not None and context.task == "classification":
            lines, mean = _boundaries(coarse(context.grid), known)
        else:
            assert context.grid is not None
            assert context.y is not None
            scale = ValueScale.of(context.y)
            level = scale.rounded(scale.middle)
            lines, mean = _levels(coarse(context.grid), known, level)
            label, middle = (
                f"{words} {format_number(level)}" for words in (f"{label}, where they say", "where their mean is")
            )
        marks: list[Mark] = []
        if len(lines):
            marks.append(Lines("bundle", lines, label=label))
        if len(mean):
            marks.append(Lines("bundle mean", mean, label=middle))
        return marks

    def _asked(self, context: Context, decision: Decision) -> Asked | None:
        """What the models are asked for the lines on the canvas; None where it shows none."""
        if not self.models:
            return None
        if (line := context.line) is not None:
            ends = float(line[0]), float(line[-1]), len(line)
            return Asked(ends, lambda model: np.asarray(model.predict(line[:, None]), np.float64))
        if context.grid is None:
            return None
        grid = coarse(context.grid)
        if context.task == "regression" and context.y is not None:
            return Asked((grid.limits, grid.shape), lambda model: np.asarray(field_on(model, grid).field, np.float64))
        if context.task != "classification":
            return None
        classes = np.unique(np.concatenate([model.classes for model in self.models]))
        places = grid.limits, grid.shape, classes.tobytes(), decision
        return Asked(places, lambda model: _margins(model.deciding(decision), grid, classes))


def _levels(grid: Grid, fields: list[Array], level: float) -> tuple[Array, Array]:
    """Where each field has that value, on a grid, parted by rows of NaN, and where their mean has it."""
    return join_lines([contour(grid, one, level) for one in fields]), contour(grid, np.mean(fields, axis=0), level)


def _curves(line: Array, rows: list[Array]) -> tuple[Array, Array]:
    """The curves of models with one input over the places of a line (m,), parted by rows of NaN, and their mean."""
    curves = join_lines([np.column_stack((line, row)) for row in rows])
    return curves, np.column_stack((line, np.mean(rows, axis=0)))


def _boundaries(grid: Grid, margins: list[Array]) -> tuple[Array, Array]:
    """The boundaries on a grid, parted by rows of NaN, and the one where most of the models change."""
    lines = join_lines([line for lead in margins for line in _contours(grid, lead)])
    return lines, join_lines(_contours(grid, _majority(margins)))


def coarse(grid: Grid) -> Grid:
    """A grid over the same part with few nodes."""
    longer = max(grid.shape)
    if longer <= _MOST_NODES:
        return grid
    ny, nx = (max(2, round(_MOST_NODES * count / longer)) for count in grid.shape)
    return Grid.over(grid.limits, nx, ny)


def _majority(margins: Sequence[Array]) -> Array:
    """By how much each class leads (ny, nx, k) in more than half of the models.

    Where the median of a class is positive most of the models say it, and it is as smooth as they are.
    """
    return np.asarray(np.median(np.array(margins), axis=0))


def _margins(model: PipelineModel, grid: Grid, classes: AnyArray) -> Array:
    """By how much each of all classes leads at each node, (ny, nx, k); one that the model does not know never does."""
    sampled, rule = field_on(model, grid), model.score_threshold
    field = sampled.field
    if rule is not None and rule.unit == "probability" and field is not None and field.ndim == 3:
        field = field[..., 1]
    context = Context(
        X=model.training.inputs[:0],
        y=None,
        rows=np.empty(0, dtype=np.intp),
        algorithm=None,
        task="classification",
        field=field,
        class_margins=sampled.class_margins,
        threshold=0.0 if rule is None else rule.threshold,
    )
    known = class_margins(context)
    found = np.full((*grid.shape, len(classes)), -1.0)
    if known is not None:
        found[..., np.searchsorted(classes, model.classes)] = known
    return found


def _contours(grid: Grid, lead: Array) -> list[Array]:
    """Where each class begins to lead; of two classes the boundary of one is that of the other."""
    drawn = range(1, 2) if lead.shape[-1] == 2 else range(lead.shape[-1])
    return [line for k in drawn if len(line := contour(grid, lead[..., k], 0.0))]
