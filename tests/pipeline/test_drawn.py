"""Answers drawn by hand predict, and take from the samples only which side is which class."""

import itertools

import numpy as np
import pytest

from mlviz.pipeline.drawn import DrawnBoundary, DrawnCurve

UPRIGHT = np.array([(0.0, -1.0), (0.0, 1.0)])


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("seed", range(5))
def test_the_sides_of_one_line_are_named_so_that_fewest_are_wrong(classes, seed):
    rng = np.random.default_rng(seed)
    places, y = rng.normal(size=(60, 2)), rng.integers(classes, size=60) + 3
    drawn = DrawnBoundary.of([UPRIGHT], places, y)
    right = places[:, 0] > 0
    least = min(int((np.where(right, a, b) != y).sum()) for a, b in itertools.permutations(np.unique(y).tolist(), 2))
    predicted = drawn.predict(places)
    assert int((predicted != y).sum()) == least
    assert len(np.unique(predicted)) == 2


def test_a_rare_class_gets_its_side():
    places = np.column_stack((np.concatenate((np.linspace(-2, -0.1, 90), np.linspace(0.1, 1, 10))), np.zeros(100)))
    y = np.concatenate((np.zeros(90, dtype=int), np.ones(4, dtype=int), np.zeros(6, dtype=int)))
    drawn = DrawnBoundary.of([UPRIGHT], places, y)
    np.testing.assert_array_equal(drawn.predict(np.array([(-1.0, 0.0), (1.0, 0.0)])), [0, 1])


def test_several_lines_part_into_cells_by_majority():
    rng = np.random.default_rng(0)
    level = np.array([(-1.0, 0.0), (1.0, 0.0)])
    places = rng.normal(size=(400, 2))
    y = (places[:, 0] > 0).astype(int) + 2 * (places[:, 1] > 0)
    drawn = DrawnBoundary.of([UPRIGHT, level], places, y)
    np.testing.assert_array_equal(drawn.predict(places), y)
    half = DrawnBoundary.of([UPRIGHT, level], places[y < 3], y[y < 3])
    most = int(np.argmax(np.bincount(y[y < 3])))
    assert half.predict(np.array([(1.0, 1.0)]))[0] == most


def test_one_class_alone_is_everywhere():
    drawn = DrawnBoundary.of([UPRIGHT], np.array([(1.0, 0.0), (-1.0, 0.0)]), np.array([7, 7]))
    np.testing.assert_array_equal(drawn.predict(np.array([(5.0, 5.0), (-5.0, 0.0)])), [7, 7])


def test_a_curve_predicts_its_height():
    curve = DrawnCurve(np.array([(-1.0, 0.0), (1.0, 2.0)]))
    np.testing.assert_allclose(curve.predict(np.array([(0.0, 9.0), (5.0, 9.0)])), [1, 6])


def test_a_straight_curve_never_beats_least_squares():
    rng = np.random.default_rng(1)
    x = rng.uniform(-4, 4, 40)
    y = 0.7 * x + rng.normal(0, 0.3, 40)
    slope, height = np.polyfit(x, y, 1)
    least = np.sqrt(np.mean((slope * x + height - y) ** 2))
    for reach in (3.0, 1.0, 0.1):
        ends = np.array([-reach, reach])
        drawn = DrawnCurve(np.column_stack((ends, slope * ends + height)))
        told = np.sqrt(np.mean((drawn.predict(np.column_stack((x, y))) - y) ** 2))
        np.testing.assert_allclose(told, least, rtol=1e-9)
