"""Linear machines of the hinge loss: the L1 one against its linear program by HiGHS, several classes at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linprog
from sklearn.svm import LinearSVC

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import PLACES, Case


def _linear_program(X: Any, y: Any) -> Any:
    # scikit-learn does not solve this problem; SciPy's HiGHS does.
    n, d = X.shape
    A = np.where(y, 1.0, -1.0)[:, None] * np.column_stack((X, np.ones(n)))
    cost = np.concatenate((np.full(d, 0.01), [0.0], np.full(d, 0.01), [0.0], np.full(n, 1 / n)))
    bounds = [(0, None)] * len(cost)
    found = linprog(cost, A_ub=-np.hstack((A, -A, np.eye(n))), b_ub=-np.ones(n), bounds=bounds, method="highs")
    u = np.asarray(found.x)[: d + 1] - np.asarray(found.x)[d + 1 : 2 * d + 2]
    return PLACES @ u[:-1] + u[-1]


def _crammer_singer(X: Any, y: Any) -> Any:
    return LinearSVC(multi_class="crammer_singer").fit(X, y).decision_function(PLACES)


METHODS = registry()
CASES = (
    Case("l1-svm", Pipeline(METHODS["l1-svm"]()), _linear_program),
    Case(
        "svm, linear, 5 classes at once",
        Pipeline(METHODS["svm"](kernel="linear"), multiclass="direct"),
        _crammer_singer,
        n_classes=5,
    ),
)
