"""Cubic splines against SciPy's."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from mlviz.numerics.cubic_spline import spline_matrix


@pytest.mark.parametrize("count", [4, 5, 12, 40])
def test_splines_are_scipys(count):
    rng = np.random.default_rng(count)
    nodes = np.cumsum(rng.uniform(0.2, 1.5, count))
    values = rng.normal(size=count)
    places = np.concatenate((nodes, rng.uniform(nodes[0], nodes[-1], 200)))
    np.testing.assert_allclose(spline_matrix(nodes, places) @ values, CubicSpline(nodes, values)(places), atol=1e-9)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_nodes_are_joined_by_straight_lines(count):
    nodes = np.arange(float(count))
    places = np.linspace(0, count - 1, 9)
    np.testing.assert_allclose(spline_matrix(nodes, places) @ nodes, places, atol=1e-15)
