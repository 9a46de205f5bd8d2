"""Reweighted least squares in a kernel: the equations of the minimum, and the dual that proves it."""

import numpy as np
import pytest

from mlviz.numerics.convex.kernel_logistic import reweighted
from mlviz.numerics.kernels.base import Gaussian, Laplacian
from tests.sweep import each, trials


def problem(seed, n=None, duplicates=False):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60)) if n is None else n
    X = rng.normal(size=(n, 2)) * 10.0 ** rng.uniform(-1, 1)
    X = np.repeat(X[: (n + 1) // 2], 2, axis=0)[:n] if duplicates else X
    signs = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    signs[:2] = 1.0, -1.0
    shares = rng.uniform(0.1, 2, n)
    return X, signs, shares / shares.sum(), 10.0 ** rng.uniform(-6, 1)


def objective(K, signs, shares, ridge, a, b):
    f = K @ a + b
    return float(shares @ np.logaddexp(0, -signs * f)) + ridge * float(a @ K @ a)


@each("kernel, duplicates", [Gaussian(0.7), Laplacian(1.0)], [False, True])
def test_minima_are_proved_by_their_duals(kernel, duplicates):
    for seed in trials(50):
        X, signs, shares, ridge = problem(seed, duplicates=duplicates)
        K = kernel.matrix(X, X)
        iterates = list(reweighted(K, signs, shares, ridge, np.zeros(len(X)), 0.0))
        last = iterates[-1]
        assert last.settled and last.steps < 60
        assert (np.diff([i.value for i in iterates]) <= 1e-14).all()
        assert abs(last.gap) < 1e-9 * last.value + 1e-14 and last.gradient_norm < 1e-9
        assert last.value == pytest.approx(objective(K, signs, shares, ridge, last.a, last.offset), rel=1e-9)
        wrong = 1 / (1 + np.exp(signs * last.f))
        np.testing.assert_allclose(2 * ridge * last.a, shares * signs * wrong, atol=1e-8)
        for _ in range(5):  # the minimum, indeed
            a = last.a + 1e-2 * np.random.default_rng(seed).normal(size=len(X)) * np.abs(last.a)
            assert objective(K, signs, shares, ridge, a, last.offset + 1e-3) >= last.value * (1 - 1e-12)


def test_from_a_near_start_it_takes_a_step_or_two():
    X, signs, shares, _ = problem(3, 200)
    K = Gaussian(1.0).matrix(X, X)
    *_, last = reweighted(K, signs, shares, 0.01, np.zeros(200), 0.0)
    again = list(reweighted(K, signs, shares, 0.01, last.a, last.offset, last.f))
    assert len(again) <= 2 and again[-1].value == pytest.approx(last.value, rel=1e-14)
    X[0] += 0.05
    K = Gaussian(1.0).matrix(X, X)
    assert len(list(reweighted(K, signs, shares, 0.01, last.a, last.offset))) <= 4
