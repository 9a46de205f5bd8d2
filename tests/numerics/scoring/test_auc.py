import math

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics

from mlviz.numerics.scoring.auc import delong


def samples(n=80, ties=False, seed=0):
    """Whether samples are positive, and a score of them."""
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.4
    scores = rng.normal(size=n) + positive + rng.normal(size=n)
    return positive, np.round(scores) if ties else scores


def kernel(positive, scores):
    """DeLong's psi for each pair, (m, n): 1, 1/2 or 0."""
    gaps = scores[positive][:, None] - scores[~positive]
    return (gaps > 0) + (gaps == 0) / 2


def slow_variance(psi):
    """By the paper's formulas (4) to (6), pair by pair."""
    m, n = psi.shape
    total = 0.0
    for axis, size in ((1, m), (0, n)):
        gaps = psi.mean(axis=axis) - psi.mean()
        total += sum(gap**2 for gap in gaps) / (size - 1) / size
    return total


@pytest.mark.parametrize("ties", [False, True])
def test_the_variance_is_delongs_formula(ties):
    positive, scores = samples(ties=ties)
    found, psi = delong(positive, scores), kernel(positive, scores)
    assert found.auc == pytest.approx(metrics.roc_auc_score(positive, scores), rel=1e-12)
    assert found.variance == pytest.approx(slow_variance(psi), rel=1e-12)
    assert (found.n_positive, found.n_negative) == psi.shape


def test_the_ratings_of_hanley_and_mcneil():
    # J. A. Hanley and B. J. McNeil, Radiology 143 (1982), 29-36, table 1: 109 CT images rated from 1 to 5. The manual
    # of Stata gives, by DeLong, the area 0.8932 and the standard error 0.0307; an interval that is
    # symmetric in the area itself would be 0.83295 to 0.95339.
    normal, abnormal = (33, 6, 6, 11, 2), (3, 2, 2, 11, 33)
    rating = np.repeat(np.tile(np.arange(1.0, 6.0), 2), normal + abnormal)
    found = delong(np.arange(109) >= 58, rating)
    assert round(found.auc, 4) == 0.8932 and round(math.sqrt(found.variance), 4) == 0.0307
    low, high = found.interval()
    assert 0.8 < low < 0.83295 and found.auc < high < 0.95339


def test_three_samples_by_hand():
    # Positive 1 and 3, negative 0 and 2: the pairs that are won are 1 > 0, 3 > 0, 3 > 2.
    found = delong(np.array([False, True, False, True]), np.array([0.0, 1.0, 2.0, 3.0]))
    assert found.auc == 0.75 and found.variance == 0.125 / 2 + 0.125 / 2


def test_the_interval_holds_the_truth_as_often_as_it_says():
    inside, runs = 0, 1000
    truth = stats.norm.cdf(1 / math.sqrt(2))
    rng = np.random.default_rng(1)
    positive = np.arange(80) < 30
    for scores in rng.normal(size=(runs, 80)) + positive:
        low, high = delong(positive, scores).interval()
        inside += low <= truth <= high
    # Three standard errors of 0.7 %, and a little for so few samples.
    assert inside / runs == pytest.approx(0.95, abs=0.03)


@pytest.mark.parametrize(
    ("auc", "scores"), [(1.0, [1.0, 2, 3, 4, 5, 6]), (0.0, [6.0, 5, 4, 3, 2, 1]), (0.5, [0.0] * 6)]
)
def test_an_area_without_variance_has_an_interval_of_pairs(auc, scores):
    found = delong(np.arange(6) >= 3, np.array(scores))
    assert found.auc == auc and found.variance == 0
    low, high = found.interval()
    assert 0 <= low <= auc <= high <= 1 and 0.3 < high - low < 0.9
    wider = delong(np.arange(4) >= 2, np.array(scores)[1:5]).interval()
    assert wider[0] <= low and high <= wider[1] and wider != (low, high)


@pytest.mark.parametrize("positives", [1, 3])
def test_one_sample_of_a_class_has_no_variance_and_a_wide_interval(positives):
    positive = np.arange(4) < positives
    found = delong(positive, np.array([1.0, 0.0, 2.0, 0.5]))
    assert math.isnan(found.variance) and 0 < found.auc < 1
    low, high = found.interval()
    assert 0 <= low < found.auc < high <= 1 and high - low > 0.6


@pytest.mark.parametrize("positive", [np.zeros(3, bool), np.ones(3, bool), np.zeros(0, bool)])
def test_one_class_alone_has_no_area(positive):
    scores = np.arange(float(len(positive)))
    found = delong(positive, scores)
    assert all(map(math.isnan, (found.auc, *found.interval())))
