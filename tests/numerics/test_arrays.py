"""What NumPy would do, along a short last axis or for few numbers."""

import numpy as np
import pytest

from mlviz.numerics.arrays import largest, leading, median, sorted_rows


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
