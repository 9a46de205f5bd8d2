"""Kernel logistic regression against scikit-learn's on exact features, and its certificate."""

import time

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression as Oracle

from mlviz.algorithms import CannotFit, registry
from mlviz.algorithms.kernels import parameters
from mlviz.algorithms.kernels.kernel_logistic import KernelLogistic, KernelLogisticFollower
from mlviz.algorithms.kernels.kernel_logistic import model as problems
from mlviz.algorithms.linear.logistic import LogisticRegression
from mlviz.data.tables import shipped
from mlviz.numerics.convex import newton
from mlviz.numerics.grid import Grid
from mlviz.pipeline.pipeline import Pipeline
from tests.algorithms.linear.test_logistic import groups
from tests.sweep import sweep, trials

KERNELS = [
    {"kernel": "gaussian", "sigma": 0.7},
    {"kernel": "gaussian", "sigma": 5.0},
    {"kernel": "laplacian", "sigma": 1.5},
    {"kernel": "linear"},
    {"kernel": "exponential", "sigma": 2.0},
    {"kernel": "expression", "expression": "gaussian(0.5) + 0.1*linear^2"},
    {"kernel": "polynomial", "degree": 2, "coef0": 0.5},
    {"kernel": "polynomial", "degree": 3, "coef0": 0.0},
]


def oracle(algorithm, X, y, weights=None):
    """f at the samples, by scikit-learn, in features that an eigendecomposition of the Gram matrix gives."""
    values, vectors = np.linalg.eigh(algorithm.kernel_function().matrix(X, X))
    kept = values > 1e-13 * values[-1]
    root = vectors[:, kept] * np.sqrt(values[kept])
    total = len(X) if weights is None else weights.sum()
    model = Oracle(C=1 / (2 * total * algorithm.lambda_), solver="newton-cholesky", tol=1e-12, max_iter=1000)
    return model.fit(root, y, sample_weight=weights).decision_function(root)


def objective(f, norm, y, lambda_, weights=None):
    return float(np.average(np.logaddexp(0, -np.where(y, 1, -1) * f), weights=weights)) + lambda_ * norm**2


def test_it_is_installed():
    assert registry()["kernel-logistic"] is KernelLogistic


@sweep("weighted, lambda_, kernel", [False, True], [1e-4, 0.01, 1.0], KERNELS)
def test_it_agrees_with_scikit_learn(kernel, lambda_, weighted):
    X, y = groups(2, 80, seed=4)
    w = np.random.default_rng(1).uniform(0.2, 3, len(X)) if weighted else None
    algorithm = KernelLogistic(lambda_=lambda_, **kernel)
    model = algorithm.fit(X, y, sample_weight=w)
    theirs = oracle(algorithm, X, y, w)
    f = model.decision_function(X)
    np.testing.assert_allclose(f, theirs, atol=1e-6 * max(1.0, np.abs(theirs).max()))
    assert model.objective == pytest.approx(objective(f, model.norm, y, lambda_, w), rel=1e-8)
    assert model.gradient_norm < 1e-9
    if np.isfinite(model.gap):
        assert abs(model.gap) < 1e-10 * model.objective


@pytest.mark.parametrize("sigma", [1.0, 8.0])
def test_real_data(sigma):
    X, y = load_breast_cancer(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    algorithm = KernelLogistic(sigma=sigma)
    model = algorithm.fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), oracle(algorithm, X, y), atol=1e-6)
    data = shipped.load_shipped("iris")
    y = (data.labels == 1).astype(int)
    algorithm = KernelLogistic(sigma=sigma, lambda_=1e-3)
    np.testing.assert_allclose(
        algorithm.fit(data.X, y).decision_function(data.X), oracle(algorithm, data.X, y), atol=1e-5
    )


def test_random_problems_are_proved_by_the_dual():
    rng, worst = np.random.default_rng(3), 0.0
    for seed in trials(200):
        n = int(rng.integers(2, 50))
        X, y = groups(2, n, 2, seed, apart=float(rng.uniform(0, 4)))
        X = {0: X, 1: np.rint(X), 2: np.repeat(X[: (n + 1) // 2], 2, axis=0)[:n], 3: X * 1e-3}[seed % 4]
        algorithm = KernelLogistic(
            lambda_=10.0 ** rng.uniform(-6, 1),
            kernel=("gaussian", "laplacian")[seed % 2],
            sigma=10.0 ** rng.uniform(-1.5, 1),
        )
        model = algorithm.fit(X, y)
        worst = max(worst, abs(model.gap) / model.objective)
        f, wrong = model.decision_function(X), 1 - model.predict_proba(X)[np.arange(n), y]
        np.testing.assert_allclose(2 * n * algorithm.lambda_ * model.dual_coef, np.where(y, 1, -1) * wrong, atol=1e-7)
        assert model.objective == pytest.approx(objective(f, model.norm, y, algorithm.lambda_), rel=1e-6)
    assert worst < 1e-8


def test_the_linear_kernel_is_logistic_regression():
    X, y = groups(2, 80)
    kernel, plain = KernelLogistic(kernel="linear", lambda_=0.03).fit(X, y), LogisticRegression(0.03).fit(X, y)
    np.testing.assert_allclose(kernel.decision_function(X), plain.decision_function(X), atol=1e-9)
    assert kernel.objective == pytest.approx(plain.objective) and kernel.norm == pytest.approx(
        np.linalg.norm(plain.coef)
    )


def test_far_from_all_samples_the_offset_is_left():
    X, y = groups(2, 60)
    model = KernelLogistic(sigma=0.5).fit(X, y)
    assert model.decision_function(np.array([[1e3, 1e3]]))[0] == model.expansion.offset


def test_the_objective_falls_with_every_step():
    X, y = groups(2, 90)
    models = list(KernelLogistic(lambda_=1e-4).steps(X, y, np.random.default_rng(0)))
    assert (np.diff([model.objective for model in models]) < 1e-15).all() and 4 <= len(models) <= 12
    assert models[0].objective == pytest.approx(np.log(2)) and models[0].stage == "no bumps"


def test_many_samples_are_represented_by_few(monkeypatch):
    X, y = groups(2, 400, seed=2)
    exact = KernelLogistic().fit(X, y)
    monkeypatch.setattr(parameters, "MOST_SAMPLES", 100)
    few = KernelLogistic().fit(X, y)
    assert "of 400 samples as centres" in few.caveat and 0 < few.left_out < 1e-3 and few.gradient_norm < 1e-10
    np.testing.assert_allclose(few.decision_function(X), exact.decision_function(X), atol=2e-2)


def test_more_than_3000_samples():
    X, y = groups(2, 6000, seed=2)
    model = KernelLogistic().fit(X, y)
    assert "of 6,000 samples as centres" in model.caveat
    shuffled = np.random.default_rng(0).permutation(6000)
    np.testing.assert_allclose(
        KernelLogistic().fit(X[shuffled], y[shuffled]).decision_function(X[:50]), model.decision_function(X[:50]),
        atol=1e-6,
    )  # fmt: skip
    X[7] += 0.1
    follower = KernelLogisticFollower()
    for _ in range(2):
        draft = follower.update(KernelLogistic(), X, y, None, time.perf_counter() + 60)
    assert draft.newton_steps <= 2 and "centres" in draft.caveat


def test_a_drag_of_many_samples_is_nearly_exact():
    X, y = groups(2, 1500, seed=2)
    follower, algorithm = KernelLogisticFollower(), KernelLogistic()
    for _ in range(3):
        X[7] += 0.1
        draft = follower.update(algorithm, X, y, None, time.perf_counter() + 60)
    exact = algorithm.fit(X, y)
    np.testing.assert_allclose(draft.decision_function(X), exact.decision_function(X), atol=1e-3)
    assert not exact.caveat and draft.newton_steps <= 2


def test_one_class_or_three_are_answered_with_a_sentence():
    with pytest.raises(CannotFit, match="All samples are of one class"):
        KernelLogistic().fit([[0.0, 0], [1, 1]], [1, 1])
    with pytest.raises(CannotFit, match="there are 3"):
        KernelLogistic().fit([[0.0, 0], [1, 1], [2, 2]], [0, 1, 2])
    X, y = groups(3, 60)
    assert Pipeline(KernelLogistic()).fit(X, y).facts()["training error"] < 0.2


@pytest.mark.parametrize("kernel", KERNELS[:7], ids=str)
def test_a_drag_ends_where_a_fit_from_nothing_does(kernel):
    rng, worst = np.random.default_rng(2), 0.0
    X, y = groups(2, 40, seed=5)
    follower, lambda_ = KernelLogisticFollower(), 0.01
    for _ in trials(40):
        row = rng.integers(len(X))
        match rng.integers(5):
            case 0 | 1:
                X[row] += rng.normal(size=2)
            case 2:
                y[row] = 1 - y[row]
            case 3:
                X, y = np.vstack((X, rng.normal(size=(1, 2)))), np.append(y, rng.integers(2))
            case 4:
                lambda_ = 10.0 ** rng.uniform(-3, 0)
        algorithm = KernelLogistic(lambda_=lambda_, **kernel)
        draft = follower.update(algorithm, X, y, None, time.perf_counter() + 60)
        exact = algorithm.fit(X, y)
        worst = max(worst, float(np.abs(draft.predict_proba(X) - exact.predict_proba(X)).max()))
    assert worst < 1e-7


def test_a_late_drag_takes_one_step():
    X, y = groups(2, 60)
    follower = KernelLogisticFollower()
    follower.update(KernelLogistic(), X, y, None, time.perf_counter() + 60)
    X[0] += 3
    assert follower.update(KernelLogistic(), X, y, None, 0.0).newton_steps == 1


def test_the_grid_and_an_explanation():
    X, y = groups(2, 60)
    model = KernelLogistic().fit(X, y)
    grid = Grid.over((-3, 3, -3, 3), 30, 20)
    np.testing.assert_allclose(model.on_grid(grid).ravel(), model.decision_function(grid.points()), atol=1e-12)
    x = np.array([0.4, 0.2])
    told = model.explain(x)
    terms = model.dual_coef * model.expansion.kernel.matrix(x[None], X)[0]
    f = float(model.decision_function(x[None])[0])
    favour, against = terms[terms > 0].sum(), -terms[terms < 0].sum()
    assert f"f(x) = {f:.3g}: bumps for class 1 add {favour:.3g}, those for class 0 take {against:.3g}" in told.sentence
    ways, rings = told.marks
    np.testing.assert_array_equal(ways.end, rings.xy)
    np.testing.assert_array_equal(rings.xy[0], X[np.abs(terms).argmax()])


def test_a_kernel_that_is_none_is_refused():
    X, y = groups(2, 60)
    with pytest.raises(CannotFit, match="not positive semi-definite"):
        KernelLogistic(kernel="expression", expression="linear - gaussian(1)").fit(X, y)


@pytest.mark.parametrize(("n", "degree"), [(8, 9), (20, 5)])
def test_more_features_than_samples_are_weighed_in_the_span_of_the_samples(n, degree):
    rng = np.random.default_rng(n)
    X, y = rng.normal(size=(n, 4)), np.arange(n) % 2
    algorithm = KernelLogistic(kernel="polynomial", degree=degree, lambda_=1e-3)
    model = algorithm.fit(X, y)
    assert len(model.expansion.feature_sum.features.exponents) > n
    assert len(model.weights) == n + 1  # no larger system is solved
    assert model.solved == f"{n}, one for each sample"
    np.testing.assert_allclose(model.decision_function(X), oracle(algorithm, X, y), rtol=1e-5, atol=1e-5)


def test_polynomials_without_digits_say_so():
    X, y = groups(2, 60)
    with np.errstate(all="ignore"):
        model = KernelLogistic(kernel="polynomial", degree=5).fit(X + 1e6, y)
    assert "too few digits" in model.caveat


def test_a_fit_that_was_stopped_says_so_whatever_else_is_to_be_told(monkeypatch):
    X, y = groups(2, 80, seed=4)
    for module in (newton, problems):
        monkeypatch.setattr(module, "MOST_STEPS", 1)
    assert (
        KernelLogistic(kernel="linear").fit(X, y).caveat
        == f"stopped after 1 Newton steps; {problems.SOLVED_ROUGHLY_CAVEAT}"
    )
    monkeypatch.setattr(parameters, "MOST_SAMPLES", 50)
    told = KernelLogistic(sigma=0.7).fit(X, y).caveat.split("; ")
    assert told[0].startswith("approximated with ") and told[1:] == ["stopped after 1 Newton steps"]


def test_the_samples_own_coefficients_add_up_to_what_the_features_say():
    X, y = groups(2, 80, seed=4)
    weights = np.random.default_rng(3).uniform(0.5, 2, len(X))
    for settings in ({"kernel": "linear"}, {"kernel": "polynomial", "degree": 2, "coef0": 0.5}):
        model = KernelLogistic(lambda_=0.05, **settings).fit(X, y, sample_weight=weights)
        expansion = model.expansion
        assert expansion.feature_sum is not None
        f = expansion.kernel.matrix(X - expansion.origin, expansion.centers) @ expansion.coef
        f += model.decision_function(X)[0] - f[0]
        np.testing.assert_allclose(f, model.decision_function(X), rtol=1e-6, atol=1e-6)
