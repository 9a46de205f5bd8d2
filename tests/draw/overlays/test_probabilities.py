import numpy as np
import pytest

from mlviz.draw import contours
from mlviz.draw.contours import LABEL_GAP, LABEL_PLACES, number_places
from mlviz.numerics.grid import Grid

VIEW = Grid.over((0, 1, 0, 1), 5, 5)


def upright(x, turned=False):
    line = np.column_stack((np.full(101, x), np.linspace(0, 1, 101)))
    return line[::-1] if turned else line


@pytest.mark.parametrize("turned", [False, True])
def test_numbers_stand_near_the_upper_end_whichever_way_the_line_was_traced(turned):
    np.testing.assert_allclose(contours._upper_end(upright(0.5, turned)), [(0.5, 1 - share) for share in LABEL_PLACES])
    short = np.array([[0.0, 5.0], [0.0, 5.2], [np.nan, np.nan]])
    both = np.concatenate((short, upright(0.5, turned)))
    np.testing.assert_allclose(contours._upper_end(both), [(0.5, 1 - share) for share in LABEL_PLACES])


@pytest.mark.parametrize("seed", range(5))
def test_each_number_takes_the_first_place_that_is_far_from_those_before(seed):
    lines = {level: upright(x) for level, x in enumerate(np.random.default_rng(seed).uniform(0, 0.3, 9))}
    found, taken = number_places(lines, VIEW, lines), []
    for level, line in lines.items():
        for place in contours._upper_end(line):
            if all(np.hypot(*(place - other)) > LABEL_GAP for other in taken):
                np.testing.assert_array_equal(found[level][0], place)
                np.testing.assert_array_equal(found[level][1:], contours._upper_end(line))
                taken.append(place)
                break
        else:
            assert level not in found


def test_numbers_next_to_each_other_give_way():
    for apart, place in ((1.1 * LABEL_GAP, 0), (0.9 * LABEL_GAP, 1)):
        found = number_places({0.1: upright(0.4), 0.9: upright(0.4 + apart)}, VIEW, (0.1, 0.9))
        np.testing.assert_allclose(found[0.1][0], (0.4, 1 - LABEL_PLACES[0]))
        np.testing.assert_allclose(found[0.9][0], (0.4 + apart, 1 - LABEL_PLACES[place]))
    three = {0.1: upright(0.4), 0.9: upright(0.4), 0.3: upright(0.4)}
    assert list(number_places(three, VIEW, (0.1, 0.9))) == [0.1, 0.9]
