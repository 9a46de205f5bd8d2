"""Level sets of fields on a grid as polylines, exact also where the field jumps or is level."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any, cast

import contourpy
import numpy as np
from numpy.typing import NDArray

from mlviz.draw.marks import Lines, Text
from mlviz.numerics.arrays import Array
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
LABEL_PLACES = (0.08, 0.2, 0.32, 0.44, 0.56, 0.68, 0.8, 0.92)
"""Where on a line its number may stand, as shares of its length from its upper end: there it is in nothing's way."""
LABEL_GAP = 0.055
"""How far apart numbers stand at the least, as a share of the view."""
_CLEAR = 0.025
"""How far other lines are from a number at the least, as a share of the view."""
_BISECTIONS = 10
"""How often the place of a jump is halved: from a cell of the grid to a thousandth of it."""


def contour(
    grid: Grid,
    values: NDArray[Any],
    level: float,
    inside: Callable[[Array], NDArray[np.bool_]] | None = None,
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


def contour_lines(grid: Grid, values: NDArray[Any], levels: Sequence[float], fine: bool = False) -> list[Array]:
    """The level sets of several levels of smooth values, each as `contour` gives it."""
    *_, generator = _tracer(grid, values, None if fine else _MOST_SMOOTH_NODES)
    return [grid.to_places(_traced(generator, level)) for level in levels]


def straightened(line: Array, grid: Grid) -> Array:
    """The polylines (m, 2), those that are straight without the vertices between their ends."""
    if not len(line):
        return line
    gaps = np.flatnonzero(np.isnan(line[:, 0]))
    starts, ends = np.r_[0, gaps + 1], np.r_[gaps, len(line)] - 1
    cells = line * (len(grid.x) / np.ptp(grid.x), len(grid.y) / np.ptp(grid.y))
    which = np.repeat(np.arange(len(starts)), np.diff(np.r_[starts, len(line)]))
    way, from_start = (cells[ends] - cells[starts])[which], cells - cells[starts][which]
    across = np.abs(way[:, 0] * from_start[:, 1] - way[:, 1] * from_start[:, 0])
    # A closed line has no chord.
    straight = np.fmax.reduceat(across - _STRAIGHT * np.hypot(way[:, 0], way[:, 1]), starts) < 0
    kept = ~straight[which]
    kept[np.r_[starts, ends, gaps]] = True
    return line[kept]


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


def _tracer(
    grid: Grid, values: NDArray[Any], most: int | None
) -> tuple[Array, Array, NDArray[Any], contourpy.ContourGenerator]:
    """The nodes x and y that are used, the values there, and what traces contours on them."""
    step = 1 if most is None else max(1, -(-max(grid.shape) // most))
    if step == 1:
        return grid.x, grid.y, values, _generator(grid.x, grid.y, values)
    # The last node is kept whatever the stride, so that lines reach the rim of the view.
    columns, rows = (np.unique(np.r_[0 : len(nodes) : step, len(nodes) - 1]) for nodes in (grid.x, grid.y))
    x, y = grid.x[columns], grid.y[rows]
    traced = values[np.ix_(rows, columns)]
    return x, y, traced, _generator(x, y, traced)


def _generator(
    x: Array, y: Array, traced: NDArray[Any], hidden: NDArray[np.bool_] | None = None
) -> contourpy.ContourGenerator:
    """What traces values (ny, nx) on nodes x and y, but not where they are `hidden` or not finite."""
    finite = np.isfinite(traced)
    if not finite.all():
        hidden = ~finite if hidden is None else hidden | ~finite
    values = np.ascontiguousarray(traced, dtype=np.float64)
    return cast(contourpy.ContourGenerator, _SERIAL(*np.meshgrid(x, y), values, hidden, **_HOW))


def _traced(generator: contourpy.ContourGenerator, level: float) -> Array:
    points = generator.lines(level)[0][0]
    return np.empty((0, 2)) if points is None else np.array(points, dtype=np.float64)


def _level_plains(values: NDArray[Any], level: float, terms: float) -> NDArray[np.bool_] | None:
    """Where values (ny, nx) and those around are at the level, as far as single precision tells; None where nowhere.

    What is traced there would be rounding errors.
    """
    noise = _NOISE * max(abs(float(values.max())), abs(float(values.min())), terms)
    return _plains(np.abs(values - level) <= noise)


def _plains(near: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    """Those nodes (ny, nx) with all around them, and their rims; None where there are none."""
    if np.count_nonzero(near) < 9:
        return None
    flat = ~beside(~near)
    return near & beside(flat) if flat.any() else None


def beside(which: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Those nodes (ny, nx) and all around them."""
    padded = np.pad(which, 1)
    across = padded[:, :-2] | padded[:, 1:-1] | padded[:, 2:]
    return across[:-2] | across[1:-1] | across[2:]


def _at_jumps(places: Array, x: Array, y: Array, inside: Callable[[Array], NDArray[np.bool_]]) -> Array:
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
    view = np.array([np.ptp(grid.x), np.ptp(grid.y)])
    found: dict[float, Array] = {}
    for level, line in lines.items():
        if not np.isfinite(line).any():
            continue
        others = np.concatenate([np.empty((0, 2)), *(other for key, other in lines.items() if key != level)])
        places = _upper_end(line)
        beside = np.array([chosen[0] for chosen in found.values()]).reshape(-1, 2)
        clear = np.full(len(places), True) if level in always else _gaps(places, others, view) > _CLEAR
        free = clear & (_gaps(places, beside, view) > LABEL_GAP)
        if free.any():
            # As many for each: where one is not clear, the first comes again.
            best = places[np.argmax(free)]
            found[level] = np.concatenate((best[None], np.where(clear[:, None], places, best)))
    return found


def _gaps(places: Array, others: Array, view: Array) -> Array:
    """The distance of each place (k, 2) to the nearest of the others (m, 2), as a share of the view, (k,)."""
    across, up = np.moveaxis((others - places[:, None]) / view, -1, 0)
    return np.asarray(np.sqrt(np.fmin.reduce(across**2 + up**2, axis=1, initial=np.inf)))


def _upper_end(line: Array) -> Array:
    """Places (m, 2) near the upper end of the longest piece of a polyline."""
    pieces = [piece[np.isfinite(piece[:, 0])] for piece in np.split(line, np.flatnonzero(np.isnan(line[:, 0])))]
    piece = max(pieces, key=lambda part: float(np.abs(np.diff(part, axis=0)).sum()) if len(part) > 1 else -1.0)
    if piece[0, 1] < piece[-1, 1]:
        piece = piece[::-1]
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(piece, axis=0).T))))
    return np.column_stack([np.interp(np.array(LABEL_PLACES) * along[-1], along, coordinate) for coordinate in piece.T])
