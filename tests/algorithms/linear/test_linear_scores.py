"""The way to the boundary of a linear score."""

import numpy as np
import pytest

from mlviz.algorithms.linear_model import LinearScores, way_to_zero


@pytest.mark.parametrize("size", [1e-150, 1e-9, 1.0, 1e9])
def test_the_foot_lies_on_the_boundary_straight_ahead(size):
    model = LinearScores(
        classes=np.array([0, 1]), coef=size * np.array([3.0, 4.0]), center=np.ones(2), offset=-2.0 * size
    )
    x = np.array([4.0, -1.0])  # f = size (3 * 3 - 4 * 2 - 2) = -size
    np.testing.assert_allclose(model.foot(x), x + np.array([3.0, 4.0]) / 25, rtol=1e-14)
    assert abs(model.decision_function(model.foot(x)[None])[0]) < 1e-14 * size


@pytest.mark.parametrize(("f", "slope"), [(1.0, 0.0), (0.0, 0.0), (1e300, 1e-300)])
def test_without_a_boundary_there_is_no_way(f, slope):
    assert way_to_zero(f, np.full(2, slope)) is None
