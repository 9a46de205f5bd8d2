"""Sums of kernels that end, in single precision against double precision."""

from functools import partial

import numpy as np

from mlviz.numerics.density.bounded_kernels import value_by_value
from mlviz.numerics.density.kernel_density import values_of
from mlviz.numerics.grid import Grid
from tests.sweep import each


@each("kernel, sizes", ["triangular", "biweight", "epanechnikov"], [(1e-2, 0.5), (1e-3, 0.5), (1e-2, 0.2), (1e-3, 0.1)])
def test_single_precision_is_as_good_where_many_samples_are_close_together(kernel, sizes):
    spread, width = sizes
    rng, grid, values = np.random.default_rng(0), Grid.over((-4, 4, -4, 4), 200, 200), partial(values_of, kernel)
    X = rng.normal(size=(2000, 2)) * spread
    for n in (600, 2000):
        for weights in (np.ones(n), rng.uniform(0.5, 2, n)):
            short, exact = (value_by_value(grid, X[:n], weights, width, values, of) for of in (np.float32, np.float64))
            np.testing.assert_allclose(short, exact, rtol=0, atol=1e-6 * exact.max())
