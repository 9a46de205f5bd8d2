"""The thin-plate spline: the smoothest surface through values at places of the plane, a plane where that suffices.

J. Duchon, Splines minimizing rotation-invariant semi-norms in Sobolev spaces (1977). Through three places that are on
no line it is their plane; through fewer, the level or the flattest plane.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.distances import distance_measure
from mlviz.spec.brief import Brief


@dataclass(frozen=True, eq=False)
class ThinPlate(Brief):
    """f(x) = a + b·z + Σᵢ wᵢ |z − zᵢ|² log |z − zᵢ| with z = (x − middle) / unit; Σᵢ wᵢ and Σᵢ wᵢ zᵢ are 0."""

    middle: Array
    """The mean of the places (2,)."""
    unit: Array
    """The extent of the places along each axis (2,)."""
    centers: Array
    """The places zᵢ (m, 2)."""
    weights: Array
    """The weights wᵢ (m,)."""
    plane: Array
    """The constant a and the slopes b, (3,)."""

    @classmethod
    def through(cls, places: Array, values: Array) -> ThinPlate:
        """The surface through values (m,) at places (m, 2), no two the same."""
        low, high = places.min(axis=0), places.max(axis=0)
        extent = high - low
        unit = np.where(extent > 0, extent, extent.max() or 1.0)
        middle = places.mean(axis=0)
        z = (places - middle) / unit
        P = np.column_stack((np.ones(len(z)), z))
        m = len(z)
        system = np.zeros((m + 3, m + 3))
        system[:m, :m] = _radial(z, z)
        system[:m, m:], system[m:, :m] = P, P.T
        # The shortest solution: places on a line say nothing of the slope across it.
        right = np.concatenate((values, np.zeros(3)))
        found = np.asarray(np.linalg.lstsq(system, right, rcond=1e-12)[0], dtype=np.float64)
        return cls(middle, unit, z, found[:m], found[m:])

    def values(self, places: Array) -> Array:
        """The heights (n,) at places (n, 2)."""
        z = (places - self.middle) / self.unit
        return np.asarray(_radial(z, self.centers) @ self.weights + self.plane[0] + z @ self.plane[1:])

    def slopes(self, tolerance: float = 1e-9) -> Array | None:
        """The slopes (2,) where it is a plane: where no weight is above that share of the heights; else None."""
        bend = float(np.abs(self.weights).max(initial=0.0))
        size = float(np.abs(self.plane).max())
        return self.plane[1:] / self.unit if bend <= tolerance * size else None


def _radial(z: Array, centers: Array) -> Array:
    """r² log r (n, m) for the distances r of places (n, 2) from centres (m, 2)."""
    differences = [z[:, j, None] - centers[:, j] for j in range(2)]
    squared = distance_measure(differences, "euclidean")
    return np.asarray(squared * np.log(np.where(squared > 0, squared, 1.0)) / 2)
