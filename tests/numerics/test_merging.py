import numpy as np

from mlviz.numerics.sampling import merge_equal_samples


def test_repeated_rows_are_weights_in_any_order():
    rng = np.random.default_rng(0)
    X, y, times = np.rint(rng.normal(size=(30, 2))), rng.integers(0, 2, 30), rng.integers(1, 4, 30)
    one = merge_equal_samples(X, y, times.astype(float))
    many = np.repeat(np.arange(30), times)
    shuffled = rng.permutation(many)
    for rows in (many, shuffled):
        other = merge_equal_samples(X[rows], y[rows], np.ones(len(rows)))
        np.testing.assert_array_equal(other.X, one.X)
        np.testing.assert_array_equal(other.y, one.y)
        np.testing.assert_array_equal(other.weight, one.weight)
        np.testing.assert_array_equal(other.X[other.group], X[rows])
        np.testing.assert_array_equal(other.y[other.group], y[rows])
    assert len(np.unique(np.column_stack((one.X, one.y)), axis=0)) == len(one.X)
