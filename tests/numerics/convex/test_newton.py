"""Newton's method, and the derivatives it is given by the logistic losses."""

import numpy as np
import pytest

from mlviz.numerics.convex.logistic_loss import FEW_INPUTS, BinaryLoss, SoftmaxLoss
from mlviz.numerics.convex.newton import newton


def loss(k, m, n=50, seed=0, steep=1.0):
    rng = np.random.default_rng(seed)
    inputs = np.vstack((rng.normal(size=(m - 1, n)), np.ones(n)))
    codes, shares = np.arange(n) % k, rng.uniform(0.2, 1, n)
    penalty = np.append(rng.uniform(0.01, 0.1, m - 1), 0.0)
    shares /= shares.sum()
    if k == 2:
        return BinaryLoss(inputs, np.where(codes, 1.0, -1.0), shares, penalty), steep * rng.normal(size=m)
    return SoftmaxLoss(inputs, codes, shares, penalty), steep * rng.normal(size=k * m)


@pytest.mark.parametrize("steep", [1.0, 30.0])
@pytest.mark.parametrize(("k", "m"), [(2, 3), (2, 20), (3, 3), (5, 4), (3, FEW_INPUTS + 2)])
def test_gradient_and_hessian_are_the_slopes_of_the_value(k, m, steep):
    f, at = loss(k, m, steep=steep)
    _, known = f.value(at)
    gradient, hessian = f.derivatives(at, known)
    if k > 2:  # it carries a term that holds the sum of the offsets
        offsets = np.arange(m - 1, k * m, m)
        hessian[np.ix_(offsets, offsets)] -= 1 / k
    for j in range(len(at)):
        step = np.zeros(len(at))
        step[j] = 1e-5
        ahead, behind = f.value(at + step), f.value(at - step)
        assert (ahead[0] - behind[0]) / 2e-5 == pytest.approx(gradient[j], abs=1e-7)
        slopes = [f.derivatives(at + sign * step, side[1])[0] for sign, side in ((1, ahead), (-1, behind))]
        np.testing.assert_allclose((slopes[0] - slopes[1]) / 2e-5, hessian[j], atol=1e-5)


def test_three_classes_keep_their_digits_where_the_loss_is_tiny():
    # Every sample is sure of its own class but for exp(-50), which 1 - p does not show.
    f, at = SoftmaxLoss(np.eye(3), np.arange(3), np.full(3, 1 / 3), np.zeros(3)), 50 * np.eye(3).ravel()
    value, known = f.value(at)
    gradient, _ = f.derivatives(at, known)
    assert value == pytest.approx(2 * np.exp(-50), rel=1e-12)
    np.testing.assert_allclose(gradient.reshape(3, 3), np.exp(-50) * (1 / 3 - np.eye(3)), rtol=1e-12)


@pytest.mark.parametrize("k", [2, 4])
def test_it_ends_where_the_slope_is_zero(k):
    f, _ = loss(k, 3)
    *_, last = newton(f, f.start())
    assert last.settled and last.gradient_norm < 1e-12 and last.steps < 12
    for seed in range(5):  # from far away too
        *_, other = newton(f, 10 * np.random.default_rng(seed).normal(size=len(last.at)))
        assert other.value == pytest.approx(last.value, rel=1e-12)


def test_every_step_of_a_parabola_is_the_first():
    class Parabola:
        def value(self, at):
            return 1.0 + float(((at - 3) ** 2).sum()), None

        def derivatives(self, at, known):
            return 2 * (at - 3), 2 * np.eye(len(at))

    start, first, *_ = newton(Parabola(), np.zeros(2))
    assert start.steps == 0 and first.steps == 1
    np.testing.assert_allclose(first.at, 3.0)
