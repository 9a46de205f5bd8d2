from fractions import Fraction

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from mlviz.numerics.kernels.base import Gaussian
from mlviz.numerics.linalg import feature_ridge, ridge
from mlviz.numerics.linalg.feature_ridge import ridge_by_singular_values, solving_in_features
from mlviz.numerics.linalg.ridge import WeightedRows
from mlviz.numerics.pauses import finished
from tests.sweep import each


def problem(n, p, t=1, seed=0, sigma=0.6):
    rng = np.random.default_rng(seed)
    X, C = rng.uniform(-3, 3, (n, 1)), rng.uniform(-3, 3, (p, 1))
    y = np.sin(2 * X + np.arange(t)) + 0.2 * rng.normal(size=(n, t)) + 5
    weights = rng.uniform(0.5, 2, n)
    return Gaussian(sigma).matrix(X, C), y, weights / weights.sum()


def fitted(F, y, share, penalty):
    return finished(solving_in_features(WeightedRows.of(F, share), y, penalty))


@pytest.mark.parametrize(("n", "p"), [(60, 12), (30, 80), (40, 40), (2000, 30)])
@pytest.mark.parametrize("penalty", [1e-6, 1e-2, 10.0])
def test_it_is_ridge_regression(n, p, penalty):
    F, y, share = problem(n, p, t=2)
    found, theirs = fitted(F, y, share, penalty), Ridge(alpha=penalty, solver="svd").fit(F, y, sample_weight=share)
    assert found.in_samples == (n < p) and found.unknowns == min(n, p)
    # The equations are solved to a rounding of their condition.
    condition = np.linalg.norm(F * np.sqrt(share)[:, None], 2) ** 2 / penalty
    assert found.residual < 1e-12 + 1e-15 * condition
    np.testing.assert_allclose(F @ found.coef + found.offset, theirs.predict(F), atol=1e-8)
    np.testing.assert_allclose(found.fitted, theirs.predict(F), atol=1e-8)
    np.testing.assert_allclose(found.coef.T, theirs.coef_, atol=1e-5 * np.abs(theirs.coef_).max())


@pytest.mark.parametrize(("n", "p"), [(40, 9), (25, 60), (30, 30)])
def test_leverages_are_the_diagonal_of_the_hat_matrix_and_tell_what_is_left_out(n, p):
    F, y, share = problem(n, p)
    found = fitted(F, y, share, 1e-3)
    hat = fitted(F, np.eye(n), share, 1e-3).fitted
    np.testing.assert_allclose(found.leverage, hat.diagonal(), atol=1e-10)
    assert found.freedom == pytest.approx(np.trace(hat), rel=1e-10)
    i, rest = 7, np.arange(n) != 7
    # Without one sample the shares of the others grow, and n lambda stays.
    alone = fitted(F[rest], y[rest], share[rest] / share[rest].sum(), 1e-3 / share[rest].sum())
    left = y[i, 0] - (F[i] @ alone.coef + alone.offset)[0]
    assert (y[i, 0] - found.fitted[i, 0]) / (1 - found.leverage[i]) == pytest.approx(left, rel=1e-7)


def test_many_samples_are_added_up_a_few_at_a_time(monkeypatch):
    F, y, share = problem(500, 20)
    whole = fitted(F, y, share, 1e-4)
    monkeypatch.setattr(ridge, "_PRODUCTS", 20 * 20 * 37)
    rows = WeightedRows(lambda part: F[part], share, 20)
    assert len(rows.blocks) > 10
    parts = finished(solving_in_features(rows, y, 1e-4))
    np.testing.assert_allclose(parts.coef, whole.coef, rtol=1e-7)
    np.testing.assert_allclose(parts.leverage, whole.leverage, rtol=1e-7)


def test_features_that_nearly_agree_keep_their_digits():
    F, y, share = problem(300, 8, sigma=1e4)
    found = fitted(F, y, share, 1e-10)
    theirs = Ridge(alpha=1e-10, solver="svd").fit(F, y, sample_weight=share)
    np.testing.assert_allclose(found.fitted, theirs.predict(F)[:, None], atol=1e-7)


def test_singular_values_help_where_squares_do_not_and_else_it_is_refused(monkeypatch):
    F, y, share = problem(60, 40)
    scaled = 1e6 * F
    found = fitted(scaled, y, share, 1e-9)
    hat = fitted(scaled, np.eye(60), share, 1e-9).fitted
    assert not found.factorized and found.residual < 1e-6
    np.testing.assert_allclose(found.leverage, hat.diagonal(), atol=1e-6)
    assert found.freedom == pytest.approx(np.trace(hat), rel=1e-6)
    theirs = Ridge(alpha=1e-9, solver="svd").fit(scaled, y, sample_weight=share)
    np.testing.assert_allclose(found.fitted, theirs.predict(scaled)[:, None], atol=1e-4)
    monkeypatch.setattr(feature_ridge, "_MOST_SINGULAR", 10)
    with pytest.raises(np.linalg.LinAlgError):
        fitted(scaled, y, share, 1e-9)


@pytest.mark.parametrize(("n", "p"), [(60, 12), (30, 80), (500, 3)])
def test_singular_values_say_what_the_factor_says(n, p):
    F, y, share = problem(n, p, t=3)
    found, other = ridge_by_singular_values(WeightedRows.of(F, share), y, 1e-3), fitted(F, y, share, 1e-3)
    assert other.factorized and not found.factorized and found.unknowns == other.unknowns
    for name in ("coef", "offset", "fitted", "leverage", "left_out", "freedom"):
        np.testing.assert_allclose(getattr(found, name), getattr(other, name), atol=1e-8)
    assert found.residual < 1e-13


@each("ridge, shape", [1e-3, 1e-6, 1e-9], [(6, 20), (25, 30), (12, 12)])
def test_what_is_left_out_is_what_a_fit_without_it_leaves_however_much_returns(shape, ridge):
    """Where features are many and the ridge is small nearly all of each target returns: the rest has digits, too."""
    n, p = shape
    F, y, share = problem(n, p, t=2)
    F = np.random.default_rng(n).normal(size=(n, p))
    found = fitted(F, y + 100.0, share, ridge)
    assert found.factorized and found.leverage.max() < 1
    for row in range(n):
        rest = np.arange(n) != row
        theirs = Ridge(alpha=ridge, solver="svd").fit(F[rest], y[rest], sample_weight=share[rest])
        left = y[row] - theirs.predict(F[row : row + 1])[0]
        np.testing.assert_allclose(found.left_out[row], left, rtol=1e-6, atol=1e-6 * np.abs(y).max())


def solved_exactly(A, b):
    """The solution of A x = b in fractions, by elimination."""
    rows = [[*line, value] for line, value in zip(A, b, strict=True)]
    for i in range(len(rows)):
        best = max(range(i, len(rows)), key=lambda r: abs(rows[r][i]))
        rows[i], rows[best] = rows[best], rows[i]
        for r in set(range(len(rows))) - {i}:
            factor = rows[r][i] / rows[i][i]
            rows[r] = [a - factor * c for a, c in zip(rows[r], rows[i], strict=True)]
    return [rows[i][-1] / rows[i][i] for i in range(len(rows))]


def left_out_exactly(F, share, y, ridge):
    """What each sample would have left, (n,): fitted without it, the others' shares and the penalty as they are."""
    n, p = F.shape
    P = [[*map(Fraction, line), Fraction(1)] for line in F.tolist()]
    s, t = [Fraction(x) for x in share.tolist()], [Fraction(x) for x in y.tolist()]
    found = []
    for i in range(n):
        others = [j for j in range(n) if j != i]
        square = [[sum(s[j] * P[j][a] * P[j][b] for j in others) for b in range(p + 1)] for a in range(p + 1)]
        for a in range(p):
            square[a][a] += Fraction(ridge)
        right = [sum(s[j] * P[j][a] * t[j] for j in others) for a in range(p + 1)]
        found.append(float(t[i] - sum(w * x for w, x in zip(solved_exactly(square, right), P[i], strict=True))))
    return np.array(found)


@each("ridge, shape, powers", [1e-4, 1e-8, 1e-12, 1e-14], [(5, 8), (5, 5), (6, 5), (7, 5)], [False, True])
def test_residuals_left_out_keep_their_digits_however_small_the_penalty(ridge, shape, powers):
    """Of as many features as samples, or more, next to nothing of a target is left to its sample itself."""
    n, p = shape
    rng = np.random.default_rng(n * p)
    F = np.vander(rng.uniform(-1, 1, n), p + 1)[:, :-1] if powers else rng.normal(size=(n, p))
    share = rng.uniform(0.5, 1.5, n)
    share, y = share / share.sum(), rng.normal(size=n)
    expected = left_out_exactly(F, share, y, ridge)
    rows = WeightedRows.of(F, share)
    # Down to 1e-8 the normal equations are solved as they are, whose condition is that of 1 over the penalty.
    digits = max(1e-7, 40 * np.finfo(float).eps / ridge if ridge >= 1e-8 else 0.0)
    for solution in (
        finished(solving_in_features(rows, y[:, None], ridge)),
        ridge_by_singular_values(rows, y[:, None], ridge),
    ):
        np.testing.assert_allclose(solution.left_out[:, 0], expected, rtol=0, atol=digits * np.abs(expected).max())
