"""Whether one method is better than another, judged on the same samples or the same folds.

What has no value is NaN: the tests on folds where the differences in all folds are alike, as those of one method from
itself are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mlviz.numerics.arrays import Array, Mask
from mlviz.numerics.quantiles import half_width
from mlviz.numerics.scoring.shares import ratio
from mlviz.spec.brief import Brief

_ROUNDING = 1e-12
"""Differences of the folds that vary by less than this share of their size are alike."""


@dataclass(frozen=True, eq=False)
class PairedTest(Brief):
    """A test of no difference between two methods, and the interval of their difference."""

    difference: float
    """That of the first from the second, in the units of the scores."""
    low: float
    high: float
    statistic: float
    p_value: float
    """Two-sided: the probability of such a difference, or a larger one, if there were none."""


def mcnemar(first_right: Mask, second_right: Mask, level: float = 0.95) -> PairedTest:
    """Compare which of the n samples two methods have right, (n,) each; the difference is that of the accuracies.

    Q. McNemar, Psychometrika 12 (1947), 153-157, with the correction for continuity of A. L. Edwards, Psychometrika 13
    (1948), 185-187: the statistic is chi-square with 1 degree of freedom. The interval is that of D. G. Bonett and
    R. M. Price, Journal of Educational and Behavioral Statistics 37 (2012), 479-488: it has a width even where the
    methods are never apart.
    """
    from scipy.special import chdtrc

    n = len(first_right)
    only_first = int(np.count_nonzero(first_right & ~second_right))
    only_second = int(np.count_nonzero(second_right & ~first_right))
    apart, gap = only_first + only_second, abs(only_first - only_second)
    statistic = float(ratio(max(gap - 1, 0) ** 2, apart))
    low = high = math.nan
    if n:
        shares = (only_first + 1) / (n + 2), (only_second + 1) / (n + 2)
        center = shares[0] - shares[1]
        half = half_width(level) * math.sqrt((sum(shares) - center**2) / (n + 2))
        low, high = max(center - half, -1.0), min(center + half, 1.0)
    difference = float(ratio(only_first - only_second, n))
    return PairedTest(difference, low, high, statistic, float(chdtrc(1, statistic)))


def five_by_two_t(differences: Array, level: float = 0.95) -> PairedTest:
    """Dietterich's 5x2cv t test: differences (5, 2) of the scores in both folds of five two-fold cross-validations.

    T. G. Dietterich, Neural Computation 10 (1998), 1895-1923, section 3.5. Its estimate is the first fold's difference
    alone; t has 5 degrees of freedom.
    """
    variance = float(_variances_of_pairs(differences).mean())
    return _t_test(float(differences[0, 0]), variance, 5, level, differences)


def five_by_two_f(differences: Array, level: float = 0.95) -> PairedTest:
    """Alpaydin's combined 5x2cv F test of the differences (5, 2), which does not hang on one fold.

    E. Alpaydin, Neural Computation 11 (1999), 1885-1892. F has 10 and 5 degrees of freedom. The interval holds the
    differences that the test does not reject; NaN where it rejects all, since the five repetitions disagree too much.
    """
    from scipy.special import fdtrc, fdtri

    mean = float(differences.mean())
    spread = 2 * _unless_rounding(float(_variances_of_pairs(differences).sum()), differences)
    statistic = float(ratio((differences**2).sum(), spread))
    # The sum of squares around a difference d is that around the mean, and 10 (d - mean)^2.
    around = float(fdtri(10, 5, level)) * spread - float(((differences - mean) ** 2).sum())
    half = math.sqrt(around / 10) if spread > 0 and around >= 0 else math.nan
    return PairedTest(mean, mean - half, mean + half, statistic, float(fdtrc(10, 5, statistic)))


def corrected_resampled_t(differences: Array, n_train: float, n_test: float, level: float = 0.95) -> PairedTest:
    """Nadeau and Bengio's t test of the differences (j,) in j resamplings, hold-outs as well as folds.

    C. Nadeau and Y. Bengio, Inference for the generalization error, Machine Learning 52 (2003), 239-281, section 3.
    The training sets share samples, so the variance of the mean is not 1/j of that of the differences but
    1/j + n_test/n_train of it; t has j - 1 degrees of freedom.
    """
    j = len(differences)
    mean = float(ratio(differences.sum(), j))
    squares = float(((differences - mean) ** 2).sum())
    variance = float(ratio(squares, j - 1)) * float(ratio(1, j) + ratio(n_test, n_train))
    return _t_test(mean, variance, j - 1, level, differences)


def _variances_of_pairs(differences: Array) -> Array:
    """The variance that the two folds of each repetition estimate, (5,)."""
    if differences.shape != (5, 2):
        raise ValueError("The test wants the differences in two folds, five times.")
    return np.asarray((differences[:, 0] - differences[:, 1]) ** 2 / 2)


def _unless_rounding(variance: float, differences: Array) -> float:
    """The variance, NaN where nothing but rounding has made it."""
    return variance if variance > (_ROUNDING * np.abs(differences).max(initial=0.0)) ** 2 else math.nan


def _t_test(estimate: float, variance: float, degrees: int, level: float, differences: Array) -> PairedTest:
    from scipy.special import stdtr, stdtrit

    error = math.sqrt(_unless_rounding(variance, differences))
    statistic = estimate / error
    half = float(stdtrit(degrees, (1 + level) / 2)) * error
    return PairedTest(estimate, estimate - half, estimate + half, statistic, 2 * float(stdtr(degrees, -abs(statistic))))
