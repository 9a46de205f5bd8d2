"""Lasso, elastic net and the loss budget against scikit-learn; what a plain fit is sure of; what both systems say."""

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_diabetes
from sklearn.linear_model import ElasticNet, Lasso, Ridge
from sklearn.linear_model import LinearRegression as Least
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures

from mlviz.algorithms.linear.linear_regression import LinearRegression
from mlviz.algorithms.linear.linear_regression.confidence import SureRegressionModel
from mlviz.algorithms.linear.linear_regression.model import LinearRegressionModel
from mlviz.draw.numbers import number
from mlviz.draw.protocols import HasPredictive, provides
from tests.sweep import each, trials

PENALTIES = (("L1", 1.0), ("elastic net", 0.4))


def sample(d, n=80, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, (n, d))
    return X, np.sin(X).sum(axis=1) + 0.3 * rng.normal(size=n), rng.integers(1, 4, n).astype(float)


def oracle_of(lambda_, ratio):
    l1, l2 = lambda_ * ratio, lambda_ * (1 - ratio)
    alpha = l1 / 2 + l2
    return ElasticNet(alpha=alpha, l1_ratio=l1 / 2 / alpha, tol=1e-14, max_iter=10**6)


@pytest.mark.parametrize(("penalty", "ratio"), PENALTIES)
@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("lambda_", [1e-2, 0.3])
@pytest.mark.parametrize("weighted", [False, True])
def test_sparse_fits_are_scikit_learns(penalty, ratio, d, lambda_, weighted):
    X, y, w = sample(d)
    weights = w if weighted else None
    model = LinearRegression("polynomial", 3, penalty, lambda_, l1_ratio=ratio).fit(X, y, sample_weight=weights)
    A = PolynomialFeatures(3, include_bias=False).fit_transform(MinMaxScaler((-1, 1)).fit_transform(X))
    oracle = oracle_of(lambda_, ratio).fit(A, y, sample_weight=weights)
    np.testing.assert_allclose(model.penalized, oracle.coef_, atol=1e-5)
    np.testing.assert_allclose(model.predict(X), oracle.predict(A), atol=1e-6)
    facts = model.facts()
    assert facts["non-zero weights"] == (oracle.coef_ != 0).sum() and facts["duality gap"] < 1e-12
    assert facts["|w|₁"] == pytest.approx(np.abs(oracle.coef_).sum(), abs=1e-4)
    assert "gradient norm" not in facts and "rank" not in facts


def test_the_inputs_themselves_are_penalized_in_their_units():
    data = load_diabetes(scaled=False)
    X, y = data.data, data.target
    model = LinearRegression(penalty="L1", lambda_=5.0).fit(X, y)
    oracle = Lasso(alpha=2.5, tol=1e-14, max_iter=10**6).fit(X, y)
    np.testing.assert_allclose(model.coef, oracle.coef_, atol=1e-5)
    assert model.intercept == pytest.approx(oracle.intercept_, abs=1e-3)


def test_the_path_is_that_of_the_fits():
    X, y, _ = sample(2)
    for penalty, ratio in (("L2", 0.0), *PENALTIES):
        method = LinearRegression("polynomial", 3, penalty, 0.1, l1_ratio=ratio)
        strengths = np.array([1.0, 0.001, 0.1])
        fits = [method.replace(lambda_=value).fit(X, y).penalized for value in strengths]
        np.testing.assert_allclose(method.fit(X, y).path(strengths), fits, atol=1e-9)


def test_line_objective_is_what_is_minimised():
    X, y, _ = sample(2)
    for penalty, ratio in (("L2", 0.0), *PENALTIES):
        method = LinearRegression(penalty=penalty, lambda_=0.1, l1_ratio=ratio)
        model = method.fit(X, y)
        value = method.line_objective().of(model.predict(X), model.coef, y, np.ones(len(X)))
        assert value == pytest.approx(model.objective)
    assert LinearRegression(penalty="loss budget").line_objective() is None


@pytest.mark.parametrize("budget", [0.02, 0.1, 0.3])
def test_the_smallest_weights_within_a_budget(budget):
    X, y, _ = sample(1)
    method = LinearRegression("polynomial", 7, "loss budget", budget=budget)
    model = method.fit(X, y)
    least = LinearRegression("polynomial", 7).fit(X, y).loss
    if budget < least:
        assert f"no fit comes within the budget: the least mean squared residual is {least:.3g}" == model.caveat
        assert model.loss == pytest.approx(least) and "λ of the same fit" not in model.facts()
        return
    assert model.caveat == "" and model.loss == pytest.approx(budget, rel=1e-9)
    same = LinearRegression("polynomial", 7, "L2", model.facts()["λ of the same fit"]).fit(X, y)
    np.testing.assert_allclose(same.penalized, model.penalized, rtol=1e-6)
    # No other direction within the budget is shorter: a step back in |w| costs more than the budget.
    shorter = model.penalized * 0.999
    A = PolynomialFeatures(7, include_bias=False).fit_transform(MinMaxScaler((-1, 1)).fit_transform(X))
    residuals = y - A @ shorter
    assert np.var(residuals) > budget


@pytest.mark.parametrize("basis", ["Haar wavelets", "splines", "Gaussian bumps", "Fourier", "polynomial"])
@pytest.mark.parametrize("seed", trials(4))
def test_a_budget_out_of_reach_is_met_as_well_as_any_function_can(basis, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(35, 2)) * 100
    X[18:] = X[:17]  # half of the samples lie where the others do
    y = X @ rng.normal(size=2) + 50 * rng.normal(size=35)
    model = LinearRegression(basis, penalty="loss budget", budget=1e-3).fit(X, y)
    least = LinearRegression(basis).fit(X, y).loss
    assert least > 1 and model.loss == pytest.approx(least, rel=1e-9)
    assert model.caveat == f"no fit comes within the budget: the least mean squared residual is {number(least)}"


def test_a_wide_budget_needs_no_weights():
    X, y, _ = sample(1)
    model = LinearRegression("polynomial", 7, "loss budget", budget=50.0).fit(X, y)
    np.testing.assert_allclose(model.predict(X), y.mean(), atol=1e-15)


@each("basis, share", ["linear", "polynomial", "splines", "Gaussian bumps"], [1.0, 1 + 1e-9, 2.0, 1e9])
def test_no_weights_are_exactly_none_and_told(basis, share):
    x, y = np.array([[-1.0], [0.0], [1.0], [2.0]]), np.array([1.0, 2.0, 1.0, 3.0])
    model = LinearRegression(basis, penalty="loss budget", budget=0.6875 * share).fit(x, y)
    assert (model.penalized == 0).all() and model.intercept == y.mean()
    assert model.caveat == "all weights are 0: the mean of the targets alone is within the budget"
    told = model.told_facts()
    assert told["|w|"].value == 0 and told["mean squared residual"].value == 0.6875
    for name in ("λ of the same fit", "prior of the weights", "condition number", "gradient norm", "primal minus dual"):
        assert name not in told
    below = LinearRegression(basis, penalty="loss budget", budget=0.687).fit(x, y)
    assert (below.penalized != 0).any() and "λ of the same fit" in below.told_facts()


def test_priors_that_make_the_fit_the_most_probable_one():
    X, y, _ = sample(1)
    n = len(y)
    ridge = LinearRegression(penalty="L2", lambda_=0.3).fit(X, y)
    assert ridge.prior == f"Gaussian of standard deviation τ = {(ridge.loss / (n * 0.3)) ** 0.5:.3g}"
    lasso = LinearRegression(penalty="L1", lambda_=0.3).fit(X, y)
    assert lasso.prior == f"Laplace of scale b = {2 * lasso.loss / (n * 0.3):.3g}"
    assert "prior of the weights" not in LinearRegression().fit(X, y).facts()


def test_primal_and_dual_say_the_same():
    for n, told in ((5, "5 samples (dual"), (80, "9 weights (primal")):
        X, y, _ = sample(1, n=n)
        facts = LinearRegression("polynomial", 9, "L2", 0.01).fit(X, y).facts()
        assert facts["primal minus dual"] < 1e-9 and facts["smaller system"].startswith(told)
    A = PolynomialFeatures(9, include_bias=False).fit_transform(MinMaxScaler((-1, 1)).fit_transform(X))
    A = (A - A.mean(axis=0)) / len(A) ** 0.5
    hat = A @ np.linalg.solve(A.T @ A + 0.01 * np.eye(9), A.T)
    assert facts["effective parameters"] == pytest.approx(1 + np.trace(hat))


LONGLEY = """
60323 83.0 234289 2356 1590 107608 1947
61122 88.5 259426 2325 1456 108632 1948
60171 88.2 258054 3682 1616 109773 1949
61187 89.5 284599 3351 1650 110929 1950
63221 96.2 328975 2099 3099 112075 1951
63639 98.1 346999 1932 3594 113270 1952
64989 99.0 365385 1870 3547 115094 1953
63761 100.0 363112 3578 3350 116219 1954
66019 101.2 397469 2904 3048 117388 1955
67857 104.6 419180 2822 2857 118734 1956
68169 108.4 442769 2936 2798 120445 1957
66513 110.8 444546 4681 2637 121950 1958
68655 112.6 482704 3813 2552 123366 1959
69564 114.2 502601 3931 2514 125368 1960
69331 115.7 518173 4806 2572 127852 1961
70551 116.9 554894 4007 2827 130081 1962
"""


def test_longleys_certified_values():
    """The Statistical Reference Datasets of the NIST give eleven digits; so much survives in double precision."""
    table = np.array([line.split() for line in LONGLEY.split("\n") if line], dtype=float)
    model = LinearRegression().fit(table[:, 1:], table[:, 0])
    certified = (15.0618722713733, -0.0358191792925910, -2.02022980381683, -1.03322686717359, -0.0511041056535807)
    np.testing.assert_allclose(model.coef, (*certified, 1829.15146461355), rtol=1e-9)
    assert model.intercept == pytest.approx(-3482258.63459582, rel=1e-9)
    facts = model.facts()
    assert facts["residual standard deviation"] == pytest.approx(304.854073561965, rel=1e-9)
    assert facts["R²"] == pytest.approx(0.995479004577296, rel=1e-12)
    assert model.degrees_of_freedom == 9
    # The function at 0 is the offset, whose standard deviation is certified too.
    assert model.predict_std(np.zeros((1, 6)))[0][0] == pytest.approx(890420.383607373, rel=1e-7)


@pytest.mark.parametrize("settings", [{}, {"basis": "polynomial", "degree": 4}, {"basis": "splines"}], ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_bands_are_those_of_the_textbook(settings, weighted):
    X, y, w = sample(1, n=30)
    model = LinearRegression(**settings).fit(X, y, sample_weight=w if weighted else None)
    if weighted:
        X, y = np.repeat(X, w.astype(int), axis=0), np.repeat(y, w.astype(int))
    A = np.column_stack((np.ones(len(X)), model.basis.terms(X)))
    p = np.linalg.matrix_rank(A)
    residuals = y - A @ np.linalg.lstsq(A, y, rcond=None)[0]
    variance = residuals @ residuals / (len(y) - p)
    at = np.linspace(-3.5, 3.5, 15)[:, None]
    F = np.column_stack((np.ones(15), model.basis.terms(at)))
    of_function = np.sqrt(variance * np.einsum("ij,jk,ik->i", F, np.linalg.pinv(A.T @ A, rcond=1e-12), F))
    assert isinstance(model, SureRegressionModel) and provides(model, HasPredictive)
    assert model.degrees_of_freedom == len(y) - p
    found = model.predict_std(at)
    np.testing.assert_allclose(found[0], of_function, rtol=1e-7)
    np.testing.assert_allclose(found[1], np.sqrt(of_function**2 + variance), rtol=1e-7)


def test_bands_hold_as_often_as_they_say():
    rng, held = np.random.default_rng(0), 0
    x = np.linspace(-1, 1, 6)[:, None]
    for _ in trials(1200):
        model = LinearRegression().fit(x, x[:, 0] + rng.normal(size=6))
        width = stats.t.ppf(0.975, model.degrees_of_freedom) * model.predict_std(np.array([[0.4]]))[1][0]
        held += abs(model.predict([[0.4]])[0] - 0.4 - rng.normal()) < width
    n = len(trials(1200))
    assert held / n == pytest.approx(0.95, abs=3 * (0.95 * 0.05 / n) ** 0.5)


@pytest.mark.parametrize("penalty", ["L2", "L1", "elastic net", "loss budget"])
def test_with_a_penalty_or_too_few_samples_there_is_no_band(penalty):
    X, y, _ = sample(1)
    for model in (LinearRegression(penalty=penalty).fit(X, y), LinearRegression().fit(X[:2], y[:2])):
        assert type(model) is LinearRegressionModel and not provides(model, HasPredictive)
        assert "residual standard deviation" not in model.facts()


def test_the_lines_of_code_say_the_same():
    X, y, _ = sample(2)
    for penalty in ("none", "L2", "L1", "elastic net", "loss budget"):
        method = LinearRegression(penalty=penalty)
        model, names = method.fit(X, y), {"y": y}
        code = method.code(model)
        exec("\n".join(code.imports), names)
        oracle = eval(code.steps[-1], names).fit(X, y)
        assert isinstance(oracle, Least | Ridge | Lasso | ElasticNet)
        np.testing.assert_allclose(oracle.predict(X), model.predict(X), atol=1e-6)


@pytest.mark.parametrize(
    ("penalty", "named", "same_as"),
    [("L2", "L2 (ridge)", "ridge regression"), ("L1", "L1 (lasso)", "the lasso"), ("elastic net", "elastic net", None),
     ("none", "linear regression, linear, exact", None), ("loss budget", "loss budget", None)],
)  # fmt: skip
def test_ridge_and_lasso_are_called_so(penalty, named, same_as):
    method = LinearRegression(penalty=penalty)
    X, y, _ = sample(1)
    assert named in method.caption() and ("(" in method.caption()) == (same_as is not None)
    assert method.fit(X, y).facts().get("the same as") == same_as
    help = method.parameter("penalty").help
    assert "L2 (ridge)" in help and "L1 (lasso)" in help
    assert LinearRegression(penalty="ridge").penalty == "L2" and LinearRegression(penalty="lasso").penalty == "L1"


@each("basis, lambda_", ["Haar wavelets", "splines", "Gaussian bumps"], [1e-20, 1e-28, 1e-30, 1e-34, 1e-60])
def test_a_tiny_penalty_on_functions_that_depend_on_each_other_leaves_least_squares(basis, lambda_):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(35, 2)) * 100
    y = X @ rng.normal(size=2) + rng.normal(size=35)
    least = LinearRegression(basis).fit(X, y)
    model = LinearRegression(basis, penalty="L2", lambda_=lambda_).fit(X, y)
    assert model.loss == pytest.approx(least.loss, rel=1e-6)
