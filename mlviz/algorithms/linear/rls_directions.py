"""The directions between which a linear classifier can choose, as arrows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from mlviz.draw.layer import Context, overlay
from mlviz.draw.marks import Arrows, Mark
from mlviz.draw.protocols import HasCentroids
from mlviz.numerics.arrays import Array


class HasDirections(HasCentroids, Protocol):
    """A linear classifier with the mean of all samples, and Mahalanobis' direction for two classes."""

    center: Array
    coef: Array

    @property
    def mahalanobis(self) -> Array:
        """The direction (d,)."""


@overlay(
    "directions",
    "directions",
    "arrows from the mean: w, and the directions that it has for a very large and a very small penalty",
    parts="probe",
    tasks=("classification",),
)
def arrows(model: HasDirections, context: Context) -> Sequence[Mark]:
    """From the mean: w, the direction between the centroids and that of Mahalanobis; their lengths say nothing."""
    if context.grid is None or model.coef.ndim > 1 or not model.coef.any():
        return ()
    between = model.centroids[1] - model.centroids[0]
    length = float(np.linalg.norm(between))
    # w is shorter, so that it is seen where it coincides with one of the others.
    shown = (
        ("centroid direction", between, 1.0, "from centroid to centroid"),
        ("Mahalanobis direction", model.mahalanobis, 1.0, "Mahalanobis direction"),
        ("weights", model.coef, 0.7, "direction of w"),
    )
    start = model.center[None]
    return [
        Arrows(role, start, start + share * length * direction / np.linalg.norm(direction), label=label)
        for role, direction, share, label in shown
        if 0 < np.linalg.norm(direction) < np.inf
    ]
