"""A matrix by the few of its rows that tell all others, and what a program with a tube makes of it."""

import numpy as np
import pytest

from mlviz.algorithms.kernels.piecewise_loss import PiecewiseDual
from mlviz.algorithms.kernels.piecewise_solving import solutions
from mlviz.numerics.kernels.base import Gaussian, Laplacian
from mlviz.numerics.kernels.expression import parse
from mlviz.numerics.pauses import finished
from mlviz.numerics.svm.free_variables import FreeVariables
from mlviz.numerics.svm.low_rank import LowRank, low_rank_on_line
from mlviz.numerics.svm.tube import tube_solver, tube_starts
from mlviz.numerics.svm.wanted_rows import WantedRows
from tests.sweep import trials

PLACES = {
    "spread": lambda rng, n: rng.uniform(-4, 4, n),
    "two heaps": lambda rng, n: np.concatenate((rng.normal(-3, 0.1, n // 2), rng.normal(3, 0.1, n - n // 2))),
    "few places": lambda rng, n: rng.integers(0, 9, n).astype(float),
    "one place": lambda rng, n: np.zeros(n),
    "one far away": lambda rng, n: np.append(rng.uniform(-1, 1, n - 1), 9.0),
}


def on_line(kernel, x):
    X = x[:, None]
    return low_rank_on_line(x, lambda i, j: kernel.matrix(X[i], X[j]), np.ones(len(x))), kernel.matrix(X, X)


@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("n", [200, 501])
@pytest.mark.parametrize("sigma", [0.3, 1.0, 30.0])
def test_it_is_the_matrix_but_for_rounding(where, n, sigma):
    found, K = on_line(Gaussian(sigma), PLACES[where](np.random.default_rng(n), n))
    assert found is not None or where != "spread" or (sigma == 0.3 and n == 200)
    if found is not None:
        np.testing.assert_allclose(found[np.arange(n)], K, atol=2e-13)


def test_it_is_used_like_the_array():
    found, K = on_line(Gaussian(1.0), np.random.default_rng(0).uniform(-3, 3, 200))
    some, b = np.array([3, 7, 3, 30]), np.random.default_rng(1).normal(size=200)
    for key in (5, some, some[:0], np.ix_(some, some[:2])):
        np.testing.assert_allclose(found[key], K[key], atol=1e-13)
    np.testing.assert_allclose(b @ found, b @ K, atol=1e-11)
    np.testing.assert_array_equal(found.diagonal(), np.ones(200))
    assert len(found) == 200
    few = found.leading(1e-6)
    assert 0 < len(few) < len(found.G)
    assert np.abs(few.T @ few - K).max() < 1e-4
    free = np.arange(200) % 60 == 1
    variables = FreeVariables(found, free)
    np.testing.assert_allclose(variables.K, K[np.ix_(free, free)], atol=1e-13)


def test_there_is_none_where_many_rows_matter_or_samples_are_few():
    x = np.random.default_rng(0).uniform(-4, 4, 500)
    assert on_line(Laplacian(1.0), x)[0] is None
    assert on_line(Gaussian(0.01), x)[0] is None
    assert on_line(Gaussian(1.0), x[:100])[0] is None


def test_little_is_asked_of_a_matrix_of_many_rows_that_matter():
    asked, x = [], np.random.default_rng(0).uniform(-4, 4, (500, 1))

    def gram(i, j):
        asked.append((len(x[i]), len(x[j])))
        return Gaussian(0.01).matrix(x[i], x[j])

    assert low_rank_on_line(x[:, 0], gram, np.ones(500)) is None
    assert asked == [(40, 40)]


def problem_of(kernel, X, C=1.0, epsilon=0.0):
    y = np.sin(X[:, 0]) + np.random.default_rng(1).normal(0, 0.3, len(X))
    price = np.full(len(X), C)
    return PiecewiseDual.given(kernel, X, np.arange(len(X)), y, price, price, epsilon)


@pytest.mark.parametrize("text", ["gaussian(1)", "gaussian(0.5) + 3*gaussian(4)", "gaussian(1)*gaussian(3) + 1"])
def test_any_smooth_kernel_of_differences_is_known_by_few_rows(text):
    problem = problem_of(parse(text), np.random.default_rng(0).uniform(-4, 4, (300, 1)))
    K = problem.matrix_by_rows()
    assert isinstance(K, LowRank)
    np.testing.assert_allclose(K[np.arange(300)], problem.gram(), atol=2e-13)


@pytest.mark.parametrize(
    ("text", "C", "d", "n"),
    [
        ("gaussian(1)", 1e6, 1, 300),
        ("gaussian(1)", 1.0, 2, 300),
        ("gaussian(1)", 1.0, 1, 199),
        ("laplacian(100)", 1.0, 1, 300),
        ("gaussian(1) - 0.1*gaussian(3)", 1.0, 1, 300),
        ("gaussian(1) + linear", 1.0, 1, 300),
    ],
)
def test_other_programs_have_the_whole_matrix(text, C, d, n):
    """Bounds that are far apart, several inputs, few samples, kernels with a tip, or that need not be positive."""
    assert problem_of(parse(text), np.random.default_rng(0).uniform(-4, 4, (n, d)), C).matrix_by_rows() is None


def test_where_pairs_do_not_end_few_rows_tell_all_others():
    """A tube that holds half of the samples is tried by pairs, which ask for their rows alone."""
    problem = problem_of(Gaussian(1.0), np.random.default_rng(0).uniform(-4, 4, (400, 1)), 100.0, 0.8)
    K = problem.matrix_by_rows()
    assert isinstance(K, WantedRows)
    assert isinstance(finished(K.complete()), LowRank)


@pytest.mark.parametrize("seed", trials(12))
def test_the_program_ends_where_that_of_the_array_does(seed):
    rng = np.random.default_rng(seed)
    x = PLACES["spread"](rng, 300)
    y, C = np.sin(x) + rng.normal(0, 0.3, 300), 10 ** rng.uniform(-1, 2.5)
    hi, epsilon = C * rng.uniform(0.5, 1, 300), rng.uniform(0.02, 0.6)
    found, K = on_line(Gaussian(1.0), x)
    assert isinstance(found, LowRank)
    objectives = []
    for matrix in (found, K):
        *_, beta = tube_starts(matrix, y, epsilon, -hi, hi)
        solver = tube_solver(matrix, y, epsilon, -hi, hi, beta)
        finished(solver.passes())
        b = solver.beta
        objectives.append(b @ K @ b / 2 - y @ b + epsilon * np.abs(b).sum())
    assert objectives[0] == pytest.approx(objectives[1], rel=1e-9)


@pytest.mark.parametrize("seed", trials(8))
def test_a_curve_fitted_by_it_has_no_gap(seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-4, 4, (400, 1))
    y = np.sin(X[:, 0]) + rng.normal(0, 0.3, 400)
    price = rng.uniform(0.1, 2, 400) if seed % 2 else np.ones(400)
    for epsilon, C in ((0.0, 1.0), (rng.uniform(0.01, 0.4), 10 ** rng.uniform(-1, 2))):
        problem = PiecewiseDual.given(
            Gaussian(1.0), X, np.arange(400), y, C * price, C * price / (1 if epsilon else 3), epsilon
        )
        K = problem.matrix_by_rows()
        assert isinstance(K, LowRank)
        solution = finished(solutions(problem, None, K, None, lambda found: found))
        assert solution.objective - solution.dual_objective <= 1e-8 * solution.objective
        assert solution.kkt_residual < 1e-7
        np.testing.assert_allclose(
            solution.values, solution.found @ problem.gram(), atol=1e-11 * (1 + np.abs(solution.found).sum())
        )


@pytest.mark.parametrize("epsilon", [0.0, 0.01])
def test_an_outlier_that_makes_all_other_targets_small_leaves_few_of_them_open(epsilon):
    rng = np.random.default_rng(0)
    X, y = np.linspace(0, 1, 600)[:, None], rng.normal(size=600)
    y[7] = 1e5
    scale = np.full(600, np.abs(y).mean())
    problem = PiecewiseDual.given(Gaussian(0.2), X, np.arange(600), y, scale, scale, epsilon)
    K = problem.matrix_by_rows()
    assert isinstance(K, LowRank)
    *_, beta = (start for start in problem.starts(K) if start is not None)
    lo, hi = problem.box()
    assert np.count_nonzero((beta > lo) & (beta < hi) & (beta != 0)) < 100
