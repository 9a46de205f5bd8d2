"""What is drawn of a kernel density estimate: its field, its contours, the outliers, curves over one input."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlviz.algorithms.density.kde.model import KernelDensityModel
from mlviz.draw.contours import contour_lines, curves, join_lines, some_lines
from mlviz.draw.layer import Context, OnField, OnLine, chart, overlay
from mlviz.draw.marks import Field, Lines, Mark, Points, Polygons
from mlviz.draw.numbers import drawn_part, format_number
from mlviz.draw.overlays.gaussians import levels
from mlviz.draw.plot import Handle, Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.density.kernel_density import KernelDensity
from mlviz.numerics.density.kernel_width import LeftOutLikelihood, of_all, paired_samples
from mlviz.numerics.pauses import finished

_HEAPS = 60
"""Of more samples the single kernels are not drawn."""
_SHARE = 0.4
"""The curve over one input takes this share of the canvas's height."""
_NODES = 501
"""Nodes along the curve over one input."""
_DEPTH = 3.0
"""So far below its top the likelihood is shown, in logarithms of the density of a sample."""


@overlay("density field", "density", "the stronger the colour, the larger the density")
def density_field(model: KernelDensityModel, context: OnField) -> Sequence[Mark]:
    top = float(np.exp(model.drawn_log_densities[-1]))
    strength = 128 + 127 * np.clip(context.field / top, 0.0, 1.0)
    label = f"density, 0 to {format_number(top, 3)}"
    return (Field("density field", context.nodes.x, context.nodes.y, strength.astype(np.uint8), label=label),)


@overlay("density", "density contours", "places of the same density")
def contours(model: KernelDensityModel, context: OnField) -> Sequence[Mark]:
    wanted = np.exp(levels(model.drawn_log_densities)).tolist()
    lines = contour_lines(context.nodes, context.field, wanted, context.fine)
    return some_lines("density", join_lines(lines), "equal density")


@overlay(
    "outliers",
    "outliers",
    "samples whose leave-one-out density is low, and the line outside which densities are low",
)
def outliers(model: KernelDensityModel, context: Context) -> Sequence[Mark]:
    marks: list[Mark] = []
    if context.nodes is not None and context.field is not None:
        (line,) = contour_lines(context.nodes, context.field, [float(np.exp(model.outlier_level))], context.fine)
        marks += some_lines("outlier line", line, "density is low outside")
    if model.is_outlier is not None:
        marks += context.symbols("outlier", np.flatnonzero(model.is_outlier), "outliers (leave-one-out)")
    return marks


@overlay("density over one input", "density curve", "the density over the only input, from the lower rim of the canvas")
def height(model: KernelDensityModel, context: OnLine) -> Sequence[Mark]:
    density = model.density(context.line[:, None])
    top = float(density.max())
    if context.height is None or not top > 0:
        return ()
    low, high = context.height
    curve = np.column_stack((context.line, low + _SHARE * (high - low) * density / top))
    area = np.concatenate((curve, [(context.line[-1], low), (context.line[0], low)]))
    label = f"density of {context.axis_label(0)}, 0 to {format_number(top, 3)}"
    return Polygons("density area", (area,)), Lines("density curve", curve, label=label)


@chart("density curve", "density curve")
def curve_chart(model: KernelDensityModel, context: Context) -> Plot | None:
    """The density over one input, with the kernels it is the sum of; None for more inputs."""
    if model.X.shape[1] != 1:
        return None
    low, high = (float(end) for end in (model.X.min() - model.estimate.reach, model.X.max() + model.estimate.reach))
    x = np.linspace(low, high, _NODES)
    density = model.density(x[:, None])
    marks: list[Mark] = []
    if len(model.X) <= _HEAPS:
        total = model.weights.sum()
        bumps = [
            KernelDensity(place[None], np.ones(1), model.kernel, model.width).log_density(x[:, None])
            for place in model.X
        ]
        marks.append(Lines("basis", curves(x, np.exp(np.array(bumps)).T * model.weights / total), label="kernels"))
    level = float(np.exp(model.outlier_level))
    marks += [
        Lines("curve", np.column_stack((x, density)), label="density"),
        Lines("outlier line", np.array([(low, level), (high, level)]), label="density is low below"),
        Points("foot", np.column_stack((model.X[:, 0], np.zeros(len(model.X)))), label="samples"),
    ]
    if model.is_outlier is not None and model.is_outlier.any():
        far = model.X[model.is_outlier, 0]
        marks.append(Points("outlier", np.column_stack((far, np.zeros(len(far)))), label="outliers (leave-one-out)"))
    top = 1.1 * float(density.max())
    return Plot(
        "density curve", "Density", context.axis_label(0), "density", tuple(marks), (low, high, -0.05 * top, top)
    )


@chart("likelihood", "likelihood of the width")
def likelihood_chart(model: KernelDensityModel, context: Context) -> Plot | None:
    """The leave-one-out log-likelihood over the width, which can be dragged; None where it has no largest value."""
    X, weights = paired_samples(model.X, model.weights)
    if len(X) < 2:
        return None
    likelihood = LeftOutLikelihood(X, weights, model.kernel)
    if likelihood.unbounded:
        return None
    scale = of_all(len(X), model.weights, X.shape[1])
    low, high = likelihood.span
    coarse, between = finished(likelihood.curve(high, low)), finished(likelihood.curve(high * 2**-0.25, low))
    present = np.array([model.width / scale]), np.array([likelihood.at(model.width / scale)])
    widths, found = (np.concatenate(parts) for parts in zip(coarse, between, present, strict=True))
    order = np.argsort(widths)
    everything = float(model.weights.sum())  # of all samples, as the fact that tells it
    widths, found = widths[order] * scale, found[order] * everything
    shown = np.isfinite(found)
    top = float(found[shown].max())
    least = top - _DEPTH * everything
    at = int(np.searchsorted(widths, model.width))
    best = int(np.argmax(np.where(shown, found, -np.inf)))
    marks: list[Mark] = [
        Lines("curve", np.column_stack((widths, found))[shown], label="leave-one-out"),
        Points("foot", np.array([(widths[best], top)]), label="largest"),
    ]
    if shown[at]:
        marks.append(Points("now", np.array([(model.width, found[at])]), label="the present width"))
    n = int((model.weights > 0).sum())
    some = "" if len(X) == n else f", estimated by {drawn_part(len(X), n)}"
    return Plot(
        "likelihood",
        f"Leave-one-out likelihood{some}",
        context.measured("width h"),
        "log-likelihood",
        tuple(marks),
        (float(widths[0]), float(widths[-1]), least, top + 0.1 * (top - least)),
        x_scale="log",
        handles=_slider(model, context, widths),
    )


def _slider(model: KernelDensityModel, context: Context, widths: Array) -> tuple[Handle, ...]:
    """The present width, which can be moved to others, as far as a width may be set to them."""
    low, high = context.algorithm.parameter("width").valid
    values = widths[(widths >= low) & (widths <= high)]
    at = int(np.searchsorted(values, model.width))
    if not low <= model.width <= high:
        return ()
    places = np.column_stack((values, np.zeros(len(values))))
    return (Handle("algorithm.width", places, values, at, "h", "upright"),)
