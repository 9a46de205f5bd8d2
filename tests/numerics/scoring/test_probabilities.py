import numpy as np
import pytest
from sklearn import metrics
from sklearn.calibration import calibration_curve

from mlviz.numerics.scoring.probabilities import (
    brier_score,
    calibration,
    log_loss,
    score_histogram,
    weighted_quantiles,
)
from mlviz.numerics.scoring.shares import wilson_interval


def case(k, weighted, n=300, digits=None):
    """Classes that come true with the predicted probabilities, some of which are 0 or 1; weights."""
    rng = np.random.default_rng(k)
    probabilities = rng.dirichlet(np.full(k, 0.3), n)
    probabilities[:5] = np.eye(k)[[0, 1, 0, 1, 0]]
    y = (np.cumsum(probabilities, axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, k - 1)
    y[0] = 1  # It was certain of another one.
    if digits is not None:
        probabilities = np.round(probabilities, digits)
    return y, probabilities, np.arange(k), rng.uniform(0, 3, n) if weighted else None


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("k", [2, 5])
def test_losses_are_scikit_learns(k, weighted):
    y, probabilities, classes, weight = case(k, weighted)
    expected = metrics.log_loss(y, probabilities, sample_weight=weight, labels=classes)
    close(log_loss(y, probabilities, classes, weight), expected)
    expected = metrics.brier_score_loss(
        y, probabilities[:, 1] if k == 2 else probabilities, sample_weight=weight, labels=classes
    )
    close(brier_score(y, probabilities, classes, weight), expected)


def test_a_class_without_samples_is_no_matter():
    y, probabilities, classes, weight = case(5, True)
    y[y == 2] = 3
    close(
        log_loss(y, probabilities, classes, weight),
        metrics.log_loss(y, probabilities, sample_weight=weight, labels=classes),
    )
    close(
        brier_score(y, probabilities, classes, weight),
        metrics.brier_score_loss(y, probabilities, sample_weight=weight, labels=classes),
    )


def test_the_worst_scores():
    y, wrong = np.array([0, 1]), np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    assert brier_score(y, wrong, np.arange(3)) == 2 and brier_score(y, wrong[:, :2], np.arange(2)) == 1
    assert log_loss(y, wrong[:, :2], np.arange(2)) == pytest.approx(52 * np.log(2), rel=1e-15)


@pytest.mark.parametrize("digits", [None, 1], ids=["different", "ties"])
@pytest.mark.parametrize("bins", [1, 5, 10, 22])
@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_calibration_is_scikit_learns(strategy, bins, digits):
    y, probabilities, _, _ = case(2, False, digits=digits)
    found = calibration(y == 1, probabilities[:, 1], bins, strategy)
    observed, predicted = calibration_curve(y, probabilities[:, 1], n_bins=bins, strategy=strategy)
    filled = found.count > 0
    close(found.observed[filled], observed)
    close(found.predicted[filled], predicted)
    assert found.count.sum() == len(y) and len(found.edges) == bins + 1
    assert np.isnan(found.observed[~filled]).all() and np.isnan(found.low[~filled]).all()
    assert (found.low[filled] <= observed).all() and (observed <= found.high[filled]).all()


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_whole_weights_are_repeated_samples(strategy):
    y, probabilities, classes, _ = case(2, False, digits=2)
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    found = calibration(y == 1, probabilities[:, 1], 7, strategy, weight)
    y, probabilities = np.repeat(y, weight), np.repeat(probabilities, weight, axis=0)
    expected = calibration(y == 1, probabilities[:, 1], 7, strategy)
    for name in ("edges", "predicted", "observed", "count", "low", "high", "expected_error"):
        close(getattr(found, name), getattr(expected, name))
    y, probabilities, *_ = case(2, False, digits=2)
    histogram = score_histogram(y, probabilities[:, 1], classes, 9, weight)
    for code, counts in enumerate(histogram.counts):
        mine = y == code
        close(counts, np.histogram(np.repeat(probabilities[mine, 1], weight[mine]), histogram.edges)[0])


def test_a_sample_that_is_an_edge_is_below_it():
    # With n = 23 m + 1 every edge is a sample, and scikit-learn's rounding leads some of them above.
    probability = np.sort(np.random.default_rng(0).random(23 * 13 + 1))
    found = calibration(probability > 0.5, probability, 23, "quantile")
    np.testing.assert_array_equal(found.edges, probability[::13])
    assert found.count.tolist() == [14] + [13] * 22


def test_weighted_quantiles_are_those_of_repeated_values():
    rng = np.random.default_rng(0)
    values, weights, shares = rng.normal(size=30).round(1), rng.integers(0, 5, 30), np.linspace(0, 1, 33)
    close(weighted_quantiles(values, shares, weights.astype(float)), np.quantile(np.repeat(values, weights), shares))


def test_the_calibration_error_is_the_mean_gap():
    found = calibration(np.array([True, False, True, True]), np.array([0.1, 0.3, 0.8, 0.9]), 2)
    close(found.expected_error, (abs(0.5 - 0.2) + abs(1 - 0.85)) / 2)


def test_wilsons_interval():
    # Wilson's formula, by hand for 5 of 10 and for none of 10 with z = 1.959964.
    low, high = wilson_interval([0.5, 0.0, 1.0], [10, 10, 0])
    np.testing.assert_allclose(low, [0.236593, 0.0, np.nan], atol=1e-6)
    np.testing.assert_allclose(high, [0.763407, 3.841459 / 13.841459, np.nan], atol=1e-6)


def test_the_histogram_holds_every_finite_score():
    y, scores = np.array([0, 0, 1, 1, 1]), np.array([0.0, 1.0, 2.0, 4.0, np.inf])
    found = score_histogram(y, scores, np.arange(3), 4)
    np.testing.assert_array_equal(found.edges, [0, 1, 2, 3, 4])
    np.testing.assert_array_equal(found.counts, [[1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0]])
    given = score_histogram(y, scores, np.arange(3), np.array([0.0, 3.0, 9.0]))
    np.testing.assert_array_equal(given.counts, [[2, 0], [1, 1], [0, 0]])


@pytest.mark.parametrize("scores", [np.zeros(2), np.full(2, 1e20), np.array([1.0, 1 + 1e-15])])
def test_scores_that_are_alike_have_a_bin(scores):
    found = score_histogram(np.array([0, 1]), scores, np.arange(2), 5)
    assert (np.diff(found.edges) > 0).all() and found.counts.sum() == 2
    assert found.counts[0].argmax() == found.counts[1].argmax() == 2


def test_nothing_to_score_has_no_value():
    nothing, two = np.zeros(0, dtype=int), np.arange(2)
    assert np.isnan(log_loss(nothing, np.zeros((0, 2)), two)) and np.isnan(brier_score(nothing, np.zeros((0, 2)), two))
    for strategy in ("uniform", "quantile"):
        found = calibration(nothing == 1, np.zeros(0), 3, strategy)
        assert np.isnan(found.observed).all() and np.isnan(found.expected_error) and not found.count.any()
    assert not score_histogram(nothing, np.zeros(0), two).counts.any()
    assert np.isnan(log_loss(np.zeros(1, int), np.ones((1, 2)), two, np.zeros(1)))
