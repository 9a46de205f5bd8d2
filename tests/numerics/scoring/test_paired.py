import math

import numpy as np
import pytest
from scipy import stats

from mlviz.numerics.scoring.paired import corrected_resampled_t, five_by_two_f, five_by_two_t, mcnemar


def votes(both, first, second, neither):
    """Who is right, (n,) and (n,), in so many cases."""
    counts = (both, first, second, neither)
    return np.repeat([True, True, False, False], counts), np.repeat([True, False, True, False], counts)


def test_agrestis_approval_of_the_prime_minister():
    # A. Agresti, Categorical Data Analysis (2002), section 10.1: of 1600 voters 944 approved of the prime minister at
    # first and 880 six months later; 150 and 86 changed their minds. z² = 17.36 before the correction for continuity,
    # and the change is -0.06 to -0.02.
    first, second = votes(794, 150, 86, 570)
    assert first.sum() == 944 and second.sum() == 880
    found = mcnemar(first, second)
    assert round(found.low, 2) == 0.02 and round(found.high, 2) == 0.06 and found.difference == 0.04
    assert found.statistic == 63**2 / 236  # 16.82
    assert found.p_value == pytest.approx(stats.chi2.sf(63**2 / 236, 1), rel=1e-12)


@pytest.mark.parametrize("counts", [(5, 0, 3, 1), (0, 1, 1, 0), (7, 4, 4, 2), (90, 12, 3, 1), (0, 40, 55, 0)])
def test_methods_that_change_places_change_signs(counts):
    found = mcnemar(*votes(*counts))
    assert found.low <= found.difference <= found.high
    turned = mcnemar(*votes(*counts)[::-1])
    assert (turned.low, turned.difference) == (-found.high, -found.difference)
    assert (turned.statistic, turned.p_value) == (found.statistic, found.p_value)


def test_methods_that_are_never_apart_have_no_chi_square():
    found = mcnemar(*votes(7, 0, 0, 3))
    assert math.isnan(found.statistic) and math.isnan(found.p_value)
    assert found.low == -found.high < 0 == found.difference
    nothing = mcnemar(*votes(0, 0, 0, 0))
    assert math.isnan(nothing.difference) and math.isnan(nothing.low)


def test_bonett_and_prices_interval_holds_the_truth_as_often_as_it_says():
    rng, truth = np.random.default_rng(0), np.array([0.5, 0.25, 0.1, 0.15])
    inside = 0
    for counts in rng.multinomial(60, truth, 2000):
        found = mcnemar(*votes(*counts))
        inside += found.low <= truth[1] - truth[2] <= found.high
    # The paper's figures have it within a percent or so of 95 %; chance adds three times 0.5 %.
    assert inside / 2000 == pytest.approx(0.95, abs=0.025)


def differences(seed=0, shape=(5, 2)):
    return np.random.default_rng(seed).normal(0.02, 0.03, shape)


def test_the_5x2_tests_are_their_formulas():
    p = differences()
    squares = []
    for first, second in p.tolist():
        mean = (first + second) / 2
        squares.append((first - mean) ** 2 + (second - mean) ** 2)
    found = five_by_two_t(p)
    t = p[0, 0] / math.sqrt(sum(squares) / 5)
    assert found.statistic == pytest.approx(t, rel=1e-12) and found.difference == p[0, 0]
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(t), 5), rel=1e-12)
    found = five_by_two_f(p)
    f = sum(value**2 for value in p.ravel().tolist()) / (2 * sum(squares))
    assert found.statistic == pytest.approx(f, rel=1e-12) and found.difference == pytest.approx(p.mean(), rel=1e-12)
    assert found.p_value == pytest.approx(stats.f.sf(f, 10, 5), rel=1e-12)


def test_the_corrected_t_test_is_the_plain_one_but_for_its_variance():
    d = differences(shape=15)
    plain = stats.ttest_1samp(d, 0.0)
    found = corrected_resampled_t(d, n_train=90, n_test=0)
    assert found.statistic == pytest.approx(plain.statistic, rel=1e-12)
    assert found.p_value == pytest.approx(plain.pvalue, rel=1e-12)
    np.testing.assert_allclose((found.low, found.high), plain.confidence_interval(), rtol=1e-12)
    corrected = corrected_resampled_t(d, n_train=90, n_test=10)
    assert corrected.statistic == pytest.approx(plain.statistic / math.sqrt(1 + 15 / 9), rel=1e-12)
    assert corrected.difference == found.difference and corrected.p_value > found.p_value


@pytest.mark.parametrize("level", [0.5, 0.95])
@pytest.mark.parametrize(
    "test", [five_by_two_t, five_by_two_f, lambda d, level: corrected_resampled_t(d.ravel(), 80, 20, level)]
)
def test_the_interval_ends_where_the_test_rejects(test, level):
    d = differences(1)
    found = test(d, level=level)
    assert found.low < found.difference < found.high
    for limit in (found.low, found.high):
        assert test(d - limit, level=level).p_value == pytest.approx(1 - level, rel=1e-9)


@pytest.mark.parametrize("pair", [(0.0, 0.0), (0.3, 0.1 + 0.2)])
@pytest.mark.parametrize("test", [five_by_two_t, five_by_two_f, lambda d: corrected_resampled_t(d.ravel(), 80, 20)])
def test_differences_that_are_all_alike_give_no_test(test, pair):
    # The second ones vary by rounding, 1e-33, which would make a sure thing of any difference.
    found = test(np.tile(pair, (5, 1)))
    assert found.difference == pytest.approx(pair[0])
    assert all(map(math.isnan, (found.statistic, found.p_value, found.low, found.high)))


def test_too_few_differences():
    for d in (np.zeros(0), np.array([0.1])):
        found = corrected_resampled_t(d, 10, 5)
        assert math.isnan(found.p_value) and math.isnan(found.low)
    with pytest.raises(ValueError, match="five times"):
        five_by_two_t(np.zeros((2, 5)))


def test_an_interval_of_nothing_is_nan():
    # Repetitions that agree in themselves and not with each other: Alpaydin's test rejects every difference.
    found = five_by_two_f(np.arange(5.0)[:, None] + np.array([0.0, 0.1]))
    assert math.isnan(found.low) and math.isnan(found.high) and found.p_value < 0.05
