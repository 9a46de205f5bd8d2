"""Level sets of fields on a grid as polylines, exact also where the field jumps or is level."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from typing import Any, cast

import contourpy
import numpy as np

from mlviz.draw.marks import Lines, Mark, Text
from mlviz.draw.ticks import words_of_levels
from mlviz.numerics.arrays import AnyArray, Array, Labels, Mask
from mlviz.numerics.grid import Grid

_MOST_NODES, _MOST_SMOOTH_NODES = 200, 80
"""While the hand moves, contours are traced on at most this many nodes a side, of smooth values on so many: their cost
grows with the grid."""

_NOISE = 2e-6
"""Rounding errors of sums in single precision, as a share of the largest value: some times that of one number."""
# The class itself: the function that chooses one takes longer than all else, since it makes each field a masked array.
_SERIAL: Any = contourpy.SerialContourGenerator
_HOW = {
    "corner_mask": True,
    "line_type": contourpy.LineType.ChunkCombinedNan,
    "fill_type": _SERIAL.default_fill_type,
    "quad_as_tri": False,
    "z_interp": contourpy.ZInterp.Linear,
}
_STRAIGHT = 1e-3
"""A line nowhere farther from its chord, in cells of the grid, is drawn as its chord."""
LABEL_PLACES = np.array((0.08, 0.2, 0.32, 0.44, 0.56, 0.68, 0.8, 0.92))
"""Where on a line its number may stand, as shares of its length from its upper end: there it is in nothing's way."""
LABEL_GAP = 0.055
"""How far apart numbers stand at the least, as a share of the view."""
_CLEAR = 0.025
"""How far other lines are from a number at the least, as a share of the view."""
_BISECTIONS = 10
"""How often the place of a jump is halved: from a cell of the grid to a thousandth of it."""


def contour(
    grid: Grid,
    values: AnyArray,
    level: float,
    inside: Callable[[Array], Mask] | None = None,
    fine: bool = False,
    terms: float | None = None,
) -> Array:
    """The level set as polylines parted by rows of NaN, (m, 2); empty where there is none.

    Tracing supposes that values are straight between nodes. Where they jump, `inside(places)` says on which side of the
    level places (m, 2) are, and each vertex is moved along its edge of the grid to where that really changes. `fine`
    uses every node of the grid. Of smooth values that are sums of
    such large `terms`, rounding errors are not traced.
    """
    x, y, traced, generator = _tracer(grid, values, None if fine else _MOST_NODES)
    if terms is not None and (flat := _level_plains(traced, level, terms)) is not None:
        generator = _generator(x, y, traced, flat)
    line = _traced(generator, level)
    if inside is not None:
        drawn = np.isfinite(line[:, 0])
        line[drawn] = _at_jumps(line[drawn], x, y, lambda nodes: inside(grid.asked(nodes)))
    return grid.to_places(straightened(line, grid))


def contour_lines(grid: Grid, values: AnyArray, levels: Sequence[float], fine: bool = False) -> list[Array]:
    """The level sets of several levels of smooth values, each as `contour` gives it."""
    *_, generator = _tracer(grid, values, None if fine else _MOST_SMOOTH_NODES)
    return [grid.to_places(_traced(generator, level)) for level in levels]


def straightened(line: Array, grid: Grid) -> Array:
    """The polylines (m, 2), those that are straight without the vertices between their ends."""
    if not len(line):
        return line
    gaps = np.flatnonzero(np.isnan(line[:, 0]))
    cells = line * (len(grid.x) / np.ptp(grid.x), len(grid.y) / np.ptp(grid.y))
    if not len(gaps):
        (x, y), from_start = cells[-1] - cells[0], cells - cells[0]
        across = np.abs(x * from_start[:, 1] - y * from_start[:, 0]).max()
        return line[[0, -1]] if across < _STRAIGHT * np.hypot(x, y) else line
    starts, ends = np.append(0, gaps + 1), np.append(gaps, len(line)) - 1
    lengths = ends + 1 - starts
    lengths[:-1] += 1  # with the gap behind it
    which = np.repeat(np.arange(len(starts)), lengths)
    way, from_start = cells[ends] - cells[starts], cells - cells[starts][which]
    across = np.abs(way[which, 0] * from_start[:, 1] - way[which, 1] * from_start[:, 0])
    # A closed line has no chord.
    straight = np.fmax.reduceat(across, starts) < _STRAIGHT * np.hypot(way[:, 0], way[:, 1])
    kept = ~straight[which]
    kept[starts] = kept[ends] = kept[gaps] = True
    shown: Array = line[kept]
    return shown


def join_lines(lines: Iterable[Array]) -> Array:
    """Polylines (m, 2) as one, parted by rows of NaN; empty ones leave no trace."""
    gap = np.full((1, 2), np.nan)
    parts = [part for line in lines if len(line) for part in (gap, line)]
    return np.concatenate(parts[1:]) if parts else np.empty((0, 2))


def curves(x: Array, columns: Array) -> Array:
    """Columns (m, k) over x (m,) as polylines parted by rows of NaN."""
    xy = np.full((columns.shape[1], len(x) + 1, 2), np.nan)
    xy[:, :-1, 0], xy[:, :-1, 1] = np.where(np.isnan(columns.T), np.nan, x), columns.T
    return xy.reshape(-1, 2)[:-1]


def some_lines(role: str, xy: Array, label: str) -> tuple[Lines, ...]:
    """Polylines as a mark, or none where there is no line."""
    return (Lines(role, xy, label=label),) if len(xy) else ()


def traced_nodes(grid: Grid, fine: bool) -> Grid:
    """The nodes that `contour_lines` uses: of a density that nothing else is made of, no others need be asked for."""
    step = 1 if fine else max(1, -(-max(grid.shape) // _MOST_SMOOTH_NODES))
    if step == 1:
        return grid
    columns, rows = (_every(step, len(nodes)) for nodes in (grid.x, grid.y))
    return replace(grid, x=grid.x[columns], y=grid.y[rows])


def _every(step: int, count: int) -> Labels:
    """Every so many of the numbers below a count, and the last one: so that lines reach the rim of the view."""
    return np.append(np.arange(0, count - 1, step), count - 1)


def _tracer(
    grid: Grid, values: AnyArray, most: int | None
) -> tuple[Array, Array, AnyArray, contourpy.ContourGenerator]:
    """The nodes x and y that are used, the values there, and what traces contours on them."""
    step = 1 if most is None else max(1, -(-max(grid.shape) // most))
    if step == 1:
        return grid.x, grid.y, values, _generator(grid.x, grid.y, values)
    columns, rows = (_every(step, len(nodes)) for nodes in (grid.x, grid.y))
    x, y = grid.x[columns], grid.y[rows]
    traced = values[rows[:, None], columns]
    return x, y, traced, _generator(x, y, traced)


def _generator(x: Array, y: Array, traced: AnyArray, hidden: Mask | None = None) -> contourpy.ContourGenerator:
    """What traces values (ny, nx) on nodes x and y, but not where they are `hidden` or not finite."""
    finite = np.isfinite(traced)
    if not finite.all():
        hidden = ~finite if hidden is None else hidden | ~finite
    values = np.ascontiguousarray(traced, dtype=np.float64)
    across, up = np.empty_like(values), np.empty_like(values)
    across[:], up[:] = x, y[:, None]
    return cast(contourpy.ContourGenerator, _SERIAL(across, up, values, hidden, **_HOW))


def _traced(generator: contourpy.ContourGenerator, level: float) -> Array:
    points = generator.lines(level)[0][0]
    return np.empty((0, 2)) if points is None else np.array(points, dtype=np.float64)


def _level_plains(values: AnyArray, level: float, terms: float) -> Mask | None:
    """Where values (ny, nx) and those around are at the level, as far as single precision tells; None where nowhere.

    What is traced there would be rounding errors.
    """
    noise = _NOISE * max(abs(float(values.max())), abs(float(values.min())), terms)
    return _plains(np.abs(values - level) <= noise)


def _plains(near: Mask) -> Mask | None:
    """Those nodes (ny, nx) with all around them, and their rims; None where there are none."""
    if np.count_nonzero(near) < 9:
        return None
    flat = ~beside(~near)
    return near & beside(flat) if flat.any() else None


def beside(which: Mask) -> Mask:
    """Those nodes (ny, nx) and all around them."""
    padded = np.pad(which, 1)
    across = padded[:, :-2] | padded[:, 1:-1] | padded[:, 2:]
    return across[:-2] | across[1:-1] | across[2:]


def _at_jumps(places: Array, x: Array, y: Array, inside: Callable[[Array], Mask]) -> Array:
    """Places (m, 2) on edges of the grid of nodes x and y, each moved along its edge to where `inside` changes."""
    low, high = places.copy(), places.copy()
    index = np.stack([np.interp(places[:, a], nodes, np.arange(len(nodes))) for a, nodes in enumerate((x, y))])
    along = np.argmax(np.abs(index - np.round(index)), axis=0)  # the axis in which the place is between two nodes
    for axis, nodes in enumerate((x, y)):
        mine = along == axis
        low[mine, axis] = nodes[np.floor(index[axis, mine]).astype(int)]
        high[mine, axis] = nodes[np.ceil(index[axis, mine]).astype(int)]
    at_low = inside(low)
    jumps = (at_low != inside(high))[:, None]
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        same = inside(middle) == at_low
        low[same], high[~same] = middle[same], middle[~same]
    return np.where(jumps, (low + high) / 2, places)


def numbered_lines(
    role: str, label: str, grid: Grid, values: AnyArray, levels: Sequence[float], fine: bool
) -> tuple[Mark, ...]:
    """The lines on which values (ny, nx) at the nodes are equal, at some levels, with their numbers."""
    found = zip(levels, contour_lines(grid, values, levels, fine), strict=True)
    lines = {level: line for level, line in found if len(line)}
    drawn = some_lines(role, straightened(join_lines(lines.values()), grid), label)
    return *drawn, *contour_numbers(role, lines, grid, words_of_levels(levels))


def contour_numbers(
    role: str,
    lines: dict[float, Array],
    grid: Grid,
    word: Callable[[float], str],
    always: Container[float] = (),
    without: Container[float] = (),
) -> tuple[Text, ...]:
    """The numbers of the levels on their lines, as `word` writes them, where there is room, `without` some."""
    found = number_places({level: grid.to_nodes(line) for level, line in lines.items()}, grid, always)
    numbers = {level: grid.to_places(places) for level, places in found.items() if level not in without}
    if not numbers:
        return ()
    places = np.stack(list(numbers.values()))
    return (Text(role, places[:, 0], tuple(map(word, numbers)), centered=True, others=places[:, 1:]),)


def number_places(lines: dict[float, Array], grid: Grid, always: Container[float] = ()) -> dict[float, Array]:
    """Level -> places (k, 2) for its number, the best first, of those for which there is room; all is on the axes.

    The numbers of some levels stand `always`.
    """
    drawn = {level: line for level, line in lines.items() if np.isfinite(line).any()}
    if not drawn:
        return {}
    corner, view = np.array([grid.x[0], grid.y[0]]), np.array([np.ptp(grid.x), np.ptp(grid.y)])
    places = np.array([_upper_end(line) for line in drawn.values()])
    n, k, _ = places.shape
    at = (places.reshape(-1, 2) - corner) / view
    starts = np.cumsum([0, *(len(line) for line in drawn.values())])[:-1]
    gaps = _squared_distances(at, (np.concatenate(list(drawn.values())) - corner) / view)
    # From each place to the nearest vertex of each line, of which its own is in nothing's way.
    nearest = np.fmin.reduceat(gaps, starts, axis=1).reshape(n, k, n)
    nearest[np.arange(n), :, np.arange(n)] = np.inf
    clear = nearest.min(axis=2) > _CLEAR**2
    clear[[level in always for level in drawn]] = True
    apart = _squared_distances(at, at).reshape(n, k, n, k) > LABEL_GAP**2
    free, numbers, best = clear.copy(), list[int](), list[int]()
    for number in range(n):
        place = int(free[number].argmax())
        if free[number, place]:
            numbers.append(number)
            best.append(place)
            free &= apart[:, :, number, place]
    first, levels = places[numbers, best][:, None], list(drawn)
    # As many for each: where one is not clear, the first comes again.
    found = np.concatenate((first, np.where(clear[numbers][..., None], places[numbers], first)), axis=1)
    return {levels[number]: of_level for number, of_level in zip(numbers, found, strict=True)}


def _squared_distances(places: Array, others: Array) -> Array:
    """Those of places (m, 2) to others (n, 2), all of them shares of the view, (m, n); NaN to those that are."""
    lengths, other_lengths = (np.einsum("ij,ij->i", rows, rows) for rows in (places, others))
    found = (-2 * places) @ others.T
    found += lengths[:, None]
    found += other_lengths
    return np.asarray(found)


def _upper_end(line: Array) -> Array:
    """Places (m, 2) near the upper end of the longest piece of a polyline."""
    piece = line
    if len(gaps := np.flatnonzero(np.isnan(line[:, 0]))):
        pieces = [part[np.isfinite(part[:, 0])] for part in np.split(line, gaps)]
        piece = max(pieces, key=lambda part: float(np.abs(np.diff(part, axis=0)).sum()) if len(part) > 1 else -1.0)
    if piece[0, 1] < piece[-1, 1]:
        piece = piece[::-1]
    x, y = np.ascontiguousarray(piece.T)
    along = np.zeros(len(piece))
    np.cumsum(np.hypot(x[1:] - x[:-1], y[1:] - y[:-1]), out=along[1:])
    wanted, places = LABEL_PLACES * along[-1], np.empty((len(LABEL_PLACES), 2))
    places[:, 0], places[:, 1] = np.interp(wanted, along, x), np.interp(wanted, along, y)
    return places
