"""Targets beyond single precision, in which fields are drawn."""

import numpy as np
import pytest

from mlviz.algorithms import CannotFit, registry
from mlviz.numerics.grid import Grid
from mlviz.pipeline.pipeline import Pipeline
from mlviz.testing.check import settings
from tests.sweep import share

GRID = Grid.over((-4, 4, -3, 5), 6, 5)
RNG = np.random.default_rng(0)
X, SMALL = RNG.normal(size=(8, 2)), RNG.normal(size=8)
TARGETS = {"equal": np.full(8, 1e300), "level": 1e100 * (1 + 1e-3 * SMALL), "spread": 1e60 * SMALL}


@pytest.mark.parametrize("method", [name for name, kind in registry().items() if "regression" in kind.tasks])
def test_fields_of_targets_of_any_size_are_numbers_in_single_precision(method):
    most = np.finfo(np.float32).max
    for values, _ in settings(registry()[method]):
        for name, y in share(TARGETS.items(), f"{method} {values}"):
            try:
                model = Pipeline(registry()[method](**values)).fit(X, y)
            except CannotFit:
                continue
            single, field = model.on_grid(GRID, np.float32), model.on_grid(GRID)
            assert np.isfinite(single).all(), (values, name)
            told = np.abs(field) > most  # beyond, the end of the range on its own side
            np.testing.assert_array_equal(np.sign(single[told]), np.sign(field[told]), err_msg=f"{values}, {name}")
