"""Rows of a matrix that are worked out when they are asked for, and the program with a tube that asks for few."""

import numpy as np
import pytest

from mlviz.numerics.pauses import finished
from mlviz.numerics.svm.free_variables import FreeVariables
from mlviz.numerics.svm.pairs import smo
from mlviz.numerics.svm.tube import tube_solver, tube_starts
from mlviz.numerics.svm.wanted_rows import WantedRows
from tests.sweep import trials


class Asked(WantedRows):
    """Knows how many rows were worked out, and whether all were."""

    def __init__(self, K):
        self.rows, self.completed = [], False
        super().__init__(self._some(K), self._all(K), K.diagonal().copy())

    def _some(self, K):
        def some(rows):
            self.rows.extend(rows.tolist())
            return K[rows]

        return some

    def _all(self, K):
        def whole():
            self.completed = True
            yield
            return K

        return whole


def gaussian(n, seed):
    X = np.random.default_rng(seed).uniform(-4, 4, (n, 2))
    return X, np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2)


def test_it_is_used_like_the_array():
    _, K = gaussian(40, 0)
    rows = Asked(K)
    some, b = np.array([3, 7, 3, 30]), np.zeros(40)
    b[[7, 12]] = 2.0, -1.0
    np.testing.assert_array_equal(rows[5], K[5])
    np.testing.assert_array_equal(rows[some], K[some])
    np.testing.assert_array_equal(rows[np.ix_(some, some)], K[np.ix_(some, some)])
    np.testing.assert_array_equal(rows[some[:0]], K[some[:0]])
    np.testing.assert_allclose(b @ rows, b @ K, atol=1e-15)
    np.testing.assert_array_equal(rows.diagonal(), K.diagonal())
    assert len(rows) == 40
    assert sorted(rows.rows) == [3, 5, 7, 12, 30]  # none of them twice


@pytest.mark.parametrize("few", [False, True])
def test_free_variables_ask_for_their_own_rows_alone(few):
    _, K = gaussian(40, 0)
    rows, free = Asked(K), np.arange(40) % (8 if few else 2) == 1
    change = np.linspace(-1, 1, int(free.sum()))
    np.testing.assert_allclose(FreeVariables(rows, free).product(change), change @ K[free], atol=1e-14)
    assert sorted(rows.rows) == np.flatnonzero(free).tolist() and not rows.completed


@pytest.mark.parametrize("share", [0.05, 0.25, 0.5, 0.9])
@pytest.mark.parametrize("seed", trials(4))
def test_the_solution_is_that_of_the_whole_matrix(share, seed):
    """With a tube that leaves such a share of the samples outside, some of them equal."""
    X, K = gaussian(160, seed)
    X[100:120], K[100:120] = X[:20], K[:20]
    K[:, 100:120] = K[:, :20]
    rng = np.random.default_rng(seed)
    y = np.sin(X).sum(axis=1) + rng.normal(0, 0.3, 160)
    y -= np.median(y)
    epsilon = float(np.quantile(np.abs(y), 1 - share))
    hi = rng.uniform(0.1, 5, 160)
    found = []
    for matrix in (Asked(K), K):
        *_, beta = (start for start in tube_starts(matrix, y, epsilon, -hi, hi) if start is not None)
        solver = tube_solver(matrix, y, epsilon, -hi, hi, beta)
        while not solver.advance():
            pass
        found.append((solver.g, solver.beta @ (solver.g / 2 - y) + epsilon * np.abs(solver.beta).sum()))
    np.testing.assert_allclose(found[0][0], found[1][0], atol=1e-7)
    assert found[0][1] == pytest.approx(found[1][1], rel=1e-12)


def test_a_wide_tube_asks_for_few_rows_and_a_narrow_one_for_all():
    X, K = gaussian(300, 1)
    y, hi = np.sin(X).sum(axis=1), np.ones(300)
    wide, narrow = Asked(K), Asked(K)
    *_, beta = tube_starts(wide, y, 1.2, -hi, hi)
    solver = tube_solver(wide, y, 1.2, -hi, hi, beta)
    while not solver.advance():
        pass
    assert 0 < np.count_nonzero(solver.beta) <= len(wide.rows) < 60
    assert not wide.completed
    *_, beta = tube_starts(narrow, y, 0.01, -hi, hi)
    assert narrow.completed


@pytest.mark.parametrize("seed", trials(4))
def test_no_pair_makes_the_objective_worse_with_a_tube_and_none_crosses_0(seed):
    X, K = gaussian(40, seed)
    rng = np.random.default_rng(seed)
    y, hi = np.sin(X).sum(axis=1) + rng.normal(0, 0.5, 40), rng.uniform(0.1, 3, 40)
    start, before = rng.uniform(-0.1, 0.1, 40), np.inf
    start -= start.mean()
    for most in range(1, 60):
        beta, _ = finished(smo(K, y, -hi, hi, 1e-6, start, most, epsilon=0.4))
        objective = beta @ (K @ beta / 2 - y) + 0.4 * np.abs(beta).sum()
        assert objective <= before + 1e-12
        before = objective
