"""Support vector machines against scikit-learn's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sklearn.svm import SVC

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import PLACES, Case


def _svc(C: float) -> Callable[[Any, Any], Any]:
    return lambda X, y: SVC(C=C, gamma=0.5).fit(X, y).decision_function(PLACES)


METHODS = registry()
CASES = (
    Case("svm, Gaussian, C = 1", Pipeline(METHODS["svm"](C=1.0)), _svc(1.0)),
    Case("svm, Gaussian, C = 100", Pipeline(METHODS["svm"](C=100.0)), _svc(100.0)),
    Case("svm, 5 classes one-vs-one", Pipeline(METHODS["svm"](C=1.0)), _svc(1.0), n_classes=5),
)
