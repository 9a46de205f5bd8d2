"""Level sets on a grid: where they are, and that straight ones are kept by their ends alone."""

from __future__ import annotations

import numpy as np
import pytest

from mlviz.draw.contours import (
    LABEL_GAP,
    contour,
    contour_lines,
    join_lines,
    number_places,
    straightened,
    traced_nodes,
)
from mlviz.numerics.grid import Grid

GRID = Grid(np.linspace(-3, 3, 120), np.linspace(-2, 2, 90))
X, Y = np.meshgrid(GRID.x, GRID.y)


@pytest.mark.parametrize(("a", "b", "c"), [(1.0, 1.0, 0.2), (2.0, -1.0, 0.3), (1.0, 0.0, 0.5), (0.0, 3.0, -1.0)])
def test_a_straight_line_is_its_two_ends(a, b, c):
    line = contour(GRID, (a * X + b * Y + c).astype(np.float32), 0.0)
    assert line.shape == (2, 2)
    np.testing.assert_allclose(line @ (a, b) + c, 0, atol=1e-5)
    # The ends are on the rim of the grid.
    assert all(np.isclose(abs(x), 3) or np.isclose(abs(y), 2) for x, y in line)


@pytest.mark.parametrize("bend", [1e-2, 0.1, 0.6])
def test_a_bent_line_keeps_its_shape(bend):
    line = contour(GRID, X + bend * Y**2, 0.0)
    y = np.linspace(-1.99, 1.99, 200)
    drawn = np.interp(y, *line[np.argsort(line[:, 1])].T[::-1])
    np.testing.assert_allclose(drawn, -bend * y**2, atol=2e-3 * 6 / 120 + bend * (4 / 90) ** 2)


def test_closed_lines_stay_and_each_line_is_judged_by_itself():
    around = np.linspace(0, 2 * np.pi, 40)
    circle = np.column_stack((np.cos(around), np.sin(around)))
    along = np.linspace(0, 1, 30)[:, None] * (1.0, 0.5)
    pieces = [circle, along, along[::-1] + 1, circle + 1]
    found = straightened(join_lines(pieces), GRID)
    expected = join_lines([circle, along[[0, -1]], along[[-1, 0]] + 1, circle + 1])
    np.testing.assert_allclose(found, expected)
    assert straightened(np.empty((0, 2)), GRID).shape == (0, 2)


@pytest.mark.parametrize("nodes", [(60, 50), (100, 86), (161, 160), (200, 123)])
def test_of_a_field_only_the_nodes_that_are_traced_need_be_known(nodes):
    grid = Grid.over((-4, 4, -3, 3), *nodes)
    asked = traced_nodes(grid, False)

    def field(on):
        return np.sin(on.x) + np.cos(1.3 * on.y)[:, None]

    lines = contour_lines(grid, field(grid), [-0.5, 0.2]), contour_lines(asked, field(asked), [-0.5, 0.2], fine=True)
    for whole, part in zip(*lines, strict=True):
        assert len(whole) > 20
        np.testing.assert_array_equal(whole, part)
    assert traced_nodes(grid, True) is grid and max(asked.shape) <= 81
    assert (asked.x[-1], asked.y[-1]) == (grid.x[-1], grid.y[-1])


def test_numbers_keep_away_from_other_lines_and_from_each_other():
    """Against distances written out, place by place."""
    grid = Grid.over((-4, 4, -3, 3), 100, 86)
    x, y = np.meshgrid(grid.x, grid.y)
    levels = [-0.9, 0.9, -0.4, 0.4, 0.0, 0.2]
    lines = dict(zip(levels, contour_lines(grid, np.sin(x) * np.cos(y) + 0.1 * x, levels), strict=True))
    found = number_places(lines, grid, always=(0.9,))
    view = np.array([8.0, 6.0])
    assert len(found) > 2 and 0.9 in found
    best = {level: places[0] / view for level, places in found.items()}
    for level, places in found.items():
        others = np.concatenate([line for other, line in lines.items() if other != level]) / view
        if level != 0.9:
            assert np.nanmin(np.hypot(*(places[:, None] / view - others).transpose(2, 0, 1))) > 0.025
        assert all(np.hypot(*(best[level] - best[other])) > LABEL_GAP for other in best if other != level)
