"""The Python lines that are copied say where their answer is another one than that on the screen."""

import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.picture.sklearn_code import python_code
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.picture.test_code import dataset


@pytest.mark.parametrize(
    ("name", "values", "step"),
    [
        ("linear-regression", {"solver": "gradient, fixed step", "max_iter": 5}, 3),
        ("linear-regression", {"solver": "SGD", "max_iter": 5}, -1),
        ("lp-regression", {}, 1),
        ("logistic", {"max_iter": 5, "solver": "gradient, line search"}, 2),
    ],
)
def test_a_step_on_the_way_is_said_to_be_none_of_the_minimum(name, values, step):
    data, told = dataset(2), "mlviz shows a step on the way to the minimum"
    kind = registry()[name]
    for settings, which, there in ((values, step, True), ({}, -1, False)):
        pipeline = Pipeline(kind(**settings))
        panel = Panel(pipeline) if name == "logistic" else Panel(pipeline, target="height")
        X, y = (data.X, data.labels) if name == "logistic" else (data.X[:, :1], data.X[:, 1])
        model = list(pipeline.steps(X, y))[which]
        assert (told in python_code(Scene(data, (panel,)), 0, model)) == there


@pytest.mark.parametrize(("max_iter", "said"), [(0, True), (100, True), (250, True), (251, False)])
def test_that_scikit_learn_takes_no_few_steps_is_said(max_iter, said):
    data = dataset(2)
    pipeline = Pipeline(registry()["tsne"](max_iter=max_iter))
    code = python_code(Scene(data, (Panel(pipeline),)), 0, pipeline.fit(data.X))
    assert ("scikit-learn no fewer than 250" in code) == said
    assert f"max_iter={max(max_iter, 250)}" in code


def test_no_name_is_imported_twice():
    data = dataset(2)
    pipeline = Pipeline(registry()["gp"](), "standardize")
    panel = Panel(pipeline, target="height")
    code = python_code(Scene(data, (panel,)), 0, pipeline.fit(data.X[:, :1], data.X[:, 1]))
    assert "from sklearn.preprocessing import StandardScaler\n" in code


def test_what_differs_is_said():
    data = dataset(2, n=4000)
    data = Dataset(data.X, data.labels)
    scene = Scene(data, (Panel(Pipeline(registry()["svm"](kernel="linear"))),))
    assert "1,000 of 4,000 samples" in python_code(scene, 0, scene.panels[0].pipeline.fit(data.X, data.labels))
