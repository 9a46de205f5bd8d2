"""Scores against a threshold: ROC and precision-recall curves, the area under them, and what errors cost.

A sample counts as positive where its score is above the threshold, or where it is one of the thresholds of a curve: as
in scikit-learn they are the scores themselves, and `cuts` are numbers between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from mlviz.numerics.arrays import Array, Mask
from mlviz.numerics.scoring.shares import ratio, weights_of
from mlviz.spec.brief import Brief

_ROUNDING = 1e-12


def short_between(low: Array, middle: Array, high: Array) -> Array:
    """Numbers near those in the middle with few digits, not below `low` and below `high` (m,); the middle if none is.

    So a person can read and write them.
    """
    gap = high - low
    wanted = np.isfinite(gap) & (gap > 0)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        scale = 10.0 ** -np.floor(np.log10(np.where(wanted, gap, 1.0) / 2))
        short = np.round(middle * scale) / scale
    return np.where(wanted & (low <= short) & (short < high), short, middle)


@dataclass(frozen=True, eq=False)
class ThresholdCurve(Brief):
    """What is taken for positive at m + 1 thresholds, m being the number of different scores: none first, all last."""

    thresholds: Array
    """(m + 1,), falling: infinity, then the scores."""
    true_positives: Array
    """(m + 1,), in weights."""
    false_positives: Array
    """(m + 1,), in weights."""

    @property
    def true_positive_rate(self) -> Array:
        """The share of positive samples that are found, (m + 1,): the recall; NaN where there are none."""
        return ratio(self.true_positives, self.true_positives[-1])

    @property
    def false_positive_rate(self) -> Array:
        """The share of negative samples that are taken for positive, (m + 1,); NaN where there are none."""
        return ratio(self.false_positives, self.false_positives[-1])

    @property
    def precision(self) -> Array:
        """The share of positive ones among the samples taken for positive, (m + 1,); 1 where none is."""
        share = ratio(self.true_positives, self.true_positives + self.false_positives)
        share[0] = 1.0
        return share

    @cached_property
    def cuts(self) -> Array:
        """Thresholds (m + 1,) for "above" that part the samples as the points do, halfway between the scores."""
        upper, lower = self.thresholds[1:], self.thresholds[2:]
        with np.errstate(invalid="ignore"):  # Halfway between the infinities.
            middle = upper[:-1] / 2 + lower / 2
        # Between neighbouring numbers there is none: the lower one is not above itself.
        middle = np.where(middle < upper[:-1], middle, lower)
        middle = short_between(lower, middle, upper[:-1])
        return np.concatenate((self.thresholds[:2][-1:], middle, np.nextafter(upper[-1:], -np.inf)))

    def index_at(self, threshold: float) -> int:
        """Which point of the curve takes the samples above that threshold for positive."""
        return int(np.count_nonzero(self.thresholds[1:] > threshold))

    @property
    def auc(self) -> float:
        """The area under the ROC curve, by trapezoids.

        It is the probability that a positive sample has a higher score than a negative one, equal ones counting half
        (D. Bamber, Journal of Mathematical Psychology 12 (1975), 387-415).
        """
        area = np.trapezoid(self.true_positives, self.false_positives)
        return float(ratio(area, self.true_positives[-1] * self.false_positives[-1]))

    @property
    def average_precision(self) -> float:
        """The sum of the precisions, each times the recall that its point gains; not the area by trapezoids.

        J. Davis and M. Goadrich, The relationship between precision-recall and ROC curves, ICML 2006, 233-240, say why.
        """
        return float(ratio(np.diff(self.true_positives) @ self.precision[1:], self.true_positives[-1]))

    @property
    def positive_share(self) -> float:
        """The share of positive samples."""
        return float(ratio(self.true_positives[-1], self.true_positives[-1] + self.false_positives[-1]))


def threshold_curve(positive: Mask, scores: Array, sample_weight: Array | None = None) -> ThresholdCurve:
    """The ROC and the precision-recall curve of scores (n,), higher for samples that are `positive` (n,).

    T. Fawcett, An introduction to ROC analysis, Pattern Recognition Letters 27 (2006), 861-874. Samples without weight
    make no points.
    """
    weights = weights_of(sample_weight, len(positive))
    counted = weights > 0
    values, number = np.unique(scores[counted], return_inverse=True)
    hits = np.bincount(number, weights[counted] * positive[counted], len(values))
    alarms = np.bincount(number, weights[counted] * ~positive[counted], len(values))
    found, false = (np.concatenate(([0.0], np.cumsum(counts[::-1]))) for counts in (hits, alarms))
    return ThresholdCurve(np.concatenate(([np.inf], values[::-1])), found, false)


class LeastCost(NamedTuple):
    """Which point of a curve is the cheapest, and what a sample costs there."""

    place: int
    cost: float


def least_cost(curve: ThresholdCurve, cost_fp: float, cost_fn: float) -> LeastCost:
    """The cheapest point of a ROC curve, for what a false positive and a false negative cost, and its cost a sample.

    F. Provost and T. Fawcett, Robust classification for imprecise environments, Machine Learning 42 (2001), 203-231,
    section 2: with the share p of positive samples the expected cost is cost_fn p (1 - TPR) + cost_fp (1 - p) FPR, and
    equal on lines of the slope cost_fp (1 - p) / (cost_fn p). Of equally good points it is the one with the fewest
    samples taken for positive.
    """
    rise, run = cost_fp * (1 - curve.positive_share), cost_fn * curve.positive_share
    # Where a class has no samples, its errors cost the same everywhere.
    rates = np.nan_to_num(np.column_stack((curve.false_positive_rate, curve.true_positive_rate)))
    costs = rise * rates[:, 0] + run * (1 - rates[:, 1])
    index = int(np.argmax(costs <= costs.min() + _ROUNDING * (rise + run)))
    return LeastCost(index, float(costs[index]))


def line_through_square(point: Array, direction: Array) -> Array:
    """The ends (2, 2) in the unit square of the line through a point (2,) of it; directions (2,) are not negative."""
    along = direction > 0
    if not along.any():
        return np.full((2, 2), np.nan)
    back = (point[along] / direction[along]).min()
    forth = ((1 - point[along]) / direction[along]).min()
    return np.clip(point + np.array([[-back], [forth]]) * direction, 0.0, 1.0)
