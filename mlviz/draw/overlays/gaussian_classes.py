"""Overlays of classifiers that describe each class by a Gaussian: ellipses, means, densities, outliers."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from mlviz.draw.contours import contour, contour_lines, join_lines
from mlviz.draw.layer import Context, overlay
from mlviz.draw.marks import Ellipses, Lines, Mark, Points
from mlviz.draw.overlays import probabilities
from mlviz.draw.overlays.centers import coloured_crosses
from mlviz.draw.overlays.mixtures import levels
from mlviz.draw.protocols import HasClassGaussians, HasClassMeans, HasDensity, HasOutliers

SIGMAS = (1, 2)
WIDEST = 1e4
"""An ellipse that is so many times as large as the view is none to be seen."""


@overlay(
    "ellipses",
    "class ellipses",
    "1 and 2 standard deviations from the mean of each class, in any direction",
)
def ellipses(model: HasClassGaussians, context: Context) -> Sequence[Mark]:
    if context.grid is None:
        return ()
    values, vectors = np.linalg.eigh(model.covariances)
    axes = vectors * np.sqrt(np.maximum(values, 0))[:, None, :]
    size = context.grid.size.max()
    return [
        Ellipses(
            f"ellipse {code}",
            np.repeat(mean[None], len(SIGMAS), axis=0),
            np.array([sigma * half for sigma in SIGMAS]),
            label="" if number else "1, 2 sigma",
        )
        for number, (code, mean, half) in enumerate(zip(model.classes, model.means, axes, strict=True))
        if np.abs(half).max() < WIDEST * size
    ]


@overlay("means", "class means", "the mean of each class")
def means(model: HasClassMeans, context: Context) -> Sequence[Mark]:
    if context.grid is None:
        return ()
    return (coloured_crosses(model.means, model.classes, "class means"),)


@overlay(
    "density",
    "density contours",
    "places of the same density p(x), of all classes together",
    shown=False,
)
def densities(model: HasDensity, context: Context) -> Sequence[Mark]:
    if context.grid is None:
        return ()
    density = context.grid.values(model.density_on_grid, model.score_samples, np.float32)
    lines = contour_lines(context.grid, density, levels(model.log_densities).tolist(), context.fine)
    xy = join_lines(lines)
    return (Lines("density", xy, label="equal density p(x)"),) if len(xy) else ()


@overlay("outliers", "outliers", "samples where the density p(x) is small, and where that begins")
def outliers(model: HasOutliers, context: Context) -> Sequence[Mark]:
    if not len(context.X):
        return ()
    marks: list[Mark] = []
    if context.grid is not None:
        density = context.grid.values(model.density_on_grid, model.score_samples, np.float32)
        line = contour(context.grid, density, model.outlier_level, fine=context.fine)
        if len(line):
            marks.append(Lines("outlier line", line, label="p(x) is small outside"))
    rows = np.flatnonzero(model.is_outlier(context.X))
    if len(rows):
        places = context.X[rows][:, :2] if context.grid is not None else np.full((len(rows), 2), np.nan)
        marks.append(Points("outlier", places, rows=context.rows[rows], label="outliers"))
    return marks


probability_contours = dataclasses.replace(probabilities.contours, shown=False)
