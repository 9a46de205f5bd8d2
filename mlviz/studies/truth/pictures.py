"""The source of the points on the canvas: densities of classes and the Bayes boundary, or the true function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import numpy as np

from mlviz.data.generators.base import RegressionGenerator
from mlviz.draw.contours import beside, contour, contour_lines, contour_numbers, join_lines, some_lines
from mlviz.draw.layer import Context, overlay
from mlviz.draw.marks import Lines, Mark, Polygons
from mlviz.draw.overlays.regions import ranked
from mlviz.draw.tasks import Task
from mlviz.draw.ticks import ticks, words_of_levels
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid
from mlviz.studies.truth.results import ClassesResult, ValuesResult

_CLASSES = tuple(task for task in get_args(Task) if task != "regression")
"""Whatever is not about values may lie over classes."""
_NODES = 200
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
    levels = ticks(float(values.min()), float(values.max()), _VALUE_LINES, lambda label: 0.0, gap=1.0).values
    lines = dict(zip(levels, contour_lines(grid, values, levels, fine), strict=True))
    lines = {level: line for level, line in lines.items() if len(line)}
    return [
        *some_lines("truth", join_lines(lines.values()), "true function, equal value"),
        *contour_numbers("truth", lines, grid, words_of_levels(levels)),
    ]


def _coarse(grid: Grid) -> Grid:
    """The same part of the canvas with fewer nodes."""
    ny, nx = (max(2, round(side * min(1.0, _NODES / max(grid.shape)))) for side in grid.shape)
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
