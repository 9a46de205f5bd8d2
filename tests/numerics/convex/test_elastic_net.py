"""Lasso and elastic net against scikit-learn, and their whole paths on the diabetes data of Efron et al. (2004)."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import ElasticNet as OfScikitLearn
from sklearn.linear_model import lars_path, lasso_path

from mlviz.numerics.convex.elastic_net import ElasticNet
from mlviz.numerics.convex.lasso_path import elastic_net_path, homotopy, net_minimum
from mlviz.numerics.pauses import finished
from tests.sweep import sweep


def problem(n, p, seed, alike=0.0):
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(n, p)) + alike * rng.normal(size=(n, 1))
    B -= B.mean(axis=0)
    t = B @ np.where(rng.random(p) < 0.5, rng.normal(size=p), 0) + rng.normal(size=n)
    return B / n**0.5, (t - t.mean()) / n**0.5


def by_scikit_learn(B, t, l1, l2):
    """Its objective has 1/(2n) before the squares, and halves the ridge."""
    n = len(t)
    alpha = (l1 / 2 + l2) / n
    oracle = OfScikitLearn(alpha=alpha, l1_ratio=l1 / 2 / n / alpha, fit_intercept=False, tol=1e-15, max_iter=10**6)
    return oracle.fit(B, t).coef_


SHAPES = [(100, 1, 0), (100, 8, 0), (500, 20, 0), (60, 50, 0), (40, 60, 1)]


@sweep("shape, share, ratio", SHAPES, [0.5, 0.05, 0.005], [1.0, 0.5, 0.05])
def test_minima_are_scikit_learns(shape, share, ratio):
    n, p, alike = shape
    B, t = problem(n, p, p, alike)
    strength = share * ElasticNet.of(B, t, 0, 0).largest_l1
    net = ElasticNet.of(B, t, ratio * strength, (1 - ratio) * strength)
    w = finished(net_minimum(net))
    assert net.duality_gap(w) < 1e-12 * net.squared
    oracle = by_scikit_learn(B, t, net.l1, net.l2)
    assert net.value(w) <= net.value(oracle) + 1e-14 * net.squared
    np.testing.assert_allclose(w, oracle, atol=1e-6)
    np.testing.assert_array_equal(w == 0, np.abs(oracle) < 1e-9)
    value = ((t - B @ w) ** 2).sum() + net.l1 * np.abs(w).sum() + net.l2 * w @ w
    assert net.value(w) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("ratio", [1.0, 0.5, 0.05])
def test_minima_of_few_samples_at_any_strength_are_found(ratio):
    """Least squares of so few have small weights beside a penalty: the next guess may be that all are 0."""
    for seed in range(60):
        B, t = problem(3 + seed % 4, 2 + seed % 3, seed)
        largest = ElasticNet.of(B, t, 0, 0).largest_l1
        for share in (0.99, 0.9, 0.5, 0.1, 0.01):
            net = ElasticNet.of(B, t, share * largest, share * largest * (1 / ratio - 1))
            w = finished(net_minimum(net))
            assert w.any() and net.duality_gap(w) < 1e-12 * net.squared


def test_the_gap_bounds_what_is_missing():
    B, t = problem(80, 10, 0)
    net = ElasticNet.of(B, t, 0.2, 0.1)
    least = net.value(finished(net_minimum(net)))
    for w in np.random.default_rng(1).normal(size=(12, 10)):
        assert net.value(w) - least <= net.duality_gap(w) + 1e-14


@pytest.mark.parametrize("p", [2, 3])
def test_columns_that_are_alike(p):
    B, t = problem(50, 1, 3)
    net = ElasticNet.of(np.repeat(B, p, axis=1), t, 0.1, 0.0)
    w, alone = finished(net_minimum(net)), finished(net_minimum(ElasticNet.of(B, t, 0.1, 0.0)))
    assert w.sum() == pytest.approx(alone[0]) and net.duality_gap(w) < 1e-12
    path = finished(homotopy(net, 1e-6))
    assert path.at(np.array([0.1]))[0].sum() == pytest.approx(alone[0])


def test_ill_conditioned_columns():
    u = np.linspace(-1, 1, 30)
    B = np.vander(u, 13, increasing=True)[:, 1:]
    B = (B - B.mean(axis=0)) / 30**0.5
    t = np.sin(5 * u)
    t = (t - t.mean()) / 30**0.5
    for l1 in (1e-1, 1e-3, 1e-5, 1e-7):
        net = ElasticNet.of(B, t, l1, 0.0)
        assert net.duality_gap(finished(net_minimum(net))) < 1e-9 * net.squared
        path = finished(homotopy(net, l1))
        assert net.duality_gap(path.at(np.array([l1]))[0]) < 1e-9 * net.squared


def test_a_column_of_nothing_and_a_target_of_nothing():
    B, t = problem(30, 3, 0)
    B[:, 1] = 0
    net = ElasticNet.of(B, t, 0.01, 0.0)
    assert finished(net_minimum(net))[1] == 0 and np.isfinite(finished(homotopy(net, 1e-3)).weights).all()
    none = ElasticNet.of(B, 0 * t, 0.01, 0.0)
    assert not finished(net_minimum(none)).any() and not finished(homotopy(none, 1e-3)).weights.any()


@pytest.mark.parametrize(("n", "p", "alike"), [(100, 1, 0), (500, 8, 0), (500, 30, 1), (40, 60, 0)])
def test_the_path_is_that_of_lars(n, p, alike):
    B, t = problem(n, p, n + p, alike)
    net = ElasticNet.of(B, t, 0, 0)
    path = finished(homotopy(net, 1e-3 * net.largest_l1))
    alphas, _, coefs = lars_path(B, t, method="lasso", alpha_min=path.l1[-1] / 2 / n)
    at = np.geomspace(net.largest_l1, path.l1[-1], 200)
    oracle = np.column_stack([np.interp(at / 2 / n, alphas[::-1], coef[::-1]) for coef in coefs])
    np.testing.assert_allclose(path.at(at), oracle, atol=1e-9)
    for l1, w in zip(at, path.at(at), strict=True):
        assert net.with_strength(l1, 0).duality_gap(w) < 1e-11 * net.squared


def test_the_diabetes_path_of_efron_and_others():
    """Figure 1 of the paper: bmi, ltg (s5), map (bp), sex ... enter in turn, hdl leaves and comes back: 12 steps."""
    X, y = load_diabetes(return_X_y=True)
    B, t = X - X.mean(axis=0), y - y.mean()
    path = finished(homotopy(ElasticNet.of(B, t, 0, 0), 0.0))
    order = np.argsort(-path.entries, kind="stable").tolist()
    names = load_diabetes().feature_names
    assert [names[j] for j in order] == ["bmi", "s5", "bp", "s3", "sex", "s6", "s1", "s4", "s2", "age"]
    # Twelve steps: ten enter, s3 leaves and comes back.
    assert len(path.l1) == 13
    alphas, _, coefs = lars_path(B, t, method="lasso")
    np.testing.assert_allclose(path.l1 / 2 / len(y), alphas, atol=1e-10)
    np.testing.assert_allclose(path.weights, coefs.T, atol=1e-8)
    _, slow, _ = lasso_path(B, t, alphas=alphas[:6], tol=1e-12, max_iter=10**6)
    np.testing.assert_allclose(path.weights[:6], slow.T, atol=1e-4)
    np.testing.assert_allclose(path.weights[-1], np.linalg.lstsq(B, t, rcond=None)[0], atol=1e-8)


@pytest.mark.parametrize("ratio", [0.9, 0.3])
def test_the_path_of_the_elastic_net(ratio):
    B, t = problem(60, 12, 5, alike=1)
    net = ElasticNet.of(B, t, 0, 0)
    at = np.geomspace(net.largest_l1 / ratio, 1e-4, 15)
    for strength, w in zip(at, finished(elastic_net_path(net, at, ratio)), strict=True):
        np.testing.assert_allclose(w, by_scikit_learn(B, t, ratio * strength, (1 - ratio) * strength), atol=1e-7)
