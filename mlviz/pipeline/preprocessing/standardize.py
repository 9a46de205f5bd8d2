"""Mean 0 and standard deviation 1 for every input."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.standardizing import mean_and_spread
from mlviz.pipeline.preprocessing.base import Preprocessing, Scaling


@dataclass(frozen=True)
class Standardize(Preprocessing):
    """Every input on its own: shifted to mean 0 and scaled to standard deviation 1 (divisor n)."""

    id = "standardize"
    label = "standardize"
    rank = 1
    help = (
        "every input gets mean 0 and standard deviation 1 before the fit, so that a distance along one axis counts as "
        'much as along the other; the layer "fit without standardization" shows what that changes'
    )
    sklearn = ("from sklearn.preprocessing import StandardScaler", "StandardScaler()")

    def learn(self, X: Array, sample_weight: Array | None = None) -> Scaling:
        """A scale and a shift for every column; a constant column is only centred."""
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        mean, spread = mean_and_spread(X, weights) if len(X) else np.zeros((2, X.shape[1]))
        scale = 1 / np.where(spread > 0, spread, 1.0)
        return Scaling("standardized", "of the standardized inputs", scale=scale, shift=-mean * scale)
