import math

import pytest

from mlviz.numerics.linalg.falling_zero import falling_zero

FALLING = {
    "a line": lambda t: 1.3 - t,
    "steep on one side": lambda t: math.exp(-9 * t) - math.exp(-9 * 1.3),
    "flat beyond": lambda t: math.tanh(20 * (1.3 - t)),
    "flat where it is 0": lambda t: (1.3 - t) ** 3,
}


@pytest.mark.parametrize("ends", [(0.5, 3.0), (1.0, 2.0), (1.29, 1.31)])
@pytest.mark.parametrize("name", FALLING)
def test_the_zero_is_found_by_fewer_secants_than_halvings(name, ends):
    asked = []

    def falling(t):
        asked.append(t)
        return FALLING[name](t)

    near = 1e-3 if name == "flat where it is 0" else 1e-8
    assert falling_zero(falling, *ends) == pytest.approx(1.3, abs=near)
    assert len(asked) <= (62 if name == "flat where it is 0" else 31)  # 2.5 is halved so often down to 1e-9
    assert all(ends[0] <= t <= ends[1] for t in asked)


@pytest.mark.parametrize("name", FALLING)
def test_the_end_is_given_where_the_zero_is_beyond_it(name):
    assert falling_zero(FALLING[name], 2.0, 3.0) == 2.0
    assert falling_zero(FALLING[name], -1.0, 1.0) == 1.0
