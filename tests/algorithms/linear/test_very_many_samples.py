"""Of very many samples linear regression keeps a triangle: the answer is the same."""

import numpy as np
import pytest

from mlviz.algorithms.linear.linear_regression import LinearRegression, problem
from tests.sweep import each


@each("penalty, basis", ["none", "L2", "L1", "elastic net", "loss budget"], ["polynomial", "splines", "Gaussian bumps"])
def test_some_samples_at_a_time_give_the_same_model(monkeypatch, basis, penalty):
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, (9000, 2)) + 100
    y = np.sin(X).sum(axis=1) + 0.3 * rng.normal(size=9000) + 1e3
    weights = rng.uniform(0.5, 2, 9000)
    method = LinearRegression(basis, penalty=penalty, n_knots=2, n_centers=4)
    monkeypatch.setattr(problem, "_MANY", 1e9)
    (whole,) = method.steps(X, y, rng, weights)
    monkeypatch.setattr(problem, "_MANY", 1000)
    draft, *waits, few = method.steps(X, y, rng, weights)
    assert len(draft.X) == 2000 and all(wait is draft for wait in waits) and type(few) is type(whole)
    np.testing.assert_allclose(few.predict(X[:100]), whole.predict(X[:100]), atol=1e-7)
    np.testing.assert_allclose(draft.predict(X[:100]), whole.predict(X[:100]), atol=0.5)
    assert few.objective == pytest.approx(whole.objective, rel=1e-9)
    assert few.gradient_norm < 1e-10 or penalty in ("L1", "elastic net")
    if penalty == "none":
        for ours, theirs in zip(few.predict_std(X[:5]), whole.predict_std(X[:5]), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-6)
