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
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.preprocessing.features import Switches
from mlviz.scene import edits
from mlviz.scene.files.scene_file import from_json, to_json
from mlviz.scene.scene import Panel, Scene
from mlviz.scene.trace import fit_key, fit_of

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


def test_switches_are_part_of_the_scene_and_of_the_fit():
    data = generators()["xor"]().generate(1)
    scene = Scene(data, (Panel(pipeline("logistic", sin_x2=True, x1_squared=False)),))
    again = from_json(to_json(scene))
    assert again.panels[0].pipeline == scene.panels[0].pipeline
    other = edits.with_value(scene, 0, "pipeline.sin_x2", False)
    assert fit_key(other, 0) != fit_key(scene, 0)
    (picture,) = draw(other.with_view(probe=(1.0, 0.5)), [(300, 240)], 40)
    assert "; features x2², x1·x2;" in picture.caption
    model = fit_of(other, 0).pipeline.fit(data.X, data.labels)
    assert picture.facts["weight of x1·x2"].value == pytest.approx(model.inner.coef[3])
    assert "(x1·x2)" in picture.explanation.sentence and "(sin x2)" not in picture.explanation.sentence


@pytest.mark.parametrize("method", ["svm", "perceptron", "lda"])
def test_what_has_its_place_among_the_features_is_not_drawn(method):
    """The field and its lines are, on the canvas, and so is what sits on samples."""
    data = generators()["circles"]().generate(3)
    roles = {}
    for way in ("none", "features"):
        panel = Panel(Pipeline(registry()[method](**METHODS[method]), way), hidden=())
        (picture,) = draw(Scene(data, (panel,)).with_view(probe=(1.0, 0.5)), [(300, 240)], 60)
        roles[way] = {mark.role for mark in picture.plot.marks}
        assert way == "none" or not any(mark.role in ("slack", "weights") for mark in picture.plot.marks)
        assert way == "none" or picture.explanation.marks == ()
    assert {"region", "boundary"} <= roles["features"]
    if method == "svm":
        assert {"margin", "support vector"} <= roles["features"] and "slack" in roles["none"]
    model = fit_of(Scene(data, (panel,)), 0).pipeline.fit(data.X, data.labels)
    boundary = next(mark.xy for mark in picture.plot.marks if mark.role == "boundary")
    boundary = boundary[np.isfinite(boundary).all(axis=1)]
    score = np.abs(model.decision_function(boundary))
    assert score.max() < 0.1 * np.abs(model.decision_function(data.X)).max()


def test_one_input_has_no_features():
    X, y = np.linspace(-1, 1, 9)[:, None], np.linspace(0, 3, 9)
    model = Pipeline(registry()["linear-regression"](), "features").fit(X, y)
    assert model.training.transform.caption == "" and model.training.inputs.shape == (9, 1)
