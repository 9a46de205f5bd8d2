"""How far away one sample is, is nothing to what a method that goes by neighbourhoods says of the others' places."""

from __future__ import annotations

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.numerics.arrays import Array
from mlviz.pipeline.pipeline import Pipeline

RNG = np.random.default_rng(0)
X = RNG.uniform(-4, 4, (40, 1))
VALUES = np.sin(X[:, 0]) + 0.1 * RNG.normal(size=40)
PLACES = np.linspace(-4, 4, 9)[:, None]
BY_NEIGHBOURHOODS = {
    "gp": {},
    "kde": {},
    "kernel-logistic": {},
    "kernel-perceptron": {},
    "kernel-ridge": {},
    "kernel-rls": {},
    "knn": {},
    "mean-shift": {},
    "parzen": {},
    "quantile-regression": {"basis": "kernel"},
    "rbf-network": {},
    "svm": {},
    "svr": {},
}


@pytest.mark.parametrize("distance", [1e12, 1e16, 1e100])
@pytest.mark.parametrize("method", BY_NEIGHBOURHOODS)
def test_a_sample_far_away_takes_no_digits_from_the_others(method: str, distance: float) -> None:
    def answer(far: float) -> Array:
        algorithm = registry()[method](**BY_NEIGHBOURHOODS[method])
        target = np.append(VALUES, 0.0)
        target = target if "regression" in algorithm.tasks else (target > 0).astype(np.int64)
        model = Pipeline(algorithm).fit(np.vstack((X, [[far]])), target)
        words = ("decision_function", "predict_proba", "score_samples", "predict")
        return np.asarray(getattr(model, next(word for word in words if hasattr(model, word)))(PLACES))

    np.testing.assert_allclose(answer(distance), answer(1e3), rtol=1e-7, atol=1e-7)
