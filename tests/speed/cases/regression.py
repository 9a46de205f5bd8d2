"""Regression by closed forms, in a basis or with a kernel, against scikit-learn's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, PolynomialFeatures, SplineTransformer

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import LINE, PLACES, Case


def _ridge_on(*terms: Any) -> Callable[[Any, Any], Any]:
    return lambda X, y: make_pipeline(*terms, Ridge(alpha=len(X) * 0.01)).fit(X, y).predict(LINE)


def bumps(X: Any) -> Any:
    return np.exp(-((X - np.linspace(-4, 4, 8)) ** 2) / 2)


def waves(X: Any) -> Any:
    angles = 2 * np.pi / 8 * X * np.arange(1, 4)
    return np.hstack((np.cos(angles), np.sin(angles)))


def _haar(X: Any) -> Any:
    """Which eighth a place is in tells the three levels of wavelets."""
    return WAVELETS[np.clip(X[:, 0] + 4, 0, 7.999).astype(int)]


WAVELETS = np.column_stack(
    [np.kron(np.eye(2**level), np.repeat((1.0, -1.0), 4 >> level)).T * 2 ** (level / 2) for level in range(3)]
)


def _line(X: Any, y: Any) -> Any:
    return LinearRegression().fit(X, y).predict(LINE)


def _kernel_ridge(X: Any, y: Any) -> Any:
    model = KernelRidge(alpha=len(X) * 0.01, kernel="rbf", gamma=0.5).fit(X, y)
    return model.predict(LINE if X.shape[1] == 1 else PLACES)


METHODS = registry()
RIDGE = METHODS["linear-regression"](penalty="L2")
POWERS = PolynomialFeatures(5, include_bias=False)
SPLINES = SplineTransformer(6, extrapolation="linear")
CASES = (
    Case("linear-regression, degree 5, L2", Pipeline(RIDGE.replace(basis="polynomial", degree=5)), _ridge_on(POWERS)),
    Case("linear-regression, a line", Pipeline(METHODS["linear-regression"]()), _line),
    Case("linear-regression, splines, L2", Pipeline(RIDGE.replace(basis="splines")), _ridge_on(SPLINES)),
    *(
        Case(
            f"linear-regression, {basis}, L2",
            Pipeline(RIDGE.replace(basis=basis)),
            _ridge_on(FunctionTransformer(terms)),
        )
        for basis, terms in (("Gaussian bumps", bumps), ("Fourier", waves), ("Haar wavelets", _haar))
    ),
    Case("kernel-ridge, one input", Pipeline(METHODS["kernel-ridge"]()), _kernel_ridge),
    Case("kernel-ridge, two inputs", Pipeline(METHODS["kernel-ridge"]()), _kernel_ridge, n_inputs=2),
)
