"""The best scale of a line, against trying many scales."""

import math

import numpy as np
import pytest

from mlviz.numerics.convex.line_objectives import best_scale, objective_of
from tests.sweep import trials

CASES = {
    "hinge": {"l2": 0.5, "l1": 0.0, "total": 2.0},
    "logistic": {"l2": 0.01, "l1": 0.0, "total": None},
    "squared": {"l2": 0.0, "l1": 0.1, "total": None},
}


@pytest.mark.parametrize("loss", CASES)
@pytest.mark.parametrize("seed", trials(4))
def test_no_scale_does_better(loss, seed):
    rng = np.random.default_rng(seed)
    X, coef = rng.normal(size=(40, 2)) * 10.0 ** (seed - 2), rng.normal(size=2)
    f, y = X @ coef, np.where(X @ coef + rng.normal(size=40) * 10.0 ** (seed - 2) > 0, 1.0, -1.0)
    weights = rng.random(40)

    def objective(scale):
        return objective_of(loss, scale * f, scale * coef, y, weights, **CASES[loss])

    scale, value = best_scale(objective, 1 / np.abs(f).max())
    assert value == pytest.approx(objective(scale))
    tried = [objective(s) for s in np.concatenate(([0], np.geomspace(1e-6, 1e6, 4000) / np.abs(f).max()))]
    assert value <= min(tried) * (1 + 1e-9)


def test_a_hard_margin_is_as_wide_as_the_samples_leave_it():
    f, coef, y = np.array([-2.0, -0.5, 1.0, 3.0]), np.array([1.0]), np.array([-1.0, -1, 1, 1])

    def objective(scale):
        return objective_of("hinge", scale * f, scale * coef, y, np.ones(4), l2=0.5, l1=0.0, total=math.inf)

    scale, value = best_scale(objective, 1 / 3)
    assert scale == pytest.approx(2, rel=1e-5) and value == pytest.approx(2, rel=1e-5)
    y[0] = 1
    assert math.isinf(best_scale(objective, 1 / 3)[1])


def test_a_loss_that_only_falls_comes_near_nothing():
    f = np.array([1.0, -1.0])
    y = np.array([1.0, -1.0])
    value = best_scale(lambda s: objective_of("logistic", s * f, f[:1], y, np.ones(2), l2=0.0, l1=0.0, total=None), 1.0)
    assert value[1] == pytest.approx(0, abs=1e-9)
