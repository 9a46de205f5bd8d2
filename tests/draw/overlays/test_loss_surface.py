"""The path over the loss surface: in the model's own weights, down to the minimum."""

import numpy as np
import pytest

from mlviz.algorithms.linear.logistic import LogisticRegression
from mlviz.algorithms.linear.logistic.model import visited_overlay
from mlviz.draw.layer import Context, Names
from mlviz.draw.marks import Lines, Points
from mlviz.draw.overlays import charts
from mlviz.draw.overlays import loss_surface as drawing
from mlviz.numerics.grid import Grid
from tests.algorithms.linear.test_logistic import groups


def drawn(algorithm, d=2, k=2, step=-1, n=60):
    X, y = groups(k, n, d)
    models = list(algorithm.steps(X, y, np.random.default_rng(0)))
    context = Context(X, y, np.arange(n), algorithm, "classification", grid=Grid.over((-3, 3, -3, 3), 20, 20),
                      names=Names(inputs=("height", "width")[:d]), fine=True)  # fmt: skip
    return models[: len(models) + step + 1], context, drawing.surface_chart.draw(models[step], context)


def role(plot, name, kind=Points):
    return next(mark for mark in plot.marks if mark.role == name and isinstance(mark, kind))


@pytest.mark.parametrize("solver", ["Newton", "gradient, line search"])
@pytest.mark.parametrize("penalty", ["L2", "L1"])
def test_the_path_is_that_of_the_weights_and_the_lines_are_lower_towards_the_minimum(solver, penalty):
    algorithm = LogisticRegression(0.02, penalty=penalty, solver=solver, max_iter=200)
    models, _, plot = drawn(algorithm)
    np.testing.assert_allclose(role(plot, "path", Lines).xy, [model.coef for model in models])
    np.testing.assert_allclose(role(plot, "now").xy, [models[-1].coef])
    np.testing.assert_allclose(role(plot, "lowest").xy, [models[-1].coef], atol=1e-4)
    x0, x1, y0, y1 = plot.limits
    x, y = np.linspace(x0, x1, 60), np.linspace(y0, y1, 60)
    heights = models[-1].exact.loss_surface.values(x, y, 300_000)
    i, j = np.unravel_index(heights.argmin(), heights.shape)
    assert abs(x[j] - models[-1].coef[0]) < (x1 - x0) / 50 and abs(y[i] - models[-1].coef[1]) < (y1 - y0) / 50
    assert heights.min() == pytest.approx(models[-1].objective, abs=2e-3)
    assert (plot.x_label, plot.y_label) == ("weight of height", "weight of width")


def test_with_one_input_it_lies_over_weight_and_offset():
    models, _, plot = drawn(LogisticRegression(), d=1)
    expected = [(model.coef[0], model.intercept) for model in models]
    np.testing.assert_allclose(role(plot, "path", Lines).xy, expected)
    w, b = expected[1]
    assert plot.y_label == "offset b"
    surface = models[1].exact.loss_surface
    assert surface.values(np.array([w]), np.array([b]), 100)[0, 0] == pytest.approx(models[1].objective)


def test_a_step_shows_the_path_so_far():
    models, _, plot = drawn(LogisticRegression(), step=-5)
    assert len(role(plot, "path", Lines).xy) == len(models)
    assert not np.allclose(role(plot, "now").xy, role(plot, "lowest").xy, atol=1e-3)


def test_a_long_path_keeps_its_ends():
    algorithm = LogisticRegression(solver="gradient, fixed step", learning_rate=1e-3, max_iter=900)
    models, _, plot = drawn(algorithm)
    path = role(plot, "path", Lines).xy
    assert len(path) <= 256
    dots, view = role(plot, "path").xy, np.diff(np.reshape(plot.limits, (2, 2)), axis=1).ravel()
    assert 2 < len(dots) < 80 and np.linalg.norm(np.diff(dots, axis=0) / view, axis=1).min() >= drawing.LEAST_DOT_GAP
    np.testing.assert_array_equal(dots[0], path[0])
    assert all((path == dot).all(axis=1).any() for dot in dots)
    np.testing.assert_allclose(path[[0, -1]], [models[0].coef, models[-1].coef])


def test_steps_leave_a_line_of_equal_height_at_a_right_angle():
    algorithm = LogisticRegression(solver="gradient, fixed step", learning_rate=0.5, max_iter=30)
    _, _, plot = drawn(algorithm)
    x0, x1, y0, y1 = plot.limits
    assert plot.equal and 1 - 1e-9 <= (x1 - x0) / (y1 - y0) <= drawing.WIDEST + 1e-9
    X, y = groups(2, 60, 2)
    units = np.array([1.0, 1000.0])
    algorithm = LogisticRegression(1e-6)
    model = algorithm.fit(X * units, y)
    context = Context(X * units, y, np.arange(60), algorithm, "classification", fine=True)
    assert not drawing.surface_chart.draw(model, context).equal


def test_lines_about_the_minimum_are_round_in_a_window_made_wide_by_large_steps():
    algorithm = LogisticRegression(solver="gradient, fixed step", learning_rate=60.0, max_iter=40)
    models, _, plot = drawn(algorithm)
    lines, model = role(plot, "height", Lines).xy, models[-1]
    pieces = [piece[np.isfinite(piece[:, 0])] for piece in np.split(lines, np.flatnonzero(np.isnan(lines[:, 0])))]
    lowest = model.exact.on_plane(model.exact.lowest)
    innermost = min(pieces, key=lambda piece: np.linalg.norm(piece - lowest, axis=1).max())
    assert len(innermost) >= 24
    heights = [model.exact.loss_surface.values(place[:1], place[1:], 10**6)[0, 0] for place in innermost]
    assert np.ptp(heights) < 0.15 * (np.mean(heights) - model.exact.lowest.value)


@pytest.mark.parametrize(("d", "k"), [(3, 2), (2, 3)])
def test_where_there_are_more_weights_there_is_no_surface(d, k):
    X, y = groups(k, 60, d)
    model = LogisticRegression().fit(X, y)
    assert (
        drawing.surface_chart.draw(model, Context(X, y, np.arange(60), LogisticRegression(), "classification")) is None
    )


def test_the_samples_of_a_step_have_a_ring():
    algorithm = LogisticRegression(solver="mini-batch", batch_size=5, max_iter=3)
    models, context, _ = drawn(algorithm)
    (rings,) = visited_overlay.draw(models[-1], context)
    np.testing.assert_array_equal(rings.rows, np.unique(models[-1].batch_rows))
    np.testing.assert_array_equal(rings.xy, context.X[rings.rows])
    assert visited_overlay.draw(models[0], context) == ()


def test_weights_that_the_penalty_makes_zero_are_marked():
    X, y = groups(2, 60, 3)
    algorithm = LogisticRegression(0.05, penalty="L1")
    model = algorithm.fit(X, y)
    plot = charts.weights_chart.draw(model, Context(X, y, np.arange(60), algorithm, "classification"))
    (zeros,) = [mark for mark in plot.marks if mark.label == "exactly 0"]
    assert 0 < len(zeros.xy) == (model.coef == 0).sum() < 3
    np.testing.assert_allclose(zeros.xy, [(j, 0) for j in np.flatnonzero(model.coef == 0)], atol=1e-12)
