import numpy as np
import pytest

from mlviz.numerics.standardizing import mean_and_spread


@pytest.mark.parametrize("unit", [1e-300, 1e-9, 1.0, 1e9, 1e300])
def test_weighted_mean_and_spread_in_every_unit(unit):
    rng = np.random.default_rng(0)
    X, weights = rng.normal(3, 2, (50, 3)), rng.integers(1, 4, 50)
    repeated = np.repeat(X, weights, axis=0)
    mean, spread = mean_and_spread(X * unit, weights.astype(float))
    np.testing.assert_allclose(mean / unit, repeated.mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(spread / unit, repeated.std(axis=0), rtol=1e-13)


def test_far_from_0():
    far = np.random.default_rng(1).normal(size=(50, 2)) + 1e9
    mean, spread = mean_and_spread(far, np.ones(50))
    np.testing.assert_allclose(mean - 1e9, (far - 1e9).mean(axis=0), atol=2e-7)
    np.testing.assert_allclose(spread, (far - 1e9).std(axis=0), rtol=1e-6)


@pytest.mark.parametrize("value", [0.0, 0.1, -1e9 / 3, 5e-324, 1e300])
def test_a_constant_column_has_no_spread(value):
    X = np.column_stack((np.full(30, value), np.arange(30.0)))
    mean, spread = mean_and_spread(X, np.full(30, 0.1))
    assert spread[0] == 0 and spread[1] > 8
    assert mean[0] == pytest.approx(value, rel=1e-15)


def test_a_spread_without_an_inverse_is_none():
    _, spread = mean_and_spread(np.array([[3.0e-308], [2.9e-308]]), np.ones(2))
    assert spread[0] == 0
