"""Cosines by a series against those of extended precision."""

import numpy as np
import pytest

from mlviz.numerics.cosines import cosines

PI = np.longdouble(np.pi) + np.longdouble(1.2246467991473532e-16)  # what a float leaves of it


@pytest.mark.parametrize("size", [1e-3, 1.0, 50.0, 1e6])
def test_they_are_exact_to_the_last_digit(size):
    turns = np.random.default_rng(0).normal(0, size, (70, 400))
    found = turns.copy()
    cosines(found)
    whole = turns.astype(np.longdouble)
    wanted = np.cos(2 * PI * (whole - np.rint(whole)))
    assert np.abs(found - wanted).max() < 4e-16


def test_quarters_are_exact_and_what_is_no_number_stays_none():
    turns = np.array([0.0, 0.25, 0.5, -0.25, 1.0, -3.5, np.nan])
    cosines(turns)
    np.testing.assert_array_equal(turns[:6], [1, 0, -1, 0, 1, -1])
    assert np.isnan(turns[6])
    nothing = np.empty((0, 3))
    cosines(nothing)
