"""What methods that look for components ask of the samples first: that they differ."""

from __future__ import annotations

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.draw.numbers import number
from mlviz.numerics.arrays import Array


def spread_samples(X: Array, sample_weight: Array | None) -> tuple[Array, Array]:
    """The samples (m, d) that have weight, and their weights (m,); raises `CannotFit` where they have no variance."""
    weights = np.ones(len(X)) if sample_weight is None else sample_weight
    if not weights.all():
        X, weights = X[weights > 0], weights[weights > 0]
    if not np.ptp(X, axis=0).any():
        one = "There is only 1 sample" if len(X) == 1 else "All samples are at the same place"
        raise CannotFit(f"{one}; principal components need samples at two places at least.")
    n = float(weights.sum())
    if n <= 1:
        raise CannotFit(f"The weights add up to {number(n, 4)}; a variance needs a sum above 1.")
    return X, weights
