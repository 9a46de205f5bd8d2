"""The cosine of many angles, against the library's."""

import numpy as np
import pytest

from mlviz.numerics.cosine import cosine


@pytest.mark.parametrize("reach", [1e-9, 1.0, 20.0, 999.0, 1e6])
def test_it_is_the_cosine(reach):
    rng = np.random.default_rng(0)
    for shape in ((0, 3), (1, 1), (7, 5), (300, 70)):
        angles = rng.uniform(-reach, reach, shape)
        expected = np.cos(angles)
        cosine(angles)
        # An angle is known to its last digit, and the share of a turn that it is to one more.
        np.testing.assert_allclose(angles, expected, rtol=0, atol=2e-15 + 2.3e-16 * reach)


def test_it_is_exact_at_quarters_and_never_beyond_1():
    quarters = np.arange(-400, 401) * (np.pi / 2)
    found = quarters.copy()
    cosine(found)
    np.testing.assert_allclose(found, np.cos(quarters), atol=1e-13)
    many = np.linspace(-10, 10, 100_001)
    cosine(many)
    assert np.abs(many).max() <= 1 + 1e-15
