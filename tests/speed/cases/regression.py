"""Regression against scikit-learn's."""

from __future__ import annotations

from typing import Any

from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

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
