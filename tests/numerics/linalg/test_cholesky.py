"""Positive definite systems: solved, helped where rounding spoilt them, refused where they hold no numbers."""

import numpy as np
import pytest

from mlviz.numerics.linalg.cholesky import solver


def test_it_solves():
    rng = np.random.default_rng(0)
    A, d, r = rng.normal(size=(6, 6)), rng.uniform(0.1, 1, 6), rng.normal(size=6)
    K = A @ A.T
    np.testing.assert_allclose(solver(K, d)(r), np.linalg.solve(K + np.diag(d), r), rtol=1e-9)


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
