"""Values over the plane: the column that holds them, and how it comes to be."""

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import HillRegression, Moons, SineRegression
from mlviz.draw.value_scale import ValueScale
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import edits
from mlviz.scene.attempts.edits import kinds_of, what_to_draw
from mlviz.scene.files.scene_file import from_json, to_json
from mlviz.scene.scene import Panel, Scene, roles
from mlviz.scene.values import OVER_PLANE, scale_of_target, task_of, value_column
from mlviz.scene.values.edits import offered_targets, with_column, with_raised_values, with_values

REGRESSIONS = [name for name, method in registry().items() if "regression" in method.tasks]


def scene_of(method="kernel-ridge", data=None):
    if data is None:
        data = Dataset(np.array([[0.0, 1.0], [2.0, -1.0], [1.0, 1.0]]), np.array([0, 2, 1]))
    return Scene(data, (Panel(Pipeline(registry()[method]())),))


@pytest.mark.parametrize("method", REGRESSIONS)
def test_the_task_adds_a_column_of_the_numbers_of_the_classes(method):
    before = scene_of(method)
    scene = edits.with_task(before, 0, OVER_PLANE)
    assert scene.dataset.columns == ("x1", "x2", "y")
    np.testing.assert_array_equal(scene.dataset.X, [[0, 1, 0], [2, -1, 2], [1, 1, 1]])
    role = roles(scene, scene.panels[0])
    assert (role.task, role.inputs, role.target) == ("regression", ("x1", "x2"), "y")
    assert value_column(scene, 0) == "y" and task_of(scene, 0) == OVER_PLANE
    assert edits.with_task(scene, 0, OVER_PLANE) is scene
    back = edits.with_task(scene, 0, "regression")
    assert value_column(back, 0) is None and roles(back, back.panels[0]).inputs == ("x1",)
    again = edits.with_task(back, 0, OVER_PLANE)
    assert again.dataset is scene.dataset and value_column(again, 0) == "y"


def test_an_empty_canvas_has_the_column_too_and_names_do_not_clash():
    empty = edits.with_task(scene_of(data=Dataset.empty()), 0, OVER_PLANE)
    assert empty.dataset.columns == ("x1", "x2", "y") and len(empty.dataset) == 0
    assert scale_of_target(empty, "y") == ValueScale(-1.0, 1.0)
    odd = Dataset(np.zeros((1, 2)), [0], ("y", "y1"), "y2")
    assert with_column(odd, [3.0]).columns == ("y", "y1", "y3")


def test_a_table_of_more_columns_is_asked_which_one():
    data = Dataset(np.arange(12.0).reshape(3, 4), [0, 0, 0], ("a", "b", "c", "d"))
    scene = edits.with_task(scene_of("knn", data), 0, OVER_PLANE)
    assert offered_targets(scene) == ("c", "d") and value_column(scene, 0) == "c" and scene.dataset is data
    turned = edits.with_task(scene.with_view(axes=("c", "b")), 0, OVER_PLANE)
    assert value_column(turned, 0) == "a"


def test_values_are_set_at_rows_and_equal_ones_are_no_change():
    data = edits.with_task(scene_of(), 0, OVER_PLANE).dataset
    changed = with_values(data, [0, 2], 0.5, "y")
    assert changed.X[:, 2].tolist() == [0.5, 2.0, 0.5] and changed.key != data.key
    assert with_values(changed, [2], 0.5, "y") is changed
    np.testing.assert_array_equal(changed.X[:, :2], data.X[:, :2])
    # The scale is 0.5 to 2; a step is a twentieth of it.
    assert with_raised_values(changed, [1, 2], -2, "y").X[:, 2].tolist() == [0.5, 1.85, 0.35]


def test_a_scene_with_values_is_read_again_as_it_was():
    scene = edits.with_task(scene_of(), 0, OVER_PLANE)
    for one in (scene, edits.with_drawn(scene, HillRegression().generate(3))):
        read = from_json(to_json(one))
        assert value_column(read, 0) == "y" and read.dataset.columns == ("x1", "x2", "y")
        np.testing.assert_array_equal(read.dataset.X, one.dataset.X)


@pytest.mark.parametrize("method", [*REGRESSIONS, "svm"])
def test_samples_of_a_surface_are_predicted_over_the_plane_by_every_method(method):
    scene = edits.with_drawn(scene_of(method), HillRegression().generate(0))
    assert value_column(scene, 0) == "y"
    again = edits.with_drawn(scene, HillRegression().generate(1))
    assert value_column(again, 0) == "y"
    curve = edits.with_drawn(again, SineRegression().generate(0))
    assert value_column(curve, 0) is None and roles(curve, curve.panels[0]).target == "x2"
    classes = edits.with_drawn(again, Moons().generate(0))
    assert value_column(classes, 0) is None and roles(classes, classes.panels[0]).task == "classification"


@pytest.mark.parametrize("method", REGRESSIONS)
def test_another_method_keeps_the_values(method):
    scene = edits.with_drawn(scene_of("linear-regression"), HillRegression().generate(0))
    assert value_column(edits.with_method(scene, 0, method), 0) == "y"
    there = edits.with_method(edits.with_method(scene, 0, "svm"), 0, method)
    assert value_column(there, 0) == "y"


@pytest.mark.parametrize("method", REGRESSIONS)
def test_who_predicts_is_told_how_a_surface_is_drawn(method):
    scene = edits.with_drawn(scene_of(method), HillRegression().generate(0))
    assert kinds_of(scene, 0) == ("surface",)
    assert "choose a value, then click" in what_to_draw(scene, 0)
