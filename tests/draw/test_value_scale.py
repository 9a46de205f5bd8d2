"""The scale of values: round ends that hold all of them, shades that say where in it a value is."""

import numpy as np
import pytest

from mlviz.draw.value_scale import ValueScale

CASES = [[0.0], [0.3], [-5.0, 5.0], [0.0, 1.0], [25.0, 346.0], [1e9], [1e9, 1e9 + 5000], [-0.37, 2.2], [1e-9, 3e-9]]
EXTREME = [[1e300, -1e300], [5e-324, 1e-323], [-1e308, 1e308], [1e9, 1e9 + 1], [1e150], [-1e-300]]


def values(rng):
    return rng.normal(0, 1, rng.integers(1, 9)) * 10.0 ** rng.uniform(-9, 9) + 10.0 ** rng.uniform(-9, 9)


@pytest.mark.parametrize("given", [*CASES, *EXTREME], ids=str)
def test_all_values_are_on_the_scale_and_shades_grow_with_them(given):
    scale = ValueScale.of(given)
    assert scale.low <= min(given) <= max(given) <= scale.high and scale.low < scale.high
    shades = scale.shades(sorted(given)).astype(int)
    assert (np.diff(shades) >= 0).all() and shades.min() >= 1
    np.testing.assert_array_equal(scale.shades([scale.low, scale.middle, scale.high]), [1, 128, 255])
    assert np.isfinite([scale.mirrored(value) for value in given]).all()


def test_random_values_are_on_their_scale_which_is_no_wider_than_it_takes():
    rng = np.random.default_rng(3)
    for _ in range(500):
        given = values(rng)
        scale = ValueScale.of(given)
        assert scale.low <= given.min() and given.max() <= scale.high
        if np.ptp(given) > 1e-6 * np.abs(given).max():
            # An end is rounded by less than one step, which is an eighth of the range at most.
            needed = 2 * np.abs(given).max() if given.min() < 0 < given.max() else np.ptp(given)
            assert scale.high - scale.low <= 1.25 * needed * (1 + 1e-9)


def test_the_words_tell_the_ends_and_the_neutral_value_to_a_thousandth_of_the_scale():
    rng = np.random.default_rng(4)
    for given in [*CASES, *(values(rng) for _ in range(300))]:
        scale = ValueScale.of(given)
        ends, _, neutral = str(scale).replace("−", "-").partition(", neutral at ")
        told = [*map(float, ends.split(" to ")), float(neutral or 0)]
        expected = [scale.low, scale.high, (scale.low + scale.high) / 2]
        np.testing.assert_allclose(told, expected, atol=1e-3 * (scale.high - scale.low))


def test_values_of_both_signs_are_neutral_at_0():
    assert ValueScale.of([-0.37, 2.2]) == ValueScale(-2.5, 2.5)
    assert ValueScale.of([-300.0, 12.0]) == ValueScale(-300.0, 300.0)
    rng = np.random.default_rng(5)
    for _ in range(300):
        given = rng.uniform(0.01, 3, 9) * rng.choice([-1, 1], 9) * 10.0 ** rng.uniform(-9, 9)
        given[:2] = -given[0], given[0]
        shades = ValueScale.of([*given, 0.0]).shades([*given, 0.0]).astype(int)
        assert shades[-1] == 128
        assert (np.sign(shades[:-1] - 128) * np.sign(given) >= 0).all()
    # Of one sign the neutral is the middle, and is told.
    assert str(ValueScale.of([25.0, 346.0])) == "20 to 360, neutral at 190"


def test_a_value_moved_within_the_scale_leaves_it():
    scale = ValueScale.of([-2.0, 0.3, 2.0])
    assert scale == ValueScale(-2.0, 2.0)
    for moved in np.linspace(-1.99, 1.99, 50):
        assert ValueScale.of([-2.0, moved, 2.0]) == scale
    assert ValueScale.of([-1.97, 0.0, 1.93]) == scale


def test_equal_values_and_none_have_a_scale_about_nothing():
    assert ValueScale.of([]) == ValueScale.of([0.0, 0.0]) == ValueScale(-1.0, 1.0)
    assert ValueScale.of([0.3]) == ValueScale(-0.5, 0.5)
    assert ValueScale.of([-1e9, -1e9]) == ValueScale(-1e9, 1e9)


def test_the_mirrored_value_is_as_far_from_the_middle():
    scale = ValueScale(0.0, 300.0)
    assert scale.mirrored(40.0) == 260.0 and scale.mirrored(500.0) == 0.0
    assert ValueScale(-1.0, 1.0).mirrored(0.3) == -0.3
    assert [ValueScale(-2.0, 2.0).at(share) for share in (0, 0.125, 0.5, 1)] == [-2.0, -1.5, 0.0, 2.0]
