"""Sums of losses of residuals in their coordinates against the problem as it is given, and each solver by itself."""

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from mlviz.numerics.pauses import finished
from mlviz.numerics.residuals.bounded_slopes import with_bounded_slopes
from mlviz.numerics.residuals.breakdown import fewest_targets
from mlviz.numerics.residuals.concave_powers import _Search, best_of_many
from mlviz.numerics.residuals.losses import Huber, Power
from mlviz.numerics.residuals.power_newton import with_power
from mlviz.numerics.residuals.problem import ResidualProblem
from mlviz.numerics.residuals.reweighted_squares import reweighted

RNG = np.random.default_rng(7)
A = RNG.normal(size=(25, 3)) * (1, 10, 0.1) + 2
Y = A @ [1.0, -0.2, 5.0] + 3 + RNG.standard_t(2, 25)
SHARE = RNG.dirichlet(np.full(25, 4.0))


def objective(loss, ridge, at):
    return SHARE @ loss.values(Y - A @ at[:-1] - at[-1]) + ridge * at[:-1] @ at[:-1]


@pytest.mark.parametrize("ridge", [0.0, 0.05])
def test_coordinates_say_the_same_as_weights(ridge):
    problem = ResidualProblem.of(A, Y, SHARE, ridge)
    z = RNG.normal(size=len(problem.M))
    w, b = problem.weights(z)
    np.testing.assert_allclose(problem.residuals(z) * problem.unit, Y - A @ w - b, atol=1e-11)
    for loss in (Power(2.0), Power(1.0), Power(0.5), Huber(0.7)):
        wanted = objective(loss, ridge, np.append(w, b))
        assert problem.objective(loss, z) == pytest.approx(wanted, rel=1e-9)
    # At the origin are the least squares.
    centred = (A - SHARE @ A) * np.sqrt(SHARE)[:, None]
    oracle = np.linalg.solve(centred.T @ centred + ridge * np.eye(3), centred.T @ (np.sqrt(SHARE) * (Y - SHARE @ Y)))
    np.testing.assert_allclose(problem.weights(np.zeros(len(z)))[0], oracle, atol=1e-10)


def test_columns_that_are_alike_and_constant_ones_get_the_shortest_weights():
    doubled = np.column_stack((A, A[:, 0], np.full(25, 4.0)))
    problem = ResidualProblem.of(doubled, Y, SHARE, 0.0)
    w, _ = problem.weights(np.zeros(len(problem.M)))
    assert len(problem.M) == 4 and w[4] == 0
    np.testing.assert_allclose(w[0], w[3], rtol=1e-9)


@pytest.mark.parametrize("ridge", [1e-3, 1.0, 1e6, 1e12])
def test_directions_that_hardly_vary_have_a_penalty_without_bound(ridge):
    for faint in (1e-6, 1e-9, 1e-11, 1e-12):
        column = 1 + faint * RNG.normal(size=25)
        problem = ResidualProblem.of(np.column_stack((column, A[:, 1])), Y, SHARE, ridge)
        shares = np.linalg.eigvalsh(problem.M)  # of the penalty in what is as curved in all directions
        assert shares[0] > -1e-12 and shares[-1] < 1 + 1e-12
        w, b = problem.weights(z := 0.1 * RNG.normal(size=len(problem.M)))
        left = Y - column * w[0] - A[:, 1] * w[1] - b
        np.testing.assert_allclose(problem.residuals(z) * problem.unit, left, atol=1e-3)


@pytest.mark.parametrize("ridge", [0.0, 0.05])
def test_huber_is_at_its_minimum(ridge):
    problem, loss = ResidualProblem.of(A, Y, SHARE, ridge), Huber(0.7)
    found = finished(with_bounded_slopes(problem, loss))
    w, b = problem.weights(found.z)
    oracle = minimize(lambda at: objective(loss, ridge, at), np.append(w, b), method="Nelder-Mead")
    assert problem.objective(loss, found.z) <= oracle.fun * (1 + 1e-9) and found.gap < 1e-10


def test_absolute_residuals_are_those_of_the_linear_program():
    problem = ResidualProblem.of(A, Y, SHARE, 0.0)
    found = finished(with_bounded_slopes(problem, Power(1.0)))
    system = np.hstack((A, np.ones((25, 1)), np.eye(25), -np.eye(25)))
    cost, bounds = np.concatenate((np.zeros(4), SHARE, SHARE)), [(None, None)] * 4 + [(0, None)] * 50
    least = linprog(cost, A_eq=system, b_eq=Y, bounds=bounds).fun
    assert problem.objective(Power(1.0), found.z) == pytest.approx(least, rel=1e-10)
    assert not found.several and np.count_nonzero(problem.without_rounding(found.z) == 0) == 4


@pytest.mark.parametrize("p", [1.5, 3.0, 20.0])
def test_powers_have_no_slope_at_the_minimum(p):
    problem = ResidualProblem.of(A, Y, SHARE, 0.0)
    found = finished(with_power(problem, p))
    w, b = problem.weights(found.z)
    r = Y - A @ w - b
    slopes = SHARE * np.sign(r) * (np.abs(r) / np.abs(r).max()) ** (p - 1)
    design = np.column_stack((A, np.ones(25)))
    # An error of a residual counts p - 1 times in its slope.
    assert np.abs(design.T @ slopes).max() < 1e-8 * p * (np.abs(design).T @ np.abs(slopes)).max()


def test_reweighted_squares_come_down_to_the_absolute_residuals():
    problem, loss = ResidualProblem.of(A, Y, SHARE, 0.0), Power(1.0)
    values = [problem.objective(loss, z) for z in reweighted(problem, loss, np.zeros(4), 200)]
    least = problem.objective(loss, finished(with_bounded_slopes(problem, loss)).z)
    assert problem.objective(loss, np.zeros(4)) > values[5] > values[20] > least * (1 - 1e-12)
    assert values[-1] == pytest.approx(least, rel=1e-2)  # it comes near by less and less


def test_the_best_low_power_passes_through_samples():
    places = np.column_stack((A[:12, :1], Y[:12]))
    problem = ResidualProblem.of(A[:12, :1], Y[:12], np.full(12, 1 / 12), 0.0)
    found = finished(best_of_many(problem, 0.5, [np.zeros(2)], places))
    least = min(
        np.mean(np.abs(Y[:12] - np.polyval(np.polyfit(A[[i, j], 0], Y[[i, j]], 1), A[:12, 0])) ** 0.5)
        for i in range(12)
        for j in range(i)
    )
    assert problem.objective(Power(0.5), found.z) == pytest.approx(least, rel=1e-6)
    assert found.all_compared and found.compared == 66


def test_half_the_targets_carry_a_median_away_and_one_a_mean():
    x = np.zeros(9)
    assert fewest_targets(x, np.full(9, 1 / 9), 1.0, False) == 5


def test_random_candidates_stay_the_same_places_while_one_sample_moves():
    rng = np.random.default_rng(0)
    places, y = rng.normal(size=(400, 2)), rng.normal(size=400)

    def candidates(places):
        problem = ResidualProblem.of(places, y, np.full(400, 1 / 400), 0.0)
        order = np.lexsort(places.T)
        return set(map(tuple, places[order][_Search(problem, 0.5, places).shuffled[:60]]))

    moved = places.copy()
    moved[7] = (-3.0, 2.0)
    assert len(candidates(places) & candidates(moved)) >= 59
