"""What models have in common whose density is a weighted sum of Gaussians: of clusters, or of classes."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from mlviz.algorithms.base import Model
from mlviz.numerics.arrays import Array
from mlviz.numerics.density.gaussian_mixture import Gaussians, Units, log_density, to_responsibilities
from mlviz.numerics.grid import Grid


class GaussianDensity(Model):
    """Gaussians, computed with in units in which the samples are about 0 and of size 1."""

    mixture: Gaussians
    """The Gaussians of the samples in those `units`."""
    units: Units

    def _joint(self, X: Array) -> Array:
        """Log(weight times density) of every Gaussian at places X (n, d), (k, n), densities being those of units."""
        raise NotImplementedError

    @cached_property
    def _outside(self) -> Gaussians:
        return self.mixture.outside(self.units)

    @property
    def means(self) -> Array:
        """(k, d)."""
        return self._outside.means

    @property
    def covariances(self) -> Array:
        """(k, d, d), full matrices whatever their type."""
        return self._outside.covariances

    @property
    def _log_unit(self) -> float:
        return float(np.log(self.units.scale).sum())

    def _in_units(self, grid: Grid) -> Grid:
        scale, shift = self.units.scale, self.units.shift
        return grid.scaled(1 / scale, -shift / scale)

    def predict_proba(self, X: Array) -> Array:
        """How probable each Gaussian is at each place, (n, k)."""
        return np.asarray(to_responsibilities(self._joint(X))[0].T)

    def score_samples(self, X: Array) -> Array:
        """Log p(x), the density of all Gaussians together, (n,)."""
        return np.asarray(log_density(self._joint(X)) - self._log_unit)
