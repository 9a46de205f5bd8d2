"""Gaussian process regression against scikit-learn's, and against three samples worked out with 50 digits."""

import decimal
import math
from decimal import Decimal

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, Matern

from mlviz.algorithms import CannotFit
from mlviz.algorithms.kernels import parameters
from mlviz.algorithms.kernels.gp import GaussianProcess
from mlviz.algorithms.kernels.gp.settings import MEANS
from mlviz.algorithms.kernels.kernel_ridge import KernelRidge
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.gaussian_process import symmetric_root
from mlviz.pipeline.pipeline import Pipeline
from tests.sweep import each

CENTRED, ZERO = MEANS


def wave(n=60, d=1, seed=0, noise=0.3):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-4, 4, (n, d))
    return X, np.sin(X).sum(axis=1) + noise * rng.normal(size=n)


def theirs(algorithm):
    """The same process by scikit-learn."""
    kernel = {
        "gaussian": lambda: RBF(algorithm.sigma),
        "exponential": lambda: Matern(algorithm.sigma, nu=0.5),
        "linear": lambda: DotProduct(0.0, "fixed"),
        "polynomial": lambda: DotProduct(math.sqrt(algorithm.coef0), "fixed") ** algorithm.degree,
        "expression": lambda: RBF(0.5) + ConstantKernel(0.3) * DotProduct(0.0, "fixed") ** 2,
    }[algorithm.kernel]()
    kernel = ConstantKernel(algorithm.signal_variance) * kernel
    return GaussianProcessRegressor(kernel, alpha=algorithm.noise_variance, optimizer=None)


SETTINGS = (
    {},
    {"signal_variance": 4.0, "noise_variance": 0.02, "sigma": 0.4},
    {"kernel": "exponential", "sigma": 2.0},
    {"kernel": "linear", "noise_variance": 0.5},
    {"kernel": "polynomial", "degree": 3, "coef0": 0.5, "signal_variance": 0.1},
    {"kernel": "expression", "expression": "gaussian(0.5) + 0.3*linear^2"},
)


@each("values, d", SETTINGS, [1, 2])
def test_it_is_scikit_learns(values, d):
    X, y = wave(80, d)
    algorithm = GaussianProcess(mean=ZERO, **values)
    model, other = algorithm.fit(X, y), theirs(algorithm).fit(X, y)
    places = np.random.default_rng(1).uniform(-5, 5, (50, d))
    mean, std = other.predict(places, return_std=True)
    of_function, of_target = model.predict_std(places)
    scale = max(1.0, float(std.max()))
    np.testing.assert_allclose(model.predict(places), mean, atol=1e-9 * max(1.0, float(np.abs(mean).max())))
    # Variances are differences of numbers of the size of the prior's, which may leave eight digits of their root.
    np.testing.assert_allclose(of_function, std, atol=1e-7 * scale)
    np.testing.assert_allclose(of_target, np.sqrt(std**2 + algorithm.noise_variance), atol=1e-8 * scale)
    _, covariance = other.predict(places[:9], return_cov=True)
    np.testing.assert_allclose(model.covariance(places[:9]), covariance, atol=1e-9 * scale**2)
    assert model.facts()["log marginal likelihood"] == pytest.approx(other.log_marginal_likelihood_value_, rel=1e-9)
    parts = ("its data fit", "its complexity", "its constant")
    assert sum(model.facts()[part] for part in parts) == pytest.approx(other.log_marginal_likelihood_value_, rel=1e-9)


@pytest.mark.parametrize(("values", "d"), [({}, 1), ({"sigma": 4.0, "noise_variance": 0.02}, 1), ({"sigma": 9.0}, 2)])
def test_it_is_scikit_learns_where_few_features_say_all(values, d):
    X, y = wave(400, d)
    algorithm = GaussianProcess(mean=ZERO, **values)
    model, other = algorithm.fit(X, y), theirs(algorithm).fit(X, y)
    assert "each feature" in model.solved and "each sample" in algorithm.fit(X[:90], y[:90]).solved
    places = np.random.default_rng(1).uniform(-6, 6, (80, d))
    mean, std = other.predict(places, return_std=True)
    scale = max(1.0, float(np.abs(mean).max()), float(std.max()))
    np.testing.assert_allclose(model.predict(places), mean, atol=1e-8 * scale)
    np.testing.assert_allclose(model.predict_std(places)[0], std, atol=1e-7 * scale)
    assert model.evidence.value == pytest.approx(other.log_marginal_likelihood_value_, rel=1e-9)
    assert model.residual < 1e-9
    A = other.kernel_(X) + algorithm.noise_variance * np.eye(400)
    inverse = np.linalg.inv(A).diagonal()
    assert model.facts()["effective parameters"] == pytest.approx(400 - algorithm.noise_variance * inverse.sum())
    rmse = np.sqrt(np.mean((np.linalg.solve(A, y) / inverse) ** 2))
    assert model.facts()["leave-one-out RMSE"] == pytest.approx(rmse, rel=1e-7)


def test_it_is_scikit_learns_on_real_data():
    X, y = load_diabetes(return_X_y=True)
    X, y = X / X.std(axis=0), (y - y.mean()) / y.std()
    algorithm = GaussianProcess(sigma=5.0, noise_variance=0.5)
    model, other = algorithm.fit(X, y), theirs(algorithm).fit(X, y)
    mean, std = other.predict(X[:100] + 0.1, return_std=True)
    np.testing.assert_allclose(model.predict(X[:100] + 0.1), mean, atol=1e-9)
    np.testing.assert_allclose(model.predict_std(X[:100] + 0.1)[0], std, atol=1e-9)
    assert model.evidence.value == pytest.approx(other.log_marginal_likelihood_value_, rel=1e-9)


def test_three_samples_with_fifty_digits():
    X, y, place, noise = ("-1", "0.5", "2"), ("0.3", "-0.7", "1.1"), "0.8", Decimal("0.05")
    with decimal.localcontext(decimal.Context(prec=50)):
        x, r, s2 = [Decimal(v) for v in X], [Decimal(v) for v in y], Decimal("1.5")

        def k(a, b):
            return s2 * (-((a - b) ** 2) / 2).exp()

        A = [[k(a, b) + (noise if i == j else 0) for j, b in enumerate(x)] for i, a in enumerate(x)]
        here = [k(Decimal(place), a) for a in x]
        det = determinant(A)
        alpha, v = solved(A, r), solved(A, here)
        mean = dot(here, alpha)
        variance = s2 - dot(here, v)
        pi = Decimal("3.14159265358979323846264338327950288419716939937510")
        evidence = -dot(r, alpha) / 2 - det.ln() / 2 - 3 * (2 * pi).ln() / 2
        std = variance.sqrt(), (variance + noise).sqrt()
    algorithm = GaussianProcess(signal_variance=1.5, noise_variance=0.05, mean=ZERO)
    model = algorithm.fit(np.array(X, dtype=float)[:, None], np.array(y, dtype=float))
    at = np.array([[float(place)]])
    assert model.predict(at)[0] == pytest.approx(float(mean), abs=1e-13)
    assert [float(s[0]) for s in model.predict_std(at)] == pytest.approx([float(s) for s in std], abs=1e-13)
    assert model.evidence.value == pytest.approx(float(evidence), abs=1e-12)


def dot(a, b):
    return sum(u * v for u, v in zip(a, b, strict=True))


def determinant(A):
    (a, b, c), (d, e, f), (g, h, i) = A
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def solved(A, r):
    """Cramer's rule."""
    columns = list(zip(*A, strict=True))
    swapped = [[r if j == i else column for j, column in enumerate(columns)] for i in range(3)]
    return [determinant(list(zip(*one, strict=True))) / determinant(A) for one in swapped]


def test_the_mean_of_the_targets_is_the_prior_that_centred_ones_have():
    X, y = wave(40)
    model, centred = GaussianProcess().fit(X, y + 100), GaussianProcess(mean=ZERO).fit(X, y - y.mean())
    places = np.linspace(-8, 8, 30)[:, None]
    np.testing.assert_allclose(model.predict(places), centred.predict(places) + 100 + y.mean(), atol=1e-10)
    assert model.evidence.value == pytest.approx(centred.evidence.value, rel=1e-10)
    assert model.predict(np.array([[100.0]]))[0] == pytest.approx(100 + y.mean())


def test_the_mean_is_kernel_ridge_regressions_but_for_its_offset():
    X, y = wave(50)
    model = GaussianProcess(noise_variance=0.2, signal_variance=0.8, mean=ZERO).fit(X, y)
    lambda_ = model.facts()["λ of kernel ridge"]
    ridge = KernelRidge(lambda_=lambda_).fit(X, y)
    # What ridge regression's free offset is taken from the targets, the other has no need of one.
    same = GaussianProcess(noise_variance=0.2, signal_variance=0.8, mean=ZERO).fit(X, y - ridge.intercept)
    np.testing.assert_allclose(same.predict(X) + ridge.intercept, ridge.predict(X), atol=1e-10)


@pytest.mark.parametrize("values", [{}, {"kernel": "polynomial", "degree": 2}, {"mean": ZERO}], ids=str)
def test_weights_are_repeated_rows_for_all_that_is_told(values):
    X, y = wave(30, 2)
    weights = np.random.default_rng(2).integers(0, 4, 30)
    model = GaussianProcess(**values).fit(X, y, sample_weight=weights)
    repeated = GaussianProcess(**values).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    places = np.random.default_rng(3).uniform(-4, 4, (20, 2))
    np.testing.assert_allclose(model.predict(places), repeated.predict(places), atol=1e-10)
    np.testing.assert_allclose(model.predict_std(places), repeated.predict_std(places), atol=1e-9)
    for name in ("log marginal likelihood", "its data fit", "its complexity", "effective parameters"):
        assert model.facts()[name] == pytest.approx(repeated.facts()[name], rel=1e-9)


def test_leaving_samples_out_is_learning_from_the_others():
    X, y = wave(25)
    algorithm = GaussianProcess(mean=ZERO)
    model, errors, densities = algorithm.fit(X, y), [], []
    for i in range(25):
        kept = np.arange(25) != i
        other = algorithm.fit(X[kept], y[kept])
        error, std = y[i] - other.predict(X[i : i + 1])[0], other.predict_std(X[i : i + 1])[1][0]
        errors.append(error)
        densities.append(-0.5 * (error / std) ** 2 - math.log(std) - 0.5 * math.log(2 * math.pi))
    assert model.facts()["leave-one-out RMSE"] == pytest.approx(math.sqrt(np.mean(np.square(errors))), rel=1e-9)
    assert model.facts()["leave-one-out log density"] == pytest.approx(np.mean(densities), rel=1e-9)


@pytest.fixture
def many(monkeypatch):
    """More samples than are their own centres, of which there may be fewer than usual."""
    monkeypatch.setattr(parameters, "MOST_SAMPLES", 1000)
    return wave(1500)


def test_many_samples_are_seen_through_few_centres(many):
    X, y = many
    model = GaussianProcess().fit(X, y)
    assert "of 1,500 samples as centres" in model.caveat and model.facts()["left out of the kernel"] < 1e-6
    other = theirs(GaussianProcess()).fit(X, y - y.mean())
    places = np.linspace(-4, 4, 60)[:, None]
    mean, std = other.predict(places, return_std=True)
    np.testing.assert_allclose(model.predict(places), mean + y.mean(), atol=1e-4)
    np.testing.assert_allclose(model.predict_std(places)[0], std, atol=1e-4)
    assert model.evidence.value == pytest.approx(other.log_marginal_likelihood_value_, abs=0.1)
    shuffled = np.random.default_rng(0).permutation(len(X))
    np.testing.assert_allclose(GaussianProcess().fit(X[shuffled], y[shuffled]).predict(places), model.predict(places))


def test_a_follower_of_many_samples_keeps_their_sums(many):
    X, y = many
    algorithm = GaussianProcess()
    follower, places = algorithm.follower(), np.linspace(-4, 3, 60)[:, None]
    follower.update(algorithm, X, y, None, np.inf)
    for k in range(5):
        X, y = X.copy(), y.copy()
        X[k], y[k + 1] = 4.5 + 0.1 * k, 3.0  # beyond the others, so that their middle moves as well
        found, expected = follower.update(algorithm, X, y, None, np.inf), algorithm.fit(X, y)
        np.testing.assert_allclose(found.predict(places), expected.predict(places), atol=1e-3)
        np.testing.assert_allclose(found.predict_std(places), expected.predict_std(places), atol=1e-3)
        assert found.evidence.value == pytest.approx(expected.evidence.value, abs=0.5)
    wider = algorithm.replace(sigma=2.0)
    found = follower.update(wider, X, y, None, np.inf)
    np.testing.assert_allclose(found.predict(places), wider.fit(X, y).predict(places), atol=1e-5)


def test_while_many_are_solved_a_draft_is_there():
    X, y = wave(900, 2)
    steps = list(GaussianProcess().steps(X, y, np.random.default_rng(0)))
    assert len(steps) > 3 and "centres" in steps[0].caveat and not steps[-1].caveat
    inverse = np.linalg.inv(theirs(GaussianProcess()).kernel(X) + 0.1 * np.eye(900)).diagonal()
    assert steps[-1].parameters == pytest.approx(900 - 0.1 * inverse.sum(), rel=1e-9)
    np.testing.assert_allclose(steps[0].predict(X), steps[-1].predict(X), atol=0.05)
    np.testing.assert_allclose(steps[0].predict_std(X)[0], steps[-1].predict_std(X)[0], atol=0.05)


def test_on_a_line_and_on_a_grid_few_places_tell_the_variance():
    X, y = wave(100)
    model, line = GaussianProcess().fit(X, y), np.linspace(-4, 4, 400)[:, None]
    one_by_one = np.concatenate([model.predict_std(line[i : i + 8])[0] for i in range(0, 400, 8)])
    np.testing.assert_allclose(model.predict_std(line)[0], one_by_one, atol=1e-9)
    X, y = wave(100, 2)
    model, grid = GaussianProcess().fit(X, y), Grid.over((-4, 4, -4, 4), 140, 130)
    found, expected = model.smooth_std(grid), model.predict_std(grid.points())[0].reshape(grid.shape)
    np.testing.assert_allclose(found, expected, atol=1e-3)
    np.testing.assert_allclose(model.smooth_std(grid, 1e-7), expected, atol=1e-5)
    # Many places at once go by the inverse of the factor, few by the factor itself.
    shifted = grid.scaled(1.0, -model.expansion.origin)
    few = np.concatenate([model.predict_std(grid.points()[i : i + 60])[0] for i in range(0, 6000, 60)])
    np.testing.assert_allclose(model.seen.variance_on_grid(shifted)[:6000], few**2, atol=1e-12)
    assert GaussianProcess(kernel="laplacian").fit(X, y).smooth_std(grid) is None


def test_the_symmetric_root_is_one_and_changes_steadily():
    X, y = wave(12)
    places = np.linspace(-5, 5, 60)[:, None]
    before = symmetric_root(GaussianProcess().fit(X, y).covariance(places))
    np.testing.assert_allclose(before @ before, GaussianProcess().fit(X, y).covariance(places), atol=1e-12)
    moved = X.copy()
    moved[3] += 1e-4
    change = np.abs(symmetric_root(GaussianProcess().fit(moved, y).covariance(places)) - before).max()
    assert change < 1e-2


def test_what_it_cannot_compute_it_says():
    X, y = wave(20)
    with pytest.raises(CannotFit, match="not positive semi-definite"):
        GaussianProcess(kernel="expression", expression="linear - gaussian(1)").fit(X, y)
    with pytest.raises(CannotFit, match=r"noise variance is too small.*raise it\.$"):
        GaussianProcess(signal_variance=1e12, noise_variance=1e-12, sigma=1e3).fit(
            np.repeat(X, 3, axis=0), np.arange(60.0)
        )


def test_its_lines_of_code_do_the_same():
    X, y = wave(40)
    for values in (*SETTINGS, {"kernel": "laplacian"}, {"kernel": "expression", "expression": "exp(0.1*linear)"}):
        algorithm = GaussianProcess(**values)
        model = Pipeline(algorithm).fit(X, y)
        code = algorithm.code(model.inner)
        names = {}
        exec("\n".join((*code.imports, "import numpy as np")), names)
        other = eval(code.steps[0], names).fit(X, y)
        np.testing.assert_allclose(other.predict(X), model.predict(X), atol=1e-8 * max(1, np.abs(y).max()))
