"""What Gaussian classes of one shape say: linear scores, and the direction that parts the classes best."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import ModelFact
from mlviz.algorithms.gaussian.model import GaussianClassesModel
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid, as_dtype

_SAME = 1e-9
"""Means closer than this, in standard deviations, are not apart in any direction."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LDAModel(GaussianClassesModel):
    """A Gaussian for each of the classes (k,), all of the same covariance."""

    known_facts = (
        *GaussianClassesModel.known_facts,
        ModelFact(
            "Bayes error of the model",
            lambda m: m.bayes_error if len(m.classes) == 2 else None,
            "Share of the samples that the model itself would draw which it would put into the wrong class; "
            "Φ(−δ/2) for equal priors, δ being the distance of the means.",
        ),
    )

    @cached_property
    def _linear(self) -> tuple[Array, Array]:
        """Weights (k, d) and offsets (k,) of the classes' linear scores, in units."""
        weights = np.asarray(np.linalg.solve(self.pooled, self.mixture.means.T).T, dtype=np.float64)
        return weights, np.log(self.priors) - 0.5 * (weights * self.mixture.means).sum(axis=1)

    @property
    def coef(self) -> Array:
        """(d,) of the log odds of two classes; else (k, d), of a score of each class."""
        if len(self.classes) == 2:
            weights, _ = self._linear
            return np.asarray((weights[1] - weights[0]) / self.units.scale)
        return np.asarray(np.linalg.solve(self.pooled, (self.means / self.units.scale).T).T / self.units.scale)

    @property
    def intercept(self) -> Any:
        """What is added: a number for two classes, else (k,)."""
        if len(self.classes) == 2:
            _, offsets = self._linear
            return float(offsets[1] - offsets[0] - self.coef @ self.units.shift)
        return np.log(self.priors) - 0.5 * (self.coef * self.means).sum(axis=1)

    def decision_function(self, X: Array) -> Array:
        """Two classes: the log odds (n,) of classes[1]. Else log(prior times density) of each class, (n, k)."""
        if len(self.classes) != 2:
            return super().decision_function(X)
        weights, offsets = self._linear
        inside = self.units.inside(np.asarray(X, dtype=np.float64))
        return np.asarray(inside @ (weights[1] - weights[0]) + (offsets[1] - offsets[0]))

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> NDArray[Any]:
        """The decision function at every node, (ny, nx) or (ny, nx, k)."""
        if len(self.classes) != 2:
            return super().on_grid(grid, dtype)
        weights, offsets = self._linear
        inside, (across, up) = self._in_units(grid), weights[1] - weights[0]
        with np.errstate(over="ignore"):
            along_x = as_dtype(across * inside.x + (offsets[1] - offsets[0]), dtype)
            return np.asarray(np.add.outer(as_dtype(up * inside.y, dtype), along_x))

    @cached_property
    def scalings(self) -> Array:
        """Fisher's directions (r, d), the best one first: along each, scores vary by 1 within the classes.

        As many as the means span, in the order of the variance of the means' scores.
        """
        whitening = np.linalg.inv(np.linalg.cholesky(self.pooled))
        shares = self.counts / self.counts.sum()
        white = self.mixture.means @ whitening.T
        _, sizes, rows = np.linalg.svd(np.sqrt(shares)[:, None] * (white - shares @ white), full_matrices=False)
        found = rows[sizes > _SAME] @ whitening
        # A direction has no sense of its own: it goes from the first class to the last.
        across = found @ (self.mixture.means[-1] - self.mixture.means[0])
        return np.asarray(np.where(across < 0, -1.0, 1.0)[:, None] * found / self.units.scale)

    def transform(self, X: Array) -> Array:
        """The scores along Fisher's directions, (n, r), 0 at the mean of all samples."""
        return np.asarray((np.asarray(X, dtype=np.float64) - self.units.shift) @ self.scalings.T)

    @property
    def bayes_error(self) -> float:
        """How many of the samples that the model itself would draw it would put into the wrong one of two classes."""
        first, second = map(float, self.priors)
        distance = self.distance_of_means
        if not distance:
            return min(first, second)
        shift = math.log(second / first) / distance
        return first * _normal_below(shift - distance / 2) + second * _normal_below(-shift - distance / 2)


def _normal_below(z: float) -> float:
    """How many standard normal numbers are below z."""
    return 0.5 * math.erfc(-z / math.sqrt(2))
