"""Penalties and solvers of logistic regression: one minimum, whichever way; what has none says so."""

import time
import warnings

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression as Oracle

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.linear.logistic import LogisticFollower, LogisticRegression
from mlviz.algorithms.linear.logistic.problem import STEPWISE_SOLVERS, STOCHASTIC_SOLVERS
from mlviz.data.tables import shipped
from mlviz.numerics.convex.newton import least_slope
from mlviz.testing.check import Case, degenerate
from tests.algorithms.linear.test_logistic import groups
from tests.sweep import each, share, sweep, trials
from tests.truth.reading import sums

pytestmark = pytest.mark.slow

GRADIENTS = [solver for solver in STEPWISE_SOLVERS if solver not in STOCHASTIC_SOLVERS]
CASE = Case(LogisticRegression, "classification", 2)


def objective(P, y, coef, lambda_, penalty, weights=None):
    at = np.searchsorted(np.unique(y), y)
    size = {"L1": np.abs(coef).sum(), "L2": (coef**2).sum(), "none": 0.0}[penalty]
    return -np.average(np.log(P[np.arange(len(y)), at]), weights=weights) + lambda_ * size


def subgradient(model, X, y, lambda_, weights=None):
    """The shortest one of the L1 objective, by its definition: in the weights, and in the offsets."""
    shares = np.full(len(X), 1 / len(X)) if weights is None else weights / weights.sum()
    P, k = model.predict_proba(X), len(model.classes)
    wrong = shares[:, None] * (P - np.eye(k)[np.searchsorted(model.classes, y)])
    wrong = wrong[:, 1:] if k == 2 else wrong
    coef = np.atleast_2d(model.coef)
    return least_slope(wrong.T @ X, coef, np.full(coef.shape, lambda_)), wrong.sum(axis=0)


@each("weighted, lambda_, k", [False, True], [1e-3, 0.03, 0.3], [2, 3, 5])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # at times it gives up
def test_l1_agrees_with_scikit_learn(k, lambda_, weighted):
    X, y = groups(k, d=3, seed=k)
    X[:, 2] = np.random.default_rng(0).normal(size=len(X))  # an input that tells nothing
    w = np.random.default_rng(1).uniform(0.2, 3, len(X)) if weighted else None
    total = len(X) if w is None else w.sum()
    model = LogisticRegression(lambda_, penalty="L1").fit(X, y, sample_weight=w)
    other = Oracle(C=1 / (total * lambda_), l1_ratio=1.0, solver="saga", tol=1e-10, max_iter=20_000)
    other.fit(X, y, sample_weight=w)
    if other.n_iter_.max() < other.max_iter:
        np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), atol=1e-5)
    theirs = objective(other.predict_proba(X), y, other.coef_, lambda_, "L1", w)
    assert model.objective == pytest.approx(objective(model.predict_proba(X), y, model.coef, lambda_, "L1", w))
    assert model.objective <= theirs * (1 + 1e-9)
    if k == 2:
        np.testing.assert_allclose(model.coef, other.coef_[0], atol=1e-4)
        np.testing.assert_array_equal(model.coef == 0, np.abs(other.coef_[0]) < 1e-8)
    slopes, offsets = subgradient(model, X, y, lambda_, w)
    assert np.abs(slopes).max() < 1e-10 and np.abs(offsets).max() < 1e-10


@each("load, lambda_", [load_breast_cancer, load_wine], [1e-3, 0.01, 0.1])
def test_l1_on_real_data(load, lambda_):
    X, y = load(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    model = LogisticRegression(lambda_, penalty="L1").fit(X, y)
    slopes, offsets = subgradient(model, X, y, lambda_)
    assert np.abs(slopes).max() < 1e-12 and np.abs(offsets).max() < 1e-12 and model.gradient_norm < 1e-12
    assert int(model.facts()["weights at 0"].split()[0]) == (model.coef == 0).sum() > 10


def test_random_problems_with_l1_leave_no_subgradient():
    rng, worst = np.random.default_rng(11), 0.0
    for seed in trials(120):
        k, n, d = int(rng.integers(2, 5)), int(rng.integers(4, 60)), int(rng.integers(1, 6))
        X, y = groups(k, max(n, k), d, seed, apart=float(rng.uniform(0, 6)))
        lambda_, unit = 10.0 ** rng.uniform(-5, 0), np.ones(d)
        match seed % 4:
            case 1:
                X = np.rint(X)
            case 2:
                X[:, -1] = X[:, 0]
            case 3:
                X = X * (unit := 10.0 ** rng.uniform(-2, 2, d))
        model = LogisticRegression(lambda_, penalty="L1").fit(X, y)
        slopes, offsets = subgradient(model, X, y, lambda_)
        worst = max(worst, np.abs(slopes / unit).max(), np.abs(offsets).max())
        assert model.iterate.settled
    assert worst < 1e-9


def separable(X, y):
    """Whether a plane has all samples on their own sides or on it, and not all on it: a linear program."""
    A = np.column_stack((X, np.ones(len(X)))) * np.where(y, 1.0, -1.0)[:, None]
    found = linprog(-A.sum(axis=0), A_ub=-A, b_ub=np.zeros(len(A)), bounds=[(-1, 1)] * A.shape[1])
    return -found.fun > 1e-7


def test_without_a_penalty_what_can_be_separated_is_said_and_the_rest_is_as_scikit_learn_has_it():
    rng, told = np.random.default_rng(5), []
    for seed in trials(120):
        n = int(rng.integers(4, 30))
        X, y = groups(2, n, 2, seed, apart=float(rng.uniform(0, 2)))
        X = np.rint(X) if seed % 2 else X  # many lie on the very line
        model = LogisticRegression(penalty="none").fit(X, y)
        assert ("separable" in model.caveat) == separable(X, y), seed
        assert np.isfinite(model.coef).all() and model.gradient_norm < 1e-6
        told.append(bool(model.caveat))
        if not model.caveat:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                other = Oracle(C=np.inf, solver="newton-cholesky", tol=1e-12).fit(X, y)
            np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), atol=1e-6)
    assert 0.1 < np.mean(told) < 0.9


@sweep("penalty, solver, k", ["L2", "L1", "none"], GRADIENTS, [2, 3])
def test_every_solver_goes_to_the_same_minimum(k, solver, penalty):
    X, y = groups(k, 90, seed=2, apart=0.7)
    exact = LogisticRegression(0.05, penalty=penalty).fit(X, y)
    way = LogisticRegression(0.05, penalty=penalty, solver=solver, learning_rate=0.5, max_iter=4000).fit(X, y)
    np.testing.assert_allclose(way.predict_proba(X), exact.predict_proba(X), atol=1e-6)
    assert way.objective == pytest.approx(exact.objective, abs=1e-12) and not way.caveat
    assert way.facts()["above the minimum"] < 1e-12
    if penalty == "L1":
        np.testing.assert_array_equal(way.coef == 0, exact.coef == 0)


@pytest.mark.parametrize("solver", STEPWISE_SOLVERS)
def test_the_loss_of_a_step_is_that_of_its_model(solver):
    X, y = groups(3, 40)
    algorithm = LogisticRegression(0.02, penalty="L1", solver=solver, max_iter=30)
    models = list(algorithm.steps(X, y, np.random.default_rng(0)))
    assert len(models) == 31 and models[0].stage == "no weights"
    for model in models[::5]:
        value = objective(model.predict_proba(X), y, model.coef, 0.02, "L1")
        assert model.objective == pytest.approx(value) and model.iterate.steps == models.index(model)
    assert models[-1].facts()["above the minimum"] > 0


def test_gradients_are_those_of_the_inputs_as_they_are():
    X, y = groups(2, 60)
    weak = LogisticRegression(solver="gradient, 1/L", max_iter=200)
    assert weak.fit(X * [1, 30], y).facts()["above the minimum"] > 20 * weak.fit(X, y).facts()["above the minimum"]


def test_too_large_a_step_is_told_in_the_caption():
    X, y = groups(2, 60)
    fixed = LogisticRegression(1.0, solver="gradient, fixed step", max_iter=300)
    assert "without bound" in fixed.replace(learning_rate=1.5e3).fit(X, y).caveat
    assert "higher than at the start" in fixed.replace(lambda_=0.01, learning_rate=40.0).fit(X, y).caveat
    told = fixed.replace(learning_rate=0.001, max_iter=20).fit(X, y).caveat
    assert told.startswith("after 20 steps still 0.") and told.endswith("above the minimum")


@pytest.mark.parametrize("solver", STOCHASTIC_SOLVERS)
def test_random_steps_depend_on_the_seed_alone(solver):
    X, y = groups(2, 40)
    algorithm = LogisticRegression(solver=solver, learning_rate=0.2, max_iter=80)
    model = algorithm.fit(X, y, seed=1)
    order = np.random.default_rng(0).permutation(40)
    np.testing.assert_allclose(algorithm.fit(X[order], y[order], seed=1).coef, model.coef, atol=1e-9)
    assert not np.allclose(algorithm.fit(X, y, seed=2).coef, model.coef)
    times = np.random.default_rng(3).integers(0, 4, 40)
    weighted = algorithm.fit(X, y, seed=1, sample_weight=times)
    repeated = algorithm.fit(np.repeat(X, times, axis=0), np.repeat(y, times), seed=1)
    np.testing.assert_allclose(weighted.coef, repeated.coef, atol=1e-9)
    assert len(model.batch_rows) == (1 if solver == "SGD" else 16)


def test_the_sample_of_a_step_is_named_by_its_row_even_where_others_have_no_weight():
    X, y = groups(2, 20)
    weights = np.ones(20)
    weights[:10] = 0
    algorithm = LogisticRegression(1e-12, solver="SGD", learning_rate=0.3, max_iter=1)
    first, second = algorithm.steps(X, y, np.random.default_rng(4), weights)
    row = int(second.batch_rows[0])
    assert row >= 10
    share = first.predict_proba(X[row : row + 1])[0, 1]
    np.testing.assert_allclose(second.coef - first.coef, 0.3 * (y[row] - share) * X[row])


@pytest.mark.parametrize("solver", ["Newton", *STEPWISE_SOLVERS])
@pytest.mark.parametrize("penalty", ["L2", "L1", "none"])
def test_degenerate_samples(solver, penalty):
    algorithm = LogisticRegression(penalty=penalty, solver=solver, max_iter=25)
    for name, X, y in share(degenerate(CASE), f"{solver} {penalty}", 10):
        if len(np.unique(y)) < 2:
            continue
        for X_, y_ in ((X, y), (np.vstack((X, X[:1])), np.append(y, y.max() + 1))):
            models = list(algorithm.steps(X_, y_, np.random.default_rng(0)))
            for model in (models[0], models[-1]):
                assert np.isfinite(model.predict_proba(X_)).all() and np.isfinite(model.objective), name
                told = model.facts() | {"sentence": model.explain(X_[0]).sentence}
                assert "nan" not in str(told), name


def test_a_drag_with_corners_ends_where_a_fit_does():
    rng = np.random.default_rng(2)
    X, y = groups(3, 40, seed=5)
    follower, worst = LogisticFollower(), 0.0
    for step in trials(100):
        X[rng.integers(len(X))] += rng.normal(size=2)
        algorithm = LogisticRegression(10.0 ** rng.uniform(-3, -1), penalty=("L1", "L2", "none")[step % 3])
        draft = follower.update(algorithm, X, y, None, time.perf_counter() + 60)
        exact = algorithm.fit(X, y)
        worst = max(worst, float(np.abs(draft.predict_proba(X) - exact.predict_proba(X)).max()))
    assert worst < 1e-6


@pytest.mark.parametrize("solver", ["gradient, 1/L", "SGD"])
def test_a_drag_of_a_watched_solver_shows_where_it_ends(solver):
    X, y = groups(2, 40)
    algorithm = LogisticRegression(solver=solver, max_iter=50)
    draft = LogisticFollower().update(algorithm, X, y, None, time.perf_counter() + 60)
    np.testing.assert_array_equal(draft.coef, algorithm.fit(X, y).coef)


def test_real_data_by_gradients():
    data = shipped.load_shipped("penguins")
    X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    way = LogisticRegression(0.01, solver="gradient, line search", max_iter=2000).fit(X, data.labels)
    assert way.objective == pytest.approx(LogisticRegression(0.01).fit(X, data.labels).objective, rel=1e-9)


def test_an_explanation_adds_up():
    X, y = groups(2, 60)
    model = LogisticRegression().fit(X, y)
    x = np.array([0.5, -0.3])
    told = model.explain(x)
    f = float(model.decision_function(x[None])[0])
    (equation,) = sums(told.sentence)
    assert equation.adds_up and equation.left.says(f)
    weights = [term.factors for term in equation.terms if term.factors]
    np.testing.assert_allclose(weights, np.column_stack((model.coef, x)), rtol=5e-3)
    (way,) = told.marks
    np.testing.assert_allclose(way.start, [x])
    assert abs(float(model.decision_function(way.end)[0])) < 1e-12
    across = way.end[0] - x
    assert abs(across[0] * model.coef[1] - across[1] * model.coef[0]) < 1e-12


@pytest.mark.parametrize("solver", STEPWISE_SOLVERS)
def test_gradients_of_inputs_that_have_no_squares_are_refused_in_a_sentence(solver):
    X, y = groups(20, 2, 2, seed=1)
    with pytest.raises(CannotFit, match="standardize"):
        LogisticRegression(solver=solver).fit(1e200 * X, y)
    assert np.isfinite(LogisticRegression(solver=solver, max_iter=20).fit(1e149 * X, y).gradient_norm)
