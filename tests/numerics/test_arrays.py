"""What NumPy would do, along a short last axis or for few numbers."""

import numpy as np
import pytest

from mlviz.numerics.arrays import ahead, largest, leading, median, sorted_rows


@pytest.mark.parametrize("classes", [1, 2, 3, 5])
def test_the_largest_and_which_it_is(classes):
    values = np.random.default_rng(classes).integers(0, 4, (7, 9, classes)).astype(np.float32)  # many are equal
    np.testing.assert_array_equal(leading(values), np.argmax(values, axis=-1))
    np.testing.assert_array_equal(largest(values), values.max(axis=-1))


@pytest.mark.parametrize("values", [2, 5, 10**9])
def test_rows_are_sorted_as_by_all_keys(values):
    keys = np.random.default_rng(values).integers(0, values, (3, 400)).astype(np.float64)
    keys[:, 100:200] = keys[:, :100]
    np.testing.assert_array_equal(sorted_rows(*keys), np.lexsort(keys[::-1]))


@pytest.mark.parametrize("n", range(1, 12))
def test_the_median(n):
    values = np.random.default_rng(n).integers(-3, 4, n) / 4
    assert median(values) == np.median(values)


@pytest.mark.parametrize("count", [1, 2, 7])
def test_the_first_of_the_largest_and_how_far_the_next_is_behind(count):
    values = np.random.default_rng(count).integers(0, 4, (50, count)).astype(np.float64)
    last_two = np.sort(np.column_stack((np.full(50, -np.inf), values)), axis=1)[:, -2:]
    first, lead = ahead(values.copy())
    np.testing.assert_array_equal(first, np.argmax(values, axis=1))
    np.testing.assert_array_equal(lead, last_two[:, 1] - last_two[:, 0])
