"""Under the hand a curve is told as the solver knows it: the same as the sum of all terms, which is not added up."""

import time

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.numerics.kernels.expansion import Expansion

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


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("up", [False, True], ids=["across", "across and up"])
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
