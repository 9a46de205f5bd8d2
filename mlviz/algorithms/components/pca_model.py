"""What principal component analysis has found, and its picture: axes, projections, errors, scree plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.algorithms.base import Model, ModelFact
from mlviz.draw.layer import CODES, Context, Explanation, Names, chart, overlay
from mlviz.draw.marks import Arrows, Ellipses, Lines, Mark, Points, Polygons, Segments, Text
from mlviz.draw.overlays.charts import rectangles
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.clipping import clip_segments
from mlviz.numerics.sampling import subsample

_TOLD = 4
"""So many variances are told one by one."""


_CHANCE = 0.05
"""Variances that differ as much with a higher probability, although they are equal, have no direction of their own."""
_MOST = 2000
"""Errors and projections of so many samples are drawn; of more nothing could be told apart."""
_NAMED = 12
"""Of more components the explained shares are not written at the bars: they would cover each other."""
_ARROWS = 3
"""So many components have an arrow."""


def _variance(j: int) -> ModelFact:
    return ModelFact(
        f"variance {j + 1}",
        lambda m: float(m.explained_variance[j]) if j < len(m.mean) else None,
        "Variance of the scores along this component: what it explains.",
    )


@dataclass(frozen=True, eq=False)
class PCAModel(Model):
    """The mean (d,), the components (d, d) as rows of length 1, and the variance along each (d,), largest first."""

    mean: Array
    components: Array
    explained_variance: Array
    n: float
    """The number of samples, or the sum of their weights."""

    known_facts = (
        *map(_variance, range(_TOLD)),
        ModelFact(
            "explained by 1",
            lambda m: float(m.explained_variance_ratio[0]),
            "Share of the whole variance that is left when only these components are kept.",
        ),
        ModelFact(
            "explained by 1 and 2",
            lambda m: float(m.explained_variance_ratio[:2].sum()) if len(m.mean) > 2 else None,
            "Share of the whole variance that is left when only these components are kept.",
        ),
        ModelFact(
            "angle of 1, degrees",
            lambda m: float(np.degrees(np.arctan2(*m.components[0, ::-1]))) if len(m.mean) == 2 else None,
            "Direction of the first component, counterclockwise from the first input; of standardized inputs "
            "it is the angle between those, and the arrow in the units of the axes has another.",
        ),
        ModelFact(
            "squared error with 1",
            lambda m: m.squared_error,
            "Mean squared distance of the samples from the line of the first component.",
        ),
    )

    @property
    def explained_variance_ratio(self) -> Array:
        """The share of the total variance along each component, (d,)."""
        share = self.explained_variance / self.explained_variance[0]
        return np.asarray(share / share.sum())

    def transform(self, X: Array) -> Array:
        """The scores (n, d): how far from the mean each sample is along each component."""
        return np.asarray((np.asarray(X, dtype=np.float64) - self.mean) @ self.components.T)

    def inverse_transform(self, scores: Array) -> Array:
        """The places (n, d) with those scores (n, k) along the first k components, and 0 along the others."""
        scores = np.asarray(scores, dtype=np.float64)
        return np.asarray(scores @ self.components[: scores.shape[1]] + self.mean)

    def feet(self, X: Array) -> Array:
        """The nearest place (n, d) to each row of X on the line of the first component."""
        return self.inverse_transform(self.transform(X)[:, :1])

    @property
    def squared_error(self) -> float:
        """The mean squared distance of the samples from the line of the first component."""
        return float(self.explained_variance[1:].sum() * (1 - 1 / self.n))

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """Whether the first directions may be chance: Mauchly's test that the two largest variances are equal.

        Of two inputs it is exact for normal samples. Further ones push the largest variances of samples together and
        apart from the rest: equal ones are then taken for different more rarely than `_CHANCE` says.
        """
        if len(self.mean) < 2 or not self.explained_variance[1]:
            return ""
        ratio = float(self.explained_variance[1] / self.explained_variance[0])
        p = (4 * ratio / (1 + ratio) ** 2) ** (max(self.n - len(self.mean), 0.0) / 2)
        if p <= _CHANCE:
            return ""
        return f"the largest variances differ by no more than chance (p = {p:.2f}), so the directions may be arbitrary"

    def explain(self, x: Array, names: Names = CODES) -> Explanation:
        """The scores of a place, its foot on the first component and how far that is."""
        (scores,), foot = self.transform(x[None]), self.feet(x[None])
        if len(x) == 1:
            return Explanation(f"score {scores[0]:.3g}.", measured=True)
        *words, last = (f"{score:.3g}" for score in scores[:_TOLD])
        told, error = f"{', '.join(words)} and {last}", float(np.linalg.norm(x - foot[0]))
        marks = (Segments("neighbour", x[None], foot), Points("foot", foot)) if len(x) == 2 else ()
        return Explanation(
            f"scores {told}; the first alone reconstructs it with an error of {error:.3g}.", marks, measured=True
        )


@overlay("axes", "components", "arrows from the mean, one standard deviation √λ long")
def axes(model: PCAModel, context: Context) -> Sequence[Mark]:
    if context.plane is None:
        return ()
    plane = list(context.plane)
    deviations = np.sqrt(model.explained_variance[:_ARROWS])
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
def line(model: PCAModel, context: Context) -> Sequence[Mark]:
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


def _chosen(model: PCAModel, context: Context) -> tuple[Any, str]:
    """Which samples have their projection drawn, and what the legend says of the others."""
    n = len(context.X)
    if n <= _MOST:
        return np.arange(n), ""
    along = np.argsort(model.transform(context.X)[:, 0], kind="stable")
    return subsample(along, _MOST), f", {_MOST} of {n}"


@overlay("errors", "reconstruction errors", "from each sample to its projection")
def errors(model: PCAModel, context: Context) -> Sequence[Mark]:
    if context.plane is None or not len(context.X):
        return ()
    rows, some = _chosen(model, context)
    plane, X = list(context.plane), context.X[rows]
    label = f"reconstruction errors{some}"
    return (Segments("error", X[:, plane], model.feet(X)[:, plane], rows=context.rows[rows], label=label),)


@overlay("projections", "projections", "the nearest place to each sample on that line")
def feet(model: PCAModel, context: Context) -> Sequence[Mark]:
    if context.plane is None or not len(context.X):
        return ()
    rows, some = _chosen(model, context)
    return (Points("foot", model.feet(context.X[rows])[:, list(context.plane)], label=f"projections{some}"),)


@overlay("ellipses", "ellipses", "1 and 2 standard deviations in every direction", shown=False)
def ellipses(model: PCAModel, context: Context) -> Sequence[Mark]:
    if context.plane is None or len(model.mean) != 2:
        return ()
    half = model.components.T * np.sqrt(model.explained_variance)
    mean = np.tile(model.mean, (2, 1))
    return (Ellipses("spread", mean, np.stack((half, 2 * half)), label="1 and 2 standard deviations"),)


@chart("scree", "scree plot")
def scree(model: PCAModel, context: Context) -> Plot | None:
    """The variance along each component as a bar, and the share that it and those before explain."""
    variances = model.explained_variance
    d = len(variances)
    places = np.arange(1.0, d + 1)
    bars = rectangles(places - 0.35, places + 0.35, variances)
    marks: list[Mark] = [Polygons("bar", bars)]
    tops = np.column_stack((places, variances))
    if d <= _NAMED:
        shares = np.cumsum(model.explained_variance_ratio)
        marks.append(Text("path", tops, tuple(f"{100 * share:.3g} %" for share in shares)))
    title = "Scree plot, with the share explained so far" if d <= _NAMED else "Scree plot"
    limits = (0.4, d + 0.9, 0.0, 1.25 * float(variances[0]))
    return Plot("scree", title, "component", "variance", tuple(marks), limits, x_whole=True)


@chart("turning", "turning direction")
def turning(model: PCAModel, context: Context) -> Plot | None:
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
