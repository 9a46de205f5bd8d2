"""The three solvers of the program: minimise 1/2 b'K b - t'b, lo <= b <= hi, sum b = 0."""

import numpy as np
import pytest

from mlviz.numerics.kernels.base import Gaussian, Linear
from mlviz.numerics.linalg.cholesky import pivoted_cholesky
from mlviz.numerics.pauses import finished
from mlviz.numerics.svm.active_set import ActiveSet
from mlviz.numerics.svm.interior_point import interior_point
from mlviz.numerics.svm.pairs import smo
from mlviz.numerics.svm.tube import move_together
from tests.sweep import each


def program(kernel, n=60, bound=1.0, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    X[y > 0] += 1.0
    K = kernel.matrix(X, X)
    K /= K.diagonal().max()
    return K, y, np.minimum(0.0, bound * y), np.maximum(0.0, bound * y)


def objective(K, t, b):
    return b @ K @ b / 2 - t @ b


def solved(K, t, lo, hi, beta=None):
    solver = ActiveSet(K, t, lo, hi, np.zeros(len(t)) if beta is None else beta)
    for _ in range(2000):
        if solver.advance():
            return solver
    raise AssertionError("no end")


def assert_optimal(solver, tolerance=1e-8):
    b, e = solver.beta, solver.K @ solver.beta + solver.offset - solver.t
    assert abs(b.sum()) <= 1e-9 * max(1.0, np.abs(b).sum())
    assert (b >= solver.lo).all()
    assert (b <= solver.hi).all()
    inside = (b > solver.lo) & (b < solver.hi)
    assert np.abs(e[inside]).max(initial=0) <= tolerance
    assert e[b <= solver.lo].min(initial=0) >= -tolerance
    assert e[b >= solver.hi].max(initial=0) <= tolerance


@each("kernel, bound", [Gaussian(0.5), Gaussian(5.0), Linear()], [1e-6, 0.1, 10.0, 1e3])
def test_active_set_from_nothing_is_optimal(kernel, bound):
    assert_optimal(solved(*program(kernel, bound=bound)))


def test_two_samples_in_closed_form():
    K = np.array([[1.0, 0.5], [0.5, 1.0]])
    solver = solved(K, np.array([-1.0, 1.0]), np.array([-10.0, 0.0]), np.array([0.0, 10.0]))
    np.testing.assert_allclose(solver.beta, [-2.0, 2.0])  # b (1 - k) = 1
    assert solver.offset == pytest.approx(0.0)


def test_every_pass_lowers_the_objective():
    K, t, lo, hi = program(Gaussian(1.0), bound=10.0)
    solver, last = ActiveSet(K, t, lo, hi, np.zeros(len(t))), np.inf
    done = False
    while not done:
        done = solver.advance()
        now = objective(K, t, solver.beta)
        assert now <= last + 1e-12 * abs(now)
        assert abs(solver.beta.sum()) < 1e-9
        last = now


def test_any_guess_is_made_feasible():
    K, t, lo, hi = program(Gaussian(1.0))
    guess = np.random.default_rng(3).normal(size=len(t)) * 5
    solver = ActiveSet(K, t, lo, hi, guess)
    assert abs(solver.beta.sum()) < 1e-12
    assert ((lo <= solver.beta) & (solver.beta <= hi)).all()
    assert_optimal(solved(K, t, lo, hi, guess))


def test_moved_rows_start_from_the_former_solution():
    K, t, lo, hi = program(Gaussian(1.0), seed=4)
    other = program(Gaussian(1.0), seed=4)[0].copy()
    X = np.random.default_rng(5).normal(size=(2, 2))
    A = np.concatenate((X, np.random.default_rng(6).normal(size=(len(t) - 2, 2))))
    columns = Gaussian(1.0).matrix(A[:2], A)
    rows = np.array([3, 7])
    order = np.r_[rows, np.setdiff1d(np.arange(len(t)), rows)]
    columns[:, order] = columns.copy()
    other[rows], other[:, rows] = columns, columns.T
    warm = solved(K, t, lo, hi)
    move_together([warm], rows, columns)
    while not warm.advance():
        pass
    np.testing.assert_array_equal(warm.K, other)
    np.testing.assert_allclose(warm.g, other @ warm.beta, atol=1e-10)


def test_smo_comes_near_and_stays_feasible():
    K, t, lo, hi = program(Gaussian(1.0))
    best = objective(K, t, solved(K, t, lo, hi).beta)
    for beta in smo(K, t, lo, hi, tolerance=1e-4):
        assert abs(beta.sum()) < 1e-9
        assert ((lo <= beta) & (beta <= hi)).all()
    assert objective(K, t, beta) == pytest.approx(best, rel=1e-5)


@pytest.mark.parametrize("kernel", [Gaussian(0.5), Gaussian(5.0), Linear()], ids=str)
@pytest.mark.parametrize("bound", [10.0, 1e4, 1e8])
def test_interior_point_ends_at_the_solution(kernel, bound):
    K, t, lo, hi = program(kernel, bound=bound)
    *_, beta = interior_point(K, t, lo, hi)
    solver = solved(K, t, lo, hi, beta)
    # With a bound of 1e8 the multipliers sum to 3e9: K b, and so each e, is known up to the rounding of that.
    assert_optimal(solver, 1e-8 + 4e-15 * np.abs(solver.beta).sum())
    if bound <= 1e4:
        assert objective(K, t, beta) == pytest.approx(objective(K, t, solver.beta), rel=1e-4)


def test_pivoted_cholesky_finds_the_rank():
    A = np.random.default_rng(0).normal(size=(40, 3))
    K = A @ A.T
    G, pivots, left = pivoted_cholesky(K.__getitem__, K.diagonal(), 1e-12, 20)
    assert len(G) == len(pivots) == 3 and left.max() < 1e-12 * K.diagonal().max()
    np.testing.assert_allclose(G.T @ G, A @ A.T, atol=1e-12)


def test_all_samples_in_one_place():
    t = np.array([1.0, 1.0, -1.0, -1.0, -1.0])
    solver = solved(np.ones((5, 5)), t, np.minimum(0.0, t), np.maximum(0.0, t))
    assert objective(solver.K, t, solver.beta) == pytest.approx(-4.0)


def test_interior_points_between_bounds_of_next_to_nothing_go_to_them():
    """Their distances are small from the outset, which is not yet a solution."""
    K, t, lo, hi = program(Gaussian(1.0), bound=1e-12)
    *_, b = (found for found in interior_point(K, t, lo, hi) if found is not None)
    best = solved(K, t, lo, hi).beta
    assert objective(K, t, b) == pytest.approx(objective(K, t, best), rel=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_pairs_that_are_near_leave_none_that_gains_more(seed):
    """Of samples at the same place a pair moves far for next to nothing."""
    rng = np.random.default_rng(seed)
    X = np.repeat(rng.uniform(-4, 4, (30, 1)), 2, axis=0)
    K, t, hi = Gaussian(1.0).matrix(X, X), np.sin(X[:, 0]) + rng.normal(0, 0.02, 60), np.full(60, 10.0)
    b, near = finished(smo(K, t, -hi, hi, 0.1))
    slope = t - K @ b
    assert near
    assert slope[b < hi].max() - slope[b > -hi].min() <= 0.1 * (1 + 1e-9)


def test_two_samples_meet_in_one_step_of_pairs():
    K, t, hi = np.array([[1.0, 0.25], [0.25, 1.0]]), np.array([-1.0, 1.0]), np.full(2, 10.0)
    b, _ = finished(smo(K, t, -hi, hi, most=1))
    np.testing.assert_allclose(b, [-4 / 3, 4 / 3], rtol=1e-12)  # b (1 - k) = 1
