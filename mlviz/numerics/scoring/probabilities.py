"""How good predicted probabilities are: log loss, Brier score, calibration; and how the classes' scores are spread.

T. Gneiting and A. E. Raftery, Strictly proper scoring rules, prediction, and estimation, JASA 102 (2007), 359-378.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Mask
from mlviz.numerics.scoring.shares import class_numbers, ratio, weights_of, wilson_interval
from mlviz.spec.brief import Brief

_LEAST = float(np.finfo(np.float64).eps)
"""A smaller probability counts as this one, as in scikit-learn: else one sample could make the log loss infinite."""


def log_loss(y: AnyArray, probabilities: Array, classes: AnyArray, sample_weight: Array | None = None) -> float:
    """The mean of -ln of the probability that is predicted for the sample's own class, in nats.

    y (n,) are the classes of the samples, probabilities (n, k) has a column for each of the rising classes (k,).
    """
    weights = weights_of(sample_weight, len(y))
    own = probabilities[np.arange(len(y)), class_numbers(y, classes)]
    return float(ratio(-np.log(np.clip(own, _LEAST, 1 - _LEAST)) @ weights, weights.sum()))


def brier_score(y: AnyArray, probabilities: Array, classes: AnyArray, sample_weight: Array | None = None) -> float:
    """The mean squared difference between probabilities (n, k) and 1 for the sample's own class, 0 for the others.

    G. W. Brier, Monthly Weather Review 78 (1950), 1-3. Of two classes only the second one counts, so that the worst is
    1; of more the squares are added up over all classes, so that the worst is 2. Both are as in scikit-learn.
    """
    weights = weights_of(sample_weight, len(y))
    errors = (probabilities - np.eye(len(classes))[class_numbers(y, classes)]) ** 2
    of_samples = errors[:, 1] if len(classes) == 2 else errors.sum(axis=1)
    return float(ratio(of_samples @ weights, weights.sum()))


@dataclass(frozen=True, eq=False)
class Calibration(Brief):
    """Bins of predicted probabilities, b of them, and what came true in each; NaN in an empty one."""

    edges: Array
    """(b + 1,): a probability at an edge is in the bin below it."""
    predicted: Array
    """(b,): the mean probability that was predicted."""
    observed: Array
    """(b,): the share of samples of the class."""
    count: Array
    """(b,): how many samples there are, in weights."""
    low: Array
    """(b,): Wilson's interval of the observed share."""
    high: Array

    @property
    def expected_error(self) -> float:
        """The mean distance of what was observed from what was predicted (M. P. Naeini et al., AAAI 2015)."""
        filled = self.count > 0
        gaps = np.abs(self.observed - self.predicted)[filled]
        return float(ratio(gaps @ self.count[filled], self.count.sum()))


def calibration(
    positive: Mask,
    probability: Array,
    bins: int = 10,
    strategy: Literal["uniform", "quantile"] = "uniform",
    sample_weight: Array | None = None,
    level: float = 0.95,
) -> Calibration:
    """Compare the probability (n,) of a class with how often samples are of it, `positive` (n,).

    uniform   bins of equal width
    quantile  bins of as equal numbers of samples as ties allow; edges that coincide leave empty bins

    A. Niculescu-Mizil and R. Caruana, Predicting good probabilities with supervised learning, ICML 2005, 625-632.
    """
    weights = weights_of(sample_weight, len(positive))
    shares = np.linspace(0.0, 1.0, bins + 1)
    edges = shares if strategy == "uniform" else weighted_quantiles(probability, shares, weights)
    number = np.searchsorted(edges[1:-1], probability)
    count = np.bincount(number, weights, bins).astype(np.float64)
    observed = ratio(np.bincount(number, weights * positive, bins), count)
    predicted = ratio(np.bincount(number, weights * probability, bins), count)
    return Calibration(edges, predicted, observed, count, *wilson_interval(observed, count, level))


def weighted_quantiles(values: Array, shares: Array, weights: Array) -> Array:
    """The quantiles of values (n,) at shares (q,) in [0, 1], as NumPy's of values repeated as often as they weigh.

    R. J. Hyndman and Y. Fan, The American Statistician 50 (1996), 361-365, definition 7. NaN where there are no values.
    """
    order = np.argsort(values, kind="stable")
    order = order[weights[order] > 0]
    if not len(order):
        return np.full(len(shares), np.nan)
    ends = np.cumsum(weights[order])
    place = shares * max(ends[-1] - 1, 0.0)
    # Rounding must not decide on which side of an edge a sample is that is to be the edge.
    place = np.where(np.abs(place - np.rint(place)) < 1e-9, np.rint(place), place)
    whole = np.floor(place)
    below, above = (
        values[order[np.minimum(np.searchsorted(ends, at, side="right"), len(order) - 1)]] for at in (whole, whole + 1)
    )
    return np.asarray(below + (place - whole) * (above - below))


@dataclass(frozen=True, eq=False)
class ScoreHistogram(Brief):
    """How many samples of each class have a score in each of the bins."""

    edges: Array
    """(b + 1,): a score at an edge is in the bin above it, at the last one in the last bin."""
    counts: Array
    """(k, b), in weights."""


def score_histogram(
    y: AnyArray,
    scores: Array,
    classes: AnyArray,
    bins: int | Array = 20,
    sample_weight: Array | None = None,
) -> ScoreHistogram:
    """Count the scores (n,) of the samples of each of the rising classes (k,), y (n,) being theirs.

    `bins` is a number of bins between the least and the largest score, or their edges. Infinite scores are left out.
    """
    finite = np.isfinite(scores)
    weights = weights_of(sample_weight, len(y))[finite]
    numbers, scores = class_numbers(y[finite], classes), scores[finite]
    edges = _even_edges(scores, bins) if isinstance(bins, int) else bins
    counts = [
        np.histogram(scores[mine], edges, weights=weights[mine])[0]
        for mine in np.arange(len(classes))[:, None] == numbers
    ]
    return ScoreHistogram(edges, np.reshape(counts, (len(classes), len(edges) - 1)).astype(np.float64))


def _even_edges(values: Array, bins: int) -> Array:
    """So many bins of equal width from the least to the largest value; wider where these are hardly two numbers."""
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        half = 0.5 * max(1.0, abs(low), abs(high))
        low, high = low - half, high + half
    return np.linspace(low, high, bins + 1)
