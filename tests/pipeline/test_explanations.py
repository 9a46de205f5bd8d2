import re
from types import SimpleNamespace

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.picture import draw, leading_parts
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.untold import no_class_leads
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.scene import Panel, Scene
from tests.sweep import sweep
from tests.ui.samples import some_points

CENTERS = {"red": (0.0, 2.0), "green": (-2.0, -1.0), "blue": (2.0, -1.0)}


@pytest.mark.parametrize("multiclass", ["one-vs-rest", "one-vs-one"])
@pytest.mark.parametrize("method", ["svm", "knn"])
@pytest.mark.parametrize("name", CENTERS)
def test_the_class_named_at_the_centre_of_a_blob_is_its_own(method, multiclass, name):
    labels = np.repeat(range(3), 20)
    X = np.array(list(CENTERS.values()))[labels] + np.random.default_rng(0).normal(0, 0.3, (60, 2))
    data = Dataset(X, labels, class_names=tuple(CENTERS))
    scene = Scene(data, (Panel(Pipeline(registry()[method](), multiclass=multiclass)),)).with_view(probe=CENTERS[name])
    (picture,) = draw(scene, ((300, 300),), 60)
    assert picture.explanation.sentence.startswith(name)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_no_class_leads_only_where_none_does_on_either_side(side):
    def leads(X):
        return np.maximum(side * X[:, 0], 0.0)

    model = SimpleNamespace(jumps=False, classes=(0, 1), field="decision_function", decision_function=leads)
    assert no_class_leads(model, np.array([-side, 3.0]))
    assert not no_class_leads(model, np.array([0.0, 3.0])), "at the edge of the region of a class"


def test_with_one_of_the_binary_models_fitted_nothing_is_said_and_no_pair_leads():
    X, y = np.random.default_rng(0).normal(size=(30, 2)), np.arange(30) % 3
    for model in Pipeline(registry()["svm"](), multiclass="one-vs-rest").steps(X, y):
        told, leading = model.explain(np.zeros(2)), leading_parts(model, np.zeros(2))
        assert (told is None) is (leading == []) is (len(model.classes) < 2)


@sweep("method", registry())
def test_of_a_number_and_a_place_it_is_said_which_is_which(method):
    """ "−1.11 from −1.33\" could be a difference as well: what lies at a place is named."""
    scene = edits.with_method(default_scene().replace(dataset=some_points(30)), 0, method).with_view(probe=(0.3, 0.4))
    (picture,) = draw(scene, ((300, 300),), 8)
    sentence = "" if picture.explanation is None else picture.explanation.sentence
    assert not re.search(r"\d from (\(|−|\d+\.)", sentence), sentence
