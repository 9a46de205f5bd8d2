import numpy as np

from mlviz.draw.overlays import contour
from mlviz.numerics.grid import Grid


def test_a_line_in_a_field_that_jumps_is_where_it_jumps():
    grid = Grid.over((-2, 2, -1.5, 1.5), 61, 47)

    def inside(places):
        return np.hypot(places[:, 0], places[:, 1]) < 1.03

    values = np.where(inside(grid.points()).reshape(grid.shape), 1.0, -1.0)
    steps = contour(grid, values, 0.0)
    line = contour(grid, values, 0.0, inside)
    assert len(line) == len(steps) > 100
    assert np.abs(np.hypot(*steps.T) - 1.03).max() > 0.02
    assert np.abs(np.hypot(*line.T) - 1.03).max() < 1e-4


def test_a_straight_field_is_traced_exactly():
    grid = Grid.over((-1, 1, -1, 1), 11, 11)
    line = contour(grid, grid.points().sum(axis=1).reshape(grid.shape), 0.3)
    np.testing.assert_allclose(line.sum(axis=1), 0.3, atol=1e-12)


def test_no_line_where_the_level_is_not_met():
    grid = Grid.over((-1, 1, -1, 1), 5, 5)
    assert contour(grid, np.ones(grid.shape), 0.0, lambda places: places[:, 0] > 0).shape == (0, 2)
