"""Many fits of one method on other samples of the same kind, as a bundle of lines, and the one in their middle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

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

    def values(
        self, models: Sequence[PipelineModel], places: Any, told: Callable[[PipelineModel], Array]
    ) -> list[Array]:
        """What `told` says of each of the models; `places` names what it is told for."""
        if places != self._places:
            self._places, self._known = places, {}
        for number in range(len(self._known), len(models)):
            self._known[number] = told(models[number])
        return [self._known[number] for number in range(len(models))]


@dataclass(frozen=True, eq=False)
class Bundle(Brief):
    """Models of one method, the first ones as they were in a smaller bundle that shares what is `traced`."""

    models: tuple[PipelineModel, ...]
    traced: Traced = field(default_factory=Traced, repr=False)

    def marks(self, context: Context, decision: Decision, label: str, middle: str) -> Sequence[Mark]:
        """The lines of all models, thin, and the one in their middle, thick; none where the canvas shows no lines.

        Of values over the plane they are those where the models say the middle of the targets' scale.
        """
        if context.task == "regression" and context.grid is not None and context.y is not None:
            scale = ValueScale.of(context.y)
            level = scale.rounded(scale.middle)
            lines, mean = self._levels(coarse(context.grid), level)
            label, middle = (
                f"{words} {format_number(level)}" for words in (f"{label}, where they say", "where their mean is")
            )
        else:
            lines, mean = self._lines(context, decision)
        marks: list[Mark] = []
        if len(lines):
            marks.append(Lines("bundle", lines, label=label))
        if len(mean):
            marks.append(Lines("bundle mean", mean, label=middle))
        return marks

    def _lines(self, context: Context, decision: Decision) -> tuple[Array, Array]:
        nothing = np.empty((0, 2)), np.empty((0, 2))
        if not self.models:
            return nothing
        if context.grid is None:
            return nothing if context.line is None else self._curves(context.line)
        return self._boundaries(coarse(context.grid), decision) if context.task == "classification" else nothing

    @far_away
    def _levels(self, grid: Grid, level: float) -> tuple[Array, Array]:
        """Where each model says that value, on a grid, parted by rows of NaN, and where their mean does."""
        if not self.models:
            return np.empty((0, 2)), np.empty((0, 2))
        key = grid.limits, grid.shape, "values"

        def told(model: PipelineModel) -> Array:
            return np.asarray(model.predict(grid.points()), dtype=np.float64).reshape(grid.shape)

        fields = self.traced.values(self.models, key, told)
        return join_lines([contour(grid, one, level) for one in fields]), contour(grid, np.mean(fields, axis=0), level)

    def _curves(self, line: Array) -> tuple[Array, Array]:
        """The curves of models with one input over the places of a line (m,), parted by rows of NaN, and their mean."""
        key = float(line[0]), float(line[-1]), len(line)
        rows = self.traced.values(self.models, key, lambda model: np.asarray(model.predict(line[:, None]), np.float64))
        mean = np.mean(rows, axis=0)
        return join_lines([np.column_stack((line, row)) for row in rows]), np.column_stack((line, mean))

    @far_away
    def _boundaries(self, grid: Grid, decision: Decision) -> tuple[Array, Array]:
        """The boundaries on a grid, parted by rows of NaN, and the one where most of the models change."""
        classes = np.unique(np.concatenate([model.classes for model in self.models]))
        key = grid.limits, grid.shape, classes.tobytes(), decision
        margins = self.traced.values(self.models, key, lambda model: _margins(model.deciding(decision), grid, classes))
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
