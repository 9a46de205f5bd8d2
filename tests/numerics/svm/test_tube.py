"""The program with a kink at 0, against the one with two variables a sample and against its conditions."""

import numpy as np
import pytest

from mlviz.numerics.svm.active_set import ActiveSet
from mlviz.numerics.svm.interior_point import interior_point
from mlviz.numerics.svm.pairs import smo
from mlviz.numerics.svm.tube import feature_tube, move_together, tube_solver, tube_starts
from tests.sweep import each, trials


def problem(seed, n=60, rank=None):
    rng = np.random.default_rng(seed)
    F = rng.normal(size=(n, rank or n))
    K = F @ F.T / F.shape[1]
    return K, rng.normal(size=n), -rng.uniform(0.2, 2, n), rng.uniform(0.2, 2, n)


def solved(K, y, epsilon, lo, hi, beta=None):
    solver = tube_solver(K, y, epsilon, lo, hi, np.zeros(len(y)) if beta is None else beta)
    while not solver.advance():
        pass
    return solver


def objective(K, y, epsilon, beta):
    return beta @ K @ beta / 2 - y @ beta + epsilon * np.abs(beta).sum()


@each("epsilon, seed", [0.0, 0.1, 0.6], trials(8))
def test_it_is_the_program_of_two_variables_a_sample(seed, epsilon):
    K, y, lo, hi = problem(seed)
    n, zero = len(y), np.zeros(len(y))
    both = np.block([[K, K], [K, K]])
    bounds = np.append(zero, lo), np.append(hi, zero)
    twice = ActiveSet(both, np.append(y - epsilon, y + epsilon), *bounds, np.zeros(2 * n))
    while not twice.advance():
        pass
    solver = solved(K.copy(), y, epsilon, lo, hi)
    np.testing.assert_allclose(solver.beta, twice.beta[:n] + twice.beta[n:], atol=1e-7)
    assert solver.offset == pytest.approx(twice.offset, abs=1e-7)


@pytest.mark.parametrize("epsilon", [0.0, 0.3])
@pytest.mark.parametrize(("rank", "width"), [(None, 1.0), (5, 1.0), (None, 2e4)])
def test_every_start_is_feasible_and_the_last_one_near(epsilon, rank, width):
    K, y, lo, hi = problem(1, 100, rank)
    lo, hi = width * lo, width * hi
    best = objective(K, y, epsilon, solved(K.copy(), y, epsilon, lo, hi).beta)
    starts = [beta for beta in tube_starts(K, y, epsilon, lo, hi) if beta is not None]
    for beta in starts:
        assert (beta >= lo - 1e-9).all()
        assert (beta <= hi + 1e-9).all()
    assert objective(K, y, epsilon, starts[-1]) == pytest.approx(best, rel=2e-2)


def test_where_pairs_are_slow_interior_points_give_the_last_start():
    K, y, lo, hi = problem(3, 100, 30)
    lo, hi = 500 * lo, 500 * hi
    beta, near = end_of(smo(K, y, lo, hi, most=150, epsilon=0.1))
    assert not near
    *_, last = (start for start in tube_starts(K, y, 0.1, lo, hi) if start is not None)
    best = objective(K, y, 0.1, solved(K.copy(), y, 0.1, lo, hi).beta)
    assert objective(K, y, 0.1, last) - best < 0.1 * (objective(K, y, 0.1, beta) - best)


def end_of(generator):
    try:
        while True:
            next(generator)
    except StopIteration as end:
        return end.value


@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_pairs_and_interior_points_find_the_same(epsilon):
    K, y, lo, hi = problem(2)
    *_, pairs = smo(K, y, lo, hi, 1e-9, most=100_000, epsilon=epsilon)
    *_, inside = interior_point(K, y, lo, hi, epsilon)
    exact = solved(K.copy(), y, epsilon, lo, hi).beta
    np.testing.assert_allclose(pairs, exact, atol=1e-6)
    np.testing.assert_allclose(inside, exact, atol=1e-6)


@pytest.mark.parametrize("epsilon", [0.0, 0.2])
@pytest.mark.parametrize("seed", trials(5))
def test_after_each_pass_the_aims_are_those_of_the_variables(epsilon, seed):
    """Also where all free variables stay between their bounds, and what they aim at is not looked up again."""
    K, y, lo, hi = problem(seed)
    solver, done = tube_solver(K, y, epsilon, lo, hi, np.zeros(len(y))), False
    while not done:
        done = solver.settle() or solver.advance()
        for kept, aim in zip((solver._up, solver._down), solver._aims(slice(None)), strict=True):
            np.testing.assert_array_equal(kept, aim)


@pytest.mark.parametrize("seed", trials(7))
def test_it_goes_on_from_where_none_is_free(seed):
    """Of a line through far more samples than it has weights, the same few are freed in vain, again and again."""
    rng, n = np.random.default_rng(seed), 260
    x = rng.uniform(-4, 4, n)
    K, y, lo, hi = np.outer(x, x) / 16, np.sin(x) + 0.3 * rng.normal(size=n), np.full(n, -0.3), np.full(n, 0.3)
    solver = solved(K, y, 1.0, lo, hi, solved(K, y, 0.1, lo, hi).beta)
    assert np.max(solver._up - solver.g) - np.min(solver._down - solver.g) < 1e-9


@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_it_follows_what_moves_and_what_is_aimed_at(epsilon):
    K, y, lo, hi = problem(3)
    rng = np.random.default_rng(0)
    solver, other = solved(K, y, epsilon, lo, hi), solved(K, y, epsilon, lo / 2, hi / 2)
    for _ in range(5):
        row = np.array([int(rng.integers(len(y)))])
        column = K[row] + 0.1 * rng.normal(size=(1, len(y)))
        column[0, row] = K[row, row] + 1.0
        move_together([solver, other], row, column)
        y = y.copy()
        y[row] += rng.normal()
        for one in (solver, other):
            one.aim(y)
            np.testing.assert_allclose(one.g, one.beta @ K, atol=1e-9)
            while not one.advance():
                pass
        np.testing.assert_allclose(solver.beta, solved(K.copy(), y, epsilon, lo, hi).beta, atol=1e-6)
        np.testing.assert_allclose(other.beta, solved(K.copy(), y, epsilon, lo / 2, hi / 2).beta, atol=1e-6)


@pytest.mark.parametrize("dependent", [False, True])
@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_the_features_give_the_same_function(epsilon, dependent):
    rng = np.random.default_rng(4)
    F, y = rng.normal(size=(50, 3)), rng.normal(size=50)
    if dependent:
        F = np.column_stack((F, F[:, 0], F[:, 1] - 2 * F[:, 2], np.full(50, 7.0)))
    up, down = rng.uniform(0.5, 2, 50), rng.uniform(0.5, 2, 50)
    *_, found = feature_tube(F, y, epsilon, up, down)
    exact = solved(F @ F.T, y, epsilon, -down, up)
    np.testing.assert_allclose(F @ found.w, exact.g, atol=1e-6)
    np.testing.assert_allclose(found.dual, -objective(F @ F.T, y, epsilon, exact.beta), rtol=1e-9)
