"""The objective over two weights, or over a weight and the offset, and the path of a solver down to its minimum."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from mlviz.draw.contours import contour_lines, join_lines
from mlviz.draw.inks import CANVAS, TEXT, RoleInk, Tone
from mlviz.draw.layer import Context, chart
from mlviz.draw.marks import Lines, Mark, Points
from mlviz.draw.numbers import number
from mlviz.draw.plot import Limits, Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.convex.loss_surface import Ends
from mlviz.numerics.grid import Grid

_NODES, _MORE, _ABOUT = 60, 30, 0.12
"""Nodes along a side, and so many more about the minimum, in this share of the window: there lines are short."""
_LEVELS = 14
_WINDOW_MARGIN = 0.3
"""The window is wider than path and minimum by this share on each side."""
_NARROWEST = 0.25
"""It is on no axis narrower than this share of the other, in units of the samples' spread."""
_EQUAL, WIDEST = 4.0, 2.0
"""A unit of both weights is equally long where the window's sides are within a factor; it is then so wide at most."""
_WORK, _QUICK = 500_000, 80_000
"""So many logarithms a surface may cost at rest, and while the hand moves."""
LEAST_DOT_GAP = 0.02
"""How far apart the dots of steps are at the least, as a share of the window: nearer ones would be one line."""
_MOST_SAMPLES = 5_000
"""Of more samples a surface would take too long."""
INKS = {
    "height": RoleInk(Tone(pale=0.55), width=1.0),
    "lowest": RoleInk(fill=TEXT, width=2.0, symbol="cross", size=20.0, halo=CANVAS),
}
"""How it is drawn: to be brought by the methods."""


class Surface(Protocol):
    """An objective over two weights, the offset the best one for each pair, or over one weight and the offset."""

    @property
    def columns(self) -> Array:
        """(2, n) what the two multiply."""

    @property
    def free(self) -> bool:
        """Whether the offset is the best one for each pair of weights."""

    def values(self, x: Array, y: Array, work: int, about: tuple[Ends, Ends] = ((), ())) -> Array:
        """Its heights at the nodes x (nx,) and y (ny,), by about so much `work`: (ny, nx)."""


class HasLossPath(Protocol):
    """A solver came to it on a path over an objective."""

    @property
    def way_down(self) -> Array:
        """(m, 2) the places so far."""

    @property
    def surface(self) -> Surface | None:
        """The objective; None where there are more weights than two."""

    @property
    def lowest(self) -> Array:
        """(1, 2) the minimum."""


@chart("loss surface", "path over the loss surface")
def surface_chart(model: HasLossPath, context: Context) -> Plot | None:
    landscape = model.surface
    if landscape is None or len(context.X) > _MOST_SAMPLES:
        return None
    path, lowest = model.way_down, model.lowest
    window = _window(np.concatenate((path, lowest, np.zeros((1, 2)))), _lengths(landscape))
    if window is None:
        return None
    x0, x1, y0, y1 = window
    x_place, y_place = lowest[0].tolist()
    grid = Grid(_nodes(x0, x1, x_place), _nodes(y0, y1, y_place))
    about = _about(x0, x1, x_place), _about(y0, y1, y_place)
    heights = landscape.values(grid.x, grid.y, _WORK if context.fine else _QUICK, about)
    low, high = float(heights.min()), float(heights.max())
    # As of a parabola, lines of equal height are equally far apart.
    levels = low + (high - low) * (np.arange(0.5, _LEVELS) / _LEVELS) ** 2
    lines = join_lines(contour_lines(grid, heights, levels.tolist(), fine=True))
    words = "w of" if context.scaled else "weight of"
    names = [f"{words} {context.axis_label(j)}" for j in range(context.X.shape[1])]
    if landscape.free:
        title, labels = "Path over the objective, best b", names
    else:
        title, labels = "Path over the objective", [names[0], "offset b"]
    marks: list[Mark] = [Lines("height", lines, label=f"equal objective, {number(low)} to {number(high)}")]
    if len(path) > 1:
        marks.append(Lines("path", path, label="steps"))
        marks.append(Points("path", _dots(path, np.array([x1 - x0, y1 - y0]))))
    marks.append(Points("lowest", lowest, label="minimum"))
    if len(path):
        marks.append(Points("now", path[-1:], label="this step"))
    return Plot("loss surface", title, labels[0], labels[1], tuple(marks), window, equal=_is_equal(window))


def _lengths(surface: Surface) -> Array:
    """How much a unit of either weight (2,) changes the scores, on average; the best offset takes some of it away."""
    columns = surface.columns
    middle = columns.mean(axis=1, keepdims=True) if surface.free else 0.0
    lengths = np.sqrt(((columns - middle) ** 2).mean(axis=1))
    return np.asarray(np.maximum(lengths, 1e-12 * np.abs(columns).max(axis=1)))


def _window(places: Array, spread: Array) -> Limits | None:
    """Limits about the places (m, 2); None where they have no ends."""
    low, high = places.min(axis=0), places.max(axis=0)
    if not np.isfinite(high - low).all():
        return None
    spread = np.where(spread > 0, spread, 1.0)
    half = (high - low) / 2 * spread
    half = np.maximum(half, _NARROWEST * half.max()) if half.max() > 0 else np.ones(2)
    half = (1 + _WINDOW_MARGIN) * half / spread
    if 1 / _EQUAL <= half[0] / half[1] <= _EQUAL:
        half = np.maximum(half, (half[1], half[0] / WIDEST))
    (x0, y0), (x1, y1) = (low + high) / 2 - half, (low + high) / 2 + half
    return float(x0), float(x1), float(y0), float(y1)


def _is_equal(window: Limits) -> bool:
    x0, x1, y0, y1 = window
    return 1 / _EQUAL <= (x1 - x0) / (y1 - y0) <= _EQUAL


def _nodes(low: float, high: float, place: float) -> Array:
    """The nodes along a side, closer about a place."""
    about = np.linspace(*_about(low, high, place), _MORE)
    return np.union1d(np.linspace(low, high, _NODES), about[(about > low) & (about < high)])


def _about(low: float, high: float, place: float) -> tuple[float, float]:
    reach = _ABOUT / 2 * (high - low)
    return place - reach, place + reach


def _dots(path: Array, view: Array) -> Array:
    """The places (m, 2) of the path that are not hidden by the one drawn before."""
    shown = [path[0]]
    for place in path[1:]:
        if np.hypot(*((place - shown[-1]) / view)) >= LEAST_DOT_GAP:
            shown.append(place)
    return np.array(shown)
