"""Which value of a hyperparameter to take, by the losses in several folds."""

from __future__ import annotations

from typing import Literal

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.scoring.shares import ratio

Simpler = Literal["low", "high"]
"""Whether lower or higher values make the simpler model."""
_ROUNDING = 1e-12


def mean_and_error(losses: Array) -> tuple[Array, Array]:
    """The mean (v,) of the losses (v, f) of v values in f folds, and its standard error (v,) as if folds were free.

    Folds without a loss, NaN, are left out. One fold alone has no standard error, nor has an infinite loss: NaN.
    """
    known = ~np.isnan(losses)
    count = known.sum(axis=1)
    mean = ratio(np.where(known, losses, 0.0).sum(axis=1), count)
    with np.errstate(invalid="ignore"):  # of losses without bound the mean has none either, and no error
        squares = (np.where(known, losses - mean[:, None], 0.0) ** 2).sum(axis=1)
    return mean, np.sqrt(ratio(squares, np.maximum(count - 1, 0) * count))


def best_value(mean: Array, values: Array, simpler: Simpler) -> int | None:
    """Which of the values (v,) has the least mean loss (v,), the simplest of several; None if none has a finite one."""
    finite = mean[np.isfinite(mean)]
    return _simplest(mean, float(finite.min()), values, simpler) if len(finite) else None


def as_good(mean: Array, place: int) -> list[int]:
    """The places of the mean losses (v,) that are no larger than the one at that place, but for rounding."""
    return [int(i) for i in np.flatnonzero(mean <= mean[place] + _ROUNDING * abs(mean[place]))]


def one_standard_error(mean: Array, error: Array, values: Array, simpler: Simpler) -> int | None:
    """Which of the values (v,) is the simplest whose mean loss is within one standard error of the least one.

    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, Classification and Regression Trees (1984), section 3.4.3.
    The error (v,) is that of the best value; where it is unknown, the best value is chosen.
    """
    best = best_value(mean, values, simpler)
    if best is None:
        return None
    return _simplest(mean, float(mean[best] + np.nan_to_num(error[best])), values, simpler)


def _simplest(mean: Array, most: float, values: Array, simpler: Simpler) -> int:
    """The simplest value with a loss up to that; rounding does not decide."""
    enough = np.flatnonzero(mean <= most + _ROUNDING * abs(most))
    return int(enough[np.argmin(values[enough]) if simpler == "low" else np.argmax(values[enough])])
