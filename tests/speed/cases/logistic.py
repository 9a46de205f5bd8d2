"""Logistic regression against scikit-learn's, plain and in the space of a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import rbf_kernel

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import PLACES, Case


def _logistic(X: Any, y: Any) -> Any:
    return LogisticRegression(C=1 / (2 * len(X) * 0.01)).fit(X, y).predict_proba(PLACES)


def _sparse(X: Any, y: Any) -> Any:
    # The only one of its solvers that knows L1 and leaves the offset alone.
    model = LogisticRegression(C=1 / (len(X) * 0.01), l1_ratio=1.0, solver="saga")
    return model.fit(X, y).predict_proba(PLACES)


def _kernel(X: Any, y: Any) -> Any:
    """On exact features, which come from the Gram matrix; its approximate ones are not the same model."""
    values, vectors = np.linalg.eigh(rbf_kernel(X, gamma=0.5))
    kept = values > 1e-12 * values[-1]
    root = vectors[:, kept] * np.sqrt(values[kept])
    model = LogisticRegression(C=1 / (2 * len(X) * 0.01)).fit(root, y)
    w = vectors[:, kept] @ (model.coef_[0] / np.sqrt(values[kept]))
    return rbf_kernel(PLACES, X, gamma=0.5) @ w + model.intercept_


METHODS = registry()
CASES = (
    Case("logistic", Pipeline(METHODS["logistic"]()), _logistic),
    Case("logistic, 5 classes", Pipeline(METHODS["logistic"]()), _logistic, n_classes=5),
    Case("logistic, L1", Pipeline(METHODS["logistic"](penalty="L1")), _sparse),
    Case("kernel-logistic, Gaussian", Pipeline(METHODS["kernel-logistic"]()), _kernel),
)
