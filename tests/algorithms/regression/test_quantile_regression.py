"""Quantile regression against scikit-learn, linear programs and quadratic ones, and what its picture says."""

import time

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.datasets import load_diabetes
from sklearn.linear_model import QuantileRegressor
from sklearn.metrics.pairwise import laplacian_kernel, polynomial_kernel, rbf_kernel
from sklearn.svm import SVR as SklearnSVR

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.regression.quantile_regression import QuantileRegression
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Lines
from mlviz.numerics.convex.quantile_plane import quantile_planes
from mlviz.numerics.residuals.losses import pinball
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.sweep import each, sweep, trials

KERNELS = ("gaussian", "linear", "polynomial", "laplacian")
TAUS = (0.05, 0.3, 0.5, 0.9)


def wave(n=60, d=1, seed=0, noise=0.3):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-4, 4, (n, d))
    return X, np.sin(1.5 * X).sum(axis=1) + noise * (1 + np.abs(X[:, 0])) * rng.normal(size=n)


def least_loss(Z, y, c, tau):
    """The smallest sum of c times the pinball loss of y - Z w - b, by a linear program of its own."""
    n, p = Z.shape
    A = np.hstack((Z, np.ones((n, 1)), np.eye(n), -np.eye(n)))
    cost = np.concatenate((np.zeros(p + 1), tau * c, (1 - tau) * c))
    bounds = [(None, None)] * (p + 1) + [(0, None)] * (2 * n)
    return linprog(cost, A_eq=A, b_eq=y, bounds=bounds, method="highs").fun


def gram(method, A, B):
    match method.kernel:
        case "linear":
            return A @ B.T
        case "polynomial":
            return polynomial_kernel(A, B, degree=method.degree, gamma=1, coef0=method.coef0)
        case "laplacian":
            return laplacian_kernel(A, B, gamma=1 / method.sigma)
        case _:
            return rbf_kernel(A, B, gamma=1 / (2 * method.sigma**2))


@each("tau, d", TAUS, [1, 3])
def test_the_line_is_scikit_learns(tau, d):
    X, y = wave(71, d)
    model = QuantileRegression(tau=tau).fit(X, y)
    theirs = QuantileRegressor(quantile=tau, alpha=0, solver="highs").fit(X, y)
    np.testing.assert_allclose(model.predict(X), theirs.predict(X), atol=1e-8)
    np.testing.assert_allclose(model.coef, theirs.coef_, atol=1e-8)
    assert model.intercept == pytest.approx(theirs.intercept_, abs=1e-8)
    assert model.facts()["pinball loss"] == pytest.approx(least_loss(X, y, np.full(71, 1 / 71), tau), abs=1e-10)
    assert len(np.flatnonzero(np.abs(y - model.predict(X)) < 1e-9)) == d + 1


@pytest.mark.parametrize("tau", TAUS)
def test_the_line_is_scikit_learns_on_real_data(tau):
    X, y = load_diabetes(return_X_y=True)
    model = QuantileRegression(tau=tau).fit(X, y)
    theirs = QuantileRegressor(quantile=tau, alpha=0, solver="highs").fit(X, y)
    np.testing.assert_allclose(model.predict(X), theirs.predict(X), atol=1e-6)
    assert model.facts()["relative duality gap"] < 1e-12


@pytest.mark.parametrize("seed", trials(60))
def test_the_line_is_the_best_whatever_the_samples(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 60)), int(rng.integers(1, 4))
    X, y = rng.normal(size=(n, d)), rng.normal(size=n)
    match seed % 5:
        case 1:
            X = X[rng.integers(0, max(1, n // 3), n)]
        case 2:
            X[:, 1:] = X[:, :1] * np.arange(2, d + 1)
        case 3:
            X, y = np.rint(X), np.rint(y)
        case 4:
            X[:, 0] = 3.0
    y, weights = y * 10 ** rng.uniform(-3, 3) + rng.choice([0, 1e3]), rng.integers(1, 4, n).astype(float)
    tau = float(rng.choice(TAUS))
    model = QuantileRegression(tau=tau).fit(X, y, sample_weight=weights)
    share = weights / weights.sum()
    best = least_loss(X, y, share, tau)
    size = np.abs(y).max()
    assert float(share @ pinball(y - model.predict(X), tau)) == pytest.approx(best, abs=1e-9 * size)
    assert model.facts()["dual objective"] == pytest.approx(best, abs=1e-9 * size)
    repeated = np.repeat(np.arange(n), weights.astype(int))
    again = QuantileRegression(tau=tau).fit(X[repeated], y[repeated])
    np.testing.assert_allclose(again.predict(X), model.predict(X), atol=1e-9 * size)


@pytest.mark.parametrize("tau", TAUS)
def test_the_polynomial_is_the_best_of_its_degree(tau):
    X, y = wave(50)
    model = QuantileRegression(tau=tau, basis="polynomial", degree=5).fit(X, y)
    Z = (X / np.abs(X).max()) ** np.arange(1, 6)
    assert model.facts()["pinball loss"] == pytest.approx(least_loss(Z, y, np.full(50, 0.02), tau), abs=1e-10)
    powers = X ** np.arange(1, 6)
    np.testing.assert_allclose(powers @ model.coef_of_terms + model.intercept, model.predict(X), atol=1e-9)
    with pytest.raises(CannotFit, match="lower the degree"):
        QuantileRegression(basis="polynomial", degree=15).fit(*wave(30, 4))


@sweep("tau, d, kernel", TAUS, [1, 2], KERNELS)
def test_the_objectives_of_a_kernel_meet(kernel, d, tau):
    X, y = wave(70, d)
    method = QuantileRegression(basis="kernel", kernel=kernel, tau=tau, lambda_=0.003, degree=2)
    model = method.fit(X, y)
    f = model.predict(X)
    K = gram(method, X, X)
    beta = np.zeros(70)
    beta[model.support] = model.expansion.coef
    assert beta.sum() == pytest.approx(0, abs=1e-9 * np.abs(beta).sum())
    C = 1 / (2 * 70 * 0.003)
    assert (beta <= tau * C * (1 + 1e-12)).all()
    assert (beta >= (tau - 1) * C * (1 + 1e-12)).all()
    np.testing.assert_allclose(K @ beta + model.intercept, f, atol=1e-8)
    primal = pinball(y - f, tau).mean() + 0.003 * beta @ K @ beta
    dual = 2 * 0.003 * (y @ beta - beta @ K @ beta / 2)
    assert model.facts()["objective"] == pytest.approx(primal, rel=1e-9)
    assert model.facts()["dual objective"] == pytest.approx(dual, rel=1e-9)
    assert primal - dual <= 1e-10 * primal


@pytest.mark.parametrize("d", [1, 2])
def test_of_a_quantile_at_the_end_the_objectives_meet_as_well(d):
    """There an offset that is off by a solver's last digits costs thousands of times what it saves."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 9, (300, d)).astype(np.float64), rng.choice([-1.0, 1.0], 300)
    model = QuantileRegression(basis="kernel", tau=1e-4, lambda_=0.03, sigma=10.0, fan=False).fit(X, y)
    assert model.objective - model.dual_objective <= 5e-10 * model.objective


def test_the_median_by_a_kernel_is_support_vector_regression_without_a_tube():
    X, y = wave(80)
    model = QuantileRegression(basis="kernel", lambda_=0.01).fit(X, y)
    # Both prices are half of what they are there.
    theirs = SklearnSVR(C=0.5 / (2 * 80 * 0.01), epsilon=0.0, gamma=0.5, tol=1e-9).fit(X, y)
    places = np.linspace(-5, 5, 50)[:, None]
    np.testing.assert_allclose(model.predict(places), theirs.predict(places), atol=1e-5)


def test_a_tiny_penalty_on_the_linear_kernel_gives_the_linear_program():
    X, y = wave(41)
    line = QuantileRegression(tau=0.8).fit(X, y)
    bent = QuantileRegression(tau=0.8, basis="kernel", kernel="linear", lambda_=1e-7).fit(X, y)
    np.testing.assert_allclose(bent.predict(X), line.predict(X), atol=1e-7)


def test_the_degree_is_that_of_the_monomials_or_of_the_polynomial_kernel():
    degree, X, y = QuantileRegression.parameter("degree"), *wave(30, 2)
    bent = {"basis": "kernel", "kernel": "polynomial"}
    for settings, counts in (({}, False), ({"basis": "polynomial"}, True), ({"basis": "kernel"}, False), (bent, True)):
        one, other = (QuantileRegression(degree=d, **settings) for d in (2, 3))
        assert one.matters(degree) == counts
        assert one.awaited(degree) == ({} if counts else {"basis": "polynomial"})
        assert np.array_equal(one.fit(X, y).predict(X), other.fit(X, y).predict(X)) != counts


@pytest.mark.parametrize("settings", [{}, {"basis": "polynomial"}, {"basis": "kernel"}])
@pytest.mark.parametrize("tau", [0.1, 0.5, 0.77])
def test_a_share_of_tau_is_below(settings, tau):
    X, y = wave(90, noise=1.0)
    model = QuantileRegression(tau=tau, **settings).fit(X, y)
    facts = model.facts()
    below, on = facts["samples below the curve"], facts["samples on the curve"] / 90
    assert below == pytest.approx(np.mean(y < model.predict(X) - 1e-6))
    assert below <= tau + 1e-9 <= below + on + 2e-9
    c1, c2 = (float(part) for part in facts["costs of too low and too high"].split(" : "))
    assert c1 / (c1 + c2) == pytest.approx(tau, abs=2e-3)


def test_each_quantile_of_the_fan_is_the_fit_of_that_tau():
    X, y = wave(50)
    for settings in ({}, {"basis": "kernel"}):
        model = QuantileRegression(tau=0.3, **settings).fit(X, y)
        assert [one.tau for one in model.fan] == [0.1, 0.5, 0.9]
        for one in model.fan:
            alone = QuantileRegression(tau=one.tau, fan=False, **settings).fit(X, y)
            np.testing.assert_allclose(one.curve.at(X), alone.predict(X), atol=1e-8)
            np.testing.assert_allclose(one.fitted, alone.predict(X), atol=1e-8)
            assert alone.fan == ()


def test_crossings_are_counted():
    X, y = wave(25)
    model = QuantileRegression(basis="polynomial", degree=9).fit(X, y)
    curves = np.array([one.curve.at(X) for one in model.fan])
    low, middle, high = curves[0], model.predict(X), curves[1]
    expected = np.count_nonzero((middle < low - 1e-6) | (high < middle - 1e-6))
    assert expected
    assert model.facts()["quantiles cross"] == expected


@pytest.mark.parametrize("d", [1, 2])
def test_a_drag_ends_where_a_fit_does(d):
    X, y = wave(120, d)
    method = QuantileRegression(basis="kernel", tau=0.8)
    follower = method.follower()
    rng = np.random.default_rng(5)
    for step in trials(25):
        X, y = X.copy(), y.copy()
        X[7] += 0.2 * rng.normal(size=d)
        y[7] += 0.2 * rng.normal()
        if step == 2:
            X, y = np.vstack((X, X[:1] + 0.1)), np.append(y, 0.5)
        if step == 4:
            method = method.replace(tau=0.7)
        if step == 5:
            method = method.replace(lambda_=0.02)
        followed = follower.update(method, X, y, None, time.perf_counter() + 10)
        fitted = method.fit(X, y)
        np.testing.assert_allclose(followed.predict(X), fitted.predict(X), atol=1e-7)
        for one, other in zip(followed.fan, fitted.fan, strict=True):
            np.testing.assert_allclose(one.fitted, other.fitted, atol=1e-7)


@each("kernel, level", ["gaussian", "linear", "polynomial"], [0.0, -0.7])
def test_equal_targets_are_all_on_the_curve_however_it_was_come_to(kernel, level):
    X, y = wave(20, 1)
    method = QuantileRegression(basis="kernel", kernel=kernel, tau=0.3)
    follower = method.follower()
    follower.update(method, X, y, None, np.inf)
    constant = np.full(20, level)
    for model in (follower.update(method, X, constant, None, np.inf), method.fit(X, constant)):
        assert model.facts()["samples on the curve"] == 20 and not model.facts()["samples below the curve"]
        np.testing.assert_allclose(model.predict(X), level, rtol=1e-12)
        assert not len(model.support) and model.mean_loss == pytest.approx(0.0, abs=1e-15)


def test_very_many_samples_have_their_own_line():
    X, y = wave(20_000, 2)
    model = QuantileRegression(tau=0.9).fit(X, y)
    assert model.facts()["relative duality gap"] < 1e-10
    assert model.facts()["samples below the curve"] == pytest.approx(0.9, abs=3e-4)
    bent = QuantileRegression(basis="kernel").fit(X, y)
    assert "1,000 of 20,000 samples, drawn at random" in bent.caveat


@pytest.mark.parametrize("seed", trials(10))
def test_every_plane_is_better_than_the_last(seed):
    rng = np.random.default_rng(seed)
    A, y = np.column_stack((rng.normal(size=(80, 4)), np.ones(80))), rng.normal(size=80)
    c = rng.uniform(0.5, 2, 80)
    planes = list(quantile_planes(A, y, c, 0.3, np.arange(5)))
    costs = [float(c @ pinball(y - A @ plane.u, 0.3)) for plane in planes]
    assert (np.diff(costs) <= 1e-8).all()
    np.testing.assert_allclose(A.T @ planes[-1].multipliers, 0, atol=1e-10)
    assert planes[-1].multipliers @ y == pytest.approx(costs[-1], rel=1e-12)


@pytest.mark.parametrize("settings", [{}, {"basis": "kernel", "kernel": "linear"}])
def test_no_line_that_is_drawn_is_better(settings):
    X, y = wave(40)
    method = QuantileRegression(tau=0.7, **settings)
    model, objective = method.fit(X, y), method.line_objective()
    own = objective.of(model.predict(X), model.coef, y, np.ones(40))
    assert own == pytest.approx(model.objective)
    for slope, height in np.random.default_rng(0).normal(size=(20, 2)):
        assert objective.of(height + slope * X[:, 0], np.array([slope]), y, np.ones(40)) >= own
    assert method.replace(basis="polynomial").line_objective() is None


@pytest.mark.parametrize("d", [1, 2])
def test_samples_on_the_curve_are_ringed_and_the_fan_is_that_of_the_model(d):
    X, y = wave(40, d)
    columns = ("x1", "x2", "x3")[: d + 1]
    data = Dataset(np.column_stack((X, y)), np.zeros(40, dtype=int), columns=columns)
    panel = Panel(Pipeline(QuantileRegression(tau=0.7)), inputs=columns[:-1], target=columns[-1])
    (picture,) = draw(Scene(data, (panel,)), [(300, 240)], 40)
    marks = picture.plot.marks
    model = QuantileRegression(tau=0.7).fit(X, y)
    (rings,) = [mark for mark in marks if mark.role == "support vector"]
    assert rings.rows.tolist() == np.flatnonzero(model.on_curve).tolist()
    fan = [mark for mark in marks if mark.role == "quantile" and isinstance(mark, Lines)]
    assert len(fan) == (1 if d == 1 else 0)
    if fan:
        pieces = np.split(fan[0].xy, np.flatnonzero(np.isnan(fan[0].xy[:, 0])))
        for piece, one in zip(pieces, model.fan, strict=True):
            piece = piece[np.isfinite(piece[:, 0])]
            inside = np.abs(piece[:, 1]) < 50
            np.testing.assert_allclose(piece[inside, 1], one.curve.at(piece[inside, :1]), atol=1e-9)


@pytest.mark.parametrize("tau", [0.2, 0.5])
def test_the_handle_of_the_loss_is_its_slope(tau):
    X, y = wave(40)
    panel = Panel(Pipeline(QuantileRegression(tau=tau)), inputs=("x1",), target="x2")
    scene = Scene(Dataset(np.column_stack((X, y)), np.zeros(40, dtype=int)), (panel,))
    (picture,) = draw(scene, [(300, 240)], 40)
    (plot,) = [plot for plot in picture.sides if plot.id == "pinball"]
    (handle,) = plot.handles
    assert handle.values[handle.at] == tau
    np.testing.assert_allclose(handle.points[:, 1], handle.values * handle.points[:, 0])


@pytest.mark.parametrize(("n", "tau", "several"), [(4, 0.5, True), (5, 0.5, False), (4, 0.25, True), (4, 0.3, False)])
def test_a_quantile_between_two_targets_is_one_of_several(n, tau, several):
    """The inputs are one place: where n tau is whole all values between two targets are quantiles."""
    model = QuantileRegression(tau=tau).fit(np.zeros((n, 1)), np.arange(float(n)) ** 2)
    assert model.caveat.startswith("one of several minima") == several


@pytest.mark.parametrize("seed", trials(8))
def test_what_is_told_of_other_curves_is_so(seed):
    rng = np.random.default_rng(seed)
    n, tau = 6 + seed % 3, (0.5, 0.25)[seed % 2]
    X, y = rng.integers(0, 4, (n, 1)).astype(float), rng.normal(size=n)
    model = QuantileRegression(tau=tau).fit(X, y)
    # How far the offset and the slope can go at the least loss, by linear programs.
    system = np.hstack((X, np.ones((n, 1)), np.eye(n), -np.eye(n)))
    cost = np.concatenate((np.zeros(2), np.full(n, tau), np.full(n, 1 - tau)))
    bounds = [(None, None)] * 2 + [(0, None)] * (2 * n)
    least = linprog(cost, A_eq=system, b_eq=y, bounds=bounds).fun
    widest = 0.0
    for j in range(2):
        ends = [
            linprog(s * np.eye(len(cost))[j], A_ub=[cost], b_ub=[least + 1e-11], A_eq=system, b_eq=y, bounds=bounds).fun
            for s in (1, -1)
        ]
        widest = max(widest, -ends[0] - ends[1])
    assert model.caveat.startswith("one of several") == (widest > 1e-7)


def test_one_of_a_fan_may_have_bounds_too_wide_for_its_dual_program_and_another_not():
    X, y = wave(40)
    # The bounds of the quantiles of a fan differ by their shares: one of these penalties lies between.
    for tau in (0.05, 0.5):
        method = QuantileRegression(basis="kernel", kernel="polynomial", degree=2, tau=tau)
        for penalty in np.geomspace(1e-6, 5e-6, 5).tolist():
            alone, fan = (method.replace(lambda_=penalty, fan=fan).fit(X, y) for fan in (False, True))
            np.testing.assert_allclose(fan.predict(X), alone.predict(X), atol=1e-5)
