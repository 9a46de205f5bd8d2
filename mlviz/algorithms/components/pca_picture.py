"""Overlays and charts of principal components: axes, projections, reconstruction errors, scree plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from mlviz.draw.layer import Context, chart, overlay
from mlviz.draw.marks import Arrows, Ellipses, Lines, Mark, Points, Polygons, Segments, Text
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.clipping import clip_segments
from mlviz.numerics.sampling import subsample

MOST = 2000
"""Errors and projections of so many samples are drawn; of more nothing could be told apart."""
NAMED = 12
"""Of more components the explained shares are not written at the bars: they would cover each other."""
ARROWS = 3
"""So many components have an arrow."""


class HasComponents(Protocol):
    """Directions from the mean, in the order of the variance along them."""

    mean: Array
    components: Array
    explained_variance: Array

    @property
    def explained_variance_ratio(self) -> Array:
        """The share of each direction in the whole variance."""

    def transform(self, X: Array) -> Array:
        """The scores along the directions."""

    def feet(self, X: Array) -> Array:
        """The nearest places on the line of the first one."""


@overlay("axes", "components", "arrows from the mean, one standard deviation √λ long")
def axes(model: HasComponents, context: Context) -> Sequence[Mark]:
    if context.plane is None:
        return ()
    plane = list(context.plane)
    deviations = np.sqrt(model.explained_variance[:ARROWS])
    deviations = deviations[deviations > 0]
    mean = np.tile(model.mean[plane], (len(deviations), 1))
    tips = mean + deviations[:, None] * model.components[: len(deviations)][:, plane]
    words = tuple(str(j + 1) for j in range(len(tips)))
    return (
        Arrows("component", mean, tips, label="components, √λ long"),
        Points("foot", mean[:1], np.array([1.6])),
        Text("component", tips, words),
    )


@overlay("line", "line of the first", "the line through the mean along the first component")
def line(model: HasComponents, context: Context) -> Sequence[Mark]:
    """The line of the first component: from rim to rim of the view, or past the samples."""
    if context.plane is None or not len(context.X):
        return ()
    plane = list(context.plane)
    mean, along = model.mean[plane], model.components[0][plane]
    reach = 1.2 * float(np.abs(model.transform(context.X)[:, 0]).max())
    start, end = (mean - reach * along)[None], (mean + reach * along)[None]
    if context.grid is not None:
        x0, x1, y0, y1 = context.grid.limits
        reach = float(np.hypot(max(abs(x0 - mean[0]), abs(x1 - mean[0])), max(abs(y0 - mean[1]), abs(y1 - mean[1]))))
        start, end = clip_segments((mean - reach * along)[None], (mean + reach * along)[None], (x0, y0), (x1, y1))
    return (Lines("component line", np.concatenate((start, end)), label="first component"),) if len(start) else ()


def _chosen(model: HasComponents, context: Context) -> tuple[Any, str]:
    """Which samples have their projection drawn, and what the legend says of the others."""
    n = len(context.X)
    if n <= MOST:
        return np.arange(n), ""
    along = np.argsort(model.transform(context.X)[:, 0], kind="stable")
    return subsample(along, MOST), f", {MOST} of {n}"


@overlay("errors", "reconstruction errors", "from each sample to its projection")
def errors(model: HasComponents, context: Context) -> Sequence[Mark]:
    if context.plane is None or not len(context.X):
        return ()
    rows, some = _chosen(model, context)
    plane, X = list(context.plane), context.X[rows]
    label = f"reconstruction errors{some}"
    return (Segments("error", X[:, plane], model.feet(X)[:, plane], context.rows[rows], label=label),)


@overlay("projections", "projections", "the nearest place to each sample on that line")
def feet(model: HasComponents, context: Context) -> Sequence[Mark]:
    if context.plane is None or not len(context.X):
        return ()
    rows, some = _chosen(model, context)
    return (Points("foot", model.feet(context.X[rows])[:, list(context.plane)], label=f"projections{some}"),)


@overlay("ellipses", "ellipses", "1 and 2 standard deviations in every direction", shown=False)
def ellipses(model: HasComponents, context: Context) -> Sequence[Mark]:
    if context.plane is None or len(model.mean) != 2:
        return ()
    half = model.components.T * np.sqrt(model.explained_variance)
    mean = np.tile(model.mean, (2, 1))
    return (Ellipses("spread", mean, np.stack((half, 2 * half)), label="1 and 2 standard deviations"),)


@chart("scree", "scree plot")
def scree(model: HasComponents, context: Context) -> Plot | None:
    """The variance along each component as a bar, and the share that it and those before explain."""
    variances = model.explained_variance
    d = len(variances)
    bars = []
    for place, variance in enumerate(variances.tolist(), start=1):
        left, right = place - 0.35, place + 0.35
        bars.append(np.array([(left, 0.0), (left, variance), (right, variance), (right, 0.0)]))
    marks: list[Mark] = [Polygons("bar", tuple(bars))]
    tops = np.column_stack((np.arange(1.0, d + 1), variances))
    if d <= NAMED:
        shares = np.cumsum(model.explained_variance_ratio)
        marks.append(Text("path", tops, tuple(f"{100 * share:.3g} %" for share in shares)))
    title = "Scree plot, with the share explained so far" if d <= NAMED else "Scree plot"
    limits = (0.4, d + 0.9, 0.0, 1.25 * float(variances[0]))
    return Plot("scree", title, "component", "variance", tuple(marks), limits, x_whole=True)


@chart("turning", "turning direction")
def turning(model: HasComponents, context: Context) -> Plot | None:
    """The variance along a direction in the plane, and what is left of the total, over the direction's angle."""
    if len(model.mean) != 2:
        return None
    first, second = model.explained_variance.tolist()
    at = float(np.degrees(np.arctan2(model.components[0, 1], model.components[0, 0]))) % 180
    degrees = np.unique(np.append(np.linspace(0, 180, 181), (at, (at + 90) % 180)))
    away = np.radians(degrees - at)
    kept = first * np.cos(away) ** 2 + second * np.sin(away) ** 2
    marks = (
        Lines("curve", np.column_stack((degrees, kept)), label="variance along it"),
        Lines("path", np.column_stack((degrees, first + second - kept)), label="left in the errors"),
        Points("now", np.array([(at, first)]), label="first component"),
    )
    ticks = tuple((float(angle), f"{angle}°") for angle in range(0, 181, 45))
    return Plot(
        "turning", "Turning direction", "direction", "variance", marks, (0.0, 180.0, 0.0, 1.25 * first), x_ticks=ticks
    )
