"""The minimum of a function of one number: where it is known, and in few steps."""

import math

import pytest

from mlviz.numerics.convex.brent import minimum


def found(function, low, high, tolerance=1e-8):
    asked = []

    def counting(x):
        asked.append(x)
        return function(x)

    work = minimum(counting, low, high, tolerance)
    while True:
        try:
            next(work)
        except StopIteration as end:
            return *end.value, len(asked)


@pytest.mark.parametrize(
    ("function", "low", "high", "at"),
    [
        (lambda x: (x - 2) ** 2, -5, 9, 2.0),
        (lambda x: x - math.log(x), 0.1, 7, 1.0),
        (lambda x: abs(x - 0.3), 0, 1, 0.3),
        (lambda x: -x, 0, 1, 1.0),
        (lambda x: math.inf if x < 1 else x, 0, 4, 1.0),
        (lambda x: 0.0, 0, 1, None),
    ],
)
def test_it_is_found_in_few_steps(function, low, high, at):
    x, value, asked = found(function, low, high)
    assert value == function(x) and low <= x <= high and asked <= 61
    if at is not None:
        assert x == pytest.approx(at, abs=5e-8)


def test_parabolas_need_next_to_no_steps():
    assert found(lambda x: (x - 2) ** 2, -5, 9)[2] < 12
