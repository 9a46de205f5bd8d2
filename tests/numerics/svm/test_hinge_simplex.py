import numpy as np
import pytest
from scipy.optimize import linprog

from mlviz.numerics.svm.hinge_simplex import hinge_simplex
from tests.sweep import trials


def problem(seed):
    """A (n, p), c and penalty: ordinary ones, on a lattice, with twins of both classes, of unequal weights."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 150)), int(rng.integers(1, 6))
    X, y = rng.normal(size=(n, d)), np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[0] = -y[-1]
    X[y > 0] += rng.choice([0.0, 1.0, 4.0])
    if seed % 4 == 1:
        X = np.rint(X)
    if seed % 4 == 2:
        X[n // 2 :] = X[: n - n // 2]
    if seed % 4 == 3:
        X[:, -1] = X[:, 0]
    c = rng.choice([1.0, 2.0, 0.5, 1e-6] if seed % 3 == 0 else [1.0], n)
    penalty = np.append(np.full(d, float(rng.choice([1e-9, 1e-3, 0.01, 0.1, 3.0]))), 0.0)
    return y[:, None] * np.column_stack((X, np.ones(n))), c / c.sum(), penalty


def cost(A, c, penalty, u):
    return float(c @ np.maximum(0, 1 - A @ u) + penalty @ np.abs(u))


@pytest.mark.parametrize("seed", trials(100))
def test_as_low_as_a_linear_program(seed):
    A, c, penalty = problem(seed)
    n, p = A.shape
    *_, found = hinge_simplex(A, c, penalty)
    theirs = linprog(
        np.concatenate((penalty, penalty, c)),
        A_ub=-np.hstack((A, -A, np.eye(n))),
        b_ub=-np.ones(n),
        bounds=[(0, None)] * (2 * p + n),
        method="highs",
    )
    low = cost(A, c, penalty, found.u)
    assert low <= theirs.fun + 1e-9
    assert low == pytest.approx(theirs.fun, abs=1e-7)  # as exact as theirs
    # The multipliers prove it.
    assert (found.alpha >= 0).all() and (found.alpha <= c).all()
    assert (np.abs(found.alpha @ A) <= penalty + 1e-12).all()
    assert found.alpha.sum() == pytest.approx(low, rel=1e-9, abs=1e-12)
    assert (found.u[:-1] == 0).sum() >= p - 1 - (found.basis < n).sum() + 1


def test_every_step_goes_down_and_any_vertex_is_a_start():
    A, c, penalty = problem(9)
    costs = [cost(A, c, penalty, vertex.u) for vertex in hinge_simplex(A, c, penalty)]
    assert (np.diff(costs) <= 1e-8).all()
    *_, last = hinge_simplex(A, c, penalty)
    moved = A.copy()
    moved[0, :-1] += 0.1
    warm, cold = (list(hinge_simplex(moved, c, penalty, basis)) for basis in (last.basis, None))
    np.testing.assert_allclose(warm[-1].u, cold[-1].u, atol=1e-9)
    assert len(warm) < len(cold)
    np.testing.assert_allclose(list(hinge_simplex(A, c, penalty, np.zeros(len(penalty), dtype=int)))[-1].u, last.u)
