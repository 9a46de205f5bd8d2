"""Regularised least squares with a free offset: primal, dual, and Nyström's approximation against each other."""

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge

from mlviz.numerics.kernels.base import Gaussian, Laplacian
from mlviz.numerics.kernels.features import Moments, Nystroem
from mlviz.numerics.linalg.cholesky import few_pivots
from mlviz.numerics.linalg.dual_ridge import DualRidge, dual_in_features, inverse_root, solved_in_kernel
from mlviz.numerics.linalg.feature_ridge import ridge_by_singular_values
from mlviz.numerics.linalg.ridge import WeightedRows
from tests.sweep import trials


def problem(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    share = rng.uniform(0.5, 2, n)
    return X, np.sin(2 * X[:, 0]) + 0.1 * rng.normal(size=n), share / share.sum()


def dual_ridge(K, D):
    *_, root = inverse_root(K, D)
    return DualRidge(K, D, root)


def primal_ridge(F, y, share, ridge):
    return ridge_by_singular_values(WeightedRows.of(F, share), y[:, None], ridge).alone(0)


def dense(K, D, y):
    """Coefficients, offset, leverages."""
    n = len(y)
    matrix = np.ones((n + 1, n + 1))
    matrix[:n, :n], matrix[n, n] = K + np.diag(D), 0
    inverse = np.linalg.inv(matrix)
    a = inverse @ np.append(y, 0)
    return a[:n], a[n], 1 - D * inverse.diagonal()[:n]


@pytest.mark.parametrize("ridge", [1.0, 1e-2, 1e-4])
def test_a_few_pivots_say_what_all_samples_do(ridge):
    rng = np.random.default_rng(5)
    X, share = rng.uniform(-4, 4, (200, 1)), rng.uniform(0.5, 2, 200)
    share /= share.sum()
    targets = np.column_stack((np.sin(X[:, 0]), np.sign(X[:, 0]))) + 0.1 * rng.normal(size=(200, 2))
    K = Gaussian(1.0).matrix(X, X)
    G, pivots, left = few_pivots(lambda row: K[row], K.diagonal(), False)
    assert len(pivots) == len(G) < 40 and left < 1e-13
    for y, found in zip(targets.T, dual_in_features(G, left, targets, share, ridge), strict=True):
        a, b, leverage = dense(K, ridge / share, y)
        np.testing.assert_allclose(found.coef, a, atol=1e-9 * np.abs(a).max())
        np.testing.assert_allclose(found.leverage, leverage, atol=1e-9)
        np.testing.assert_allclose(found.leave_one_out, (y - found.fitted) / (1 - leverage), atol=1e-9)
        assert found.offset == pytest.approx(b, abs=1e-9) and found.residual < 1e-9


def test_a_kernel_of_many_directions_has_no_few_pivots():
    X = np.random.default_rng(6).uniform(-4, 4, (200, 2))
    for kernel in (Gaussian(0.1), Laplacian(1.0)):
        K = kernel.matrix(X, X)
        assert few_pivots(lambda row, K=K: K[row], K.diagonal(), True) is None


def test_primal_and_dual_agree():
    rng = np.random.default_rng(1)
    F, (_, y, share) = rng.normal(size=(60, 7)), problem()
    primal, dual = primal_ridge(F, y, share, 0.02), dual_ridge(F @ F.T, 0.02 / share).solve(y)
    np.testing.assert_allclose(dual.coef @ F, primal.coef, atol=1e-12)
    assert dual.offset == pytest.approx(primal.offset, abs=1e-12)
    for one, other in (
        (dual.fitted, primal.fitted),
        (dual.leverage, primal.leverage),
        (dual.leave_one_out, primal.leave_one_out),
    ):
        np.testing.assert_allclose(one, other, atol=1e-10)
    assert max(primal.residual, dual.residual) < 1e-13


def test_primal_has_a_solution_with_more_features_than_samples():
    rng = np.random.default_rng(2)
    F, y, share = rng.normal(size=(5, 40)), rng.normal(size=5), np.full(5, 0.2)
    primal, dual = primal_ridge(F, y, share, 0.1), dual_ridge(F @ F.T, 0.1 / share).solve(y)
    np.testing.assert_allclose(primal.coef, dual.coef @ F, atol=1e-12)


@pytest.mark.parametrize("kernel", [Gaussian(0.8), Laplacian(0.8)])
def test_moved_samples_leave_the_equations_solved(kernel):
    X, y, share = problem()
    D = 1e-3 / share
    equations = dual_ridge(kernel.matrix(X, X), D)
    rng = np.random.default_rng(4)
    row = 3
    for step in trials(60):
        row = int(rng.integers(60)) if step % 9 == 0 else row
        X[row] += rng.normal(scale=0.2, size=2)
        equations.move(row, kernel.matrix(X[row : row + 1], X)[0])
        found = equations.solve(y)
        a, offset, leverage = dense(kernel.matrix(X, X), D, y)
        np.testing.assert_allclose(found.coef, a, atol=1e-9)
        np.testing.assert_allclose(found.leverage, leverage, atol=1e-10)
        assert found.offset == pytest.approx(offset, abs=1e-10)
        assert found.residual < 1e-13 and found.first < 1e-9
    assert found.coef.sum() == pytest.approx(0, abs=1e-12)


def test_refinement_keeps_the_equations_exact_where_the_inverse_is_not():
    X, y, share = problem()
    X[30:] = X[:30]
    found = dual_ridge(Gaussian(3.0).matrix(X, X), 1e-11 / share).solve(y)
    assert found.residual < 1e-5 and found.residual <= found.first


def test_a_worn_inverse_shows_in_the_first_solution_and_not_in_the_last():
    X, y, share = problem()
    equations = dual_ridge(Gaussian(0.8).matrix(X, X), 1e-2 / share)
    equations._root *= 1 + 1e-3
    found = equations.solve(y)
    one = dual_ridge(equations.K, equations.D)
    one._root *= 1 + 1e-3
    step, to_one = one._product(y - y.mean()), one._product(np.ones(60))
    shift = step.sum() / to_one.sum()
    step -= shift * to_one
    left = y - equations.K @ step - equations.D * step - y.mean() - shift
    assert found.first == pytest.approx(np.abs(left).max() / np.abs(y).max(), rel=1e-6)
    assert found.first > 1e-4 and found.residual < 1e-12


def test_without_digits_it_says_so():
    with pytest.raises(np.linalg.LinAlgError):
        dual_ridge(np.ones((5, 5)), np.full(5, 1e-30))


def test_kernel_values_that_are_none_cannot_be_moved_to():
    X, _, share = problem(10)
    equations = dual_ridge(Gaussian().matrix(X, X), 0.1 / share)
    values = equations.K[3].copy()
    values[3] = -2.0
    with pytest.raises(np.linalg.LinAlgError):
        equations.move(3, values)


def test_an_inverse_that_is_none_any_more_cannot_be_moved_on_with():
    X, _, share = problem(10)
    equations = dual_ridge(Gaussian().matrix(X, X), 0.1 / share)
    equations.move(3, equations.K[3].copy())
    equations._inverse[7, 7] = -100.0
    with pytest.raises(np.linalg.LinAlgError):
        equations.move(7, equations.K[7].copy())


def test_constant_targets_have_no_coefficients():
    X, _, share = problem(10)
    found = dual_ridge(Gaussian().matrix(X, X), 0.1 / share).solve(np.full(10, 7.0))
    assert (found.coef == 0).all() and found.offset == 7 and found.residual == 0
    # The shares sum to 1 but for rounding, and that is all that is left of the targets to solve for.
    primal = primal_ridge(X, np.full(10, 7.0), share, 0.1)
    assert (
        np.abs(primal.coef).max() < 1e-14 and primal.offset == pytest.approx(7, abs=1e-14) and primal.residual < 1e-14
    )


@pytest.mark.parametrize("ridge", [1e-6, 0.1, 10.0])
def test_the_residual_is_told_beside_its_terms_where_they_cancel(ridge):
    for seed in trials(100):
        rng = np.random.default_rng(seed)
        X, share = rng.normal(size=(20, 3)), rng.uniform(0.5, 2, 20)
        share /= share.sum()
        even, half = np.vstack((X, -X)), np.tile(share / 2, 2)  # no line fits targets that are even
        for F, y, part in (
            (X, np.full(20, rng.normal()), share),
            (X, 7 * (1 + 1e-15 * rng.normal(size=20)), share),
            (even, np.tile(rng.normal(size=20), 2), half),
            (np.full((20, 3), 0.1), rng.normal(size=20), share),
        ):
            assert primal_ridge(F, y, part, ridge).residual < 1e-13


def test_with_all_samples_as_centres_nothing_is_approximated():
    X, y, share = problem()
    kernel = Gaussian(0.3)
    nystroem = Nystroem.of(kernel, X, 60, 0.0)
    assert len(nystroem.centers) == 60 and nystroem.left < 1e-12
    phi = nystroem.features(X)
    np.testing.assert_allclose(phi.T @ phi, kernel.matrix(X, X), atol=1e-10)
    moments = Moments(nystroem)
    moments.add(X, y, share)
    found = moments.solve(0.01)
    a, offset, leverage = dense(kernel.matrix(X, X), 0.01 / share, y)
    fitted = kernel.matrix(X, X) @ a + offset
    places = np.random.default_rng(3).normal(size=(20, 2))
    values = kernel.matrix(places, nystroem.centers) @ nystroem.coef(found.w) + found.offset
    np.testing.assert_allclose(values, kernel.matrix(places, X) @ a + offset, atol=1e-9)
    np.testing.assert_allclose(values, nystroem.features(places).T @ found.w + found.offset, atol=1e-9)
    assert found.freedom == pytest.approx(leverage.sum(), rel=1e-9)
    assert found.mean_squared == pytest.approx(share @ (y - fitted) ** 2, rel=1e-9)
    assert found.residual < 1e-12


def test_centres_are_as_many_as_the_tolerance_needs():
    X = np.random.default_rng(0).uniform(-3, 3, (2000, 2))
    few, more = (Nystroem.of(Gaussian(1.0), X, 300, tolerance) for tolerance in (1e-2, 1e-6))
    assert len(few.centers) < len(more.centers) < 300
    rest = 1 - (few.features(X) ** 2).sum(axis=0)
    assert rest.max() <= 1e-2 and few.left == pytest.approx(rest.mean(), rel=1e-8)
    assert len(Nystroem.of(Gaussian(1.0), np.zeros((50, 2)), 300, 1e-6).centers) == 1


def test_samples_can_be_counted_out_again():
    X, y, share = problem()
    moments, fresh = (Moments(Nystroem.of(Gaussian(), X, 30, 1e-6)) for _ in range(2))
    moments.add(X, y, share)
    moved = X.copy()
    moved[:5] += 0.5
    moments.add(X[:5], y[:5], -share[:5])
    moments.add(moved[:5], y[:5], share[:5])
    fresh.add(moved, y, share)
    np.testing.assert_allclose(moments.solve(0.01).w, fresh.solve(0.01).w, atol=1e-11)


@pytest.mark.parametrize("size", [1e-200, 1.0, 1e200])
def test_the_size_of_kernel_and_penalty_changes_no_leverage(size):
    x = np.random.default_rng(4).normal(size=(9, 1))
    K, D, y = Gaussian(1.0).matrix(x, x), np.full(9, 0.1), np.sin(x[:, 0])
    expected, found = dual_ridge(K, D).solve(y), dual_ridge(size * K, size * D).solve(y)
    np.testing.assert_allclose(found.leverage, expected.leverage, rtol=1e-12)
    np.testing.assert_allclose(found.leave_one_out, expected.leave_one_out, rtol=1e-11)


def test_it_is_kernel_ridge_regression_of_the_centred_kernel():
    rng = np.random.default_rng(3)
    X, n = rng.uniform(-3, 3, (50, 2)), 50
    y = np.column_stack((np.sin(X[:, 0]), X[:, 1])) + 3
    K, H = Gaussian(0.8).matrix(X, X), np.eye(n) - 1 / n
    found = solved_in_kernel(K.copy(), y, np.full(n, 1 / n), 0.01)
    theirs = KernelRidge(alpha=n * 0.01, kernel="precomputed").fit(H @ K @ H, H @ y)
    values = theirs.predict(H @ K @ H) + y.mean(axis=0)
    for one, expected in zip(found, values.T, strict=True):
        assert one.coef.sum() == pytest.approx(0, abs=1e-10)
        np.testing.assert_allclose(K @ one.coef + one.offset, expected, atol=1e-10)


def test_whole_shares_are_repeated_samples():
    rng = np.random.default_rng(4)
    X, times = rng.uniform(-3, 3, (20, 1)), rng.integers(1, 4, 20)
    again, kernel = np.repeat(X, times, axis=0), Gaussian(0.8)
    whole = np.full(len(again), 1 / len(again))
    one = solved_in_kernel(kernel.matrix(X, X), np.sin(X), times / times.sum(), 0.01)[0]
    other = solved_in_kernel(kernel.matrix(again, again), np.sin(again), whole, 0.01)[0]
    values = kernel.matrix(X, X) @ one.coef + one.offset
    np.testing.assert_allclose(values, kernel.matrix(X, again) @ other.coef + other.offset, atol=1e-10)
