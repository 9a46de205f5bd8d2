"""Shares of samples that may be weighted: undefined ones are NaN, and how sure the others are."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.quantiles import half_width


def ratio(part: ArrayLike, whole: ArrayLike) -> Array:
    """The parts divided by what they are parts of, of any shapes that fit; NaN where that is nothing."""
    part, whole = np.broadcast_arrays(np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64))
    found = np.full(part.shape, np.nan)
    np.divide(part, whole, out=found, where=whole > 0)
    return found


def weights_of(sample_weight: Array | None, n: int) -> Array:
    """What the n samples count, (n,): 1 each unless said otherwise."""
    return np.ones(n) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)


def class_numbers(labels: AnyArray, classes: AnyArray) -> Labels:
    """Which of the rising classes (k,) each label (n,) is; raises ValueError where it is none of them."""
    found = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    if len(labels) and (not len(classes) or (classes[found] != labels).any()):
        raise ValueError("A sample is of a class that is not among those to be scored.")
    return found


def wilson_interval(share: ArrayLike, count: ArrayLike, level: float = 0.95) -> tuple[Array, Array]:
    """The interval of a share observed among `count` samples, low and high; NaN where there are none.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927), 209-212. It
    stays within [0, 1] and does not shrink to a point where the share is 0 or 1. Weights count as so many samples.
    """
    square = half_width(level) ** 2
    share, count = np.broadcast_arrays(np.asarray(share, dtype=np.float64), np.asarray(count, dtype=np.float64))
    center = ratio(share * count + square / 2, np.where(count > 0, count + square, 0.0))
    spread = np.sqrt(square * (count * share * (1 - share) + square / 4))
    half = ratio(spread, np.where(count > 0, count + square, 0.0))
    # Where the share is 0 or 1 it is the limit, whatever rounding says.
    return np.clip(center - half, 0.0, share), np.clip(center + half, share, 1.0)
