"""Pipelines as scikit-learn's estimators, so that its cross-validation can be asked of them."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline


class _Wrapped(BaseEstimator):
    def __init__(self, method="svm", preprocessing="none", name="C", value=1.0):
        self.method, self.preprocessing, self.name, self.value = method, preprocessing, name, value

    def fit(self, X, y, sample_weight=None):
        algorithm = registry()[self.method](**{self.name: self.value})
        self.model_ = Pipeline(algorithm, self.preprocessing).fit(X, y, sample_weight=sample_weight)
        if y is not None and np.asarray(y).dtype.kind != "f":
            self.classes_ = self.model_.classes
        return self

    def predict(self, X):
        return self.model_.predict(X)

    def predict_proba(self, X):
        return self.model_.predict_proba(X)


class WrappedClassifier(ClassifierMixin, _Wrapped):
    pass


class WrappedRegressor(RegressorMixin, _Wrapped):
    pass
