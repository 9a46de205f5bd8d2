import numpy as np
import pytest

from mlviz.numerics.sampling import by_place, copy_numbers, spread_subsample
from tests.sweep import sweep


@pytest.mark.parametrize("d", [1, 2, 5])
def test_places_decide_not_the_order_of_the_rows(d):
    X = np.random.default_rng(0).normal(size=(5000, d))
    order = np.random.default_rng(1).permutation(len(X))
    rows = spread_subsample(X, 700)
    assert len(np.unique(rows)) == 700 and (np.diff(rows) > 0).all()
    assert set(map(tuple, X[rows])) == set(map(tuple, X[order][spread_subsample(X[order], 700)]))


@pytest.mark.parametrize("few", [2, 5, 1000])
def test_samples_sorted_by_place_are_the_same_whatever_the_order_of_the_rows(few):
    rng = np.random.default_rng(few)
    table = np.column_stack([rng.integers(0, few, 60), *rng.integers(0, 3, (3, 60))]).astype(float)
    shuffled = table[rng.permutation(60)]
    first, second = (one[by_place(one[:, :2], one[:, 2], one[:, 3])] for one in (table, shuffled))
    np.testing.assert_array_equal(first, second)
    assert (np.diff(first[:, 0]) >= 0).all()


def test_the_others_stay_picked_while_one_sample_moves():
    X = np.random.default_rng(0).normal(size=(5000, 2))
    before = set(spread_subsample(X, 700))
    X[17] += 0.01
    assert len(before ^ set(spread_subsample(X, 700))) <= 2


@pytest.mark.parametrize("places", [np.linspace(0, 1, 10_000), np.arange(10_000.0), np.arange(10_000) * 2.0**-20 + 1])
def test_no_region_is_preferred(places):
    chosen = spread_subsample(np.column_stack((places, 0 * places)), 1000)
    shares = np.histogram(chosen, bins=10, range=(0, 10_000))[0]
    assert np.abs(shares - 100).max() < 45  # 5 standard deviations


def test_copies_and_few_samples():
    assert len(spread_subsample(np.zeros((100, 2)), 30)) == 30
    np.testing.assert_array_equal(spread_subsample(np.zeros((5, 2)), 9), np.arange(5))
    two = np.array([[0.0, 1.0], [-0.0, 1.0]] * 50)
    assert len(spread_subsample(two, 50)) == 50


@sweep("d, n, few", [1, 2, 3], [0, 1, 2, 40], [1, 2, 5, 10**9])
def test_copies_of_a_place_are_counted_in_the_order_of_the_rows(few, n, d):
    X = np.random.default_rng(n).integers(-few, few, (n, d)) * 0.5
    X[::7, -1] = -0.0  # equal to 0
    found = copy_numbers(X)
    assert found.tolist() == [sum((X[j] == X[i]).all() for j in range(i)) for i in range(n)]
