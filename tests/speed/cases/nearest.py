"""Methods of nearest samples and centres, and least squares on classes, against scikit-learn's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics.pairwise import euclidean_distances, rbf_kernel
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import PLACES, Case


def _knn(X: Any, y: Any) -> Any:
    return KNeighborsClassifier(5).fit(X, y).predict_proba(PLACES)


def _knn_triangular(X: Any, y: Any) -> Any:
    model = KNeighborsClassifier(6, weights=lambda d: 1 - d / d[:, -1:])
    return model.fit(X, y).predict_proba(PLACES)


def _centroid(X: Any, y: Any) -> Any:
    return NearestCentroid().fit(X, y).decision_function(PLACES)


def _rls(X: Any, y: Any) -> Any:
    return RidgeClassifier(alpha=len(X) * 0.01).fit(X, y).decision_function(PLACES)


def _kernel_rls(X: Any, y: Any) -> Any:
    targets = np.where(y, 1.0, -1.0) if y.max() == 1 else (y[:, None] == np.arange(y.max() + 1)).astype(float)
    return KernelRidge(alpha=len(X) * 0.01, kernel="rbf", gamma=0.5).fit(X, targets).predict(PLACES)


def _window(weights: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """The classes' shares of the weights, which are functions of the samples."""

    def shares(X: Any, y: Any) -> Any:
        sums = weights(X) @ (y[:, None] == np.arange(y.max() + 1))
        return sums / sums.sum(axis=1, keepdims=True)

    return shares


METHODS = registry()
CASES = (
    Case("knn, k = 5", Pipeline(METHODS["knn"]()), _knn),
    Case("knn, k = 5, triangular", Pipeline(METHODS["knn"](weights="triangular")), _knn_triangular),
    Case("nearest-centroid", Pipeline(METHODS["nearest-centroid"]()), _centroid),
    Case("rls-classifier", Pipeline(METHODS["rls-classifier"]()), _rls),
    Case("kernel-rls", Pipeline(METHODS["kernel-rls"]()), _kernel_rls),
    Case("kernel-rls, 5 classes", Pipeline(METHODS["kernel-rls"]()), _kernel_rls, n_classes=5),
    Case("parzen, Gaussian", Pipeline(METHODS["parzen"]()), _window(lambda X: rbf_kernel(PLACES, X, gamma=2.0))),
    Case(
        "parzen, exponential",
        Pipeline(METHODS["parzen"](window="exponential")),
        _window(lambda X: np.exp(-2 * euclidean_distances(PLACES, X))),
    ),
    Case(
        "parzen, triangular",
        Pipeline(METHODS["parzen"](window="triangular")),
        _window(lambda X: np.maximum(1e-9, 1 - 2 * euclidean_distances(PLACES, X))),
    ),
)
