"""Steps along the gradient: each rule keeps its promise, and ends at the minimum that Newton's method finds."""

import itertools

import numpy as np
import pytest

from mlviz.numerics.convex.gradient_descent import FASTER, SLOWER, descent, stochastic
from mlviz.numerics.convex.newton import newton
from tests.numerics.convex.test_newton import loss
from tests.sweep import each, trials


def minimum(f, prices):
    *_, last = newton(f, f.start(), prices)
    return last.value


def prices_of(k, m, price):
    return np.tile(np.append(np.full(m - 1, price), 0.0), 1 if k == 2 else k)


@each("rule, price, k", ["fixed", "1/L", "line search", "bold driver"], [0.0, 0.05], [2, 4])
def test_every_rule_ends_at_the_minimum(rule, price, k):
    f, _ = loss(k, 3)
    prices, start = prices_of(k, 3, price), np.zeros(3 if k == 2 else 3 * k)
    iterates = list(descent(f, prices, start, rule, 0.5, 5000))
    assert iterates[-1].value == pytest.approx(minimum(f, prices), abs=1e-12)
    assert iterates[-1].settled and iterates[0].steps == 0
    assert [i.steps for i in iterates] == list(range(len(iterates)))


@each("rule, price", ["1/L", "line search", "bold driver"], [0.0, 0.05])
def test_these_never_rise(rule, price):
    for seed in trials(20):
        f, at = loss(2, 4, seed=seed, steep=5.0)
        values = [i.value for i in descent(f, prices_of(2, 4, price), at, rule, 100.0, 200)]
        assert (np.diff(values) <= 1e-13 * values[0]).all()


def test_a_step_is_that_against_the_gradient():
    f, at = loss(2, 3)
    first, second, *_ = descent(f, np.zeros(3), at, "fixed", 0.25, 10)
    np.testing.assert_allclose(second.at, at - 0.25 * f.gradient(at, f.value(at)[1]))
    assert second.step_size == 0.25 and first.gradient_norm == pytest.approx(4 * np.linalg.norm(second.at - at))


def test_no_curvature_is_larger_than_l():
    for k in (2, 3):
        for seed in range(20):
            f, at = loss(k, 3, seed=seed)
            hessian = f.derivatives(at, f.value(at)[1])[1]
            if k == 3:
                offsets = np.arange(2, 9, 3)
                hessian[np.ix_(offsets, offsets)] -= 1 / 3
            assert np.linalg.eigvalsh(hessian)[-1] <= f.steepest() * (1 + 1e-12)


def test_the_bold_driver_goes_back_and_halves():
    f, at = loss(2, 3)
    iterates = list(descent(f, np.zeros(3), at, "bold driver", 1000.0, 30))
    for before, after in itertools.pairwise(iterates[1:]):
        expected = before.step_size * (SLOWER if before.taken_back else FASTER)
        assert after.step_size == pytest.approx(expected)
        if after.taken_back:
            np.testing.assert_array_equal(after.at, before.at)
    assert iterates[1].taken_back and sum(not i.taken_back for i in iterates[1:]) > 5


def test_a_step_without_end_is_shown_and_stops():
    f, at = loss(2, 3)  # the penalty's own curvature makes too large a step grow
    iterates = list(descent(f, np.zeros(3), at, "fixed", 1e5, 5000))
    assert iterates[-1].ran_away and len(iterates) < 100
    assert all(np.isfinite(i.value) and np.isfinite(i.at).all() for i in iterates)
    walk = list(stochastic(f, np.zeros(3), at, 1e5, 1, 5000, np.random.default_rng(0)))
    assert walk[-1].ran_away and np.isfinite(walk[-1].at).all()


@pytest.mark.parametrize("batch", [1, 8])
def test_a_walk_gets_near_the_minimum_the_nearer_the_smaller_its_steps(batch):
    f, _ = loss(2, 3)
    least, above = minimum(f, np.zeros(3)), []
    for rate in (0.5, 0.05):
        walk = list(stochastic(f, np.zeros(3), np.zeros(3), rate, batch, 1200, np.random.default_rng(1)))
        above.append(np.mean([i.value for i in walk[-500:]]) - least)
        assert len(walk[1].batch_rows) == batch and walk[-1].steps == 1200
    assert 0 < above[1] < 0.5 * above[0] and above[1] < 0.01


def test_samples_are_drawn_by_their_shares():
    f, _ = loss(2, 3, n=5)
    walk = list(stochastic(f, np.zeros(3), np.zeros(3), 1e-3, 200, 400, np.random.default_rng(0)))
    drawn = np.bincount(np.concatenate([i.batch_rows for i in walk[1:]]), minlength=5) / (200 * 400)
    np.testing.assert_allclose(drawn, f.shares, atol=0.01)
