"""Kernel methods with kernels written as expressions: exact, following, and refused where no features have them."""

import itertools

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.svm import SVC

from mlviz.algorithms import CannotFit, registry
from mlviz.algorithms.base import Algorithm
from mlviz.algorithms.kernels.kernel_ridge import KernelRidge
from mlviz.algorithms.kernels.parameters import KernelMethod, python_expression
from mlviz.algorithms.margin.svm import SVM
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.expression import parse
from mlviz.spec import BadValue
from tests.sweep import share, trials

TEXTS = (
    "gaussian(0.5) + 0.1*linear^2",
    "exponential(0.8)",
    "2*gaussian(1)*polynomial(2, 1)",
    "anova(gaussian(0.5)) + 0.3",
    "0.5*exp(laplacian(2))",
    "(gaussian(0.7) + 0.2*linear)^2",
)
KERNELS = pytest.mark.parametrize("text", TEXTS)
INDEFINITE = "gaussian(0.5) - 0.6*gaussian(2)"


def problems():
    """Real data, and random problems: overlapping, few, with duplicates, with one column, on a lattice, far away."""
    X, y = load_iris(return_X_y=True)
    yield X[50:, 2:], y[50:] - 1
    X, y = load_breast_cancer(return_X_y=True)
    yield (X[:150, :4] - X[:150, :4].mean(axis=0)) / X[:150, :4].std(axis=0), y[:150]
    rng = np.random.default_rng(0)
    for number in range(12):
        n, d = int(rng.integers(4, 50)), int(rng.integers(1, 4))
        y = np.arange(n) % 2
        X = rng.normal(size=(n, d)) + y[:, None] * rng.choice((0.3, 1.5))
        match number % 4:
            case 1:
                X[n // 2 :] = X[: n - n // 2]
            case 2:
                X = np.rint(X)
            case 3:
                X[:, 0] = 1.0
        yield X, y


def kernel_matrix(text, A, B):
    k = eval(f"lambda a, b: {python_expression(parse(text))}", {"np": np})
    return np.array([[k(a, b) for b in B] for a in A])


@KERNELS
def test_the_formula_in_python_is_the_kernel(text):
    A, B = np.random.default_rng(0).normal(size=(2, 6, 3))
    np.testing.assert_allclose(kernel_matrix(text, A, B), parse(text).matrix(A, B), rtol=1e-12)


@KERNELS
def test_svm_is_as_good_as_libsvm(text):
    for (X, y), C in share(itertools.product(problems(), (0.3, 30.0)), text, 2):
        model = SVM(kernel="expression", expression=text, C=C).fit(X, y)
        K, signs = parse(text).matrix(X, X), 2.0 * y - 1
        oracle = SVC(kernel="precomputed", C=C, tol=1e-10).fit(K, y)
        beta = np.zeros(len(X))
        beta[oracle.support_] = oracle.dual_coef_[0]
        slack = np.maximum(0, 1 - signs * oracle.decision_function(K))
        objective = beta @ K @ beta / 2 + C * slack.sum()
        assert model.objective <= objective * (1 + 1e-9)
        assert abs(model.facts()["relative duality gap"]) < 1e-8
        assert model.facts()["KKT residual"] < 1e-6


@KERNELS
def test_kernel_ridge_solves_its_equations(text):
    rng = np.random.default_rng(1)
    for X, _ in problems():
        y, n, lambda_ = np.sin(X).sum(axis=1) + 0.1 * rng.normal(size=len(X)), len(X), 0.02
        K = parse(text).matrix(X, X)
        bordered = np.block([[K + n * lambda_ * np.eye(n), np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
        a = np.linalg.solve(bordered, np.append(y, 0.0))
        model = KernelRidge(kernel="expression", expression=text, lambda_=lambda_).fit(X, y)
        places = rng.normal(size=(15, X.shape[1]))
        expected = parse(text).matrix(places, X) @ a[:-1] + a[-1]
        np.testing.assert_allclose(model.predict(places), expected, atol=1e-8 * np.abs(expected).max())


@KERNELS
def test_regions_are_those_of_the_points(text):
    X, y = next(problems())
    model = SVM(kernel="expression", expression=text).fit(X, y)
    grid = Grid.over((0.0, 8.0, 0.0, 4.0), 120, 90)
    f = model.decision_function(grid.points()).reshape(grid.shape)
    size = np.abs(f).max()
    assert np.abs(model.on_grid(grid) - f).max() <= 1e-9 * size
    assert np.abs(model.on_grid(grid, np.float32) - f).max() <= 1e-4 * size


@pytest.mark.parametrize("method", ["svm", "kernel-ridge"])
def test_follower_equals_the_fit_while_samples_and_numbers_move(method):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 2))
    y = np.arange(40) % 2 if method == "svm" else np.sin(X).sum(axis=1)
    algorithm = registry()[method](kernel="expression")
    follower = algorithm.follower()
    for step in trials(60):
        X = X.copy()
        X[rng.integers(40)] += rng.normal(scale=0.3, size=2)
        if step % 5 == 4:
            text = f"gaussian({rng.uniform(0.3, 2):.3g}) + {rng.uniform(0.05, 1):.3g}*linear^2"
            algorithm = algorithm.replace(expression=text if step % 10 == 4 else str(rng.choice(TEXTS)))
        follow, fit = follower.update(algorithm, X, y, None, np.inf), algorithm.fit(X, y)
        says = "decision_function" if method == "svm" else "predict"
        np.testing.assert_allclose(getattr(follow, says)(X), getattr(fit, says)(X), atol=2e-6)


def kernel_methods():
    return [cls for cls in registry().values() if issubclass(cls, KernelMethod)]


def test_all_of_these_are_kernel_methods():
    assert {"svm", "kernel-ridge"} <= {cls.id for cls in kernel_methods()}


def samples(cls: type[Algorithm], n=60):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 2))
    return X, np.arange(n) % 2 if "classification" in cls.tasks else X.sum(axis=1)


def written(cls: type[Algorithm], expression: str) -> Algorithm:
    """The method with a kernel that is written out, where it takes one at the choice of something else."""
    when = cls.parameter("kernel").when
    return cls(kernel="expression", expression=expression, **({when[0]: when[1][0]} if when else {}))


@pytest.mark.parametrize("cls", kernel_methods(), ids=lambda cls: cls.id)
@pytest.mark.parametrize("n", [60, 3500])
def test_what_is_not_positive_semidefinite_is_refused_in_a_sentence(cls, n):
    X, y = samples(cls, n)
    with pytest.raises(CannotFit, match=r"^This kernel is not positive semi-definite: .* eigenvalue -\d"):
        written(cls, INDEFINITE).fit(X, y)


@pytest.mark.parametrize("cls", kernel_methods(), ids=lambda cls: cls.id)
def test_a_minus_that_leaves_it_positive_is_no_obstacle(cls):
    X, y = samples(cls)
    model = written(cls, "gaussian(0.5) - 0.1*gaussian(0.5) + linear - 0.2*linear").fit(X, y)
    same = written(cls, "0.9*gaussian(0.5) + 0.8*linear").fit(X, y)
    answer = "predict" if hasattr(model, "predict") else "transform"
    np.testing.assert_allclose(getattr(model, answer)(X), getattr(same, answer)(X), atol=1e-7)


@pytest.mark.parametrize("cls", kernel_methods(), ids=lambda cls: cls.id)
@pytest.mark.parametrize("text", ["gaussian(1) - gaussian(1)", "2*linear - linear - linear", "2 - 2"])
def test_a_kernel_whose_terms_cancel_is_refused_in_a_sentence(cls, text):
    X, y = samples(cls)
    with pytest.raises(CannotFit, match=r"^This kernel is 0 for all samples, as its terms cancel: .*\.$"):
        written(cls, text).fit(X, y)


def test_the_eigenvalue_told_is_that_of_the_gram_matrix():
    X, y = samples(SVM)
    lowest = np.linalg.eigvalsh(parse(INDEFINITE).matrix(X, X))[0]
    with pytest.raises(CannotFit) as refused:
        SVM(kernel="expression", expression=INDEFINITE).fit(X, y)
    assert f"eigenvalue {lowest:.3g}." in str(refused.value)


def test_values_too_large_are_refused_in_a_sentence():
    X, y = samples(SVM)
    for text in ("exp(linear)", "polynomial(4, 1)^3", "exp(linear) - polynomial(3, 1)"):
        with pytest.raises(CannotFit, match="too large"):
            SVM(kernel="expression", expression=text).fit(1e30 * X, y)


def test_of_a_kernel_that_is_0_everywhere_many_samples_have_a_constant_or_a_sentence():
    X, y = np.zeros((3500, 2)), np.arange(3500) % 2
    for cls in kernel_methods():
        if cls.id in ("kernel-ridge", "kernel-rls", "kernel-logistic"):
            try:
                model = written(cls, "anova(linear)").fit(X, y)
            except CannotFit:
                continue
            assert len(set(model.predict(X[:5]).tolist())) == 1


def test_expressions_are_checked_when_they_are_given():
    with pytest.raises(BadValue, match=r"^expression is not a kernel: a kernel is expected after"):
        SVM(kernel="expression", expression="linear +")
    assert "gaussian(2)*linear" in SVM(kernel="expression", expression="gaussian(2)*linear").caption()
    assert "gaussian(2)*linear" not in SVM(expression="gaussian(2)*linear").caption()
