"""Newton's method on rounded losses, against the active set that it is a start for."""

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel

from mlviz.numerics.svm.rounded_tube import rounded_starts
from mlviz.numerics.svm.tube import tube_solver


def ended(generator):
    """What the generator yields, and what it returns."""
    found = []
    while True:
        try:
            found.append(next(generator))
        except StopIteration as end:
            return [beta for beta in found if beta is not None], end.value


def problem(seed, width, n=80, twins=False):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, (n, 2))
    if twins:
        X[n // 2 :] = X[: n // 2]
    y = 5 + np.sin(X).sum(axis=1) + 0.4 * rng.normal(size=n)
    return rbf_kernel(X, gamma=0.5), y, -width * rng.uniform(0.2, 1, n), width * rng.uniform(0.2, 1, n)


def objective(K, y, epsilon, beta):
    return beta @ K @ beta / 2 - y @ beta + epsilon * np.abs(beta).sum()


@pytest.mark.parametrize(
    ("width", "twins"), [(0.01, False), (1.0, False), (30.0, False), (3000.0, False), (0.01, True), (30.0, True)]
)
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.6])
def test_it_comes_near(width, epsilon, twins):
    K, y, lo, hi = problem(1, width, twins=twins)
    starts, near = ended(rounded_starts(K, y, lo, hi, epsilon))
    assert near
    for beta in starts:
        assert ((beta >= lo) & (beta <= hi)).all()
    last = starts[-1]
    assert abs(last.sum()) < 0.02 * np.abs(last).sum()
    solver = tube_solver(K, y, epsilon, lo, hi, last)
    at_start = objective(K, y, epsilon, solver.beta)
    passes = 0
    while not solver.advance():
        passes += 1
    best = objective(K, y, epsilon, solver.beta)
    assert at_start - best <= 0.02 * abs(best)
    assert passes <= 5
    residual = np.abs(y - solver.g - solver.offset)
    inside = solver.beta == 0
    assert residual[inside].max(initial=0.0) <= epsilon + 1e-8


def test_it_says_that_it_did_not_get_there():
    K, y, lo, hi = problem(1, 3000.0, twins=True)
    starts, near = ended(rounded_starts(K, y, lo, hi, 0.0))
    assert not near
    assert ((starts[-1] >= lo) & (starts[-1] <= hi)).all()


@pytest.mark.parametrize("y", [np.zeros(30), np.full(30, 7.0), np.linspace(-0.1, 0.1, 30)])
def test_a_tube_that_holds_all_needs_no_step(y):
    K, _, lo, hi = problem(2, 1.0, n=30)
    starts, _ = ended(rounded_starts(K, y, lo, hi, 0.2))
    np.testing.assert_array_equal(starts[-1], 0.0)


def test_bounds_at_which_all_variables_end_leave_a_start():
    K, y, lo, hi = problem(3, 1e-9, n=31)
    starts, _ = ended(rounded_starts(K, y, lo, hi, 0.0))
    assert ((starts[-1] >= lo) & (starts[-1] <= hi)).all()
    assert np.count_nonzero(np.isclose(np.abs(starts[-1]), np.where(starts[-1] > 0, hi, -lo))) >= 25
