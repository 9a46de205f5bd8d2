"""Linear regression in each basis against explicit design matrices, and the lines of code that say the same."""

import numpy as np
import pytest
from scipy.interpolate import BSpline
from sklearn.linear_model import LinearRegression as Least
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from mlviz.algorithms import CannotFit, registry
from mlviz.algorithms.linear.linear_regression import LinearRegression
from mlviz.algorithms.many_fits import Part
from mlviz.algorithms.regression.bayesian_linear import BayesianLinear
from mlviz.numerics.grid import Grid
from tests.sweep import each, sweep

BASES = (
    {"basis": "splines", "n_knots": 3, "degree": 3},
    {"basis": "splines", "knots": "by hand", "knot_places": "-1 0.5", "degree": 2},
    {"basis": "Gaussian bumps", "n_centers": 5, "width": 1.2},
    {"basis": "Gaussian bumps", "centers": "by hand", "center_places": "-2 0 1.5", "width": 0.8},
    {"basis": "Fourier", "n_frequencies": 2, "period": 7.0},
    {"basis": "Haar wavelets", "n_levels": 2},
)


def sample(d, n=150, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, (n, d))
    return X, np.sin(2 * X).sum(axis=1) + 0.1 * rng.normal(size=n), rng.integers(1, 4, n).astype(float)


def column(settings, x):
    """The functions of one input, written out; with the constant where that stands beside them."""
    low, high = x.min(), x.max()
    match settings:
        case {"basis": "splines", "degree": degree}:
            places = [-1, 0.5] if "knot_places" in settings else np.linspace(low, high, 5)[1:-1]
            base = np.concatenate(([low], places, [high]))
            steps = np.arange(1, degree + 1)
            first, last = base[1] - base[0], base[-1] - base[-2]
            knots = np.concatenate((base[0] - steps[::-1] * first, base, base[-1] + steps * last))
            return BSpline.design_matrix(np.clip(x, low, high - 1e-15), knots, degree).toarray()
        case {"width": width}:
            centers = np.array([-2, 0, 1.5]) if "center_places" in settings else np.linspace(low, high, 5)
            return np.exp(-((x[:, None] - centers) ** 2) / (2 * width**2))
        case {"period": period}:
            waves = [f(2 * np.pi * j * x / period) for j in (1, 2) for f in (np.cos, np.sin)]
            return np.column_stack((np.ones(len(x)), *waves))
    u = np.minimum((x - low) / (high - low), 1 - 1e-12)
    steps = [np.floor(u * 4) == k for k in range(4)]
    return np.column_stack(
        (
            np.ones(len(x)),
            np.sign(0.5 - u) + (u == 0.5) * -1,
            2**0.5 * (steps[0] * 1.0 - steps[1]),
            2**0.5 * (steps[2] * 1.0 - steps[3]),
        )
    )


def design(settings, X):
    columns = [column(settings, x) for x in X.T]
    both = columns[0] if len(columns) == 1 else np.einsum("ni,nj->nij", *columns).reshape(len(X), -1)
    return both[:, 1:] if settings["basis"] in ("Fourier", "Haar wavelets") else both


@sweep("weighted, lambda_, d, settings", [False, True], [None, 1e-3, 1.0], [1, 2], BASES)
def test_each_basis_agrees_with_its_design_matrix(settings, d, lambda_, weighted):
    X, y, w = sample(d)
    model = LinearRegression(**settings, penalty="L2" if lambda_ else "none", lambda_=lambda_ or 1.0).fit(
        X, y, sample_weight=w if weighted else None
    )
    A = design(settings, X)
    total = w.sum() if weighted else len(X)
    oracle = Ridge(alpha=lambda_ * total, solver="svd") if lambda_ else Least()
    oracle.fit(A, y, sample_weight=w if weighted else None)
    np.testing.assert_allclose(model.predict(X), oracle.predict(A), atol=1e-8)
    np.testing.assert_allclose(model.penalized, oracle.coef_, atol=1e-7 * np.abs(oracle.coef_).max())
    assert model.facts()["gradient norm"] < 1e-11
    if d == 2:
        grid = Grid.over((-4, 4, -3, 5), 31, 17)
        expected = model.predict(grid.points()).reshape(grid.shape)
        np.testing.assert_allclose(model.on_grid(grid), expected, atol=1e-11 * np.abs(expected).max())


@each("settings, d", BASES, [1, 2])
def test_the_lines_of_code_say_the_same(settings, d):
    X, y, _ = sample(d)
    method = LinearRegression(**settings, penalty="L2", lambda_=0.01)
    model = method.fit(X, y)
    code = method.code(model)
    names = {"np": np, "y": y}
    exec("\n".join((*code.imports, *code.before)), names)
    oracle = make_pipeline(*(eval(step, names) for step in code.steps)).fit(X, y)
    np.testing.assert_allclose(oracle.predict(X), model.predict(X), atol=1e-8)


def test_splines_beside_the_offset_are_no_case_of_many_solutions():
    X, y, _ = sample(1)
    facts = LinearRegression("splines", 3).fit(X, y).facts()
    assert facts["rank"] == facts["terms"] - 1 and "solution" not in facts


def test_what_no_sample_reaches_is_not_learned():
    X, y, _ = sample(1, n=12)
    model = LinearRegression("Gaussian bumps", width=0.05, n_centers=20).fit(X, y)
    assert np.abs(model.penalized).max() < 1e4
    far = np.abs(X - np.array(model.basis.parts[0].centers)).min(axis=0) > 0.05 * np.sqrt(2 * np.log(1e3))
    assert far.any() and (model.penalized[far] == 0).all()


@pytest.mark.parametrize("d", [2, 3])
def test_too_many_products_are_refused_in_a_sentence(d):
    with pytest.raises(CannotFit, match=r"With \d inputs there are [\d,]+ terms of this basis: take fewer levels\."):
        LinearRegression("Haar wavelets", n_levels=9).fit(np.eye(d), np.zeros(d))


@pytest.mark.parametrize("settings", [*BASES, {"basis": "polynomial"}, {"basis": "linear"}], ids=str)
@pytest.mark.parametrize("penalty", ["none", "L2"])
def test_many_fits_are_what_each_fit_is(settings, penalty):
    X, y, _ = sample(1, n=40)
    methods = [LinearRegression(**settings, penalty=penalty, lambda_=value) for value in (1e-3, 0.1)]
    parts = [Part(X, np.delete(np.arange(40), slice(k, k + 8)), np.delete(y, slice(k, k + 8)), None) for k in (0, 16)]
    found = [answers for answers in methods[0].many_fits().answers(methods, parts) if answers is not None]
    alike = settings["basis"] in ("linear", "Fourier") or (settings["basis"] == "polynomial" and penalty == "none")
    assert bool(found) == alike  # all other functions go by the samples of a part
    for answers in found:
        for part, which, outputs in zip(answers.part, answers.which, answers.outputs, strict=True):
            model = methods[which].fit(X[parts[part].rows], parts[part].y)
            np.testing.assert_allclose(outputs, model.predict(X), atol=1e-7)


@pytest.mark.parametrize("name", ["linear-regression", "lp-regression", "bayesian-linear"])
def test_the_functions_come_before_what_is_done_with_them(name):
    method = registry()[name](basis="polynomial")
    assert [parameter.name for parameter in method.parameters()][:2] == ["basis", "degree"]
    assert method.caption().startswith(f"{method.label}, polynomial, degree = 3")


def test_terms_are_worked_out_once_for_a_curve_and_its_band(monkeypatch):
    X, asked = np.random.default_rng(0).uniform(-3, 3, (50, 1)), []
    model = BayesianLinear(basis="polynomial", degree=4).fit(X, np.sin(X[:, 0]))
    terms = type(model.terms.basis).terms
    monkeypatch.setattr(type(model.terms.basis), "terms", lambda *given: asked.append(len(given[1])) or terms(*given))
    line = np.linspace(-3, 3, 80)[:, None]
    curve, (band, _), functions = model.predict(line), model.predict_std(line), model.functions(line)
    assert asked == [80]
    line[0] = 2.0  # the same array, which says something else now
    np.testing.assert_allclose(model.predict(line)[0], model.predict(np.array([[2.0]]))[0], rtol=1e-12)
    assert asked == [80, 80, 1]
    fresh = BayesianLinear(basis="polynomial", degree=4).fit(X, np.sin(X[:, 0]))
    line[0] = -3.0
    np.testing.assert_array_equal(curve, fresh.predict(line.copy()))
    np.testing.assert_array_equal(band, fresh.predict_std(line.copy())[0])
    np.testing.assert_array_equal(functions, fresh.functions(line.copy()))
