"""Principal component analysis (Pearson 1901, doi:10.1080/14786440109462720; Hotelling 1933)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit, Code, Traits
from mlviz.algorithms.components.pca.model import PCAModel
from mlviz.algorithms.components.spread import spread_samples
from mlviz.algorithms.traits import Trial
from mlviz.draw.contours import some_lines
from mlviz.draw.inks import RoleInk, Tone
from mlviz.draw.layer import Context, OnPlane, chart, overlay
from mlviz.draw.marks import Arrows, Ellipses, Lines, Mark, Points, Segments, Text
from mlviz.draw.numbers import number
from mlviz.draw.overlays.loadings import projected_rows
from mlviz.draw.overlays.scree import scree_plot
from mlviz.draw.plot import Handle, Plot
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.clipping import clip_segments
from mlviz.numerics.linalg.principal_axes import principal_axes
from mlviz.spec import flag, real

_ARROWS = 3
"""So many components have an arrow."""


@overlay("axes", "components", "arrows from the mean, one standard deviation √λ long")
def axes_overlay(model: PCAModel, context: OnPlane) -> Sequence[Mark]:
    plane = list(context.plane)
    deviations = np.sqrt(model.explained_variance[:_ARROWS])
    deviations = deviations[deviations > 0]
    mean = np.tile(model.mean[plane], (len(deviations), 1))
    tips = mean + deviations[:, None] * model.components[: len(deviations)][:, plane]
    # On the axes they are neither as long nor at right angles.
    return (
        Arrows("component", mean, tips, label=f"{context.of_inputs('components')}, √λ long"),
        Points("foot", mean[:1], np.array([1.6])),
        Text("component", tips, tuple(str(j + 1) for j in range(len(tips)))),
    )


@overlay("line", "line of the first", "the line through the mean along the first component, and along the one by hand")
def line_overlay(model: PCAModel, context: OnPlane) -> Sequence[Mark]:
    """The lines of the first component and of the direction by hand."""
    first = _through_mean(model, model.components[0], context)
    marks = some_lines("component line", first, "first component")
    if not model.by_hand:
        return marks
    return *marks, *some_lines("attempt", _through_mean(model, model.direction, context), "direction by hand")


def _through_mean(model: PCAModel, direction: Array, context: OnPlane) -> Array:
    """The ends (2, 2) of a line from rim to rim of the view, or past the samples; none where it is out of sight."""
    plane = list(context.plane)
    mean, along = model.mean[plane], direction[plane]
    reach = 1.2 * float(np.abs((context.X - model.mean) @ direction).max())
    start, end = (mean - reach * along)[None], (mean + reach * along)[None]
    if context.grid is not None:
        x0, x1, y0, y1 = context.grid.limits
        reach = float(np.hypot(max(abs(x0 - mean[0]), abs(x1 - mean[0])), max(abs(y0 - mean[1]), abs(y1 - mean[1]))))
        start, end = clip_segments((mean - reach * along)[None], (mean + reach * along)[None], (x0, y0), (x1, y1))
    return np.concatenate((start, end))


def _chosen(model: PCAModel, context: Context) -> tuple[Any, str]:
    """Which samples have their projection drawn, and what the legend says of the line and of the others."""
    rows, n = projected_rows(model.transform(context.X)[:, 0]), len(context.X)
    line = " of the direction by hand" if model.by_hand else ""
    return rows, f"{line}, {len(rows)} of {n}" if len(rows) < n else line


@overlay("errors", "reconstruction errors", "from each sample to its projection")
def errors_overlay(model: PCAModel, context: OnPlane) -> Sequence[Mark]:
    rows, some = _chosen(model, context)
    plane, X = list(context.plane), context.X[rows]
    label = f"reconstruction errors{some}"
    return (Segments("error", X[:, plane], model.feet(X)[:, plane], rows=context.rows[rows], label=label),)


@overlay("projections", "projections", "the nearest place to each sample on that line")
def feet_overlay(model: PCAModel, context: OnPlane) -> Sequence[Mark]:
    rows, some = _chosen(model, context)
    return (Points("foot", model.feet(context.X[rows])[:, list(context.plane)], label=f"projections{some}"),)


@overlay(
    "turn",
    "ends of the direction",
    "drag them to turn the direction by hand; its variance and squared error stand beside those of the first component",
)
def turn_overlay(model: PCAModel, context: OnPlane) -> Sequence[Mark]:
    """The ends of the direction by hand, and what it has and the first component has."""
    if not model.by_hand:
        return ()
    ends = model.ends[:, list(context.plane)]
    first, total = model.components[0], model.total_variance
    variances, errors = (
        [number(of(direction), beside=total) for direction in (model.direction, first)]
        for of in (model.variance_along, model.squared_error_along)
    )
    told = (
        f"{context.of_inputs('variance')} {variances[0]}, at most {variances[1]}",
        f"{context.of_inputs('squared error')} {errors[0]}, at least {errors[1]}",
    )
    return Points("now", ends, label="drag to turn the direction"), Text("attempt", ends, told)


@overlay("ellipses", "ellipses", "1 and 2 standard deviations in every direction", shown=False)
def ellipses_overlay(model: PCAModel, context: OnPlane) -> Sequence[Mark]:
    if len(model.mean) != 2:
        return ()
    half = model.components.T * np.sqrt(model.explained_variance)
    mean = np.tile(model.mean, (2, 1))
    return (Ellipses("spread", mean, np.stack((half, 2 * half)), label="1 and 2 standard deviations"),)


@chart("scree", "scree plot")
def scree_chart(model: PCAModel, context: Context) -> Plot | None:
    """The variances of the model, or of all components where it was given two."""
    if context.components is None:
        return scree_plot(model.explained_variance, model.total_variance, context.of_inputs("variance"))
    variances = context.components.deviations**2
    return scree_plot(variances, float(variances.sum()))


@chart("turning", "turning direction")
def turning_chart(model: PCAModel, context: Context) -> Plot | None:
    """The variance along a direction in the plane, and what is left of the total, over the direction's angle."""
    if len(model.mean) != 2:
        return None
    first, second = model.explained_variance.tolist()
    at = float(np.degrees(np.arctan2(model.components[0, 1], model.components[0, 0]))) % 180
    turned = [] if model.angle is None else [model.angle]
    degrees = np.unique(np.concatenate((np.linspace(0, 180, 181), (at, (at + 90) % 180), turned)))
    away = np.radians(degrees - at)
    kept = first * np.cos(away) ** 2 + second * np.sin(away) ** 2
    others = 0.0 if context.components is None else float((context.components.deviations[2:] ** 2).sum())
    left = first + second + others - kept
    curve, errors = np.column_stack((degrees, kept)), np.column_stack((degrees, left))
    marks: list[Mark] = [
        Lines("curve", curve, label="variance along it"),
        Lines("path", errors, label="squared error"),
        Points("component", np.array([(at, first)]), label="first component"),
    ]
    handles: list[Handle] = []
    if model.angle is not None:
        here = int(np.searchsorted(degrees, model.angle))
        marks.append(Points("now", np.stack((curve[here], errors[here])), label="direction by hand"))
        handles.append(Handle("algorithm.angle", curve, degrees, here, label="direction by hand"))
    ticks, top = tuple((float(angle), f"{angle}°") for angle in range(0, 181, 45)), max(first, float(left.max()))
    limits = (0.0, 180.0, 0.0, 1.25 * top)
    title = "Turning direction"
    return Plot(
        "turning",
        title,
        "direction",
        context.of_inputs("variance"),
        tuple(marks),
        limits,
        x_ticks=ticks,
        handles=tuple(handles),
    )


@dataclass(frozen=True)
class PCA(Algorithm):
    """The directions in which the samples vary most, each at a right angle to those before.

    The first component u₁ is the direction of length 1 that maximises the variance λ₁ = u₁ᵀ S u₁ of the samples'
    projections; S = Σᵢ wᵢ (xᵢ − m)(xᵢ − m)ᵀ / (n − 1) is their covariance, m their mean, wᵢ the weight of a sample (1
    unless weights are given) and n the sum of the weights. The next component does so at a right angle to the first,
    and so on. They are the eigenvectors of S, and the variances λ₁ ≥ λ₂ ≥ … its eigenvalues.

    In the picture an arrow of length √λ, one standard deviation, goes from the mean along each component. The dashed
    line is that of the first one. A sample's projection is its foot on that line, and the thin segment between the two
    is what is lost when only the first score is kept: the reconstruction error. Of all lines this one has the smallest
    sum of squared errors: the variance along a line and the squared errors, divided by n − 1 too, add up to the total
    variance, so that where one is largest the other is smallest. The side plots show the variances, with the share that
    the first ones explain together, and how the two trade off while a direction turns; move the cursor over the canvas
    for the scores of a place.

    Switch "direction by hand" on to turn a direction of your own: by the two points on its line, by its slider, or by
    the point on the curve of the side plot. Its line, projections and errors are drawn, and its variance and squared
    error stand beside those of the first component, which no other direction beats.

    There are three ways to the components, which the facts compare: the eigenvectors of S, the singular vectors of the
    samples counted from their mean, and the eigenvectors v of the Gram matrix of all products (xᵢ − m)·(xⱼ − m), which
    lead to u = Σᵢ vᵢ (xᵢ − m), divided by its length. What is shown comes from the singular values, which keep most
    digits. The Gram matrix has a row for each sample, however many inputs there are, and can be replaced by a kernel.

    The sign of a component is arbitrary: here its largest entry is positive. Where the two largest variances
    differ so little that equal ones may well do so too, the samples do not say which directions they mean, and the line
    under the picture warns of it: of two inputs with equal variances in 95 % of all cases (Mauchly's test, 1940, exact
    for normal samples), of more inputs at least as often.
    Classes are not looked at. Components depend on units: an input with large numbers takes the first one. Standardized
    inputs count alike, but of two of them the components are always the diagonals; the arrows are at right angles in
    the standardized inputs, and no longer when they are drawn in the units of the axes.

    K. Pearson, On lines and planes of closest fit to systems of points in space, 1901, doi:10.1080/14786440109462720.
    I. Jolliffe, Principal Component Analysis, 2nd edition, 2002, doi:10.1007/b98835.
    """

    id = "pca"
    label = "principal component analysis"
    family = "Dimensionality reduction"
    tasks = ("decomposition",)
    main = "angle"
    trials = (
        Trial("the first component goes along the points", "linear"),
        Trial("hardly any direction is better than another", "circles"),
        Trial("the errors grow as you turn away from the first component", "linear", {"by_hand": True, "angle": 60.0}),
    )
    overlays = (ellipses_overlay, line_overlay, errors_overlay, feet_overlay, axes_overlay, turn_overlay)
    charts = (scree_chart, turning_chart)
    traits = Traits(playable=False)
    inks = {"spread": RoleInk(Tone(pale=0.25), width=1.6, dash="dotted")}

    by_hand: bool = flag(
        False, label="direction by hand", help="turn a direction of your own: its errors are drawn, not the best one's"
    )
    angle: float = real(
        0.0,
        soft=(0.0, 180.0),
        valid=(0.0, 180.0),
        help="degrees from the first input to the direction by hand, anticlockwise; of two inputs only",
        when=("by_hand", (True,)),
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[PCAModel]:
        """Yield the components, once."""
        X, weights = spread_samples(X, sample_weight)
        columns = np.ascontiguousarray(X.T)  # sums along rows of memory take a tenth of the time
        n = float(weights.sum())
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            found = principal_axes(columns, weights, n - 1)
        if found is None:
            raise CannotFit("The samples are too far apart or too close together to compute variances.")
        mean, axes, deviations = found
        yield PCAModel(
            mean, axes, deviations**2, n, angle=self.angle if self.by_hand else None, samples=(columns, weights)
        )

    @property
    def turned_by_hand(self) -> bool:
        """Whether there is a direction by hand."""
        return self.by_hand

    def turning_ends(self, X: Array) -> Array:
        """Two places (2, 2) on the line of the direction by hand among samples X (n, 2); raises `CannotFit`."""
        return self._of(X).ends

    def turned_to(self, X: Array, place: Array) -> PCA:
        """The method with the direction from the mean of samples X (n, 2) to a place (2,), to a tenth of a degree."""
        x, y = (place - self._of(X).mean).tolist()
        return self if x == y == 0 else self.replace(angle=round(math.degrees(math.atan2(y, x)), 1) % 180)

    def _of(self, X: Array) -> PCAModel:
        return next(iter(self.steps(X, None, np.random.default_rng(0))))

    def code(self, model: PCAModel) -> Code:
        """PCA; the signs of its components may be the other ones."""
        return Code(("from sklearn.decomposition import PCA",), ("PCA()",), result="explained_variance_")
