"""Regression against scikit-learn's."""

from __future__ import annotations

from typing import Any

from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Lasso, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures, SplineTransformer

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import LINE, PLACES, Case


def _ridge(X: Any, y: Any) -> Any:
    model = make_pipeline(PolynomialFeatures(5, include_bias=False), Ridge(alpha=len(X) * 0.01))
    return model.fit(X, y).predict(LINE)


def _kernel_ridge(X: Any, y: Any) -> Any:
    model = KernelRidge(alpha=len(X) * 0.01, kernel="rbf", gamma=0.5).fit(X, y)
    return model.predict(LINE if X.shape[1] == 1 else PLACES)


METHODS = registry()
CASES = (
    Case(
        "linear-regression, degree 5, L2",
        Pipeline(METHODS["linear-regression"](basis="polynomial", degree=5, penalty="L2")),
        _ridge,
    ),
    Case("kernel-ridge, one input", Pipeline(METHODS["kernel-ridge"]()), _kernel_ridge),
    Case("kernel-ridge, two inputs", Pipeline(METHODS["kernel-ridge"]()), _kernel_ridge, n_inputs=2),
)


def _splines(X: Any, y: Any) -> Any:
    model = make_pipeline(SplineTransformer(6, extrapolation="linear"), Ridge(alpha=len(X) * 0.01))
    return model.fit(X, y).predict(LINE)


def _lasso(X: Any, y: Any) -> Any:
    mapped = MinMaxScaler((-1, 1)), PolynomialFeatures(9, include_bias=False)
    return make_pipeline(*mapped, Lasso(0.005)).fit(X, y).predict(LINE)


CASES += (
    Case(
        "linear-regression, splines, L2",
        Pipeline(METHODS["linear-regression"](basis="splines", penalty="L2")),
        _splines,
    ),
    Case(
        "linear-regression, degree 9, L1",
        Pipeline(METHODS["linear-regression"](basis="polynomial", degree=9, penalty="L1")),
        _lasso,
    ),
)
