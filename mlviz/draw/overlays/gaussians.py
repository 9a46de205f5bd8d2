"""Overlays of Gaussians, of a mixture or of classes: regions, density, ellipses, responsibilities, means, outliers."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from mlviz.draw.contours import contour_lines, join_lines, some_lines, traced_nodes
from mlviz.draw.layer import Context, OnField, OnGrid, OnNodes, overlay
from mlviz.draw.marks import Ellipses, Field, Mark
from mlviz.draw.overlays import probabilities
from mlviz.draw.overlays import regions as overlays
from mlviz.draw.overlays.centroids import MOST_CODES, coloured_crosses, trail_marks
from mlviz.draw.protocols import (
    HasClassGaussians,
    HasDensity,
    HasGaussians,
    HasLogDensities,
    HasOutliers,
    HasResponsibilities,
    HasTrail,
)
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.grid import Grid

MOST_LEVELS = 7
"""There are at most so many contours."""
WIDEST_ELLIPSE = 1e4
"""An ellipse that is so many times as large as the view is none to be seen."""


@overlay("regions", "regions", "which component is the most responsible; paler where it is uncertain")
def regions(model: HasResponsibilities, context: OnNodes) -> Sequence[Mark]:

    def on_grid(grid: Grid, dtype: Any) -> AnyArray:
        return np.moveaxis(model.shares_on_grid(grid, dtype), 0, -1)

    shares = context.nodes.values(on_grid, model.predict_proba, np.float32)
    top, second, first = overlays.ranked(np.moveaxis(shares, -1, 0))
    strength = overlays.shade(top - np.maximum(second, 0))
    return (Field("region", context.nodes.x, context.nodes.y, strength, (first % MOST_CODES).astype(np.uint8)),)


def levels(log_densities: Array) -> Array:
    """Round densities (1, 2 or 5 times a power of ten, or powers of ten alone), as logarithms, among those of samples.

    `log_densities` (n,) are natural logarithms; so are the levels, rising.
    """
    low, high = np.quantile(log_densities, (0.05, 0.98)) / np.log(10)
    if not high - low < 200:  # as when a component has nearly collapsed
        low = high - 200
    decades = np.arange(np.floor(low), np.ceil(high) + 1)
    fine = np.add.outer(decades, np.log10((1, 2, 5))).ravel()
    candidates = [fine, *(decades[decades % step == 0] for step in (1, 2, 5, 10, 20, 50, 100))]
    for found in candidates:
        inside = found[(found >= low) & (found <= high)]
        if len(inside) <= MOST_LEVELS:
            break
    return np.asarray(inside * np.log(10))


@overlay("density", "density contours", "places of the same density")
def contours(model: HasLogDensities, context: OnField) -> Sequence[Mark]:
    lines = contour_lines(context.nodes, context.field, levels(model.log_densities).tolist(), context.fine)
    return some_lines("density", join_lines(lines), "equal density")


def _ellipses(
    model: HasGaussians, codes: Iterable[int], sigmas: Sequence[int], label: str, widest: float = np.inf
) -> list[Mark]:
    """So many standard deviations about each Gaussian that is not too wide; the first one has the label."""
    values, vectors = np.linalg.eigh(model.covariances)
    axes = vectors * np.sqrt(np.maximum(values, 0))[:, None, :]
    return [
        Ellipses(
            f"ellipse {code}",
            np.repeat(mean[None], len(sigmas), axis=0),
            np.array([sigma * half for sigma in sigmas]),
            label="" if number else label,
        )
        for number, (code, mean, half) in enumerate(zip(codes, model.means, axes, strict=True))
        if np.abs(half).max() < widest
    ]


@overlay("ellipses", "ellipses", "1, 2 and 3 standard deviations from the mean of each component")
def ellipses(model: HasGaussians, context: OnGrid) -> Sequence[Mark]:
    return _ellipses(model, range(len(model.means)), (1, 2, 3), "1, 2, 3 sigma")


@overlay(
    "responsibilities",
    "responsibilities",
    "a dot in each sample: the components' colours, mixed by their responsibilities",
)
def responsibilities(model: HasResponsibilities, context: Context) -> Sequence[Mark]:
    shares = model.responsibilities.astype(np.float32)
    members = ((code, np.flatnonzero(model.labels == code)) for code in range(shares.shape[1]))
    return [
        mark
        for code, mine in members
        for mark in context.symbols(f"member {code}", mine, f"component {code + 1}", mix=shares[mine])
    ]


@overlay("trails", "path of the means", "where the means have been since the start")
def trails(model: HasTrail, context: Context) -> Sequence[Mark]:
    return trail_marks(model, context, "path of the means")


@overlay("means", "means", "the mean of each component")
def means(model: HasGaussians, context: OnGrid) -> Sequence[Mark]:
    return (coloured_crosses(model.means, range(len(model.means)), "means"),)


@overlay(
    "ellipses",
    "class ellipses",
    "1 and 2 standard deviations from the mean of each class, in any direction",
)
def class_ellipses(model: HasClassGaussians, context: OnGrid) -> Sequence[Mark]:
    return _ellipses(model, model.classes, (1, 2), "1, 2 sigma", WIDEST_ELLIPSE * context.grid.size.max())


@overlay("means", "class means", "the mean of each class")
def class_means(model: HasClassGaussians, context: OnGrid) -> Sequence[Mark]:
    return (coloured_crosses(model.means, model.classes, "class means"),)


@overlay(
    "density",
    "density contours",
    "places of the same density p(x), of all classes together",
    shown=False,
)
def densities(model: HasDensity, context: OnNodes) -> Sequence[Mark]:
    nodes = traced_nodes(context.nodes, context.fine)
    density = nodes.values(model.density_on_grid, model.score_samples, np.float32)
    lines = contour_lines(nodes, density, levels(model.log_densities).tolist(), fine=True)
    return some_lines("density", join_lines(lines), "equal density p(x)")


@overlay("outliers", "outliers", "samples where the density p(x) is low, and the line outside which it is")
def outliers(model: HasOutliers, context: Context) -> Sequence[Mark]:
    marks: list[Mark] = []
    if context.nodes is not None:
        nodes = traced_nodes(context.nodes, context.fine)
        density = nodes.values(model.density_on_grid, model.score_samples, np.float32)
        (line,) = contour_lines(nodes, density, [model.outlier_level], fine=True)
        marks += some_lines("outlier line", line, "p(x) is low outside")
    return [*marks, *context.symbols("outlier", np.flatnonzero(model.is_outlier(context.X)), "outliers")]


probability_contours = dataclasses.replace(probabilities.contours, shown=False)
