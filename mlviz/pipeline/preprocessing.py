"""Preprocessing: one scale and one shift for every input, learned from the samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.grid import Array


@dataclass(frozen=True, eq=False)
class Scaling:
    """Model coordinates are ``scale * x + shift``; scale and shift are (d,), scale not 0."""

    scale: Array
    shift: Array

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
    weights = np.ones(len(X)) if sample_weight is None else sample_weight
    weights = weights / weights.sum()
    # Dividing by the largest magnitude first keeps the squares from overflowing and from vanishing.
    size = np.abs(X).max(axis=0)
    size[size < np.finfo(np.float64).tiny] = 1.0
    unit = X / size
    mean = weights @ unit
    mean = mean + weights @ (unit - mean)
    spread = np.sqrt(weights @ (unit - mean) ** 2)
    # Rounding leaves a constant column with a spread of a few units in the last place of its mean.
    constant = spread <= 4 * np.finfo(np.float64).eps * np.abs(mean)
    scale = 1 / np.where(constant, 1.0, spread * size)
    return Scaling(scale, -mean * size * scale)
