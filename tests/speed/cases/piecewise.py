"""Regression by losses that are straight but for their kinks, against scikit-learn's."""

from __future__ import annotations

from typing import Any

from sklearn.linear_model import QuantileRegressor
from sklearn.svm import SVR

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import LINE, PLACES, Case


def _svr(epsilon: float, C: float = 1.0) -> Any:
    def fitted(X: Any, y: Any) -> Any:
        return SVR(C=C, epsilon=epsilon, gamma=0.5).fit(X, y).predict(LINE if X.shape[1] == 1 else PLACES)

    return fitted


def _quantile(X: Any, y: Any) -> Any:
    model = QuantileRegressor(quantile=0.8, alpha=0, solver="highs").fit(X, y)
    return model.predict(LINE if X.shape[1] == 1 else PLACES)


METHODS = registry()
CASES = (
    Case("svr, one input", Pipeline(METHODS["svr"]()), _svr(0.3)),
    Case("svr, one input, epsilon 0.1", Pipeline(METHODS["svr"](epsilon=0.1)), _svr(0.1)),
    Case("svr, one input, epsilon 1", Pipeline(METHODS["svr"](epsilon=1.0)), _svr(1.0)),
    Case("svr, two inputs", Pipeline(METHODS["svr"]()), _svr(0.3), n_inputs=2),
    Case("svr, two inputs, epsilon 1", Pipeline(METHODS["svr"](epsilon=1.0)), _svr(1.0), n_inputs=2),
    Case("svr, two inputs, C = 100", Pipeline(METHODS["svr"](C=100.0)), _svr(0.3, 100.0), n_inputs=2, most=500),
    Case("quantile-regression, one input", Pipeline(METHODS["quantile-regression"](tau=0.8)), _quantile),
    Case("quantile-regression, two inputs", Pipeline(METHODS["quantile-regression"](tau=0.8)), _quantile, n_inputs=2),
)
