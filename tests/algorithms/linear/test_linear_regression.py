"""Linear regression against scikit-learn, closed forms, and itself in other units."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression as Least
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures

from mlviz.algorithms import CannotFit, registry
from mlviz.algorithms.linear.linear_regression import LinearRegression
from mlviz.data.generators.catalog import generators
from mlviz.draw.layer import Context, Names
from mlviz.numerics import polynomials
from mlviz.numerics.grid import Grid
from tests.sweep import sweep


def sample(d, n=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, (n, d))
    return X, np.sin(X).sum(axis=1) + 0.1 * rng.normal(size=n), rng.integers(1, 4, n).astype(float)


def mapped_powers(degree):
    return make_pipeline(MinMaxScaler((-1, 1)), PolynomialFeatures(degree, include_bias=False))


def context(model, X, y, **known):
    return Context(X, y, np.arange(len(X)), known.pop("algorithm", LinearRegression()), "regression", **known)


def test_it_is_installed():
    assert registry()["linear-regression"] is LinearRegression


@sweep("weighted, lambda_, degree, d", [False, True], [None, 1e-4, 0.1, 10.0], [1, 2, 3, 5], [1, 2, 3])
def test_it_agrees_with_scikit_learn(d, degree, lambda_, weighted):
    X, y, w = sample(d, n=80)
    weights = w if weighted else None
    algorithm = LinearRegression("polynomial", degree, "L2" if lambda_ else "none", lambda_ or 1.0)
    model = algorithm.fit(X, y, sample_weight=weights)
    features = mapped_powers(degree)
    design = features.fit_transform(X)
    total = w.sum() if weighted else len(X)
    oracle = Ridge(alpha=lambda_ * total, solver="svd") if lambda_ else Least()
    oracle.fit(design, y, sample_weight=weights)
    np.testing.assert_array_equal(model.exponents, features[-1].powers_)
    np.testing.assert_allclose(model.penalized, oracle.coef_, atol=1e-8 * np.abs(oracle.coef_).max())
    np.testing.assert_allclose(model.predict(X), oracle.predict(design), atol=1e-8)
    # Multiplied out they are the weights of the powers of x.
    plain = PolynomialFeatures(degree, include_bias=False).fit_transform(X) @ model.coef + model.intercept
    np.testing.assert_allclose(plain, oracle.predict(design), atol=1e-8)


@pytest.mark.parametrize("lambda_", [None, 1e-4, 10.0])
def test_without_monomials_the_inputs_stay_as_they_are(lambda_):
    X, y, w = sample(3)
    X *= (1, 10, 0.1)
    model = LinearRegression("linear", 5, "L2" if lambda_ else "none", lambda_ or 1.0).fit(X, y, sample_weight=w)
    oracle = (Ridge(alpha=lambda_ * w.sum()) if lambda_ else Least()).fit(X, y, sample_weight=w)
    np.testing.assert_allclose(model.coef, oracle.coef_, atol=1e-9)
    assert model.intercept == pytest.approx(oracle.intercept_, abs=1e-9)
    assert model.facts()["gradient norm"] < 1e-12


def test_lambda_cures_a_polynomial_that_overfits():
    """Bishop, section 1.1: degree 9 through ten points of a sine, wild without a penalty, calm with a small one."""
    data = generators()["sine"](n_samples=10, noise=0.4, period=7.0).generate(3)
    x, y = data.X[:, :1], data.X[:, 1]
    unseen = np.linspace(x.min(), x.max(), 500)[:, None]
    truth = 2 * np.sin(2 * np.pi * unseen[:, 0] / 7)

    def error(**penalty):
        model = LinearRegression("polynomial", 9, **penalty).fit(x, y)
        return np.sqrt(np.mean((model.predict(unseen) - truth) ** 2)), np.abs(model.predict(unseen)).max()

    wild, highest = error()
    assert wild > 10 and highest > 30
    wild, highest = error(penalty="L2", lambda_=1e-9)
    assert wild > 5 and highest > 15
    calm, highest = error(penalty="L2", lambda_=1e-4)
    assert calm < 0.3 and highest < 2.5
    assert error(penalty="L2", lambda_=1e2)[0] > 1, "and too much of it flattens the curve"


@pytest.mark.parametrize("lambda_", [None, 1e-6, 0.01])
def test_degree_twelve_is_solved_to_the_last_digits(lambda_):
    X, y, _ = sample(1, n=30)
    model = LinearRegression("polynomial", 12, "L2" if lambda_ else "none", lambda_ or 1.0).fit(X, y)
    x = X[:, 0].astype(np.longdouble)
    u = (2 * x - x.max() - x.min()) / (x.max() - x.min())
    powers = np.vander(u, 13, increasing=True)[:, 1:]
    centred = powers - powers.mean(axis=0)
    # Normal equations in extended precision, improved until they stand still.
    H = centred.T @ centred / len(X) + (lambda_ or 0) * np.eye(12)
    right = centred.T @ (y - y.mean()) / len(X)
    size = np.sqrt(np.diag(H))
    scaled = (H / size / size[:, None]).astype(float)
    w = np.zeros(12, np.longdouble)
    for _ in range(50):
        w += np.linalg.solve(scaled, ((right - H @ w) / size).astype(float)) / size
    np.testing.assert_allclose(model.penalized, w.astype(float), rtol=1e-7, atol=1e-9 * float(np.abs(w).max()))
    assert model.facts()["gradient norm"] < 1e-11


def test_the_least_norm_is_taken_where_there_are_many_solutions():
    X, y, _ = sample(2, n=7)
    model = LinearRegression("polynomial", 3).fit(X, y)
    oracle = Least().fit(mapped_powers(3).fit_transform(X), y)
    np.testing.assert_allclose(model.penalized, oracle.coef_, atol=1e-9)
    np.testing.assert_allclose(model.predict(X), y)
    facts = model.facts()
    assert (facts["rank"], facts["terms"]) == (6, 9)
    assert facts["solution"] == "the one with the smallest |w| of many"


def test_a_collinear_input_is_shared_evenly():
    x = np.linspace(-1, 1, 9)
    model = LinearRegression().fit(np.column_stack((x, x)), 4 * x + 1)
    np.testing.assert_allclose(model.coef, [2, 2])
    assert model.intercept == pytest.approx(1)
    assert model.facts()["rank"] == 1


@pytest.mark.parametrize("X", [[[2.0]], [[2.0], [2.0]], [[2.0], [2.0], [2.0]]])
def test_without_spread_it_is_the_mean(X):
    y = np.arange(len(X), dtype=float)
    for algorithm in (LinearRegression(), LinearRegression("polynomial", 12), LinearRegression(penalty="L2")):
        model = algorithm.fit(X, y)
        np.testing.assert_allclose(model.predict([[2.0], [5.0]]), y.mean())


@pytest.mark.parametrize(("unit", "offset"), [(1e-9, 0), (1e9, 0), (1, 1e6), (1e-3, 1e3)])
def test_without_a_penalty_units_and_origin_do_not_matter(unit, offset):
    X, y, _ = sample(2)
    algorithm = LinearRegression("polynomial", 3)
    moved = algorithm.fit(X * unit + offset, y).predict(X * unit + offset)
    np.testing.assert_allclose(moved, algorithm.fit(X, y).predict(X), atol=1e-6)


def test_weights_shrink_as_lambda_grows():
    X, y, _ = sample(1)
    lengths = [LinearRegression("polynomial", 5, "L2", v).fit(X, y).facts()["|w|"] for v in np.geomspace(1e-6, 1e6, 30)]
    assert (np.diff(lengths) < 0).all()
    far = LinearRegression("polynomial", 5, "L2", 1e15).fit(X, y)
    np.testing.assert_allclose(far.predict(X), y.mean(), atol=1e-6)


def test_facts():
    X, y, w = sample(2)
    for penalty in ("none", "L2"):
        algorithm = LinearRegression("polynomial", 3, penalty)
        facts = algorithm.fit(X, y, sample_weight=w).facts()
        assert 0.9 < facts["R²"] < 1
        assert facts["gradient norm"] < 1e-12
        design = mapped_powers(3).fit_transform(X)
        centred = (design - np.average(design, axis=0, weights=w)) * np.sqrt(w / w.sum())[:, None]
        H = centred.T @ centred + (0.01 * np.eye(9) if penalty == "L2" else 0)
        assert facts["condition number"] == pytest.approx(np.sqrt(np.linalg.cond(H)), rel=1e-6)


def test_the_field_is_the_prediction():
    X, y, _ = sample(2)
    grid = Grid.over((-4, 4, -3, 5), 31, 17)
    model = LinearRegression("polynomial", 7).fit(X, y)
    expected = model.predict(grid.points()).reshape(grid.shape)
    np.testing.assert_allclose(model.on_grid(grid), expected, atol=1e-12 * np.abs(expected).max())
    assert model.on_grid(grid, np.float32).dtype == np.float32
    far = LinearRegression("polynomial", 12).fit(X, y).on_grid(Grid.over((-1e6, 1e6, -1e6, 1e6), 5, 5), np.float32)
    assert np.isfinite(far).all()


def test_charts():
    X, y, _ = sample(1)
    algorithm = LinearRegression("polynomial", 4, "L2", 0.1)
    model = algorithm.fit(X, y)
    known = context(model, X, y, algorithm=algorithm, line=np.linspace(-4, 4, 50), names=Names(inputs=("x1",)))
    bars, basis, path = (chart.draw(model, known) for chart in algorithm.charts[3:6])
    assert [word for _, word in bars.x_ticks] == ["u", "u²", "u³", "u⁴"]
    np.testing.assert_allclose([bar[1, 1] for bar in bars.marks[1].vertices], model.penalized)
    terms, total = (mark.xy for mark in basis.marks)
    parts = np.array(np.split(terms[~np.isnan(terms[:, 0])][:, 1], 5))
    np.testing.assert_allclose(parts.sum(axis=0), total[:, 1], atol=1e-9)
    (handle,) = path.handles
    assert handle.path == "algorithm.lambda_" and handle.values[handle.at] == 0.1
    np.testing.assert_allclose(model.path(np.array([0.1]))[0], model.penalized, rtol=1e-6)
    at = [algorithm.replace(lambda_=v).fit(X, y).penalized for v in handle.values[::20]]
    np.testing.assert_allclose(model.path(handle.values[::20]), at, rtol=1e-5, atol=1e-8)


def test_charts_show_nothing_where_there_is_nothing():
    X, y, _ = sample(2)
    model = LinearRegression().fit(X, y)
    bars, basis, path = (chart.draw(model, context(model, X, y)) for chart in LinearRegression.charts[3:6])
    assert basis is None and path is None
    assert [word for _, word in bars.x_ticks] == ["x1", "x2"]


@pytest.mark.parametrize("d", [1, 2, 9])
def test_a_single_weight_is_no_wall(d):
    X, y, _ = sample(d)
    model = LinearRegression().fit(X, y)
    zero, bars = LinearRegression.charts[3].draw(model, context(model, X, y)).marks
    assert np.ptp(zero.xy[:, 0]) == max(d, 6) and np.ptp(bars.vertices[0][:, 0]) == pytest.approx(0.7)
    assert zero.xy[:, 0].mean() == pytest.approx((d - 1) / 2)


def test_explanation_adds_up():
    told = (
        LinearRegression("polynomial", 2)
        .fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 0.0, 1.0, 4.0])
        .explain(np.array([4.0]))
    )
    assert told.sentence == "prediction 9 = 1 - 2 · 4 (x1) + 1 · 16 (x1²)."
    np.testing.assert_allclose(told.marks[0].xy, [[4, 9]])


def test_too_much_is_refused_in_a_sentence():
    with pytest.raises(CannotFit, match="Degree 12 in 8 inputs has 125969 terms: lower the degree"):
        LinearRegression("polynomial", 12).fit(np.zeros((3, 8)), [0.0, 1.0, 2.0])
    with pytest.raises(CannotFit, match="standardize, or lower the degree"):
        LinearRegression("polynomial", 9).fit([[1e300], [2e300]], [0.0, 1.0])


def test_monomials_have_names():
    assert polynomials.name((2, 1), ("a", "b")) == "a²·b"
    assert polynomials.count_monomials(2, 3) == len(polynomials.exponents(2, 3)) == 9


@pytest.mark.parametrize("lambda_", [0.0, 0.1])
def test_of_targets_that_are_constant_but_for_rounding_nothing_is_told_by_rounding(lambda_):
    rng = np.random.default_rng(0)
    algorithm = LinearRegression(penalty="L2" if lambda_ else "none", lambda_=lambda_ or 0.1)
    for seed in range(20):
        X, weights = np.random.default_rng(seed).normal(size=(12, 2)), rng.uniform(0.5, 2, 12)
        for y in (np.full(12, 0.7), 0.7 * (1 + 2e-16 * rng.integers(-1, 2, 12))):
            facts = algorithm.fit(X, y, sample_weight=weights).facts()
            assert "R²" not in facts and facts["gradient norm"] < 1e-14
