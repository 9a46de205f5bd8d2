"""Classifiers of Gaussian classes against scikit-learn's."""

from __future__ import annotations

from typing import Any

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from tests.speed.cases import PLACES, Case


def _lda(X: Any, y: Any) -> Any:
    return LinearDiscriminantAnalysis(solver="lsqr").fit(X, y).predict_proba(PLACES)


def _qda(X: Any, y: Any) -> Any:
    return QuadraticDiscriminantAnalysis().fit(X, y).predict_proba(PLACES)


def _naive_bayes(X: Any, y: Any) -> Any:
    return GaussianNB(var_smoothing=0).fit(X, y).predict_proba(PLACES)


METHODS = registry()
CASES = (
    Case("lda", Pipeline(METHODS["lda"]()), _lda),
    Case("lda, 5 classes", Pipeline(METHODS["lda"]()), _lda, n_classes=5),
    Case("qda", Pipeline(METHODS["qda"]()), _qda),
    Case("naive-bayes", Pipeline(METHODS["naive-bayes"]()), _naive_bayes),
    Case("qda, 5 classes", Pipeline(METHODS["qda"]()), _qda, n_classes=5),
)
