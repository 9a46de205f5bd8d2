"""A plot: marks with one pair of axes, and the handles that can be dragged in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.marks import Mark

Limits = tuple[float, float, float, float]
"""(x0, x1, y0, y1) of the visible part."""


@dataclass(frozen=True, eq=False)
class Handle:
    """A draggable thing: it slides on the polyline points (m, 2) and sets what stands at a path to values (m,) there.

    The path begins with where it stands: "algorithm.C", "weights.balance", "decision.threshold", "view.step". A handle
    that is an "upright" line slides along the horizontal axis, a "level" one along the vertical axis.
    """

    path: str
    points: NDArray[np.float64]
    values: NDArray[np.float64]
    at: int
    label: str = ""
    kind: Literal["point", "upright", "level"] = "point"


@dataclass(frozen=True, eq=False)
class Plot:
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
    x_whole: bool = False
    """Whether the horizontal axis counts things, so that it has no ticks between whole numbers."""
    handles: tuple[Handle, ...] = ()

    @property
    def axes_look(self) -> tuple[object, ...]:
        """What axes and grid are painted from, beside the limits: they look alike where it is equal."""
        return self.x_label, self.y_label, self.x_scale, self.y_scale, self.x_ticks, self.x_whole


def visible_limits(limits: Limits, width: float, height: float, equal: bool) -> Limits:
    """The limits; if `equal`, widened about their middle until a unit is equally long on both axes (in pixels)."""
    x0, x1, y0, y1 = limits
    if not equal or width <= 0 or height <= 0:
        return limits
    unit = max((x1 - x0) / width, (y1 - y0) / height)
    half_x, half_y = unit * width / 2, unit * height / 2
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    return x - half_x, x + half_x, y - half_y, y + half_y
