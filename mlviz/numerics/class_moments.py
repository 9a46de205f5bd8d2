"""Weights, means and covariances of samples by class (maximum likelihood: divided by the weight of the class).

Means and covariances are in units of the spread within the classes: there one floor suits every scale, and neither a
far origin nor classes far apart cost digits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.gaussians import Units
from mlviz.numerics.grid import Array
from mlviz.numerics.lloyd import Labels
from mlviz.numerics.standardizing import mean_and_spread

LARGEST, SMALLEST = 1e150, 1e-150
"""Spreads beyond have no square in floating point."""


@dataclass(frozen=True, eq=False)
class ClassMoments:
    """Of k classes; means and covariances in units."""

    units: Units
    counts: Array
    """(k,) the sum of the weights of each class's samples."""
    means: Array
    """(k, d)."""
    covariances: Array
    """(k, d, d)."""

    @classmethod
    def of(cls, X: Array, codes: Labels, weights: Array) -> ClassMoments | None:
        """Those of the samples X (n, d) of classes 0 to k - 1, none of them empty; None where floats end."""
        members = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            means, spreads = zip(*(mean_and_spread(X[rows], weights[rows]) for rows in members), strict=True)
            counts = np.array([weights[rows].sum() for rows in members])
            units = _units(X, weights, counts / counts.sum(), np.array(means), np.array(spreads))
        if not (units.scale.min() > SMALLEST and units.scale.max() < LARGEST):
            return None
        covariances = []
        for rows, mean, count in zip(members, means, counts, strict=True):
            centred = (X[rows] - mean) / units.scale
            covariances.append((centred * weights[rows, None]).T @ centred / count)
        return cls(units, counts, units.inside(np.array(means)), np.array(covariances))

    @property
    def pooled(self) -> Array:
        """The covariance (d, d) within the classes, each counting by its weight."""
        return np.asarray(np.einsum("k,kij->ij", self.counts / self.counts.sum(), self.covariances))


def _units(X: Array, weights: Array, shares: Array, means: Array, spreads: Array) -> Units:
    """The spread within the classes; of inputs that do not vary there, that of all samples."""
    largest = float(spreads.max()) or 1.0
    within = largest * np.sqrt(shares @ (spreads / largest) ** 2)
    if not within.all():
        within = np.where(within > 0, within, Units.of(X, weights).scale)
    return Units(within, shares @ means)
