"""Kernels that are put together, and the exponential one, against scikit-learn told of the same kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import euclidean_distances, linear_kernel, rbf_kernel
from sklearn.svm import SVC

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import PLACES, Case


def _together(A: Any, B: Any) -> Any:
    return rbf_kernel(A, B, gamma=2.0) + 0.1 * linear_kernel(A, B) ** 2


def _exponential(A: Any, B: Any) -> Any:
    return np.exp(-euclidean_distances(A, B))


def _svc(kernel: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda X, y: SVC(kernel=kernel).fit(X, y).decision_function(PLACES)


def _ridge(X: Any, y: Any) -> Any:
    model = KernelRidge(alpha=len(X) * 0.01, kernel="precomputed").fit(_together(X, X), y)
    return model.predict(_together(PLACES, X))


METHODS = registry()
TOGETHER: dict[str, Any] = {"kernel": "expression", "expression": "gaussian(0.5) + 0.1*linear^2"}
EXPONENTIAL: dict[str, Any] = {"kernel": "exponential"}
CASES = (
    Case("svm, Gaussian + linear²", Pipeline(METHODS["svm"](**TOGETHER)), _svc(_together)),
    Case("svm, exponential", Pipeline(METHODS["svm"](**EXPONENTIAL)), _svc(_exponential)),
    Case("kernel-ridge, Gaussian + linear²", Pipeline(METHODS["kernel-ridge"](**TOGETHER)), _ridge, n_inputs=2),
)
