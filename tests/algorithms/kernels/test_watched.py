"""Under the hand a curve is told as the solver knows it: the same as the sum of all terms, which is not added up."""

import time

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.algorithms.kernels import box_solving
from mlviz.numerics.arrays import as_span
from mlviz.numerics.kernels.expansion import Expansion
from tests.sweep import each

LINE = np.linspace(-4, 4, 200)[:, None]


@pytest.fixture
def summed(monkeypatch):
    """At how many places each sum of all terms was asked for."""
    asked, at = [], Expansion.at
    monkeypatch.setattr(Expansion, "at", lambda self, X: asked.append(len(X)) or at(self, X))
    return asked


def samples(n=90):
    rng = np.random.default_rng(n)
    X = rng.uniform(-4, 4, (n, 1))
    return X, np.sin(X[:, 0]) + 0.3 * rng.normal(size=n)


SETTINGS = [{}, {"kernel": "laplacian"}, {"kernel": "expression"}, {"C": 1000.0}, {"epsilon": 0.0}]


@each("settings, up", SETTINGS, [False, True])
def test_the_curve_is_known_from_its_second_time_on(settings, up, summed):
    """Though it is asked at other places besides, some of which are others each time."""
    method, wide = registry()["svr"](**settings), None
    X, y = samples()
    follower, rng = method.follower(), np.random.default_rng(1)
    for frame in range(30):
        X, y = X.copy(), y.copy()
        X[5] += 0.1 * rng.normal()
        y[5] += 0.1 * rng.normal() * up
        model = follower.update(method, X, y, None, time.perf_counter() + 60)
        summed.clear()
        along, at_samples = model.predict(LINE), model.predict(X)
        if frame > 1:
            assert not summed
        assert frame < 3 or wide is follower._solvers[0].wide
        wide = follower._solvers[0].wide
        model.predict(LINE[::-1])
        size = max(1.0, float(np.abs(model.expansion.coef).sum()))
        np.testing.assert_allclose(along, model.expansion.at(LINE), rtol=0, atol=1e-12 * size)
        np.testing.assert_allclose(at_samples, model.predict(X.copy()), rtol=0, atol=1e-12 * size)


def test_other_places_are_added_up_and_known_once_they_come_again(summed):
    method, (X, y) = registry()["svr"](), samples()
    follower = method.follower()
    for frame in range(12):
        X = X.copy()
        X[5] += 0.05
        line = LINE + (frame >= 6)
        model = follower.update(method, X, y, None, float("inf"))
        summed.clear()
        values = model.predict(line)
        assert summed == ([200] if frame in (0, 1, 6, 7) else [])
        np.testing.assert_allclose(values, model.expansion.at(line), rtol=0, atol=1e-11)


def test_the_same_number_of_other_places_is_not_taken_for_those_watched():
    method, (X, y) = registry()["svr"](), samples()
    follower = method.follower()
    for _ in range(4):
        X = X.copy()
        X[5] += 0.05
        model = follower.update(method, X, y, None, float("inf"))
        model.predict(LINE)
    np.testing.assert_allclose(model.predict(LINE[::-1]), model.predict(LINE)[::-1], rtol=0, atol=1e-11)


def test_samples_that_come_and_go_and_settings_that_change_leave_nothing_behind(summed):
    method, (X, y) = registry()["svr"](), samples()
    follower, rng = method.follower(), np.random.default_rng(3)
    for frame in range(40):
        X, y = X.copy(), y.copy()
        X[rng.integers(0, len(X))] += 0.1 * rng.normal()
        if frame % 9 == 4:
            X, y = np.vstack((X, [[0.3]])), np.append(y, 0.2)
        if frame % 9 == 6:
            X, y = X[1:], y[1:]
        if frame % 9 == 8:
            method = method.replace(C=method.C * 1.5, epsilon=0.3 - method.epsilon / 4)
        if frame % 13 == 12:
            method = method.replace(sigma=method.sigma * 1.1)
        model = follower.update(method, X, y, None, float("inf"))
        np.testing.assert_allclose(model.predict(LINE), model.expansion.at(LINE), rtol=0, atol=1e-11)
        np.testing.assert_allclose(model.predict(X), model.expansion.at(X), rtol=0, atol=1e-11)


def test_a_sum_that_cancels_is_no_rounding():
    """Pairs at one place that pull both ways: nothing is left of the terms but what rounding makes of them."""
    method = registry()["svr"](epsilon=0.1)
    X, y = np.tile(np.linspace(-3, 3, 30), 2)[:, None], np.repeat([-1.0, 1.0], 30)
    follower = method.follower()
    for _ in range(5):
        X = X.copy()
        X[[0, 30]] += 0.01
        model = follower.update(method, X, y, None, float("inf"))
        assert (model.predict(LINE) == model.intercept).all() and (model.predict(X) == model.intercept).all()


def test_samples_that_take_no_part_are_told_like_any_place():
    """Of very many samples some stand for all."""
    method, (X, y) = registry()["svr"](), samples(3100)
    follower = method.follower()
    for _ in range(2):
        X = X.copy()
        X[5] += 0.05
        model = follower.update(method, X, y, None, float("inf"))
    assert len(model.solution.rows) < len(X)
    np.testing.assert_allclose(model.predict(X), model.expansion.at(X), rtol=0, atol=1e-9)


def test_an_older_model_stays_as_it_was_and_other_inputs_are_others():
    """The places of one input are watched while two are asked about, and come again."""
    method, (X, y) = registry()["svr"](), samples()
    follower, older = method.follower(), None
    for frame in range(16):
        X = X.copy()
        X[5] += 0.05
        wide = frame in (6, 7, 8)
        model = follower.update(method, np.column_stack((X, X**2)) if wide else X, y, None, float("inf"))
        if older is not None:
            np.testing.assert_allclose(older.predict(LINE), older.expansion.at(LINE), rtol=0, atol=1e-11)
        model.predict(np.column_stack((LINE, LINE)) if wide else LINE)
        older = None if wide else model


def test_the_offset_of_a_solver_that_was_stopped_is_not_taken_for_the_best():
    method, (X, y) = registry()["svr"](), samples()
    follower = method.follower()
    for values, deadline, solved in ((y, float("inf"), True), (-y, 0.0, False), (-y, float("inf"), True)):
        model = follower.update(method, X, values, None, deadline)
        assert (model.solution.known_offset is not None) is solved


@pytest.mark.parametrize("which", [0, 3])
def test_a_solver_of_several_that_begins_anew_is_given_the_places_again(which, monkeypatch):
    """As where it went on from interior points: it knows the matrix alone, and the others what is beside it."""
    improved, calls = box_solving._improved, []

    def anew(program, solver, deadline):
        solver, done = improved(program, solver, deadline)
        calls.append(solver)
        return (program.solver(solver.K, solver.beta) if (len(calls) - 1) % 4 == which else solver), done

    monkeypatch.setattr(box_solving, "_improved", anew)
    method, (X, y) = registry()["quantile-regression"](basis="kernel", tau=0.3), samples()
    follower = method.follower()
    for _ in range(8):
        X = X.copy()
        X[5] += 0.05
        problems, _ = method.given(X, y, None, ordered=False)
        for found in follower.followed(problems, float("inf")):
            np.testing.assert_allclose(found.at(LINE), found.expansion.at(LINE), rtol=0, atol=1e-11)
    assert len(calls) == 32


def test_one_sample_of_few_that_moves_in_two_inputs_is_one_sample():
    rng = np.random.default_rng(0)
    X, method = rng.normal(size=(8, 2)), registry()["svr"]()
    y, follower = X.sum(axis=1), method.follower()
    follower.update(method, X.copy(), y, None, float("inf"))
    for rows, known in (([3], True), ([3, 5], False)):
        X[rows] += 0.1
        moved = follower.moved(method, X.copy(), y, as_span(np.array(rows)), float("inf"))
        assert (moved is not None) is known


def test_the_largest_bounds_over_the_smallest_targets_are_numbers_still():
    method, (X, y) = (
        registry()["svr"](C=1e9, epsilon=0.0, kernel="expression", expression="1000000000*gaussian(1)"),
        samples(),
    )
    follower = method.follower()
    for _ in range(3):
        X = X.copy()
        X[5] += 0.05
        model = follower.update(method, X, 1e-149 * y, None, float("inf"))
        assert np.isfinite(model.predict(LINE)).all() and np.isfinite(model.predict(X)).all()
