"""The source of the points: what it draws, how good a decision can be at best, and how far a method is from that."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.data.generators.base import INPUTS, ClassGenerator, RegressionGenerator
from mlviz.draw.contours import beside, contour, contour_lines, join_lines, numbered_lines, some_lines
from mlviz.draw.layer import Context, overlay
from mlviz.draw.marks import Lines, Mark, Polygons
from mlviz.draw.overlays.regions import ranked
from mlviz.draw.tasks import Task
from mlviz.draw.ticks import round_levels
from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.density.bayes import bayes_error, holding, midpoints, true_error
from mlviz.numerics.grid import Grid
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies.base import TRUTH, Study, needs_axes
from mlviz.studies.fitting import last_model
from mlviz.studies.question import Question, Result
from mlviz.studies.truth.results import ClassesResult, ValuesResult

_NODES = 480
"""Along each side of the cells over which densities are summed up."""
_ASKED = 2
"""The method is asked in the middles of cells that are so many times as wide."""
_BLOCK = 3000
"""It is asked at so many places at a time."""
_PLACES = 2000
"""So many inputs are asked about, evenly over all."""
_HELD = (0.9, 0.5)
"""The regions of highest density hold these shares of a class."""
_UNKNOWN = "The truth is not known: draw the points with a generator, and leave them as they are."
_AS_DRAWN = "The truth is known for {} only, as the example was drawn."
_TOO_FINE = "With so little noise the densities can't be summed up on a grid: draw the example with more of it."
_TOO_FINE_FOR_REACH = (
    "The densities reach too far to be summed up on a grid that is fine enough for their narrowest part: draw the "
    "example again with more noise or, if it already has a lot, with less."
)
_CLASSES = tuple(task for task in get_args(Task) if task != "regression")
"""Whatever is not about values may lie over classes."""
_NODES_TRACED = 200
"""Nodes along the longer side of the grid on which lines are traced."""
_TIE = 1e-9
"""Classes whose densities differ by a smaller share are as probable as each other."""
_VALUE_LINES = 5.0
"""About so many lines of equal true value there are."""
_SURE = 700.0
"""A class that alone is possible leads by so much, as a logarithm."""


@overlay(
    "true densities",
    "true densities",
    "regions that hold 50 % and 90 % of what the source draws of each class",
    tasks=_CLASSES,
)
def densities_overlay(result: ClassesResult, context: Context) -> Sequence[Mark]:
    if context.grid is None:
        return ()
    grid, marks = _coarse(context.grid), list[Mark]()
    for code, (density, levels) in enumerate(zip(result.truth.on_grid(grid), result.levels, strict=True)):
        lines = contour_lines(grid, density, levels, context.fine)
        marks += some_lines(f"ellipse {code}", join_lines(lines), "50 % and 90 % of a class")
    return marks


@overlay(
    "Bayes boundary",
    "Bayes boundary",
    "where the most probable class changes: no decision is wrong more rarely",
    tasks=_CLASSES,
)
def boundary_overlay(result: ClassesResult, context: Context) -> Sequence[Mark]:
    if context.grid is None:
        return ()
    grid = _coarse(context.grid)
    return some_lines("truth", bayes_boundary(result.truth.on_grid(grid), grid, context.fine), "Bayes boundary")


@overlay(
    "true function",
    "true function",
    "the function that the values were drawn about, and one standard deviation",
    tasks=("regression",),
)
def function_overlay(result: ValuesResult, context: Context) -> Sequence[Mark]:
    generator, x = result.generator, context.line
    if x is None:
        return _surface(generator, _coarse(context.grid), context.fine) if context.grid is not None else ()
    y, noise = generator.true_values(x[:, None]), generator.noise
    marks: list[Mark] = []
    if noise > 0:
        band = np.concatenate((np.column_stack((x, y - noise)), np.column_stack((x, y + noise))[::-1]))
        marks.append(Polygons("truth band", (band,), label="true noise, 1 sigma"))
    return [*marks, Lines("truth", np.column_stack((x, y)), label="true function")]


def _surface(generator: RegressionGenerator, grid: Grid, fine: bool) -> Sequence[Mark]:
    """Lines of equal value of a true function over the plane, with their numbers."""
    values = generator.true_values(grid.points()).reshape(grid.shape)
    levels = round_levels(float(values.min()), float(values.max()), _VALUE_LINES)
    return numbered_lines("truth", "true function, equal value", grid, values, levels, fine)


def _coarse(grid: Grid) -> Grid:
    """The same part of the canvas with fewer nodes."""
    ny, nx = (max(2, round(side * min(1.0, _NODES_TRACED / max(grid.shape)))) for side in grid.shape)
    return Grid.over(grid.limits, nx, ny)


def bayes_boundary(joint: Array, grid: Grid, fine: bool = True) -> Array:
    """Where the largest of joint densities (k, ny, nx) becomes another one, as polylines parted by rows of NaN."""
    if len(joint) < 2:
        return np.empty((0, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(joint)
        top, second, first = ranked(logs)
        plain = ~(top - second > _TIE)
        # Where no class leads on either side there is no boundary: nothing is drawn there, or all are as probable.
        near = [beside(~plain & (first == code)) for code in range(len(joint))]
        untold = plain & (np.sum(near, axis=0) < 2)
        leads = [log - np.where(first == code, second, top) for code, log in enumerate(logs)]
    # Of two classes the boundary of one is that of the other.
    lines = [
        contour(grid, np.where(untold, np.nan, np.clip(lead, -_SURE, _SURE)), 0.0, fine=fine)
        for lead in (leads[1:] if len(leads) == 2 else leads)
    ]
    return join_lines(lines)


@dataclass(frozen=True)
class TrueSource(Study):
    """What is true of the source that the points were drawn from, where an example drew them.

    Of classes: their densities, the boundary of the best decision there is, and how often even that is wrong, the Bayes
    error, beside how often the method's decision is wrong on what the source draws; both are summed up over a grid. Of
    values: the true function and its noise, and how far the fit is from it.
    """

    id = "true-source"
    label = "true source"
    group = TRUTH
    of_source = True
    help = "what the points were drawn from: densities, Bayes boundary and Bayes error, or the true function"
    overlays = (function_overlay, densities_overlay, boundary_overlay)

    def lack(self, pipeline: Pipeline) -> str:
        """The inputs themselves on the canvas."""
        return needs_axes(pipeline)

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield what is true, then also how far the method is from it."""
        source = question.source
        if source is None:
            raise CannotFit(_UNKNOWN)
        generator = source.generator
        if isinstance(generator, RegressionGenerator):
            if source.values is None:
                raise CannotFit(_AS_DRAWN.format(generator.arrow))
            yield from _about_values(question, generator)
        else:
            if source.inputs != (0, 1) or source.target is not None or not isinstance(generator, ClassGenerator):
                raise CannotFit(_AS_DRAWN.format("the classes over x1 and x2"))
            yield from _about_classes(question, generator)


def _about_values(question: Question, generator: RegressionGenerator) -> Iterator[Result]:
    result = ValuesResult(question, done=0, generator=generator)
    yield result
    model = yield from _fitted(question, result)
    X = _over_inputs(len(generator.inputs))
    off = np.asarray(model.predict(X)) - generator.true_values(X)
    yield replace(result, done=1, distance=float(np.sqrt(np.mean(off**2))))


def _over_inputs(k: int) -> Array:
    """Places (m, k) evenly over all that the inputs may be: about `_PLACES`."""
    low, high = INPUTS
    each = round(_PLACES ** (1 / k))
    x = low + (high - low) * (np.arange(each) + 0.5) / each
    return np.stack(np.meshgrid(*[x] * k), axis=-1).reshape(-1, k)


def _about_classes(question: Question, generator: ClassGenerator) -> Iterator[Result]:
    truth = generator.truth()
    if truth is None:
        raise CannotFit(_TOO_FINE)
    grid = midpoints(truth.limits, _NODES)
    if max(grid.x[1] - grid.x[0], grid.y[1] - grid.y[0]) > truth.finest:
        raise CannotFit(_TOO_FINE_FOR_REACH)
    joint = truth.on_grid(grid)
    levels = tuple(tuple(holding(density, share) for share in _HELD) for density in joint)
    result = ClassesResult(question, done=0, truth=truth, levels=levels, least=bayes_error(joint))
    yield result
    if question.y is None or question.y.dtype.kind == "f":
        yield replace(result, done=1)
        return
    model = yield from _fitted(question, result)
    asked = midpoints(truth.limits, _NODES // _ASKED)
    told = yield from _told(model, asked.points(), result)
    own, training = true_error(truth.on_grid(asked), told.reshape(asked.shape)), model.rating.named
    yield replace(result, done=1, own=own, training=training[1] if training else None)


def _fitted(question: Question, waiting: Result) -> Generator[Result, None, PipelineModel]:
    models = question.pipeline.steps(question.X, question.y, question.seed, question.sample_weight)
    return (yield from last_model(models, waiting))


def _told(model: PipelineModel, places: Array, waiting: Result) -> Generator[Result, None, Labels]:
    """The number of the class that is told at each place (m, 2), -1 for none, (m,)."""
    parts = []
    for first in range(0, len(places), _BLOCK):
        parts.append(np.asarray(model.predict(places[first : first + _BLOCK])).astype(np.intp))
        yield waiting
    return np.concatenate(parts)
