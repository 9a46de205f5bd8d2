"""How sure the area under a ROC curve is.

E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, Comparing the areas under two or more correlated receiver operating
characteristic curves: a nonparametric approach, Biometrics 44 (1988), 837-845. Samples count 1 each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array, Mask
from mlviz.numerics.quantiles import half_width
from mlviz.numerics.scoring.shares import ratio, wilson_interval
from mlviz.spec.brief import Brief

_LEAST_VARIANCE = 1e-24
"""A smaller variance of an area, which is within [0, 1], is rounding."""


@dataclass(frozen=True, eq=False)
class AreaEstimate(Brief):
    """The area under a ROC curve and its variance, by DeLong."""

    auc: float
    variance: float
    """NaN where a class has a single sample."""
    n_positive: int
    n_negative: int

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Where the area of all samples, of which these are drawn, is expected, low and high.

        It is symmetric in ln(auc / (1 - auc)), so that it stays within [0, 1] and is asymmetric near its ends
        (M. S. Pepe, The Statistical Evaluation of Medical Tests (2003), section 5.2).

        Where the variance says nothing, as it is 0 or unknown, the area is taken for the share that it is of the
        min(m, n) pairs of a positive and a negative sample that have no sample in common, with Wilson's interval.
        """
        pairs = min(self.n_positive, self.n_negative)
        if not self.variance > _LEAST_VARIANCE or not 0 < self.auc < 1:
            low, high = wilson_interval(self.auc, pairs, level)
            return float(low), float(high)
        center = math.log(self.auc / (1 - self.auc))
        reach = half_width(level) * math.sqrt(self.variance) / (self.auc * (1 - self.auc))
        # By tanh, which does not overflow.
        return (1 + math.tanh((center - reach) / 2)) / 2, (1 + math.tanh((center + reach) / 2)) / 2


def delong(positive: Mask, scores: Array) -> AreaEstimate:
    """The area under the ROC curve of scores (n,), higher for `positive` samples (n,), with its variance."""
    above, below = _placements(positive, scores)
    return AreaEstimate(float(ratio(above.sum(), len(above))), _variance(above, below), len(above), len(below))


def _placements(positive: Mask, scores: Array) -> tuple[Array, Array]:
    """For each positive sample the share of negative ones below it, and for each negative one that of those above it.

    Equal scores count half; sorting takes n log n steps instead of comparing every pair (X. Sun and W. Xu, IEEE Signal
    Processing Letters 21 (2014), 1389-1393).
    """
    high, low = scores[positive], scores[~positive]
    return _share_below(high, low), 1 - _share_below(low, high)


def _share_below(values: Array, others: Array) -> Array:
    others = np.sort(others)
    twice = np.searchsorted(others, values, "left") + np.searchsorted(others, values, "right")
    return ratio(twice, 2 * len(others))


def _variance(of_positive: Array, of_negative: Array) -> float:
    """The variance of a mean over pairs, by what each positive and each negative sample contributes to it."""
    total = 0.0
    for parts in (of_positive, of_negative):
        m = len(parts)
        total += float(ratio(((parts - ratio(parts.sum(), m)) ** 2).sum(), max(m - 1, 0) * m))
    return total
