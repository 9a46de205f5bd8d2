"""Each basis against an explicit design matrix, SciPy and scikit-learn, on one input and on two."""

import numpy as np
import pytest
from scipy.interpolate import BSpline
from sklearn.preprocessing import SplineTransformer

from mlviz.numerics.bases.monomials import Monomials
from mlviz.numerics.bases.products import Products, count_products
from mlviz.numerics.bases.univariate import Bumps, HaarWavelets, Splines, Waves, ends_of
from mlviz.numerics.grid import Grid
from tests.sweep import each

RNG = np.random.default_rng(0)
x = np.append(RNG.uniform(-3, 2, 60), [-3.0, 2.0, 0.5])
FAR = np.linspace(-9, 7, 41)


def spline_by_definition(knots, degree, j, u):
    """Cox and de Boor's recursion, written as it stands in the book."""
    if degree == 0:
        return ((knots[j] <= u) & (u < knots[j + 1])).astype(float)
    left = (u - knots[j]) / (knots[j + degree] - knots[j])
    right = (knots[j + degree + 1] - u) / (knots[j + degree + 1] - knots[j + 1])
    return left * spline_by_definition(knots, degree - 1, j, u) + right * spline_by_definition(
        knots, degree - 1, j + 1, u
    )


@each("degree, places", [1, 2, 3, 5], [[], [-1.5, 0.25], [-2.5, -2.4, 0.1, 1.0]])
def test_splines_are_those_of_the_recursion_of_scipy_and_of_scikit_learn(degree, places):
    splines = Splines.over(x, np.array(places), degree)
    base = np.concatenate(([-3.0], places, [2.0]))
    np.testing.assert_array_equal(splines.knots, base)
    first, last = base[1] - base[0], base[-1] - base[-2]
    steps = np.arange(1, degree + 1)
    knots = np.concatenate((base[0] - steps[::-1] * first, base, base[-1] + steps * last))
    inside = np.sort(x)[:-1]  # the recursion leaves the right end out
    by_definition = [spline_by_definition(knots, degree, j, inside) for j in range(splines.size)]
    np.testing.assert_allclose(splines.values(inside), np.transpose(by_definition), atol=1e-12)
    scipy = BSpline.design_matrix(inside, knots, degree).toarray()
    np.testing.assert_allclose(splines.values(inside), scipy, atol=1e-12)
    oracle = SplineTransformer(degree=degree, knots=base[:, None], extrapolation="linear").fit(base[:, None])
    np.testing.assert_allclose(splines.values(x), oracle.transform(x[:, None]), atol=1e-12)
    np.testing.assert_allclose(splines.values(FAR), oracle.transform(FAR[:, None]), atol=1e-11)
    np.testing.assert_allclose(splines.values(FAR).sum(axis=1), 1, atol=1e-11)


def test_knots_outside_the_samples_or_upon_each_other_do_nothing():
    plain = Splines.over(x, np.array([0.0]), 3)
    same = Splines.over(x, np.array([-8.0, 0.0, 1e-12, 2.0, 5.0]), 3)
    np.testing.assert_array_equal(plain.knots, same.knots)


@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_splines_and_wavelets_do_not_depend_on_units(offset, unit):
    here = unit * (x + offset)
    moved = Splines.over(here, unit * (np.array([-1.0, 1.0]) + offset), 3).values(here)
    np.testing.assert_allclose(moved, Splines.over(x, np.array([-1.0, 1.0]), 3).values(x), atol=1e-8)


def test_bumps_and_waves_are_their_formulas():
    bumps = Bumps(np.array([-2.0, 0.5]), 0.7).values(FAR)
    np.testing.assert_allclose(bumps[:, 1], np.exp(-((FAR - 0.5) ** 2) / (2 * 0.49)))
    waves = Waves(3, 5.0)
    table = [np.cos, np.sin]
    expected = [table[k % 2](2 * np.pi * (k // 2 + 1) * FAR / 5.0) for k in range(6)]
    np.testing.assert_allclose(waves.values(FAR), np.transpose(expected), atol=1e-13)
    assert waves.names() == ["cos1", "sin1", "cos2", "sin2", "cos3", "sin3"]
    np.testing.assert_allclose(waves.values(FAR + 5.0), waves.values(FAR), atol=1e-12)


def test_wavelets_are_orthonormal_and_span_the_steps():
    wavelets = HaarWavelets(-3.0, 2.0, 3)
    middles = -3 + 5 * (np.arange(8) + 0.5) / 8
    H = np.column_stack((np.ones(8), wavelets.values(middles)))
    np.testing.assert_allclose(H.T @ H / 8, np.eye(8), atol=1e-14)
    np.testing.assert_allclose(wavelets.values(np.array([-3.0]))[0], [1, 2**0.5, 0, 2, 0, 0, 0])
    np.testing.assert_allclose(wavelets.values(np.array([2.0]))[0], [-1, 0, -(2**0.5), 0, 0, 0, -2])
    np.testing.assert_array_equal(wavelets.values(np.array([-99.0, 99.0])), wavelets.values(np.array([-3.0, 2.0])))
    assert wavelets.names()[:3] == ["ψ0,0", "ψ1,0", "ψ1,1"]


@pytest.mark.parametrize(
    "part",
    [
        lambda x: Splines.over(x, np.array([-1.0, 0.5]), 3),
        lambda x: Bumps(np.array([-2.0, 0.0, 1.0]), 0.8),
        lambda x: Waves(2, 6.0),
        lambda x: HaarWavelets(*ends_of(x), 2),
    ],
)
def test_of_two_inputs_there_are_all_products(part):
    X = RNG.uniform((-3, -2), (2, 4), (200, 2))
    parts = part(X[:, 0]), part(X[:, 1])
    basis, constant = Products(parts), parts[0].with_constant
    columns = []
    each = [p.values(X[:, j]) for j, p in enumerate(parts)]
    if constant:
        each = [np.column_stack((np.ones(200), values)) for values in each]
    for a in range(each[0].shape[1]):
        for b in range(each[1].shape[1]):
            if not constant or a or b:
                columns.append(each[0][:, a] * each[1][:, b])
    np.testing.assert_allclose(basis.terms(X), np.transpose(columns), atol=1e-14)
    assert basis.size == len(columns) == len(basis.names(["a", "b"])) == count_products(parts)
    grid = Grid.over((-4, 4, -3, 5), 23, 17)
    coef = RNG.normal(size=basis.size)
    np.testing.assert_allclose(basis.sum_on_grid(grid, coef).ravel(), basis.terms(grid.points()) @ coef, atol=1e-9)
    together = np.column_stack((np.ones(200), basis.terms(X)))
    assert np.linalg.matrix_rank(together) == together.shape[1] - basis.constants


def test_products_have_names():
    basis = Products((Waves(1, 1.0), Waves(1, 1.0)))
    assert basis.names(["a", "b"])[:4] == ["cos1(b)", "sin1(b)", "cos1(a)", "cos1(a)·cos1(b)"]
    assert Products((Waves(1, 1.0),)).names([""]) == ["cos1", "sin1"]


def test_radial_bumps_on_the_plane():
    """A product of Gaussian bumps is a round one about the place of both centres."""
    X = RNG.normal(size=(30, 2))
    c = np.array([-1.0, 0.5, 2.0])
    places = np.array([(a, b) for a in c for b in c])
    distances = ((X[:, None] - places) ** 2).sum(axis=2)
    np.testing.assert_allclose(Products((Bumps(c, 0.6), Bumps(c, 0.6))).terms(X), np.exp(-distances / (2 * 0.36)))


def test_monomials_of_the_inputs_themselves():
    X = RNG.uniform((-3, 100), (2, 300), (20, 2))
    plain, mapped = Monomials.over(X, 1, False), Monomials.over(X, 2, True)
    centred = plain.terms(X) * plain.unit
    np.testing.assert_allclose(centred - centred.mean(axis=0), X - X.mean(axis=0), atol=1e-12)
    assert np.abs(mapped.terms(X)).max() == pytest.approx(1) and (mapped.unit == 1).all()
    assert plain.names(["a", "b"]) == ["a", "b"] and mapped.names(["a", "b"])[:3] == ["u1", "u2", "u1²"]


def test_samples_at_one_place_have_a_range():
    for place in (0.0, 5.0, -1e9):
        low, high = ends_of(np.full(3, place))
        assert low < place < high
