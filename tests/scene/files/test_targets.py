"""A table whose vertical axis is called a target is opened for regression, whatever method was there."""

import numpy as np
import pytest

from mlviz.algorithms import find
from mlviz.data.dataset import Dataset
from mlviz.scene.defaults import default_scene
from mlviz.scene.files.opening import load, with_table
from mlviz.scene.scene import Panel, roles

ROWS = [[0.0, 5.0, 1.0], [1.0, 3.0, 2.0], [2.0, 4.0, 4.5]]


def opened(method, name, classes=()):
    scene = default_scene()
    panel = scene.panels[0]
    scene = scene.with_panel(0, Panel(panel.pipeline.replace(algorithm=find(method)())))
    labels = [0, 0, 1] if classes else [0, 0, 0]
    dataset = Dataset(np.array(ROWS), np.array(labels), columns=("age", "weight", name), class_names=classes)
    return with_table(scene, dataset, ("age", name))


@pytest.mark.parametrize("name", ["target", "Target", "y", "outcome"])
@pytest.mark.parametrize("method", ["svm", "knn", "linear-regression", "parzen"])
def test_it_is_the_vertical_axis_that_is_predicted(method, name):
    scene = opened(method, name)
    role = roles(scene, scene.panels[0])
    assert (role.task, role.target, role.inputs) == ("regression", name, ("age",))


@pytest.mark.parametrize(("name", "classes"), [("height", ()), ("target", ("cat", "dog"))])
def test_of_other_names_and_with_classes_nothing_is_presumed(name, classes):
    scene = opened("svm", name, classes)
    assert roles(scene, scene.panels[0]).task == ("classification" if classes else "clustering")


@pytest.mark.parametrize("name", ["target", "height"])
def test_a_table_is_read_alike_without_a_window(name, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text(f"age,weight,{name}\n" + "".join(f"{a},{b},{c}\n" for a, b, c in ROWS))
    scene = load(table).scene
    assert scene.axes == ("age", name if name == "target" else "weight")
    role = roles(scene, scene.panels[0])
    assert (role.task == "regression") == (role.target == name) == (name == "target")
