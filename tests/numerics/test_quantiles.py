"""Normal and Student's t, and decisions under asymmetric costs, against SciPy and numerical integration."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from mlviz.numerics.asymmetric_cost import AsymmetricCost
from mlviz.numerics.quantiles import (
    expected_excess,
    half_width,
    standard_density,
    standard_probability,
    standard_quantile,
)
from tests.sweep import each

DEGREES = (0.5, 1.0, 1.5, 2.0, 3.0, 12.0, 1e6, np.inf)
Z = np.array([-30.0, -3.0, -0.5, 0.0, 0.2, 1.0, 4.0, 25.0])


def of(nu):
    return stats.norm() if np.isinf(nu) else stats.t(nu)


@pytest.mark.parametrize("nu", DEGREES)
def test_density_probability_and_quantiles_are_scipys(nu):
    np.testing.assert_allclose(standard_density(Z, nu), of(nu).pdf(Z), rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(standard_probability(Z, nu), of(nu).cdf(Z), rtol=1e-9)
    for p in (1e-9, 0.02, 0.5, 0.9, 1 - 1e-6):
        assert standard_quantile(p, nu) == pytest.approx(of(nu).ppf(p), rel=1e-7, abs=1e-12)
    for level in (0.5, 0.95, 0.999):
        assert half_width(level, nu) == pytest.approx(of(nu).interval(level)[1], rel=1e-9)


def test_without_a_degree_of_freedom_nothing_is_known():
    assert half_width(0.95, 0.0) == np.inf and standard_quantile(0.2, -1.0) == -np.inf
    assert standard_quantile(0.5, 0.0) == 0.0


@pytest.mark.parametrize("nu", [nu for nu in DEGREES if nu > 1])
def test_the_expected_excess_is_the_integral_of_the_tail(nu):
    for z in (-2.0, 0.0, 0.7, 3.0):
        tail = integrate.quad(of(nu).sf, z, np.inf, limit=500, epsabs=1e-12)[0]
        assert expected_excess(np.array([z]), nu)[0] == pytest.approx(tail, rel=1e-5)
    far = expected_excess(np.array([-200.0, 200.0]), nu)
    assert far[0] - far[1] == pytest.approx(200.0) and far[1] >= 0


def test_up_to_one_degree_of_freedom_the_excess_is_infinite():
    assert np.isinf(expected_excess(Z, 1.0)).all()


@each("nu, costs", [1.5, 3.0, 20.0, np.inf], [(1.0, 1.0), (3.0, 1.0), (0.2, 5.0), (1e4, 1.0)])
def test_the_best_decision_minimizes_the_expected_cost(nu, costs):
    cost = AsymmetricCost(*costs)
    shift = cost.shift(nu)
    assert of(nu).cdf(shift) == pytest.approx(cost.share, rel=1e-9)
    found = optimize.minimize_scalar(
        lambda a: cost.expected(np.array([a]), nu)[0], bounds=(shift - 5, shift + 5), method="bounded",
        options={"xatol": 1e-9},
    )  # fmt: skip
    assert shift == pytest.approx(found.x, abs=1e-3 * max(1.0, abs(shift)))
    y = of(nu).rvs(400_000, random_state=3)
    if nu > 2:  # else the mean of so many is still far from that of all
        means = [cost.of(y - a).mean() for a in (shift, shift + 0.3, shift - 0.3)]
        assert means[0] < min(means[1:]) or costs[0] > 1e3
        assert cost.expected(np.array([shift]), nu)[0] == pytest.approx(means[0], rel=0.02 if costs[0] < 1e3 else 0.5)


def test_equal_costs_decide_for_the_middle_and_extreme_ones_keep_their_digits():
    assert AsymmetricCost(2.0, 2.0).shift(3.0) == 0.0
    assert AsymmetricCost(1e6, 1e-6).shift() == -AsymmetricCost(1e-6, 1e6).shift() == pytest.approx(7.0344838253)
    middle = np.array([1.0, 2.0])
    assert (AsymmetricCost().best(middle, np.array([np.inf, np.nan]), 0.0) == middle).all()
