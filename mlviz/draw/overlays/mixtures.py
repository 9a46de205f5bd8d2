"""Overlays of Gaussian mixtures: regions, contours of the density, ellipses, responsibilities and means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.contours import contour_lines, join_lines
from mlviz.draw.layer import Context, overlay
from mlviz.draw.marks import Ellipses, Field, Lines, Mark, Points
from mlviz.draw.overlays import regions as overlays
from mlviz.draw.overlays.centers import coloured_crosses
from mlviz.draw.overlays.clusters import trail_marks
from mlviz.draw.protocols import (
    HasGaussians,
    HasLogDensities,
    HasMeans,
    HasResponsibilities,
    HasSharesOnGrid,
    HasTrail,
)
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid

LEVELS = 7
"""There are at most so many contours."""
SIGMAS = (1, 2, 3)


@overlay("regions", "regions", "which component is the most responsible; paler where it is unsure")
def regions(model: HasSharesOnGrid, context: Context) -> Sequence[Mark]:
    if context.grid is None:
        return ()

    def on_grid(grid: Grid, dtype: Any) -> NDArray[Any]:
        return np.moveaxis(model.shares_on_grid(grid, dtype), 0, -1)

    shares = context.grid.values(on_grid, model.predict_proba, np.float32)
    top, second, first = overlays.ranked(np.moveaxis(shares, -1, 0))
    strength = (45 + 95 * (top - np.maximum(second, 0))).astype(np.uint8)
    return (Field("region", context.grid.x, context.grid.y, strength, first.astype(np.uint8)),)


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
        if len(inside) <= LEVELS:
            break
    return np.asarray(inside * np.log(10))


@overlay("density", "density contours", "places of the same density")
def contours(model: HasLogDensities, context: Context) -> Sequence[Mark]:
    if context.grid is None or context.field is None:
        return ()
    lines = contour_lines(context.grid, context.field, levels(model.log_densities).tolist(), context.fine)
    xy = join_lines(lines)
    return (Lines("density", xy, label="equal density"),) if len(xy) else ()


@overlay("ellipses", "ellipses", "1, 2 and 3 standard deviations from the mean of each component")
def ellipses(model: HasGaussians, context: Context) -> Sequence[Mark]:
    if context.grid is None:
        return ()
    values, vectors = np.linalg.eigh(model.covariances)
    axes = vectors * np.sqrt(np.maximum(values, 0))[:, None, :]
    return [
        Ellipses(
            f"ellipse {code}",
            np.repeat(mean[None], len(SIGMAS), axis=0),
            np.array([sigma * half for sigma in SIGMAS]),
            label="" if code else "1, 2, 3 sigma",
        )
        for code, (mean, half) in enumerate(zip(model.means, axes, strict=True))
    ]


@overlay(
    "responsibilities",
    "responsibilities",
    "a dot in each sample: the components' colours, mixed by their responsibilities",
)
def responsibilities(model: HasResponsibilities, context: Context) -> Sequence[Mark]:
    # Tied to the samples, the dots have a place also where the axes are not the inputs.
    places = context.X if context.grid is not None else np.full((len(context.X), 2), np.nan)
    shares, labels = model.responsibilities.astype(np.float32), model.labels
    marks = []
    for code in range(shares.shape[1]):
        mine = np.flatnonzero(labels == code)
        if len(mine):
            name = f"component {code + 1}"
            marks.append(Points(f"member {code}", places[mine], None, context.rows[mine], shares[mine], label=name))
    return marks


@overlay("trails", "path of the means", "where the means have been since the start")
def trails(model: HasTrail, context: Context) -> Sequence[Mark]:
    return trail_marks(model, context, "path of the means")


@overlay("means", "means", "the mean of each component")
def means(model: HasMeans, context: Context) -> Sequence[Mark]:
    if context.grid is None:
        return ()
    return (coloured_crosses(model.means, range(len(model.means)), "means"),)
