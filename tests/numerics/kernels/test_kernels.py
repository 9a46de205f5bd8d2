import numpy as np
import pytest
from sklearn.metrics.pairwise import pairwise_kernels

from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Exponential, Gaussian, Laplacian, Linear, Polynomial
from mlviz.numerics.kernels.expression import parse
from mlviz.numerics.kernels.features import features_of
from tests.sweep import each

KERNELS = [Linear(), Polynomial(3, 1.0), Polynomial(9, 0.0), Gaussian(0.7), Laplacian(0.7), Exponential(0.7)]


def expansion(seed=0, m=30):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(m, 2)), rng.normal(size=m)


def by_definition(kernel, a, b):
    match kernel:
        case Linear():
            return a @ b
        case Polynomial():
            return (a @ b + kernel.coef0) ** kernel.degree
        case Gaussian():
            return np.exp(-((a - b) ** 2).sum() / (2 * kernel.sigma**2))
        case Laplacian():
            return np.exp(-np.abs(a - b).sum() / kernel.sigma)
        case Exponential():
            return np.exp(-np.linalg.norm(a - b) / kernel.sigma)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_matrix_is_the_formula(kernel):
    A, B = np.random.default_rng(1).normal(size=(2, 5, 3))
    expected = [[by_definition(kernel, a, b) for b in B] for a in A]
    np.testing.assert_allclose(kernel.matrix(A, B), expected, rtol=1e-12)
    np.testing.assert_allclose(kernel.diagonal(A), np.diag(kernel.matrix(A, A)), rtol=1e-12)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("limits", [(-3.0, 3.0, -2.0, 5.0), (100.0, 101.0, -2.0, -1.9)])
def test_grid_mirrors_the_expansion(kernel, limits):
    centers, coef = expansion()
    grid = Grid.over(limits, 40, 30)
    exact = kernel.expand(grid.points(), centers, coef).reshape(grid.shape)
    size = max(np.abs(exact).max(), 1e-300)
    assert np.abs(kernel.expand_on_grid(grid, centers, coef) - exact).max() <= 1e-11 * size
    single = kernel.expand_on_grid(grid, centers, coef, np.float32)
    assert single.dtype == np.float32
    assert np.abs(single - exact).max() <= 1e-5 * max(size, 1e-12)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_its_matrix_on_a_grid_is_that_of_the_nodes(kernel):
    grid, places = Grid.over((-3.0, 3.0, -2.0, 5.0), 9, 7), np.random.default_rng(0).normal(size=(20, 2))
    expected = kernel.matrix(grid.points(), places)
    np.testing.assert_allclose(kernel.matrix_on_grid(grid, places), expected, atol=1e-12 * np.abs(expected).max())


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_gradient_is_the_slope(kernel):
    centers, coef = expansion()
    X = np.random.default_rng(2).normal(size=(10, 2))
    f, gradient = kernel.expand_with_gradient(X, centers, coef)
    np.testing.assert_allclose(f, kernel.expand(X, centers, coef), rtol=1e-9, atol=1e-9)
    h = 1e-6
    for j in range(2):
        step = h * np.eye(2)[j]
        slope = (kernel.expand(X + step, centers, coef) - kernel.expand(X - step, centers, coef)) / (2 * h)
        np.testing.assert_allclose(gradient[:, j], slope, rtol=1e-5, atol=1e-5 * np.abs(gradient).max())


@pytest.mark.parametrize("kernel", [Gaussian(1e-3), Laplacian(1e-3), Exponential(1e-3)], ids=str)
def test_far_apart_is_exactly_zero(kernel):
    A = np.array([[0.0, 0.0], [1e9, 1e200]])
    np.testing.assert_array_equal(kernel.matrix(A, A), np.eye(2))
    field = kernel.expand_on_grid(Grid(np.array([5.0, 1e200]), np.array([5.0, 6.0])), A, np.ones(2))
    np.testing.assert_array_equal(field, 0.0)


def test_distances_keep_their_digits_far_from_the_origin():
    A = np.array([[0.0, 0.0], [0.25, 0.5]])
    np.testing.assert_allclose(Gaussian(0.5).matrix(A + 2.0**30, A + 2.0**30), Gaussian(0.5).matrix(A, A), rtol=1e-15)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(9, 1.0), Polynomial(4, 0.0), Polynomial(3, 2.5)], ids=str)
def test_features_have_the_kernel_as_their_product(kernel):
    X = np.random.default_rng(0).normal(size=(40, 3))
    values = features_of(kernel, *X.shape).values(X)
    K = kernel.matrix(X, X)
    np.testing.assert_allclose(values @ values.T, K, atol=1e-13 * K.max())


def test_too_many_features_are_not_written_out():
    assert features_of(Gaussian(1.0), 50, 2) is None
    assert features_of(Polynomial(9, 1.0), 50, 10) is None
    assert features_of(Polynomial(5, 1.0), 2000, 6) is None
    assert features_of(Linear(), 2000, 400) is None


def test_the_tip_of_the_exponential_kernel_is_level():
    centers = np.array([[0.3, -0.2]])
    f, gradient = Exponential(0.5).expand_with_gradient(centers, centers, np.ones(1))
    np.testing.assert_array_equal(f, 1.0)
    np.testing.assert_array_equal(gradient, 0.0)


@pytest.mark.parametrize(
    ("kernel", "oracle"),
    [
        (Linear(), {"metric": "linear"}),
        (Polynomial(3, 0.0), {"metric": "poly", "gamma": 1, "degree": 3, "coef0": 0}),
        (Gaussian(0.7), {"metric": "rbf", "gamma": 1 / (2 * 0.7**2)}),
        (Laplacian(0.7), {"metric": "laplacian", "gamma": 1 / 0.7}),
        (parse("2*gaussian(0.7) + 0.5"), {"metric": lambda a, b: 2 * np.exp(-((a - b) @ (a - b)) / (2 * 0.49)) + 0.5}),
    ],
    ids=["linear", "polynomial", "gaussian", "laplacian", "expression"],
)
def test_scikit_learn_has_the_same_values(kernel, oracle):
    A, B = np.random.default_rng(1).normal(size=(2, 20, 3))
    np.testing.assert_allclose(kernel.matrix(A, B), pairwise_kernels(A, B, **oracle), rtol=1e-12)


@each("size, d", [1e-200, 1.0, 1e200], [1, 2, 3, 8])
def test_the_gaussian_kernel_of_many_columns_is_that_of_differences_squared_one_by_one(d, size):
    rng = np.random.default_rng(d)
    A, B = rng.normal(0, size, (600, d)), rng.normal(0, size, (70, d))
    gaps = sum(np.square(A[:, j, None] / size - B[:, j] / size) for j in range(d))
    np.testing.assert_allclose(Gaussian(size).matrix(A, B), np.exp(-gaps / 2), rtol=1e-12)
    far = Gaussian(size).matrix(np.full((1, d), 1e300), B)
    np.testing.assert_array_equal(far, np.zeros((1, 70)))
    assert (Gaussian(size).matrix(A, A).diagonal() == 1).all()


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Laplacian(1.0), Exponential(1.0)])
@pytest.mark.parametrize("n", [3, 40_000])
def test_the_values_have_the_precision_of_the_places_whatever_that_of_the_centres(kernel, n):
    places = np.linspace(-1, 1, n, dtype=np.float32)[:, None]
    assert kernel.matrix(places, np.zeros((1, 1))).dtype == np.float32
