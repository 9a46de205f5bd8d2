"""Methods of nearest samples and centres against scikit-learn's."""

from __future__ import annotations

from typing import Any

from sklearn.neighbors import KNeighborsClassifier

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import PLACES, Case


def _knn(X: Any, y: Any) -> Any:
    return KNeighborsClassifier(5).fit(X, y).predict_proba(PLACES)


METHODS = registry()
CASES = (Case("knn, k = 5", Pipeline(METHODS["knn"]()), _knn),)
