"""Level sets on a grid: where they are, and that straight ones are kept by their ends alone."""

from __future__ import annotations

import numpy as np
import pytest

from mlviz.draw.contours import contour, join_lines, straightened
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
