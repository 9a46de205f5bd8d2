import numpy as np
import pytest
from sklearn.kernel_approximation import RBFSampler

from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Gaussian, Laplacian
from mlviz.numerics.kernels.random_features import RandomFeatures, expected_error
from tests.sweep import each

KERNELS = [Gaussian(0.8), Laplacian(1.3)]


def samples(n=40, d=2, seed=0):
    return np.random.default_rng(seed).uniform(-2, 2, (n, d))


def test_they_are_scikit_learns_for_the_same_numbers():
    X = samples()
    theirs = RBFSampler(gamma=1 / (2 * 0.8**2), n_components=70, random_state=3).fit(X)
    ours = RandomFeatures(theirs.random_weights_.T, theirs.random_offset_)
    np.testing.assert_allclose(ours.values(X), theirs.transform(X), atol=1e-14)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_fewer_are_the_first_of_more(kernel):
    many, few = (RandomFeatures.drawn(kernel, m, 2, (5, 6)) for m in (300, 17))
    np.testing.assert_array_equal(many.frequencies[:17], few.frequencies)
    np.testing.assert_array_equal(many.phases[:17], few.phases)


@each("kernel, d", KERNELS, [1, 2])
def test_their_products_come_near_the_kernel_as_one_over_the_root_of_their_number(kernel, d):
    X = samples(25, d)
    counts, C = np.array([1, 10, 100, 1000]), expected_error(kernel, X)
    squares = np.mean(
        [RandomFeatures.drawn(kernel, 1000, d, (s, s + 1)).errors(kernel, X, counts) ** 2 for s in range(0, 400, 2)],
        axis=0,
    )
    # Of 200 draws the mean square is within about 10 % of what is expected.
    np.testing.assert_allclose(np.sqrt(squares * counts), C, rtol=0.1)


def test_the_error_is_that_of_the_products():
    X, kernel = samples(12), Gaussian(0.8)
    features = RandomFeatures.drawn(kernel, 50, 2, (1, 2))
    Z, K = RandomFeatures.drawn(kernel, 20, 2, (1, 2)).values(X), kernel.matrix(X, X)
    i, j = np.triu_indices(12, 1)
    expected = np.sqrt(np.mean(((Z @ Z.T - K)[i, j]) ** 2))
    assert features.errors(kernel, X, np.array([3, 20]))[1] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_on_a_grid_they_are_what_they_are_at_places(kernel):
    features, grid = RandomFeatures.drawn(kernel, 64, 2, (7, 8)), Grid.over((-4.0, 4.0, -1.0, 9.0), 50, 40)
    w = np.random.default_rng(1).normal(size=64)
    expected = features.expand(grid.points(), w).reshape(grid.shape)
    np.testing.assert_allclose(features.expand_on_grid(grid, w, np.float64), expected, atol=1e-9)
    np.testing.assert_allclose(features.expand_on_grid(grid, w, np.float32), expected, atol=1e-4)


@pytest.mark.parametrize("n", [64, 401, 1000])
def test_along_a_line_they_are_what_they_are_at_places(n):
    features, w = RandomFeatures.drawn(Gaussian(0.5), 64, 1, (7, 8)), np.random.default_rng(1).normal(size=64)
    for low, high in ((-4.0, 4.0), (1e6, 1e6 + 8)):
        X = np.linspace(low, high, n)[:, None]
        np.testing.assert_allclose(features.expand(X, w), features.values(X) @ w, atol=1e-8 if low > 0 else 1e-12)
