"""Places that the hand sets, as a text."""

import numpy as np
import pytest

from mlviz.numerics.number_lists import numbers_in, places_text, read_places
from mlviz.spec import BadValue


def test_places_are_read_and_written():
    np.testing.assert_array_equal(read_places("2, -1;0.5 −3  2"), [-3, -1, 0.5, 2])
    assert [(n.start, n.stop, n.value) for n in numbers_in("1 -2.5")] == [(0, 1, 1.0), (2, 6, -2.5)]
    assert places_text([-1.23456789, 0.0, 3.0]) == "-1.2346 0 3" and places_text([123456.7]) == "123457"
    for wrong in ("", "a", "1 nan", "1e300", " ".join(map(str, range(41)))):
        with pytest.raises(BadValue):
            read_places(wrong)
