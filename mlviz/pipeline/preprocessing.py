"""Preprocessing: one scale and one shift for every input, learned from the samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.standardizing import mean_and_spread


@dataclass(frozen=True, eq=False)
class Scaling:
    """Model coordinates are ``scale * x + shift``; scale and shift are (d,), scale not 0."""

    scale: Array
    shift: Array

    @property
    def changes(self) -> bool:
        """Whether the model's coordinates are others than the user's."""
        return bool((self.scale != 1).any() or (self.shift != 0).any())

    def to_model(self, X: Array) -> Array:
        """The places X (n, d) in model coordinates."""
        return X * self.scale + self.shift

    def back(self) -> tuple[Array, Array]:
        """Scale and shift of the way back to the user's coordinates, (d,) each."""
        return 1 / self.scale, -self.shift / self.scale


def unscaled(d: int) -> Scaling:
    """Model coordinates that are the user's own."""
    return Scaling(np.ones(d), np.zeros(d))


def standardizing(X: Array, sample_weight: Array | None = None) -> Scaling:
    """Mean 0 and standard deviation 1 (divisor n) for every column of X (n, d); a constant column is only centred."""
    mean, spread = mean_and_spread(X, np.ones(len(X)) if sample_weight is None else sample_weight)
    scale = 1 / np.where(spread > 0, spread, 1.0)
    return Scaling(scale, -mean * scale)
