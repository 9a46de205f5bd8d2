"""What was drawn by hand, as marks on the canvas: the same on the screen, in files and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from mlviz.data.dataset import Dataset
from mlviz.draw.contours import contour_lines, contour_numbers, join_lines, some_lines, traced_nodes
from mlviz.draw.marks import Field, Lines, Mark, Points, Text
from mlviz.draw.numbers import format_number
from mlviz.draw.overlays.regions import shade
from mlviz.draw.plot import Limits, Plot
from mlviz.draw.ticks import round_levels, words_of_levels
from mlviz.numerics.arrays import Array
from mlviz.numerics.drawn_lines import carried_on, evenly_along, is_closed, value_along
from mlviz.numerics.grid import Grid
from mlviz.pipeline.drawn import DrawnBoundary
from mlviz.scene.attempts import Attempt
from mlviz.scene.attempts.edits import attempts_on
from mlviz.scene.canvas_axes import CanvasAxes, axes_of
from mlviz.scene.scene import Scene
from mlviz.scene.values import scale_of_target, value_column

_NODES = 160
"""Along the longer side of the regions on the two sides of a line."""
_NODES_BEYOND = 40
"""Nodes on either side of what is seen, where lines of equal value go on."""
_LEVELS = 7.0
"""About so many lines of equal value has a surface."""
_WRITTEN, _BEST_FIRST = 9, [4, 2, 6, 3, 5, 1, 7]
"""The level of a line stands in its middle, or at another of so many places along it."""
_WRONG = "attempt error"
_LEFT_BY_HALF = 0.5
"""How strong the tint of a drawn region is, as by how much a class leads."""
_NEWEST, _EARLIER, _GOES_ON = "attempt", "earlier attempt", "attempt goes on"
"""The roles of what was drawn last, of what was drawn before, and of how a line goes on that was left open."""


def with_attempts(plot: Plot, scene: Scene, index: int) -> Plot:
    """The plot on the canvas of panel `index` with what was drawn on it by hand."""
    marks = attempt_marks(scene, index) if scene.attempts else ()
    return replace(plot, marks=(*plot.marks, *marks)) if marks else plot


def attempt_marks(scene: Scene, index: int) -> tuple[Mark, ...]:
    """What was drawn by hand on the canvas of panel `index`, the newest attempt last and strongest."""
    shown = attempts_on(scene, index) if index < len(scene.panels) else ()
    if not shown:
        return ()
    axes = axes_of(scene, index)
    *earlier, newest = shown
    numbers = ", ".join(str(number) for number, _ in earlier)
    label = f"attempt{'s' if len(earlier) > 1 else ''} {numbers}"
    marks = [mark for _, attempt in earlier for mark in _marks(attempt, axes, scene.dataset, _EARLIER, label)]
    marks += _levels(newest[1], axes, scene, index)  # below its own lines, which they go on from
    marks += _marks(newest[1], axes, scene.dataset, _NEWEST, f"attempt {newest[0]}")
    marks += _wrong(*newest, axes, scene)
    if earlier:
        places = np.array([_place_of_number(attempt, axes, scene.dataset) for _, attempt in shown])
        marks.append(Text(_NEWEST, places, tuple(str(number) for number, _ in shown)))
    return tuple(marks)


def _marks(attempt: Attempt, axes: CanvasAxes, data: Dataset, role: str, label: str) -> Iterator[Mark]:
    if attempt.kind == "surface":
        yield from _of_surface(attempt, role, label)
        return
    goes_on = _GOES_ON if role == _NEWEST else role
    for line in attempt.arrays:
        if attempt.kind == "centres" or len(line) == 1:
            yield Points(role, line, label=label)
        elif attempt.kind == "axis":
            yield Lines(role, axis_through_mean(line, axes, data), label=label)
        else:
            if attempt.kind == "boundary" and not is_closed(line):
                yield Lines(goes_on, _beyond(carried_on(line, _far(axes.limits))))
            elif attempt.kind == "curve":
                yield Lines(goes_on, _beyond(_straight_on(line, axes.limits)))
            yield Lines(role, line, label=label)


def _of_surface(attempt: Attempt, role: str, label: str) -> Iterator[Mark]:
    """The lines along which a surface has one value, the places where it has others, and these values."""
    if attempt.levels:
        yield Lines(role, join_lines(attempt.arrays[1:]), label=label)
        halves = np.array([evenly_along(line, _WRITTEN)[_BEST_FIRST] for line in attempt.arrays[1:]])
        yield Text(role, halves[:, 0], tuple(map(format_number, attempt.levels)), centered=True, others=halves[:, 1:])
    if attempt.values:
        yield Points(role, attempt.arrays[0], label="" if attempt.levels else label)
        yield Text(role, attempt.arrays[0], tuple(map(format_number, attempt.values)), above=True)


def _wrong(number: int, attempt: Attempt, axes: CanvasAxes, scene: Scene) -> Iterator[Mark]:
    """The training samples on the wrong side of a boundary, once the answer is revealed."""
    data = scene.dataset
    rows = np.flatnonzero(data.training)
    if attempt.kind == "boundary" and not attempt.unfinished and not scene.hides_answer and len(rows):
        places, y = axes.places(data)[rows], data.labels[rows]
        wrong = DrawnBoundary.of(attempt.arrays, places, y).predict(places) != y
        yield Points(_WRONG, places[wrong], rows=rows[wrong], label=f"wrong by attempt {number}")


def _levels(attempt: Attempt, axes: CanvasAxes, scene: Scene, index: int) -> Iterator[Mark]:
    """Lines of equal value of a surface, with their numbers where these can be seen."""
    scale = scale_of_target(scene, value_column(scene, index))
    if attempt.kind != "surface" or scale is None or attempt.surface.level:
        return
    levels = round_levels(scale.low, scale.high, _LEVELS)
    if attempt.levels:
        levels = tuple(sorted(set(attempt.levels)))
    seen = Grid.over(axes.limits, _NODES, _NODES)
    wide = Grid(*(_widened(nodes, _far(axes.limits)) for nodes in (seen.x, seen.y)))
    grids = [traced_nodes(grid, False) for grid in (wide, seen)]
    heights = [attempt.surface.predict(grid.points()).reshape(grid.shape) for grid in grids]
    found = [contour_lines(grid, values, levels, fine=True) for grid, values in zip(grids, heights, strict=True)]
    lines, within = (dict(zip(levels, one, strict=True)) for one in found)
    yield from some_lines(_GOES_ON, join_lines(lines.values()), "equal value of the attempt")
    there, words = {level: line for level, line in within.items() if len(line)}, words_of_levels(levels)
    # A line through a place has its number there.
    near, known = 1e-9 * (scale.high - scale.low), (*attempt.values, *attempt.levels)
    written = [level for level in levels if np.isclose(level, known, rtol=0, atol=near).any()]
    yield from contour_numbers(_GOES_ON, there, grids[1], words, without=written)


def _widened(nodes: Array, far: float) -> Array:
    """Rising nodes, with fewer on either side as far as `far` from the outermost ones: a wide canvas shows more."""
    out = np.linspace(0.0, far, _NODES_BEYOND + 1)[1:]
    return np.concatenate((nodes[0] - out[::-1], nodes, nodes[-1] + out))


def _beyond(line: Array) -> Array:
    """The first and the last piece of a line."""
    return np.concatenate((line[:2], np.full((1, 2), np.nan), line[-2:]))


def _straight_on(line: Array, limits: Limits) -> Array:
    """The ends of a curve, with a place out of sight before the left one and after the right one."""
    left, right, far = line[:, 0].min(), line[:, 0].max(), _far(limits)
    x = np.array([left - far, left, right, right + far])
    return np.column_stack((x, value_along(x, line)))


def _far(limits: Limits) -> float:
    """Out of sight, whatever the shape of the canvas."""
    x0, x1, y0, y1 = limits
    return 4.0 * max(x1 - x0, y1 - y0)


def axis_through_mean(line: Array, axes: CanvasAxes, data: Dataset) -> Array:
    """The axis (2, 2) of a drag through the mean of the samples that take part in a fit, from edge to edge."""
    places = axes.places(data)[data.training]
    middle = places.mean(axis=0) if len(places) else line[0]
    way = line[-1] - line[0]
    return np.asarray(middle + np.array([[-1.0], [1.0]]) * _far(axes.limits) * way / np.hypot(*way))


def _place_of_number(attempt: Attempt, axes: CanvasAxes, data: Dataset) -> Array:
    """Where the number of an attempt stands: at its first place in sight, of an axis near the edge of what is seen."""
    x0, x1, y0, y1 = axes.limits
    places = np.concatenate(attempt.arrays)
    if attempt.kind == "axis" and not attempt.unfinished:
        first, last = axis_through_mean(places, axes, data)
        # From the edge inwards, a little away from it.
        room = np.array([0.05 * (x1 - x0), 0.05 * (y1 - y0)])
        places = last + np.linspace(0.0, 1.0, 400)[:, None] * (first - last)
        x0, x1, y0, y1 = x0 + room[0], x1 - room[0], y0 + room[1], y1 - room[1]
    seen = (places >= (x0, y0)) & (places <= (x1, y1))
    return np.asarray(places[np.argmax(seen.all(axis=1))])


def drawn_regions(scene: Scene, index: int, limits: Limits) -> Sequence[Mark]:
    """What the newest attempt on the canvas of panel `index` says of all places that are seen.

    Of a boundary, the tints of the classes that its sides stand for; of a surface, the shades of its values.
    """
    x0, x1, y0, y1 = limits
    longer = max(x1 - x0, y1 - y0)
    nx, ny = (max(2, round(_NODES * side / longer)) for side in (x1 - x0, y1 - y0))
    grid = Grid.over(limits, nx, ny)
    surfaces = [attempt for _, attempt in attempts_on(scene, index) if attempt.kind == "surface"]
    scale = scale_of_target(scene, value_column(scene, index))
    if surfaces and scale is not None:
        values = surfaces[-1].surface.predict(grid.points())
        return (Field("value", grid.x, grid.y, scale.shades(values.reshape(grid.shape)), label=f"attempt, {scale}"),)
    shown = [
        attempt for _, attempt in attempts_on(scene, index) if attempt.kind == "boundary" and not attempt.unfinished
    ]
    data = scene.dataset
    if not shown or not data.training.any():
        return ()
    places = axes_of(scene, index).places(data)[data.training]
    drawn = DrawnBoundary.of(shown[-1].arrays, places, data.labels[data.training])
    classes = drawn.predict(grid.points()).reshape(grid.shape)
    strength = shade(np.full(grid.shape, _LEFT_BY_HALF))
    return (Field("region", grid.x, grid.y, strength, classes.astype(np.uint8)),)
