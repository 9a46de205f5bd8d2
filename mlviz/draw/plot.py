"""A plot: marks with one pair of axes, how wide these must be, and the handles that can be dragged in it.

The ghost of a plot is the few marks that say what the fit was, faint, to be laid over the next one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.marks import Mark, Points
from mlviz.draw.marks.base import NOWHERE, BaseMark
from mlviz.numerics.arrays import Array, Rows
from mlviz.spec.brief import Brief

Limits = tuple[float, float, float, float]
"""(x0, x1, y0, y1) of the visible part."""


_NARROW = 1e-12
"""Limits are no farther apart than that share of themselves where rounding alone parts them."""


@dataclass(frozen=True)
class Edges:
    """Whether names and numbers of the axes stand `left` of them and `below`: beside others they may say it for all."""

    left: bool = True
    below: bool = True


BOTH_EDGES = Edges()


@dataclass(frozen=True, eq=False)
class Handle(Brief):
    """A draggable thing: it slides on the polyline points (m, 2) and sets what stands at a path to values (m,) there,
    numbers or texts.

    The path begins with where it stands: "algorithm.C", "weights.balance", "decision.threshold", "view.step". A handle
    that is an "upright" line slides along the horizontal axis, a "level" one along the vertical axis.
    """

    path: str
    points: Array
    values: Array | NDArray[np.str_]
    at: int
    label: str = ""
    kind: Literal["point", "upright", "level"] = "point"


@dataclass(frozen=True, eq=False)
class Area(Brief):
    """A rectangle of a plot that does something when it is clicked.

    `rows` are samples of the data set that light up then; `settings` are values to be set, each at its path.
    """

    limits: Limits
    label: str
    rows: Rows | None = None
    settings: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, eq=False)
class Plot(Brief):
    """One pair of axes. `limits` None means: as wide as the marks. On a log axis marks hold the values themselves."""

    id: str
    title: str
    x_label: str
    y_label: str
    marks: tuple[Mark, ...]
    limits: Limits | None = None
    x_scale: Literal["linear", "log"] = "linear"
    y_scale: Literal["linear", "log"] = "linear"
    equal: bool = False
    x_ticks: tuple[tuple[float, str], ...] | None = None
    """Named ticks (place, word) where numbers would say nothing, such as the names of weights."""
    y_ticks: tuple[tuple[float, str], ...] | None = None
    """The same on the vertical axis."""
    x_whole: bool = False
    """Whether the horizontal axis counts things, so that it has no ticks between whole numbers."""
    handles: tuple[Handle, ...] = ()
    areas: tuple[Area, ...] = ()
    """What can be clicked."""

    @property
    def axes_look(self) -> tuple[object, ...]:
        """What axes and grid are painted from, beside the limits: they look alike where it is equal."""
        return self.x_label, self.y_label, self.x_scale, self.y_scale, self.x_ticks, self.y_ticks, self.x_whole


def visible_limits(limits: Limits, width: float, height: float, equal: bool) -> Limits:
    """The limits; if `equal`, widened about their middle until a unit is equally long on both axes (in pixels)."""
    x0, x1, y0, y1 = limits
    if not equal or width <= 0 or height <= 0:
        return limits
    unit = max((x1 - x0) / width, (y1 - y0) / height)
    half_x, half_y = unit * width / 2, unit * height / 2
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    return x - half_x, x + half_x, y - half_y, y + half_y


def full_limits(plot: Plot) -> Limits:
    """The plot's own limits, or ones about all of its marks; never so narrow that nothing could be told apart."""
    if plot.limits is not None:
        x0, x1, y0, y1 = plot.limits
        return *_told_apart(x0, x1, plot.x_scale == "log"), *_told_apart(y0, y1, plot.y_scale == "log")
    xy = np.concatenate((NOWHERE, *(mark.places() for mark in plot.marks)))
    x0, x1 = _span(xy[:, 0], plot.x_scale == "log", BaseMark.margin)
    y0, y1 = _span(xy[:, 1], plot.y_scale == "log", max((mark.margin for mark in plot.marks), default=BaseMark.margin))
    return x0, x1, y0, y1


def _told_apart(low: float, high: float, log: bool) -> tuple[float, float]:
    return (low, high) if high - low > _NARROW * max(abs(low), abs(high)) else _span(np.array([low, high]), log, 0.0)


def _span(values: Array, log: bool, margin: float) -> tuple[float, float]:
    values = values[np.isfinite(values) & ((values > 0) | (not log))]
    if not len(values):
        return (0.1, 10.0) if log else (0.0, 1.0)
    if log:
        low, high = _span(np.log10(values), False, margin)
        return 10.0**low, 10.0**high
    low, high = float(values.min()), float(values.max())
    # Numbers that are all the same still get an axis on which they can be told from their neighbours.
    room = margin * (high - low) if high - low > _NARROW * max(abs(low), abs(high)) else max(abs(low) * 0.1, 0.5)
    return low - room, high + room


GHOST_LABEL = "before the last change"
_ROLES = ("boundary", "curve", "center", "component")


def ghost(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Boundaries, curves, centres, Gaussians and components of a former picture, in the ink of ghosts.

    What fills the plane has no outline, and no ghost.
    """
    outlines = [
        replace(mark, role="ghost", label=GHOST_LABEL)
        for mark in marks
        if (mark.role in _ROLES or mark.role.startswith("ellipse ")) and not mark.fills
    ]
    return tuple(replace(mark, mix=None) if isinstance(mark, Points) else mark for mark in outlines)


def with_ghost(plot: Plot, former: tuple[Mark, ...]) -> Plot:
    """The plot with a ghost over its shades and under everything else."""
    shades = sum(mark.fills for mark in plot.marks)
    first = sorted(plot.marks, key=lambda mark: not mark.fills)
    return replace(plot, marks=(*first[:shades], *former, *first[shades:]))
