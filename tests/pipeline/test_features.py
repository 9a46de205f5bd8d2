"""Linear methods on features: what is curved to the eye is straight for them, and it is what scikit-learn says."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from mlviz.algorithms import registry
from mlviz.data.generators.catalog import generators
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.preprocessing.features import Switches

ALL = {parameter.name: True for parameter in Switches.parameters() if parameter.name != "features_standardized"}
METHODS = {"logistic": {"lambda_": 1e-3}, "svm": {"kernel": "linear", "C": 1.0}, "perceptron": {}, "lda": {}}
ORACLES = {
    "logistic": lambda n: LogisticRegression(C=1 / (2e-3 * n), tol=1e-10, max_iter=10_000),
    "svm": lambda n: SVC(kernel="linear", C=1.0, tol=1e-8),
    "lda": lambda n: LinearDiscriminantAnalysis(),
}


def columns(X):
    a, b = X.T
    return np.column_stack((X, a**2, b**2, a * b, np.sin(a), np.sin(b)))


def pipeline(method, **switches):
    return Pipeline(registry()[method](**METHODS[method]), "features", **switches)


@pytest.mark.parametrize("shape", ["circles", "xor"])
@pytest.mark.parametrize("method", METHODS)
def test_circles_and_crosses_are_learned_by_linear_methods(method, shape):
    data = generators()[shape]().generate(3)
    wrong = {}
    for way in ("none", "features"):
        model = Pipeline(registry()[method](**METHODS[method]), way).fit(data.X, data.labels)
        wrong[way] = model.facts()["training error"]
    assert wrong["none"] > 0.2
    oracle = ORACLES.get(method)
    if oracle is None or shape == "circles":
        assert wrong["features"] <= 0.02
    else:
        Z = columns(data.X)[:, :5]
        assert wrong["features"] == pytest.approx(np.mean(oracle(len(Z)).fit(Z, data.labels).predict(Z) != data.labels))


@pytest.mark.parametrize("method", ORACLES)
@pytest.mark.parametrize("standardized", [False, True])
def test_the_scores_are_those_of_scikit_learn_on_the_same_columns(method, standardized):
    data = generators()["xor"]().generate(1)
    model = pipeline(method, **ALL, features_standardized=standardized).fit(data.X, data.labels)
    scaled = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0) if standardized else data.X
    oracle = ORACLES[method](len(scaled)).fit(columns(scaled), data.labels)
    expected = oracle.decision_function(columns(scaled))
    assert_allclose(model.decision_function(data.X), expected, atol=2e-3 * np.abs(expected).max())
