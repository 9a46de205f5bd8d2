"""Which sample a place points at."""

import numpy as np
import pytest

from mlviz.numerics.distances import sample_at


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_the_sample_within_a_hundredth_of_the_extent_is_meant(scale: float) -> None:
    X = scale * np.array([(0.0, 0.0), (3.0, 4.0), (1.0, 2.0)])
    row, place = sample_at(X, scale * np.array([1.03, 2.03]))
    assert row == 2 and (place == X[2]).all()
    away = scale * np.array([1.04, 2.04])
    row, place = sample_at(X, away)
    assert row is None and place is away
