"""The L1 penalty: parabolas with corners, and Newton's method over them."""

import numpy as np
import pytest
from scipy.optimize import minimize

from mlviz.numerics.convex.logistic_loss import SoftmaxLoss
from mlviz.numerics.convex.newton import least_slope, newton, penalized_parabola_minimum, soft_threshold
from tests.numerics.convex.test_newton import loss
from tests.sweep import each, trials


def by_coordinates(H, r, prices, rounds=20_000):
    """The minimum by descent along one axis after the other."""
    x = np.zeros(len(r))
    for _ in range(rounds):
        before = x.copy()
        for j in range(len(x)):
            x[j] = soft_threshold(H[j, j] * x[j] - H[j] @ x - r[j], prices[j]) / H[j, j]
        if np.abs(x - before).max() < 1e-15:
            break
    return x


@pytest.mark.parametrize("seed", trials(60))
def test_the_lowest_point_of_a_parabola_with_corners(seed):
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 12))
    A = rng.normal(size=(m + 3, m)) * 10.0 ** rng.uniform(-1, 1, m)
    H, r = A.T @ A, rng.normal(size=m) * 10.0 ** rng.uniform(-1, 1, m)
    prices = rng.uniform(0, 2, m) * (rng.random(m) < 0.8)
    for start in (np.zeros(m), rng.normal(size=m)):
        x = penalized_parabola_minimum(H, r, prices, start)
        slope = least_slope(H @ x + r, x, prices)
        assert np.abs(slope).max() < 1e-10 * max(np.abs(r).max(), np.abs(H).max())
    if m < 6:
        other = by_coordinates(H, r, prices)
        value, least = (0.5 * p @ H @ p + r @ p + prices @ np.abs(p) for p in (x, other))
        assert value <= least + 1e-9 * max(1.0, abs(least))


def test_corners_of_a_parabola_that_is_flat_along_a_line():
    H = np.ones((2, 2))  # x1 + x2 alone counts, and the cheaper of both carries it
    x = penalized_parabola_minimum(H, np.array([-3.0, -3.0]), np.array([1.0, 0.5]), np.zeros(2))
    np.testing.assert_allclose(x, [0.0, 2.5], atol=1e-9)


def test_slopes_that_are_rounding_do_not_send_it_back_and_forth():
    worst = 0.0
    for seed in trials(1500):
        rng = np.random.default_rng(seed)
        m = int(rng.integers(3, 13))
        A = rng.normal(size=(m - 1, m)) * 10.0 ** rng.uniform(-3, 0, m)  # flat along a line
        H, prices = A.T @ A, 10.0 ** rng.uniform(-5, 0, m)
        least = np.where(rng.random(m) < 0.4, 0.0, rng.normal(scale=10, size=m))
        # At the minimum all slopes equal the prices, those of the zeros too: whether they go beyond, rounding decides.
        r = -prices * np.where(least != 0, np.sign(least), rng.choice([-1.0, 1.0], m)) - H @ least
        x = penalized_parabola_minimum(H, r, prices, least)
        worst = max(worst, float(np.abs(least_slope(H @ x + r, x, prices) / np.sqrt(H.diagonal())).max()))
    assert worst < 1e-9


def test_newton_settles_at_the_minimum_where_classes_are_even_in_number():
    """Of an input's weights the two middle ones bound an interval by which all may be shifted at the same price."""
    for seed in trials(120):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(12, 60))
        codes = np.arange(n) % 4
        x = rng.normal(size=n) + rng.uniform(0, 1) * codes
        inputs = np.vstack(((x - x.mean()) / x.std(), np.ones(n)))
        f = SoftmaxLoss(inputs, codes, np.full(n, 1 / n), np.zeros(2))
        *_, last = newton(f, f.start(), np.tile([10.0 ** rng.uniform(-5, -3), 0.0], 4))
        assert last.settled and last.gradient_norm < 1e-10 and last.steps < 20


@each("k, price", [2, 3, 5], [1e-3, 0.03, 0.3])
def test_newton_ends_where_no_subgradient_is_left(k, price):
    f, _ = loss(k, 5)
    prices = np.tile(np.append(np.full(4, price), 0.0), 1 if k == 2 else k)
    iterates = list(newton(f, f.start(), prices))
    values, last = [i.value for i in iterates], iterates[-1]
    assert last.settled and last.gradient_norm < 1e-12 and last.steps < 20
    assert (np.diff(values) <= 1e-14).all()
    for seed in range(3):
        *_, other = newton(f, 5 * np.random.default_rng(seed).normal(size=len(prices)), prices)
        assert other.value == pytest.approx(last.value, rel=1e-12)


def test_the_same_minimum_as_of_a_program_with_positive_and_negative_parts():
    f, _ = loss(2, 6, n=40)
    prices = np.append(np.full(5, 0.05), 0.0)
    *_, last = newton(f, f.start(), prices)

    def split(z):
        at = z[:6] - z[6:]
        value, known = f.value(at)
        gradient = f.gradient(at, known)
        return value + prices @ (z[:6] + z[6:]), np.concatenate((gradient + prices, -gradient + prices))

    found = minimize(split, np.full(12, 0.1), jac=True, bounds=[(0, None)] * 12, method="L-BFGS-B",
                     options={"maxiter": 5000, "ftol": 1e-15, "gtol": 1e-10})  # fmt: skip
    assert last.value <= found.fun + 1e-12
    np.testing.assert_allclose(last.at, found.x[:6] - found.x[6:], atol=1e-4)


def test_the_soft_threshold():
    np.testing.assert_allclose(soft_threshold(np.array([-3.0, -0.5, 0.0, 0.5, 2.0]), 1.0), [-2, 0, 0, 0, 1])
