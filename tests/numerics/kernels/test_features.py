from fractions import Fraction

import numpy as np
import pytest

from mlviz.algorithms.kernels.kernel_ridge import KernelRidge
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.base import Polynomial
from mlviz.numerics.kernels.features import features_of, graded_ridge

RNG = np.random.default_rng(0)
SHIFTED = 1e6 + RNG.standard_normal((12, 4))
WIDE = 1e9 * np.linspace(-1, 1, 12)[:, None]
YEARS = np.arange(2000.0, 2014.0)[:, None]
NINTH = 1e8 + RNG.standard_normal((14, 1))
UNLIKE = np.column_stack((1e6 + RNG.standard_normal(20), 1e-3 * RNG.standard_normal(20)))[:14]
DOUBLED = np.rint(RNG.standard_normal((25, 2)))[:16] + 50
NEAR = RNG.standard_normal((15, 2))
ONE_SIZE = np.column_stack((np.full(12, 7.0), np.linspace(1, 2, 12)))
PROBLEMS = {
    "shifted": (SHIFTED, np.sin(SHIFTED[:, 0]), 1e-3, 3, 1.0, 1e-5),
    "wide": (WIDE, np.sin(WIDE[:, 0] / 3e8), 1.0, 3, 1.0, 1e-12),
    "years": (YEARS, np.sin(YEARS[:, 0] / 3), 1e-6, 5, 1.0, 1e-12),
    "ninth degree": (NINTH, np.sin(NINTH[:, 0]), 1e-9, 9, 1.0, 1e-12),
    "unlike": (UNLIKE, np.sin(UNLIKE[:, 0]) + 1e3 * UNLIKE[:, 1], 1e-3, 3, 0.5, 1e-12),
    "doubled": (DOUBLED, DOUBLED[:, 0] * DOUBLED[:, 1] % 7, 1e-6, 4, 1.0, 1e-8),
    "near": (NEAR, np.sin(NEAR[:, 0]), 1e-2, 3, 2.0, 1e-12),
    "no lower terms": (NEAR + 5, NEAR[:, 0] ** 2, 1e-2, 2, 0.0, 1e-12),
    "constant input": (ONE_SIZE, ONE_SIZE[:, 1] ** 3, 1e-3, 2, 1.0, 1e-12),
}


def exactly(X, y, ridge, degree, constant, places):
    """Predictions at the places and the objective, from (K + n ridge) a + b = y, sum a = 0 in exact fractions."""
    n, samples = len(X), [[Fraction(v) for v in row] for row in X.tolist()]

    def kernel(p, q):
        return (sum(u * v for u, v in zip(p, q, strict=True)) + Fraction(constant)) ** degree

    step = n * Fraction(ridge)
    K = [[kernel(p, q) for q in samples] for p in samples]
    rows = [[*K[i], Fraction(1), Fraction(float(y[i]))] for i in range(n)]
    for i in range(n):
        rows[i][i] += step
    rows.append([Fraction(1)] * n + [Fraction(0), Fraction(0)])
    for i in range(n + 1):
        pivot = next(r for r in range(i, n + 1) if rows[r][i])
        rows[i], rows[pivot] = rows[pivot], [*rows[i]]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for r in range(i + 1, n + 1):
            if rows[r][i]:
                # Columns before i are not looked at any more.
                rows[r][i:] = [u - rows[r][i] * v for u, v in zip(rows[r][i:], rows[i][i:], strict=True)]
    solution: list[Fraction] = []
    for i in reversed(range(n + 1)):
        later = zip(rows[i][i + 1 : -1], solution[::-1], strict=True)
        solution.append(rows[i][-1] - sum(u * v for u, v in later))
    b, *a = solution
    a.reverse()
    values = [
        float(sum(c * kernel([Fraction(v) for v in place], p) for c, p in zip(a, samples, strict=True)) + b)
        for place in places.tolist()
    ]
    squared = sum(a[i] * a[j] * K[i][j] for i in range(n) for j in range(n))
    return np.array(values), float(sum((step * c) ** 2 for c in a) / n + Fraction(ridge) * squared), float(b)


@pytest.mark.parametrize("name", PROBLEMS)
def test_it_is_the_solution_in_exact_fractions(name):
    X, y, ridge, degree, constant, close = PROBLEMS[name]
    places = np.vstack((X, X.mean(axis=0) + 1.2 * (X - X.mean(axis=0))))
    expected, objective, offset = exactly(X, y, ridge, degree, constant, places)
    model = KernelRidge(lambda_=ridge, kernel="polynomial", degree=degree, coef0=constant).fit(X, y)
    size = np.ptp(y)
    assert (model.expansion.feature_sum.scale != 1).any()
    np.testing.assert_allclose(model.predict(X), expected[: len(X)], rtol=0, atol=1e-10 * size)
    np.testing.assert_allclose(model.predict(X.copy()), model.predict(X), rtol=0, atol=1e-10 * size)
    np.testing.assert_allclose(model.predict(places), expected, rtol=0, atol=close * size)
    assert model.objective == pytest.approx(objective, rel=1e-6)
    assert model.facts()["offset"] == pytest.approx(offset, rel=1e-4, abs=1e-8 * size)
    assert not model.caveat


def test_the_field_and_the_gradient_are_those_of_the_predictions():
    X = np.column_stack((1e6 + RNG.standard_normal(40), 3 + 1e-2 * RNG.standard_normal(40)))
    y = np.sin(X[:, 0]) + 100 * X[:, 1]
    model = KernelRidge(lambda_=1e-6, kernel="polynomial").fit(X, y)
    grid = Grid(np.linspace(X[:, 0].min(), X[:, 0].max(), 7), np.linspace(X[:, 1].min(), X[:, 1].max(), 5))
    places = np.stack(np.meshgrid(grid.x, grid.y), axis=-1).reshape(-1, 2)
    np.testing.assert_allclose(model.on_grid(grid).ravel(), model.predict(places), atol=1e-9)
    found = model.expansion.with_gradient(places)[1]
    for j, step in enumerate((1e-3, 1e-5)):
        aside = np.eye(2)[j] * step
        slope = (model.predict(places + aside) - model.predict(places - aside)) / (2 * step)
        np.testing.assert_allclose(found[:, j], slope, atol=1e-4 * np.abs(slope).max())


def test_where_digits_are_lost_all_the_same_the_caption_says_so():
    X = 1e6 + np.random.default_rng(0).standard_normal((200, 10))
    model = KernelRidge(lambda_=1e-3, kernel="polynomial", degree=4).fit(X, np.sin(X[:, 0]))
    assert np.abs(model.fitted - model.predict(X.copy())).max() > 0.1
    assert model.caveat.startswith("solved only to ±") and "standardize" in model.caveat
    assert not KernelRidge(lambda_=1e-3, kernel="polynomial", degree=4).fit(X - 1e6, np.sin(X[:, 0])).caveat


@pytest.mark.parametrize("X", [np.ones((1, 2)), np.full((6, 1), 3.0), 1e60 * np.eye(4), 1e-60 * np.eye(4)])
def test_few_places_and_no_size(X):
    y = np.arange(len(X), dtype=float)
    model = KernelRidge(lambda_=0.1, kernel="polynomial", degree=2).fit(X, y)
    assert np.isfinite(model.predict(X.copy())).all() and not model.caveat
    if len(X) != 4:
        np.testing.assert_allclose(model.predict(X.copy()), y.mean(), atol=1e-12)


def test_how_exact_a_polynomial_is_does_not_depend_on_how_far_from_0_the_targets_are():
    """Samples at two places far away, of which the solution keeps no digits: its residual tells so."""
    told = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = (1e3 * rng.normal(size=(6, 2)) + 100)[rng.integers(0, 2, 6)]
        y, share, features = rng.normal(size=6), np.full(6, 1 / 6), features_of(Polynomial(4, 1.0), 6, 2)
        found = graded_ridge(features, X, np.column_stack((y, y + 1000)), share, 1e-10)
        told.append([solution.residual for solution, _ in found])
    near, far = np.median(told, axis=0)
    assert near > 1e-3
    assert 0.05 < far / near < 20
