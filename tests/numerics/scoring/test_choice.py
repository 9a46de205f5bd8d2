import numpy as np
import pytest
from scipy import stats

from mlviz.numerics.scoring.choice import best_value, mean_and_error, one_standard_error


def test_the_standard_error_is_that_of_the_mean():
    losses = np.random.default_rng(0).random((4, 10))
    mean, error = mean_and_error(losses)
    np.testing.assert_allclose(mean, losses.mean(axis=1), rtol=1e-12)
    np.testing.assert_allclose(error, stats.sem(losses, axis=1), rtol=1e-12)


def test_folds_without_a_loss_are_left_out():
    nan = np.nan
    mean, error = mean_and_error(np.array([[1.0, 3.0, nan], [nan, 2.0, nan], [nan, nan, nan]]))
    np.testing.assert_array_equal(mean, [2, 2, nan])
    np.testing.assert_array_equal(error, [1, nan, nan])
    assert mean_and_error(np.zeros((3, 0)))[0].shape == (3,)


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4], [3, 0, 4, 2, 1]])
def test_the_simplest_value_within_one_standard_error(order):
    values = np.array([0.01, 0.1, 1.0, 10.0, 100.0])[order]
    mean = np.array([0.40, 0.24, 0.20, 0.23, 0.26])[order]
    error = np.array([0.01, 0.01, 0.05, 0.01, 0.01])[order]
    assert values[best_value(mean, values, "low")] == 1
    assert values[one_standard_error(mean, error, values, "low")] == 0.1
    # 0.26 is beyond 0.20 + 0.05, although its own error reaches it.
    assert values[one_standard_error(mean, error, values, "high")] == 10


def test_the_simplest_of_equally_good_values():
    values, mean = np.arange(4.0), np.array([0.3, 0.1 + 0.2 - 0.2, 0.1, 0.1])
    assert mean[1] > mean[2]  # by rounding
    assert best_value(mean, values, "low") == 1 and best_value(mean, values, "high") == 3


def test_values_without_a_loss_are_not_chosen():
    nan = np.nan
    mean, values = np.array([nan, 0.2, 0.1]), np.arange(3.0)
    assert best_value(mean, values, "low") == 2
    assert one_standard_error(mean, np.array([nan, 0.5, nan]), values, "low") == 2
    assert one_standard_error(mean, np.array([nan, nan, 0.5]), values, "low") == 1
    assert best_value(np.full(3, nan), values, "low") is one_standard_error(mean * nan, mean, values, "low") is None
