import math

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics

from mlviz.numerics.scoring.auc import delong, delong_test


def samples(n=80, ties=False, seed=0):
    """Whether samples are positive, and two scores of them that go together."""
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.4
    common = rng.normal(size=n) + positive
    first, second = common + rng.normal(size=n), common + 0.7 * rng.normal(size=n)
    return positive, *(np.round(scores) if ties else scores for scores in (first, second))


def kernel(positive, scores):
    """DeLong's psi for each pair, (m, n): 1, 1/2 or 0."""
    gaps = scores[positive][:, None] - scores[~positive]
    return (gaps > 0) + (gaps == 0) / 2


def slow_covariance(psi, other):
    """By the paper's formulas (4) to (6), pair by pair."""
    m, n = psi.shape
    total = 0.0
    for axis, size in ((1, m), (0, n)):
        ours, theirs = psi.mean(axis=axis) - psi.mean(), other.mean(axis=axis) - other.mean()
        total += sum(a * b for a, b in zip(ours, theirs, strict=True)) / (size - 1) / size
    return total


@pytest.mark.parametrize("ties", [False, True])
def test_the_variance_is_delongs_formula(ties):
    positive, first, _ = samples(ties=ties)
    found, psi = delong(positive, first), kernel(positive, first)
    assert found.auc == pytest.approx(metrics.roc_auc_score(positive, first), rel=1e-12)
    assert found.variance == pytest.approx(slow_covariance(psi, psi), rel=1e-12)
    assert (found.n_positive, found.n_negative) == psi.shape


def test_the_ratings_of_hanley_and_mcneil():
    # J. A. Hanley and B. J. McNeil, Radiology 143 (1982), 29-36, table 1: 109 CT images rated from 1 to 5. The manual
    # of Stata gives, by DeLong, the area 0.8932, the standard error 0.0307 and the interval 0.83295 to 0.95339.
    normal, abnormal = (33, 6, 6, 11, 2), (3, 2, 2, 11, 33)
    rating = np.repeat(np.tile(np.arange(1.0, 6.0), 2), normal + abnormal)
    found = delong(np.arange(109) >= 58, rating)
    assert round(found.auc, 4) == 0.8932 and round(math.sqrt(found.variance), 4) == 0.0307
    np.testing.assert_allclose(found.interval(scale="plain"), (0.83295, 0.95339), atol=5e-6)
    low, high = found.interval()
    assert 0.8 < low < 0.83295 and found.auc < high < 0.95339


def test_three_samples_by_hand():
    # Positive 1 and 3, negative 0 and 2: the pairs that are won are 1 > 0, 3 > 0, 3 > 2.
    found = delong(np.array([False, True, False, True]), np.array([0.0, 1.0, 2.0, 3.0]))
    assert found.auc == 0.75 and found.variance == 0.125 / 2 + 0.125 / 2


@pytest.mark.parametrize("ties", [False, True])
def test_the_paired_test_is_delongs_formula(ties):
    positive, first, second = samples(ties=ties)
    psi, other = kernel(positive, first), kernel(positive, second)
    variance = slow_covariance(psi, psi) + slow_covariance(other, other) - 2 * slow_covariance(psi, other)
    found = delong_test(positive, first, second, level=0.9)
    z = (psi.mean() - other.mean()) / math.sqrt(variance)
    assert found.statistic == pytest.approx(z, rel=1e-10)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-10)
    assert found.difference == pytest.approx(psi.mean() - other.mean(), rel=1e-10)
    assert found.high - found.low == pytest.approx(2 * stats.norm.ppf(0.95) * math.sqrt(variance), rel=1e-10)
    turned = delong_test(positive, second, first)
    assert turned.statistic == -found.statistic and turned.p_value == found.p_value


@pytest.mark.parametrize("scale", ["logit", "plain"])
def test_the_interval_holds_the_truth_as_often_as_it_says(scale):
    inside, runs = 0, 1000
    truth = stats.norm.cdf(1 / math.sqrt(2))
    rng = np.random.default_rng(1)
    positive = np.arange(80) < 30
    for scores in rng.normal(size=(runs, 80)) + positive:
        low, high = delong(positive, scores).interval(scale=scale)
        inside += low <= truth <= high
    # Three standard errors of 0.7 %; on so few samples the plain interval is known to be a little short.
    assert inside / runs == pytest.approx(0.95, abs=0.03)


@pytest.mark.parametrize("scale", ["logit", "plain"])
@pytest.mark.parametrize(
    ("auc", "scores"), [(1.0, [1.0, 2, 3, 4, 5, 6]), (0.0, [6.0, 5, 4, 3, 2, 1]), (0.5, [0.0] * 6)]
)
def test_an_area_without_variance_has_an_interval_of_pairs(auc, scores, scale):
    found = delong(np.arange(6) >= 3, np.array(scores))
    assert found.auc == auc and found.variance == 0
    low, high = found.interval(scale=scale)
    assert 0 <= low <= auc <= high <= 1 and 0.3 < high - low < 0.9
    wider = delong(np.arange(4) >= 2, np.array(scores)[1:5]).interval(scale=scale)
    assert wider[0] <= low and high <= wider[1] and wider != (low, high)


@pytest.mark.parametrize("positives", [1, 3])
def test_one_sample_of_a_class_has_no_variance_and_a_wide_interval(positives):
    positive = np.arange(4) < positives
    found = delong(positive, np.array([1.0, 0.0, 2.0, 0.5]))
    assert math.isnan(found.variance) and 0 < found.auc < 1
    low, high = found.interval()
    assert 0 <= low < found.auc < high <= 1 and high - low > 0.6
    assert math.isnan(delong_test(positive, np.arange(4.0), np.ones(4)).p_value)


@pytest.mark.parametrize("positive", [np.zeros(3, bool), np.ones(3, bool), np.zeros(0, bool)])
def test_one_class_alone_has_no_area(positive):
    scores = np.arange(float(len(positive)))
    found = delong(positive, scores)
    assert all(map(math.isnan, (found.auc, *found.interval(), *found.interval(scale="plain"))))
    test = delong_test(positive, scores, -scores)
    assert all(map(math.isnan, (test.difference, test.low, test.high, test.p_value)))


def test_a_score_is_not_tested_against_itself():
    positive, first, _ = samples()
    found = delong_test(positive, first, np.exp(first))
    assert found.difference == 0 and math.isnan(found.statistic) and math.isnan(found.low)
