import numpy as np
import pytest
from scipy.interpolate import RBFInterpolator
from scipy.special import softmax

from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Gaussian
from mlviz.numerics.kernels.expansion import Expansion
from mlviz.numerics.kernels.radial import (
    InverseMultiquadric,
    Multiquadric,
    NormalizedExpansion,
    ThinPlate,
    shares,
)

FUNCTIONS = [(Multiquadric, "multiquadric", -1), (InverseMultiquadric, "inverse_multiquadric", 1)]
GRID = Grid.over((-9.0, 9.0, -30.0, 4.0), 60, 50)


@pytest.mark.parametrize(("function", "theirs", "sign"), [*FUNCTIONS, (ThinPlate, "thin_plate_spline", 1)])
def test_they_are_scipys(function, theirs, sign):
    rng = np.random.default_rng(0)
    X, y = rng.uniform(-2, 2, (12, 2)), rng.normal(size=12)
    degree = 1 if function is ThinPlate else -1
    # SciPy's thin plates are in units of 1, its multiquadric has the other sign; degree -1: no polynomial.
    other = RBFInterpolator(X, y, kernel=theirs, epsilon=1 / 0.7, degree=degree)
    sigma = 1.0 if function is ThinPlate else 0.7
    places = rng.uniform(-3, 3, (30, 2))
    matrix = function(sigma).matrix(places, X)
    if function is ThinPlate:
        whole = np.column_stack((function(1.0).matrix(X, X), np.ones(12), X))
        whole = np.vstack((whole, np.column_stack((whole[:, 12:].T, np.zeros((3, 3))))))
        found = np.linalg.solve(whole, np.append(y, np.zeros(3)))
        values = matrix @ found[:12] + found[12] + places @ found[13:]
    else:
        values = matrix @ np.linalg.solve(function(sigma).matrix(X, X), y)
    np.testing.assert_allclose(values, other(places), atol=1e-8)


@pytest.mark.parametrize("function", [Multiquadric, InverseMultiquadric, ThinPlate])
def test_slopes_are_differences(function):
    rng = np.random.default_rng(1)
    X, C, coef = rng.normal(size=(9, 2)), rng.normal(size=(5, 2)), rng.normal(size=5)
    kernel, step = function(0.6), 1e-6
    _, gradient = kernel.expand_with_gradient(X, C, coef)
    for j in range(2):
        near = [kernel.expand(X + s * step * np.eye(2)[j], C, coef) for s in (1, -1)]
        np.testing.assert_allclose(gradient[:, j], (near[0] - near[1]) / (2 * step), atol=1e-6)


@pytest.mark.parametrize("kernel", [Gaussian(0.3), InverseMultiquadric(0.3)], ids=str)
def test_shares_add_up_to_one_also_far_away(kernel):
    rng = np.random.default_rng(2)
    C, places = rng.normal(size=(7, 2)), np.array([(0.1, 0.2), (50.0, -3.0), (1e6, 1e7), (1e200, 0.0)])
    found = shares(kernel, places, C)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    if isinstance(kernel, Gaussian):
        squares = ((places[:3, None] - C) ** 2).sum(axis=2)
        np.testing.assert_allclose(found[:3], softmax(-squares / (2 * 0.09), axis=1), atol=1e-12)
    else:
        near = kernel.matrix(places[:3], C)
        np.testing.assert_allclose(found[:3], near / near.sum(axis=1, keepdims=True), rtol=1e-10)


@pytest.mark.parametrize("kernel", [Gaussian(0.5), InverseMultiquadric(0.5)], ids=str)
def test_a_normalized_sum_is_a_weighted_mean_everywhere(kernel):
    rng = np.random.default_rng(3)
    C, w = rng.normal(size=(6, 2)), rng.normal(size=6)
    f = NormalizedExpansion(kernel, C, w, np.zeros(2), 2.0)
    field = f.on_grid(GRID, np.float64, 0.0)
    np.testing.assert_allclose(field.ravel(), f.at(GRID.points()), atol=1e-12)
    assert field.min() >= 2 + w.min() - 1e-12 and field.max() <= 2 + w.max() + 1e-12
    np.testing.assert_allclose(f.terms(C).sum(axis=1) + 2, f.at(C), atol=1e-13)


@pytest.mark.parametrize("function", [Multiquadric, InverseMultiquadric, ThinPlate])
def test_on_a_grid_they_are_what_they_are_at_places(function):
    rng = np.random.default_rng(4)
    C, w = rng.normal(size=(6, 2)), rng.normal(size=6)
    f = Expansion(function(0.5), C, w, np.zeros(2), 1.0)
    values = f.at(GRID.points()).reshape(GRID.shape)
    np.testing.assert_allclose(f.on_grid(GRID, np.float64, 0.0), values, atol=1e-9 * np.abs(values).max())
