"""Linear regression by following the gradient: each solver's way and end, its charts, what it says where it fails."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose

from mlviz.algorithms import LinearRegression
from mlviz.algorithms.linear.linear_regression import descent
from mlviz.algorithms.linear.linear_regression.step_rules import rules_chart
from mlviz.draw.layer import Context
from mlviz.draw.marks import Lines
from mlviz.draw.overlays.loss_surface import surface_chart

SOLVERS = [name for name in LinearRegression.parameter("solver").options if name != "exact"]
DIRECT = [name for name in SOLVERS if name not in ("SGD", "mini-batch")]
rng = np.random.default_rng(0)
X1, X2 = rng.uniform(-3, 3, (40, 1)), rng.uniform(-3, 3, (40, 2))
Y1 = 0.7 * X1[:, 0] + 0.5 + rng.normal(0, 0.3, 40)
Y2 = X2 @ (1.0, -0.5) + 0.5 + rng.normal(0, 0.3, 40)


def context(X, y, method, step=0):
    return Context(X, y, np.arange(len(X)), method, "regression", step=step)


@pytest.mark.parametrize("solver", DIRECT)
@pytest.mark.parametrize(("X", "y"), [(X1, Y1), (X2, Y2)], ids=["a line", "a plane"])
@pytest.mark.parametrize("penalty", ["none", "L2"])
def test_every_way_ends_at_the_exact_minimum(solver, X, y, penalty):
    settings = {"penalty": penalty, "lambda_": 0.3}
    exact = LinearRegression(**settings).fit(X, y)
    model = LinearRegression(solver=solver, max_iter=3000, **settings).fit(X, y)
    assert_allclose(model.predict(X), exact.predict(X), atol=1e-6)
    assert model.objective == pytest.approx(exact.objective, rel=1e-9)
    assert model.caveat == "" and model.iterate.settled


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_objective_of_each_step_is_that_of_its_model_and_the_path_is_its_weights(solver):
    method = LinearRegression(solver=solver, max_iter=30, penalty="L2", lambda_=0.1)
    for model in method.steps(X1, Y1, np.random.default_rng(1)):
        w, b = float(model.coef[0]), model.intercept
        expected = np.mean((Y1 - w * X1[:, 0] - b) ** 2) + 0.1 * w**2
        assert model.iterate.value == pytest.approx(expected, rel=1e-9)
        assert_allclose(model.way_down[-1], (w, b), atol=1e-12)
        assert model.surface.values(np.array([w]), np.array([b]))[0, 0] == pytest.approx(expected, rel=1e-9)


def test_the_first_steps_are_those_of_a_lecture():
    """w <- w + (2 η / n) Σ (y − f(x)) x, and the same for b, from 0."""
    first, second, third = list(LinearRegression(solver="gradient, fixed step", learning_rate=0.02, max_iter=2).steps(
        X1, Y1, np.random.default_rng(0)
    ))  # fmt: skip
    assert_allclose(first.predict(X1), 0)
    w, b = 0.02 * 2 * np.mean(Y1 * X1[:, 0]), 0.02 * 2 * np.mean(Y1)
    assert_allclose((second.coef[0], second.intercept), (w, b), rtol=1e-12)
    left = Y1 - w * X1[:, 0] - b
    assert third.coef[0] == pytest.approx(w + 0.04 * np.mean(left * X1[:, 0]), rel=1e-12)


def test_the_line_search_never_goes_up_and_the_bold_driver_takes_steps_back():
    for solver in ("gradient, 1/L", "gradient, line search", "gradient, bold driver"):
        method = LinearRegression(solver=solver, learning_rate=5.0, max_iter=60)
        models = list(method.steps(X1 + 5, Y1, np.random.default_rng(0)))
        assert (np.diff([model.iterate.value for model in models]) <= 1e-12).all(), solver
        assert any(model.iterate.taken_back for model in models) == (solver == "gradient, bold driver")


@pytest.mark.parametrize("penalty", ["none", "L2", "L1", "elastic net"])
def test_coordinate_descent_sets_one_parameter_after_the_other_to_its_best(penalty):
    X = rng.normal(size=(40, 4)) @ np.triu(np.ones((4, 4)))
    y = X @ (1.0, -0.5, 0.0, 0.0) + rng.normal(0, 0.3, 40)
    settings = {"penalty": penalty, "lambda_": 0.2}
    method = LinearRegression(solver="coordinate descent", max_iter=3000, **settings)
    models = list(method.steps(X, y, np.random.default_rng(0)))
    for k, (before, after) in enumerate(itertools.pairwise(models[:12])):
        changed = np.flatnonzero(before.iterate.at != after.iterate.at)
        assert set(changed) <= {k % 5} and after.stage == (
            "offset at its best" if k % 5 == 4 else f"weight {k % 5 + 1} at its best"
        )
        for move in (-1e-4, 1e-4):
            at = after.iterate.at + move * (np.arange(5) == k % 5)
            loss, prices = after.way.loss, after.way.prices
            assert loss.value(at)[0] + prices @ np.abs(at) > after.iterate.value
    assert_allclose(models[-1].predict(X), LinearRegression(**settings).fit(X, y).predict(X), atol=1e-6)
    assert models[-1].iterate.settled and (np.diff([model.iterate.value for model in models]) <= 1e-12).all()


def test_a_step_beyond_two_over_l_diverges_and_says_so():
    longest = descent.Descent(LinearRegression().fit(X1, Y1).problem).longest
    A = np.column_stack((X1, np.ones(40)))
    assert longest == pytest.approx(2 / np.linalg.eigvalsh(2 * A.T @ A / 40)[-1])
    for factor, fails in ((0.98, False), (1.05, True)):
        method = LinearRegression(solver="gradient, fixed step", learning_rate=factor * longest, max_iter=2000)
        model = method.fit(X1, Y1)
        assert ("2/L" in model.caveat) == fails, factor
    assert model.stage == "diverges"
    assert model.iterate.ran_away and np.isfinite(model.predict(X1)).all()


def test_the_chart_of_rules_is_what_each_rule_does():
    method = LinearRegression(solver="gradient, 1/L", max_iter=50)
    model = method.fit(X1, Y1)
    plot = rules_chart.draw(model, context(X1, Y1, method))
    lines = {mark.label: mark.xy for mark in plot.marks if isinstance(mark, Lines)}
    assert len(lines) == 5 and plot.y_scale == "log"
    for solver, xy in lines.items():
        named = next(name for name in DIRECT if name.endswith(solver))
        models = list(method.replace(solver=named).steps(X1, Y1, np.random.default_rng(0)))
        least = LinearRegression().fit(X1, Y1).objective
        for k, above in xy[:10]:
            assert models[int(k)].iterate.value - least == pytest.approx(above, rel=1e-4, abs=1e-9)


def test_the_surface_is_drawn_of_two_parameters_alone():
    method = LinearRegression(solver="gradient, 1/L")
    plot = surface_chart.draw(method.fit(X1, Y1), context(X1, Y1, method))
    assert (plot.x_label, plot.y_label) == ("weight of x1", "offset b")
    x0, x1, y0, y1 = plot.limits
    assert x0 < 0 < x1 and y0 < 0 < y1 and (y1 - y0) < 5
    assert surface_chart.draw(method.fit(X2, Y2), context(X2, Y2, method)).y_label == "weight of x2"
    bent = method.replace(basis="polynomial")
    assert surface_chart.draw(bent.fit(X1, Y1), context(X1, Y1, bent)) is None


def test_far_from_zero_the_valley_is_narrow_and_the_way_long():
    method = LinearRegression(solver="gradient, 1/L", max_iter=100)
    near, far = method.fit(X1, Y1), method.fit(X1 + 20, Y1)
    assert near.iterate.settled and not far.iterate.settled and "above the minimum" in far.caveat


@pytest.mark.parametrize("size", [1e-9, 1e9])
def test_a_way_that_is_not_at_its_end_says_so_in_any_units(size):
    x, y = np.array([[-1.0], [0.0], [1.0], [2.0]]) * size, np.array([1.0, 2.0, 1.0, 3.0]) * size
    model = LinearRegression(solver="gradient, 1/L", max_iter=200).fit(x, y)
    least = LinearRegression().fit(x, y).objective
    assert model.iterate.steps == 200 and "above the minimum" in model.caveat
    assert model.iterate.value > 1.5 * least


@pytest.mark.parametrize("step", [0, 3])
@pytest.mark.parametrize("penalty", ["none", "L2", "L1"])
def test_on_the_way_nothing_is_told_that_holds_at_the_minimum_alone(step, penalty):
    method = LinearRegression(solver="gradient, 1/L", penalty=penalty, lambda_=0.5, max_iter=5)
    model = list(method.steps(X1, Y1, np.random.default_rng(0)))[step]
    told = {fact.name for fact in model.known_facts}
    assert told.isdisjoint({"effective parameters", "prior of the weights", "smaller system", "rank", "duality gap"})
    w, b = float(model.coef[0]), model.intercept
    left = Y1 - w * X1[:, 0] - b
    l1, l2 = 0.5 * (penalty == "L1"), 0.5 * (penalty == "L2")
    along = -2 * np.mean(left * X1[:, 0]) + 2 * l2 * w
    slope = along + l1 * np.sign(w) if w else np.sign(along) * max(abs(along) - l1, 0.0)
    (fact,) = (fact for fact in model.known_facts if fact.name == "gradient norm")
    assert fact.of(model).value == pytest.approx(np.hypot(slope, 2 * np.mean(left)), rel=1e-9)
    shown = {chart.id for chart in LinearRegression.charts if chart.draw(model, context(X1, Y1, method)) is not None}
    assert shown.isdisjoint({"spectrum", "path", "threshold", "ball"})
