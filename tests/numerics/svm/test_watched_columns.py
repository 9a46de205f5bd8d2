"""A solver whose matrix is watched from further places knows the products there, whatever moves."""

import numpy as np

from mlviz.numerics.kernels.base import Gaussian, Polynomial
from mlviz.numerics.svm.active_set import ActiveSet
from mlviz.numerics.svm.free_variables import FreeVariables
from mlviz.numerics.svm.tube import move_together, tube_solver
from tests.sweep import each, trials

PLACES = np.linspace(-3, 3, 70)[:, None]
KERNEL = Gaussian(0.8)


def problem(n=60, epsilon=0.1):
    rng = np.random.default_rng(n)
    X = rng.uniform(-3, 3, (n, 1))
    y = np.sin(X[:, 0]) + 0.3 * rng.normal(size=n)
    K = KERNEL.matrix(X, X)
    return X, y, tube_solver(K, y, epsilon, np.full(n, -1.0), np.ones(n), np.zeros(n))


def solve(solver):
    while not solver.advance():
        pass


@each("epsilon, moving", [0.0, 0.1, 0.4], [1, 3])
def test_products_follow_the_variables_and_the_samples(epsilon, moving):
    X, _, solver = problem(epsilon=epsilon)
    rng = np.random.default_rng(1)
    solve(solver)
    solver.watch(np.hstack((solver.K, KERNEL.matrix(X, PLACES))))
    for _ in trials(240):
        rows = np.sort(rng.permutation(60)[:moving])
        X[rows] += 0.2 * rng.normal(size=(moving, 1))
        columns = KERNEL.matrix(X[rows], np.concatenate((X, PLACES)))
        move_together([solver], slice(rows[0], rows[0] + 1) if moving == 1 else rows, columns)
        solve(solver)
        np.testing.assert_allclose(solver.watched, KERNEL.matrix(PLACES, X) @ solver.beta, rtol=0, atol=3e-14)
        np.testing.assert_allclose(solver.g, KERNEL.matrix(X, X) @ solver.beta, rtol=0, atol=3e-14)
    np.testing.assert_array_equal(solver.K, KERNEL.matrix(X, X))


def test_the_rounding_of_many_moves_does_not_add_up():
    """The products are off on purpose, as after very many moves: a hundred moves later they are not."""
    X, _, solver = problem()
    solve(solver)
    solver.watch(np.hstack((solver.K, KERNEL.matrix(X, PLACES))))
    solver.watched[:] += 1e-6
    columns = KERNEL.matrix(X[:1], np.concatenate((X, PLACES)))
    off = []
    for _ in range(100):
        move_together([solver], slice(0, 1), columns)
        off.append(float(np.abs(solver.watched - KERNEL.matrix(PLACES, X) @ solver.beta).max()))
    assert off[98] > 1e-7 and off[99] < 1e-14


def test_free_variables_follow_what_others_do():
    X, _, solver = problem()
    free = np.arange(60) % 6 == 2
    known = FreeVariables(solver.K, free)
    assert known.worth_keeping and not any(FreeVariables(solver.K, other).worth_keeping for other in (~free, free < 0))
    X[3] += 0.5
    columns = KERNEL.matrix(X[3:4], X)
    move_together([solver], slice(3, 4), columns)
    change = np.linspace(-1, 1, int(free.sum()))
    for rows in (slice(3, 4), np.array([3])):
        known.follow(rows, columns)
        np.testing.assert_allclose(known.product(change), change @ KERNEL.matrix(X, X)[free], atol=1e-14)


def test_what_is_kept_of_free_variables_leads_where_a_new_solver_gets():
    """Over many moves of samples that are free, at a bound, or neither."""
    X, y, solver = problem()
    rng = np.random.default_rng(2)
    for step in trials(160):
        row = int(rng.integers(0, 60)) if step % 3 else 0
        X[row] += 0.1 * rng.normal()
        move_together([solver], slice(row, row + 1), KERNEL.matrix(X[row : row + 1], X))
        solve(solver)
        fresh: ActiveSet = tube_solver(KERNEL.matrix(X, X), y, 0.1, np.full(60, -1.0), np.ones(60), np.zeros(60))
        solve(fresh)
        np.testing.assert_allclose(solver.g + solver.offset, fresh.g + fresh.offset, atol=1e-8)


def test_it_settles_within_the_bounds_and_only_at_the_solution():
    """Solvers that were stopped go on, with what they freed, by passes."""
    X, y, solver = problem()
    rng, told = np.random.default_rng(4), []
    for step in range(300):
        freed = step % 5 == 2
        if freed:
            solver.aim(y + 0.05 * rng.normal(size=60))
            freed = not solver.advance()
        row = int(rng.choice(solver.free.nonzero()[0] if step % 2 else 60))
        X[row] += 0.3 * rng.normal() / (1 + 9 * freed)
        move_together([solver], slice(row, row + 1), KERNEL.matrix(X[row : row + 1], X))
        told.append(solver.settle())
        assert np.abs(solver.beta).max() <= 1.0 and abs(solver.beta.sum()) < 1e-12
        if told[-1]:
            assert not freed
            assert np.max(solver._up - solver.g) - np.min(solver._down - solver.g) < 1e-9
        np.testing.assert_array_equal((solver._up, solver._down), solver._aims(slice(None)))
        solve(solver)
    assert 50 < sum(told) < 250


def test_where_all_ended_at_bounds_none_is_left_to_settle():
    ends, n = np.array([1.0, -1.0]), 8
    y = np.append(ends, np.zeros(n - 2))
    solver: ActiveSet = tube_solver(np.eye(n), y, 0.5, np.full(n, -1.0), np.ones(n), np.zeros(n))
    solve(solver)
    assert solver.free.sum() == 2 and solver.settle()
    solver.aim(9.0 * y)
    solve(solver)
    assert not solver.settle()
    np.testing.assert_array_equal(solver.beta, y)


def test_variables_that_were_far_larger_on_the_way_leave_no_rounding():
    """Of samples far from the origin a polynomial kernel tells little: steps of millions lead to variables of a few."""
    kernel, rng, far = Polynomial(2, 1.0), np.random.default_rng(3), 0.0
    for _ in range(40):
        X, y = 1000.0 + rng.uniform(-3, 3, (3, 1)), rng.uniform(-1, 1, 3)
        places = 1000.0 + PLACES
        unit = float(kernel.diagonal(X).max())
        solver = tube_solver(kernel.matrix(X, X) / unit, y, 0.2, np.full(3, -1e8), np.full(3, 1e8), np.zeros(3))
        solve(solver)
        solver.watch(np.hstack((solver.K, kernel.matrix(X, places) / unit)))
        for _ in range(10):
            X[0] += 0.5 * rng.normal()
            before = np.abs(solver.beta).sum()
            move_together([solver], slice(0, 1), kernel.matrix(X[:1], np.concatenate((X, places))) / unit)
            solve(solver)
            size = np.abs(solver.beta).sum()
            far = max(far, before / (size + 1e-300))
            off = np.abs(solver.watched - kernel.matrix(places, X) @ solver.beta / unit).max()
            assert off <= 1e-12 * size
    assert far > 100
