"""Mean and standard deviation of weighted samples, whatever their units and however far from 0 they are."""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array

_SMALLEST = 1e-100
"""A column with a smaller spread is as good as constant: squares of what is divided by it would have no number."""


def weighted_mean(values: Array, share: Array) -> float:
    """The mean of values (n,), shares (n,) adding up to 1: between the least and the largest, whatever rounding says.

    So the mean of values that are all alike is theirs, and nothing is left of them when it is subtracted.
    """
    return mean_and_size(values, share)[0]


def mean_and_size(values: Array, share: Array) -> tuple[float, float]:
    """The same mean, and the largest magnitude."""
    low, high = float(values.min()), float(values.max())
    return min(max(float(share @ values), low), high), max(-low, high)


def mean_and_spread(X: Array, weights: Array) -> tuple[Array, Array]:
    """Mean (d,) and standard deviation (d,) of the columns of X (n, d), divisor the sum of the weights (n,).

    The deviation is 0 exactly where a column is constant, but for rounding or for less than a float has digits for.
    """
    share = weights / weights.sum()
    # Dividing by the largest magnitude first keeps the squares from overflowing and from vanishing.
    size = np.abs(X).max(axis=0)
    size[size < np.finfo(np.float64).tiny] = 1.0
    unit = X / size
    mean = share @ unit
    mean = mean + share @ (unit - mean)
    spread = np.sqrt(share @ (unit - mean) ** 2)
    # Rounding leaves a constant column with a spread of a few units in the last place of its mean.
    spread[spread <= 4 * np.finfo(np.float64).eps * np.abs(mean)] = 0.0
    spread[spread * size < np.finfo(np.float64).tiny] = 0.0
    return mean * size, spread * size


def standardized(X: Array, weights: Array) -> tuple[Array, Array, Array]:
    """Mean (d,) and standard deviation (d,) of the columns of X (n, d), and the columns (d, n) in these units.

    A constant column is 0 in units of 1.
    """
    mean, spread = mean_and_spread(X, weights)
    constant = spread < _SMALLEST
    spread[constant] = 1.0
    columns = (X.T - mean[:, None]) / spread[:, None]
    columns[constant] = 0.0
    return mean, spread, columns
