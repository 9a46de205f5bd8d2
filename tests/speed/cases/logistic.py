"""Logistic regression against scikit-learn's."""

from __future__ import annotations

from typing import Any

from sklearn.linear_model import LogisticRegression

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import PLACES, Case


def _logistic(X: Any, y: Any) -> Any:
    return LogisticRegression(C=1 / (2 * len(X) * 0.01)).fit(X, y).predict_proba(PLACES)


METHODS = registry()
CASES = (
    Case("logistic", Pipeline(METHODS["logistic"]()), _logistic),
    Case("logistic, 5 classes", Pipeline(METHODS["logistic"]()), _logistic, n_classes=5),
)
