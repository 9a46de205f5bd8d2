"""The thin-plate spline goes through its values, is a plane where these are, and bends least."""

import numpy as np
import pytest
from scipy.interpolate import RBFInterpolator

from mlviz.numerics.thin_plate import ThinPlate

RNG = np.random.default_rng(3)


@pytest.mark.parametrize("m", [4, 9, 30])
def test_it_is_scipys_interpolant(m):
    places, values = RNG.uniform(-3, 3, (m, 2)), RNG.normal(size=m)
    extent = np.ptp(places, axis=0)
    known = RBFInterpolator(places / extent, values, kernel="thin_plate_spline")
    asked = RNG.uniform(-5, 5, (50, 2))
    found = ThinPlate.through(places, values)
    np.testing.assert_allclose(found.values(asked), known(asked / extent), rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(found.values(places), values, rtol=1e-9, atol=1e-9)
    assert found.slopes() is None


@pytest.mark.parametrize("m", [3, 7])
def test_of_a_plane_it_is_the_plane(m):
    places = RNG.uniform(-3, 3, (m, 2))
    found = ThinPlate.through(places, 0.5 + places @ [2.0, -1.0])
    np.testing.assert_allclose(found.slopes(), [2.0, -1.0], rtol=1e-9)
    np.testing.assert_allclose(found.values(np.array([[10.0, 20.0]])), [0.5], atol=1e-7)


def test_of_one_value_and_of_places_on_a_line_it_is_level_across():
    one = ThinPlate.through(np.array([[1.0, 2.0]]), np.array([3.0]))
    np.testing.assert_allclose(one.values(RNG.normal(size=(5, 2))), 3.0)
    line = ThinPlate.through(np.array([[0.0, 1.0], [2.0, 1.0], [3.0, 1.0]]), np.array([0.0, 4.0, 6.0]))
    np.testing.assert_allclose(line.values(np.array([[1.0, 1.0], [1.0, -7.0]])), 2.0, atol=1e-9)
