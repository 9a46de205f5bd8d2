"""The mean squared residual: its slope, its curvature, its surface, and the ways down to its minimum."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import check_grad
from sklearn.linear_model import ElasticNet, Ridge

from mlviz.numerics.convex.gradient_descent import accelerated, descent, stochastic
from mlviz.numerics.convex.squared_loss import SquaredLoss, SquaredSurface


def loss_of(n=30, d=3, l2=0.1, seed=0):
    rng = np.random.default_rng(seed)
    inputs = np.vstack((rng.normal(size=(d, n)), np.ones(n)))
    shares = rng.uniform(0.5, 2, n)
    y = rng.normal(size=n) + inputs[0] * 2 + 1
    return SquaredLoss(inputs, y, shares / shares.sum(), np.append(np.full(d, l2), 0.0))


def test_its_slope_is_that_of_its_values_and_its_steepest_is_the_curvature():
    loss = loss_of()
    at = np.array([0.3, -1.0, 2.0, 0.5])
    assert check_grad(lambda t: loss.value(t)[0], lambda t: loss.gradient(t, loss.value(t)[1]), at) < 1e-5
    hessian = 2 * (loss.inputs * loss.shares) @ loss.inputs.T + 2 * np.diag(loss.penalty)
    largest = np.linalg.eigvalsh(hessian)[-1]
    assert largest <= loss.steepest() * (1 + 1e-12) and loss.steepest() < largest * 1.2


@pytest.mark.parametrize(("n", "d"), [(8, 400), (400, 8), (9, 8)])
def test_the_curvature_is_that_of_the_fewer_of_samples_and_parameters(n, d, monkeypatch):
    loss, sizes, own = loss_of(n, d, 0.0), [], np.linalg.eigvalsh
    monkeypatch.setattr(np.linalg, "eigvalsh", lambda A: sizes.append(len(A)) or own(A))
    found = loss.steepest()
    assert sizes == [min(n, d + 1)]
    assert_allclose(found, 2 * np.linalg.norm(loss.inputs * np.sqrt(loss.shares), 2) ** 2, rtol=1e-12)


def ways(loss, prices):
    start = np.zeros(len(loss.inputs))
    yield from ((rule, descent(loss, prices, start, rule, 0.1, 4000)) for rule in ("1/L", "line search", "bold driver"))
    yield "fista", accelerated(loss, prices, start, 4000)


@pytest.mark.parametrize("l2", [0.0, 0.1])
def test_every_way_leads_to_the_minimum_of_ridge_regression(l2):
    loss = loss_of(l2=l2)
    n = len(loss.y)
    oracle = Ridge(alpha=n * l2, tol=1e-12).fit(loss.inputs[:-1].T, loss.y, loss.shares * n)
    for name, way in ways(loss, np.zeros(4)):
        *_, last = way
        assert_allclose(last.at, np.append(oracle.coef_, oracle.intercept_), atol=1e-7, err_msg=name)
        assert last.settled, name


def test_with_an_l1_penalty_the_same_weights_are_zero_as_in_scikit_learn():
    loss, price, l2 = loss_of(d=6, l2=0.05), 0.4, 0.05
    prices = np.append(np.full(6, price), 0.0)
    alpha = price / 2 + l2
    oracle = ElasticNet(alpha=alpha, l1_ratio=price / 2 / alpha, tol=1e-14, max_iter=10**6)
    oracle.fit(loss.inputs[:-1].T, loss.y, loss.shares * len(loss.y))
    assert 0 < (oracle.coef_ == 0).sum() < 6
    for name, way in ways(loss, prices):
        *_, last = way
        assert_allclose(last.at, np.append(oracle.coef_, oracle.intercept_), atol=1e-6, err_msg=name)
        assert ((last.at[:-1] == 0) == (oracle.coef_ == 0)).all(), name


def test_acceleration_keeps_its_promise_and_is_faster_than_plain_steps():
    rng = np.random.default_rng(1)
    x = np.linspace(-1, 1, 40)
    inputs = np.vstack([x**k for k in (1, 2, 3, 4, 5)] + [np.ones(40)])
    loss = SquaredLoss(inputs, np.sin(3 * x) + rng.normal(0, 0.1, 40), np.full(40, 1 / 40), np.zeros(6))
    best, *_ = np.linalg.lstsq(inputs.T, loss.y, rcond=None)
    least, size = loss.value(best)[0], loss.steepest()
    fast = [step.value - least for step in accelerated(loss, np.zeros(6), np.zeros(6), 500)]
    plain = [step.value - least for step in descent(loss, np.zeros(6), np.zeros(6), "1/L", 1.0, 500)]
    bound = [2 * size * float(best @ best) / (k + 1) ** 2 for k in range(1, 501)]
    assert (np.array(fast[1:]) <= np.array(bound)).all()
    assert fast[500] < plain[500] / 20


def test_a_step_that_is_too_long_runs_away_and_says_so():
    loss = loss_of()
    *_, last = descent(loss, np.zeros(4), np.zeros(4), "fixed", 2.05 / loss.steepest() * 1.3, 2000)
    assert last.ran_away and not last.settled
    *_, last = descent(loss, np.zeros(4), np.zeros(4), "fixed", 1.0 / loss.steepest(), 2000)
    assert last.settled


def test_single_samples_lead_to_about_the_minimum():
    loss = loss_of(n=60)
    *_, best = descent(loss, np.zeros(4), np.zeros(4), "1/L", 1.0, 5000)
    *_, last = stochastic(loss, np.zeros(4), np.zeros(4), 0.01, 1, 2500, np.random.default_rng(0))
    assert np.linalg.norm(last.at - best.at) < 0.4


@pytest.mark.parametrize("free", [True, False])
def test_the_surface_is_the_objective(free):
    rng = np.random.default_rng(2)
    columns, y, shares = rng.normal(size=(2, 20)), rng.normal(size=20) + 1e3, np.full(20, 1 / 20)
    if not free:
        columns[1] = 1.0
    surface = SquaredSurface(columns, y, shares, np.array([0.1, 0.2]), np.array([0.3, 0.0]), free)
    x, v = np.linspace(-2, 2, 5), np.linspace(990, 1010, 4) if not free else np.linspace(-1, 3, 4)
    for i, at in enumerate(v):
        for j, u in enumerate(x):
            left = y - u * columns[0] - at * columns[1]
            left = left - left.mean() if free else left
            expected = np.mean(left**2) + 0.1 * u**2 + 0.2 * at**2 + 0.3 * abs(u)
            assert surface.values(x, v)[i, j] == pytest.approx(expected, rel=1e-9)
