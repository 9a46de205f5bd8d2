"""Positive definite systems: solved, helped where rounding spoilt them, refused where they hold no numbers."""

import numpy as np
import pytest

from mlviz.numerics.linalg.cholesky import factor_solver, factorized, inverted, solver, solving
from mlviz.numerics.pauses import finished


def test_it_solves():
    rng = np.random.default_rng(0)
    A, d, r = rng.normal(size=(6, 6)), rng.uniform(0.1, 1, 6), rng.normal(size=6)
    K = A @ A.T
    np.testing.assert_allclose(solver(K, d)(r), np.linalg.solve(K + np.diag(d), r), rtol=1e-9)


@pytest.mark.parametrize("n", [1, 5, 64, 65, 129, 700])
def test_a_factor_and_its_inverse_come_some_columns_at_a_time(n):
    A = np.random.default_rng(n).normal(size=(n, n + 3))
    K = A @ A.T / n + 0.1 * np.eye(n)
    L = K.copy()
    turns = sum(1 for _ in factorized(L))
    assert turns >= -(-n // 128)
    np.testing.assert_allclose(L, np.linalg.cholesky(K), atol=1e-12)
    assert sum(1 for _ in inverted(L)) >= -(-n // 64)
    np.testing.assert_allclose(L @ np.linalg.cholesky(K), np.eye(n), atol=1e-9)
    assert not np.triu(L, 1).any()


def test_what_is_not_positive_definite_has_no_factor():
    with pytest.raises(np.linalg.LinAlgError):
        list(factorized(np.diag([1.0] * 170 + [-1.0])))


@pytest.mark.parametrize("n", [40, 1100])
def test_a_large_system_is_solved_with_pauses(n):
    X, r = np.random.default_rng(n).normal(size=(n, 5)), np.arange(float(n))
    K = X @ X.T
    solve = finished(solving(K, 0.1))
    assert (sum(1 for _ in solving(K, 0.1)) > 10) is (n > 1000)
    np.testing.assert_allclose(K @ solve(r) + 0.1 * solve(r), r, atol=1e-7 * n)
    assert finished(factor_solver(np.asfortranarray(K - np.eye(n)))) is None


def test_a_singular_system_is_solved_with_a_little_more_on_its_diagonal():
    K = np.array([[1.0, 1.0], [1.0, 1.0 - 1e-15]])
    x = solver(K)(np.array([2.0, 2.0]))
    np.testing.assert_allclose(K @ x, [2.0, 2.0], rtol=1e-9)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("place", [(0, 0), (1, 0)])
def test_what_is_no_number_is_refused(bad, place):
    K = np.eye(2)
    K[place] = bad
    with pytest.raises(np.linalg.LinAlgError):
        solver(K)
