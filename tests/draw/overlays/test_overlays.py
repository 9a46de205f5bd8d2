from types import SimpleNamespace

import numpy as np
import pytest

from mlviz.draw.contours import contour
from mlviz.draw.layer import Context
from mlviz.draw.overlays import regions
from mlviz.numerics.grid import Grid

GRID = Grid.over((-1, 1, -1, 1), 5, 3)
X = np.array([(-0.5, 0.0), (0.5, 0.0), (0.7, 0.5)])


def sign_model():
    """Class 7 right of the vertical axis, class 4 left of it; f(x) = x1."""
    return SimpleNamespace(
        classes=np.array([4, 7]), jumps=False, predict=lambda places: np.where(places[:, 0] > 0, 7, 4)
    )


def planes(task, y, field=None, **facts):
    rows = np.array([5, 6, 8])
    return Context(X=X, y=np.array(y), rows=rows, algorithm=None, task=task, grid=GRID, field=field, **facts)


def test_misclassified_are_the_samples_of_another_class_than_predicted():
    (mark,) = regions.misclassified.draw(sign_model(), planes("classification", [7, 7, 7]))
    np.testing.assert_array_equal(mark.rows, [5])
    np.testing.assert_array_equal(mark.xy, X[:1])
    assert not regions.misclassified.draw(sign_model(), planes("classification", [4, 7, 7]))


def test_regions_are_tinted_by_class_and_stronger_where_the_lead_is_larger():
    (mark,) = regions.regions.draw(sign_model(), planes("classification", [4, 7, 7], np.tile(GRID.x, (3, 1))))
    np.testing.assert_array_equal(mark.classes[0], [4, 4, 4, 7, 7])
    left, half, middle = (int(mark.strength[0, i]) for i in range(3))
    assert left > half > middle > 0
    assert half - middle == pytest.approx((left - middle) / 2, abs=1)
    np.testing.assert_array_equal(mark.strength[0], mark.strength[0, ::-1])


def test_shares_of_three_classes_lead_by_their_distance_to_the_next():
    shares = np.tile([0.5, 0.3, 0.2], (3, 5, 1))
    lead = regions.class_margins(planes("classification", [0, 1, 2], shares))
    np.testing.assert_allclose(lead[0, 0], [0.2, -0.2, -0.3])


def test_the_boundary_is_where_the_classes_are_equal():
    (mark,) = regions.boundary.draw(sign_model(), planes("classification", [4, 7, 7], np.tile(GRID.x, (3, 1)) - 0.2))
    np.testing.assert_allclose(mark.xy[:, 0], 0.2)


def test_larger_values_are_shaded_higher_and_the_middle_is_neutral():
    targets = np.array([3 * GRID.x[0], 0.0, 3 * GRID.x[-1]])
    field, lines, numbers = regions.value_field.draw(None, planes("regression", targets, np.tile(3 * GRID.x, (3, 1))))
    np.testing.assert_array_equal(field.strength[0], [1, 64, 128, 191, 255])
    places = lines.xy[np.isfinite(lines.xy[:, 0])]
    np.testing.assert_allclose(3 * places[:, 0], np.round(3 * places[:, 0]), atol=1e-6)
    for place, word in zip(numbers.xy, numbers.words, strict=True):
        assert 3 * place[0] == pytest.approx(float(word.replace("−", "-")))


def test_residuals_go_from_samples_to_the_curve_and_squares_have_them_as_sides():
    x, y = np.array([[0.0], [1.0]]), np.array([2.0, -1.0])
    model = SimpleNamespace(predict=lambda places: 3 * places[:, 0])
    line = np.linspace(0, 1, 3)
    context = Context(X=x, y=y, rows=np.array([2, 3]), algorithm=None, task="regression", line=line)
    (curve,) = regions.curve.draw(model, context)
    np.testing.assert_allclose(curve.xy, np.column_stack((line, 3 * line)))
    (residuals,) = regions.residuals.draw(model, context)
    np.testing.assert_allclose(residuals.start, [(0, 2), (1, -1)])
    np.testing.assert_allclose(residuals.end, [(0, 0), (1, 3)])
    np.testing.assert_array_equal(residuals.rows, [2, 3])
    (squares,) = regions.squared_residuals.draw(model, context)
    areas = [np.prod(np.ptp(square, axis=0)) for square in squares.vertices]
    np.testing.assert_allclose(areas, [4, 16])


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


def test_of_very_many_squares_some_are_drawn_evenly_along_the_input():
    x = np.random.default_rng(0).uniform(0, 1, (2000, 1))
    model = SimpleNamespace(predict=lambda places: 0 * places[:, 0])
    context = Context(x, np.ones(2000), np.arange(2000), None, "regression", line=np.linspace(0, 1, 3))
    (squares,) = regions.squared_residuals.draw(model, context)
    left = np.sort([square[0, 0] for square in squares.vertices])
    assert len(left) == regions.MOST_SQUARES and squares.label == "squared residuals, 500 of 2000"
    np.testing.assert_allclose(left, np.linspace(0, 1, 500), atol=0.05)


def test_what_the_model_is_known_to_predict_is_not_asked_for_again():
    x, y = np.array([[0.0], [1.0]]), np.array([2.0, -1.0])
    known = Context(x, y, np.arange(2), None, "regression", line=x[:, 0], predicted=np.array([5.0, 6.0]))
    (residuals,) = regions.residuals.function(None, known)
    np.testing.assert_allclose(residuals.end, [(0, 5), (1, 6)])


def test_rounding_errors_on_a_level_plain_are_not_traced_and_what_crosses_the_level_is():
    grid = Grid.over((-1, 1, -1, 1), 101, 101)
    x, y = np.meshgrid(grid.x, grid.y)
    noise = np.random.default_rng(0).normal(0, 4e-7, x.shape)
    plain = np.where(x < 0.5, -1.0, -1.0 + 4 * np.maximum(x - 0.5, 0) ** 2) + noise
    assert not len(contour(grid, plain.astype(np.float32), -1.0, fine=True, terms=0.0))
    # Terms of 1000 that cancel have the rounding errors of 1000.
    assert not len(contour(grid, plain + 1000 * noise, -1.0, fine=True, terms=1e3))
    crossing = contour(grid, plain, -0.5, fine=True, terms=1e3)
    np.testing.assert_allclose(crossing[np.isfinite(crossing[:, 0]), 0], 0.5 + np.sqrt(0.125), atol=1e-3)
    # A line through a plain stays where the plain has ended.
    slope = np.where(np.abs(y) < 0.2, 0.0, x)
    line = contour(grid, slope, 0.0, fine=True, terms=0.0)
    line = line[np.isfinite(line[:, 0])]
    assert np.ptp(line[:, 1]) == 2 and np.abs(line[:, 1]).min() > 0.15
    # Shares of votes lie on levels exactly: there the line is where they jump.
    assert len(contour(grid, np.where(x < 0.5, 0.6, 0.8), 0.6, fine=True))
