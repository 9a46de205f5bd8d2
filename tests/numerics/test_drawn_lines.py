"""Lines drawn by hand, against slower ways to say the same."""

import itertools

import numpy as np
import pytest

from mlviz.numerics.drawn_lines import (
    area_inside,
    carried_on,
    cross,
    distance_to,
    encloses,
    end_ways,
    evenly_along,
    is_closed,
    simplified,
    smoothed,
    straight_through,
    thinned,
    value_along,
)
from tests.sweep import trials

SEEDS = trials(32)


def inside_by_rays(places, polygon):
    """Which places a polygon has inside: each edge that a ray to the right crosses turns it over."""
    found = np.zeros(len(places), dtype=bool)
    for k, (x, y) in enumerate(places.tolist()):
        for (x0, y0), (x1, y1) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
            if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
                found[k] = not found[k]
    return found


def left_by_closing(places, line):
    """Which places are on the left of an open line: those inside it and a very wide arc, turned to the left."""
    low, size = line.min(axis=0), np.ptp(line, axis=0)
    long, places = (carried_on(line, 1e4 * size.max()) - low) / size, (places - low) / size
    first, last = (np.arctan2(*long[k][::-1]) for k in (0, -1))
    turn = (first - last) % (2 * np.pi)
    arc = [1e9 * np.array([np.cos(last + turn * k / 40), np.sin(last + turn * k / 40)]) for k in range(41)]
    return inside_by_rays(places, np.vstack((long, arc)))


@pytest.mark.parametrize("seed", SEEDS)
def test_an_open_line_parts_the_plane_in_two(seed):
    rng = np.random.default_rng(seed)
    line = np.cumsum(rng.normal(size=(rng.integers(2, 10), 2)) * (1, 0.4) + (1.5, 0), axis=0) * (1, 10.0 ** (seed % 5))
    size = np.ptp(line, axis=0)
    places = line.min(axis=0) + rng.uniform(-1, 2, size=(150, 2)) * size
    np.testing.assert_array_equal(encloses(places, line), left_by_closing(places, line))
    np.testing.assert_array_equal(encloses(places, line[::-1]), ~encloses(places, line))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_closed_line_has_inside_what_it_winds_around(seed):
    rng = np.random.default_rng(seed)
    angle = np.sort(rng.uniform(0, 2 * np.pi, 12))
    star = np.column_stack((np.cos(angle), np.sin(angle))) * rng.uniform(0.5, 2, (12, 1))
    places = rng.uniform(-2, 2, size=(200, 2))
    closed = np.vstack((star, star[:1]))
    assert is_closed(closed) and not is_closed(star)
    np.testing.assert_array_equal(encloses(places, closed), inside_by_rays(places, star))
    # Twice around is inside as well, where counting crossings would say outside.
    np.testing.assert_array_equal(encloses(places, np.vstack((closed, closed[1:]))), inside_by_rays(places, star))


def test_places_so_far_away_that_squares_overflow_have_a_side():
    line = np.array([(-1e150, 0.0), (1e150, 0.0)])
    np.testing.assert_array_equal(encloses(np.array([(0.0, 1e155), (1e155, -1e150)]), line), [True, False])


def test_a_line_goes_on_as_its_end_goes_and_not_as_the_hand_lets_go():
    line = np.array([(0.0, 0.0), (10.0, 0.0), (10.0, 0.01)])
    first, last = end_ways(line)
    np.testing.assert_allclose(first, (-1, 0))
    np.testing.assert_allclose(last, (1, 0.01), atol=1e-3)
    np.testing.assert_allclose(carried_on(line, 5.0)[0], (-5, 0))


@pytest.mark.parametrize("units", [(1.0, 1.0), (1e6, 1e-3), (1e-4, 1e5)])
def test_what_is_drawn_of_a_line_is_what_parts_the_places(units):
    line = np.array([(0.0, 0.0), (1.0, 2.0), (1.5, 1.0), (4.0, 1.2)]) * units
    drawn = carried_on(line, 1e3 * np.ptp(line))
    for end, beyond in ((drawn[0], drawn[1]), (drawn[-1], drawn[-2])):
        way = (end - beyond) / units / np.hypot(*((end - beyond) / units))
        aside = beyond + (5 * way + np.array([[1e-6], [-1e-6]]) * np.array([-way[1], way[0]])) * units
        assert encloses(aside, line).sum() == 1


def test_what_is_left_out_of_a_line_is_near_what_is_kept():
    rng = np.random.default_rng(1)
    line = np.column_stack((np.linspace(0, 10, 400), np.sin(np.linspace(0, 10, 400)) + 0.001 * rng.normal(size=400)))
    tolerance = np.array([0.1, 0.02])
    kept = simplified(line, tolerance)
    assert len(kept) < 60
    np.testing.assert_array_equal(kept[[0, -1]], line[[0, -1]])
    scaled = kept / tolerance
    ways = np.diff(scaled, axis=0)
    for place in line / tolerance:
        along = np.clip(((place - scaled[:-1]) * ways).sum(axis=1) / (ways**2).sum(axis=1), 0, 1)
        assert np.hypot(*(place - scaled[:-1] - along[:, None] * ways).T).min() <= 1 + 1e-9


def test_a_closed_line_stays_closed_without_places_that_hardly_matter():
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)], dtype=float)
    dense = np.concatenate([np.linspace(a, b, 30) for a, b in itertools.pairwise(corners)])
    kept = simplified(dense, np.array([0.01, 0.01]))
    np.testing.assert_allclose(kept, corners)


def test_the_nearest_straight_line_is_that_of_all_its_places():
    rng = np.random.default_rng(2)
    line = np.column_stack((np.linspace(-3, 4, 30), 0.5 * np.linspace(-3, 4, 30) + 0.1 * rng.normal(size=30)))
    place, way, off = straight_through(line)
    t = rng.random(200_000)
    steps = np.hypot(*np.diff(line, axis=0).T)
    which = rng.choice(29, 200_000, p=steps / steps.sum())
    dense = line[which] + t[:, None] * np.diff(line, axis=0)[which]
    assert np.allclose(place, dense.mean(axis=0), atol=0.02)
    assert abs(np.linalg.eigh(np.cov(dense.T))[1][:, 1] @ way) > 1 - 1e-4
    assert off < 0.05
    assert straight_through(np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]))[2] > 0.2


def test_area_and_height():
    assert area_inside(np.array([(1, 1), (3, 1), (3, 4), (1, 4), (1, 1)], dtype=float)) == pytest.approx(6)
    line = np.array([(0, 0), (1, 2), (1, 4), (3, 0)], dtype=float)
    np.testing.assert_allclose(value_along(np.array([-5, 0.5, 1, 2, 9]), line), [-15, 1.5, 3, 1.5, -9])


def test_a_thinned_line_keeps_its_shape_and_its_ends():
    angles = np.linspace(0, 2 * np.pi, 5000)
    circle = np.column_stack((np.cos(angles), np.sin(angles)))
    found = thinned(circle, np.array([1e-3, 1e-3]), 2000)
    assert 20 < len(found) < 200 and (found[[0, -1]] == circle[[0, -1]]).all()
    zigzag = np.column_stack((np.arange(1500.0), np.arange(1500) % 2))
    assert len(thinned(zigzag, np.array([0.1, 0.1]), 600)) <= 600


def test_a_smoothed_line_has_the_same_ends_and_no_sharp_corner():
    line = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0]])
    found = smoothed(line)
    assert (found[[0, -1]] == line[[0, -1]]).all()
    ways = np.diff(found, axis=0)
    turns = np.abs(np.diff(np.unwrap(np.arctan2(ways[:, 1], ways[:, 0]))))
    assert turns.max() < np.pi / 4 + 1e-12 < np.pi / 2
    assert (found >= line.min(axis=0)).all() and (found <= line.max(axis=0)).all()
    straight = np.array([[0.0, 0.0], [1.0, 1.0]])
    assert (smoothed(straight) == straight).all() and (smoothed(straight[:1]) == straight[:1]).all()


def test_how_far_a_place_is_from_a_line_is_measured_in_units():
    line = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0]])
    unit = np.array([2.0, 0.5])
    assert distance_to(line, np.array([2.0, 1.0]), unit) == pytest.approx(1.0)
    assert distance_to(line, np.array([2.0, 3.0]), np.ones(2)) == pytest.approx(2.0)
    assert distance_to(line[:1], np.array([3.0, 4.0]), np.ones(2)) == pytest.approx(5.0)


@pytest.mark.parametrize("seed", SEEDS)
def test_lines_cross_where_one_goes_from_one_side_of_the_other_to_its_other_side(seed):
    rng = np.random.default_rng(seed)
    line, other = rng.normal(size=(12, 2)), rng.normal(size=(9, 2)) + rng.uniform(0, 3, 2)
    fine = evenly_along(other, 500)
    # A fine polyline passes so near to the other one only where both meet.
    gap = np.array([distance_to(line, place, np.ones(2)) for place in fine]).min()
    step = np.hypot(*np.diff(fine, axis=0).T).max()
    if not step < gap < 10 * step:
        assert cross(line, other) == cross(other, line) == (gap <= step)
    assert cross(line * [1e-9, 1e9], other * [1e-9, 1e9]) == cross(line, other)
    assert cross(line, line[4:6]), "an end on the other line counts"


def test_places_along_a_line_are_equally_far_apart():
    line = np.array([(0.0, 0.0), (3.0, 0.0), (3.0, 1.0)])
    np.testing.assert_allclose(evenly_along(line, 5), [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1)])
    square = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)])
    np.testing.assert_allclose(evenly_along(square, 4), square[:4])


@pytest.mark.parametrize("seed", SEEDS)
def test_lines_that_run_along_each_other_have_places_in_common(seed):
    rng = np.random.default_rng(seed)
    line = np.cumsum(rng.normal(size=(6, 2)), axis=0)
    first, last = line[2:4]
    way = last - first
    for begins, ends, common in (
        (0, 1, True),
        (0.25, 0.75, True),
        (-1.0, 0.0, True),
        (0.5, 3.0, True),
        (1.5, 2.0, False),
    ):
        other = first + np.array([[begins], [ends]]) * way
        assert cross(np.array([first, last]), other) == cross(other, np.array([first, last])) == common
    assert cross(line, line) and cross(line, line[::-1])
    assert not cross(line[2:4], line[2:4] + 0.1 * np.array([-way[1], way[0]]))
