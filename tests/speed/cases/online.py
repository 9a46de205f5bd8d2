"""Methods that are watched sample by sample or pair by pair, against scikit-learn's loops in C."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Perceptron, SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import PLACES, Case


def _perceptron(X: Any, y: Any) -> Any:
    return Perceptron(max_iter=50, tol=None).fit(X, y).decision_function(PLACES)


def _kernel_perceptron(X: Any, y: Any) -> Any:
    features = Nystroem(gamma=0.5, n_components=len(X))
    return make_pipeline(features, Perceptron(max_iter=50, tol=None)).fit(X, y).decision_function(PLACES)


def _descent(X: Any, y: Any) -> Any:
    machine = SGDClassifier(alpha=0.02, max_iter=20, tol=None, average=True)
    return machine.fit(X, y).decision_function(PLACES)


def _smo(X: Any, y: Any) -> Any:
    return np.asarray(SVC(gamma=0.5).fit(X, y).decision_function(PLACES))


METHODS = registry()
CASES = (
    Case("perceptron, 50 epochs", Pipeline(METHODS["perceptron"]()), _perceptron),
    Case("kernel-perceptron", Pipeline(METHODS["kernel-perceptron"]()), _kernel_perceptron),
    Case("svm-sgd, 20 epochs", Pipeline(METHODS["svm-sgd"]()), _descent),
    Case("smo, C = 1, to 1e-3", Pipeline(METHODS["smo"]()), _smo),
)
