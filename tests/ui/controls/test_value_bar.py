"""The window where points have values: the bar with the slider, digits and keys, the menu, pasting."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from mlviz.data.generators.catalog import HillRegression
from mlviz.scene import edits
from mlviz.scene.values import OVER_PLANE
from mlviz.scene.values.edits import with_values

Key = Qt.Key


@pytest.fixture
def valued(window):
    """The window with three points of the values -2, 0 and 2, and k nearest neighbours."""
    window.sidebar.chooser.choose("knn")
    window.sidebar.chooser.tasks.setCurrentText(OVER_PLANE)
    data = window.store.scene.dataset.add([(-2, 1), (0, -1), (2, 2)], 0)
    data = with_values(data, [0, 1, 2], [-2, 0, 2], "y")
    window.store.push(window.store.scene.replace(dataset=data), "add points")
    return window


def y(window):
    return window.store.scene.dataset.X[:, 2].tolist()


def test_the_bar_takes_the_place_of_the_classes_while_points_have_values(window):
    bar, classes = window.actions_.values, window.actions_.classes
    assert bar.isHidden() and not classes.isHidden()
    width = window.actions_._beside.width()
    window.sidebar.chooser.choose("knn")
    window.sidebar.chooser.tasks.setCurrentText(OVER_PLANE)
    assert not bar.isHidden() and classes.isHidden() and window.actions_._beside.width() == width
    assert window.store.undo_what == "choose task" and window.store.scene.dataset.columns == ("x1", "x2", "y")
    window.store.undo()
    assert bar.isHidden() and not classes.isHidden() and window.store.scene.dataset.columns == ("x1", "x2")
    assert window.sidebar.chooser.tasks.currentText() == "classification"
    assert window.actions_.action("class 1").text() == "Class &1"


def test_the_slider_sets_the_selected_points_in_one_step_of_undo(valued):
    bar = valued.actions_.values
    valued.hand.select([0, 1], valued.store.scene.dataset)
    assert bar.control.field.value == -1.0  # their mean
    bar.control.slider.setSliderDown(True)
    for tick in (120, 140, 150):
        bar.control.slider.setValue(tick)
    bar.control.slider.setSliderDown(False)
    assert y(valued) == [1.0, 1.0, 2.0] and valued.store.undo_what == "set values"
    valued.store.undo()
    assert y(valued) == [-2, 0, 2]
    assert valued.hand.value == 1.0  # of the next points


def test_the_ends_of_the_slider_stay_while_it_is_held_and_are_those_of_the_scale_then(valued):
    bar = valued.actions_.values
    valued.hand.select([2], valued.store.scene.dataset)
    bar.control.slider.setSliderDown(True)
    bar.control.slider.setValue(0)
    assert y(valued) == [-2, 0, -2] and bar.control.slider.value() == 0
    assert bar.control.field.scale.value(bar.control.field.scale.ticks) == 2.0
    bar.control.slider.setSliderDown(False)
    assert bar.control.field.scale.value(bar.control.field.scale.ticks) == 0.0
    assert bar.control.field.value == -2.0 and valued.store.undo_what == "set value"
    valued.store.undo()
    assert y(valued) == [-2, 0, 2] and valued.store.undo_what == "add points"


def test_digits_and_keys_choose_values(valued, qtbot):
    canvas = valued.canvas
    for key, value in ((Key.Key_1, -2.0), (Key.Key_5, 0.0), (Key.Key_9, 2.0), (Key.Key_7, 1.0)):
        QTest.keyClick(canvas, key)
        assert valued.hand.value == value and valued.hand.code == 0
    assert valued.actions_.action("class 7").text() == "y = 1 (&7)"
    assert not any(valued.actions_.action(f"class {number}").isChecked() for number in range(1, 10))
    valued.actions_.action("raise value").trigger()
    assert valued.hand.value == 1.2
    valued.hand.select([1], valued.store.scene.dataset)
    valued.actions_.action("lower value").trigger()
    valued.actions_.action("lower value").trigger()
    assert y(valued) == [-2, -0.4, 2] and valued.store.undo_what == "set value"
    valued.store.undo()
    assert y(valued) == [-2, 0, 2]
    QTest.keyClick(canvas, Key.Key_9)
    assert y(valued) == [-2, 0, 2] and valued.hand.value == 2.0  # undo has let go of the selection


def test_the_commands_for_values_rest_where_points_have_none(window):
    assert not window.actions_.action("raise value").isEnabled()
    assert not window.actions_.action("lower value").isEnabled()


def test_next_point_tells_the_value(valued):
    valued.actions_.action("next point").trigger()
    assert "y = −2" in valued.status.currentMessage()


@pytest.mark.parametrize(
    ("text", "row"),
    [("5\t6\n", [5, 6, 0.5]), ("5\t6\t0.25\n", [5, 6, 0.25]), ("x2\ty\tx1\n6\t0.75\t5\n", [5, 6, 0.75])],
)
def test_pasted_points_have_a_value(valued, qtbot, text, row):
    valued.hand.value = 0.5
    QGuiApplication.clipboard().setText(text)
    valued.actions_.action("paste").trigger()
    qtbot.waitUntil(lambda: len(valued.store.scene.dataset) == 4)
    assert valued.store.scene.dataset.X[3].tolist() == row


def test_drawing_again_keeps_the_values(window):
    window.presets.draw(HillRegression().generate(0))
    assert not window.actions_.values.isHidden()
    scene = window.store.scene
    window.store.push(edits.without_samples(scene), "clear data")
    assert window.store.scene.dataset.columns == ("x1", "x2", "y") and not window.actions_.values.isHidden()
    window.actions_.action("next seed").trigger()
    assert len(window.store.scene.dataset) == len(scene.dataset)
    assert not np.array_equal(window.store.scene.dataset.X, scene.dataset.X)


def test_drawing_classes_again_gives_them_their_numbers_as_values_again(window):
    window.presets.draw_preset("moons")
    window.sidebar.chooser.choose("kernel-ridge")
    window.sidebar.chooser.tasks.setCurrentText(OVER_PLANE)
    before = window.store.scene.dataset
    np.testing.assert_array_equal(before.X[:, 2], before.labels)
    window.actions_.action("next seed").trigger()
    data = window.store.scene.dataset
    assert data.columns == ("x1", "x2", "y") and not np.array_equal(before.X, data.X)
    np.testing.assert_array_equal(data.X[:, 2], data.labels)
    assert not window.actions_.values.isHidden()


def test_a_value_is_chosen_for_one_column(valued):
    bar = valued.actions_.values
    QTest.keyClick(valued.canvas, Key.Key_9)
    assert bar.control.field.value == 2.0
    valued.presets.open_shipped("iris")
    valued.sidebar.chooser.choose("knn")
    valued.sidebar.chooser.tasks.setCurrentText(OVER_PLANE)
    scene = valued.store.scene
    name = valued.sidebar.chooser.targets.currentData()
    assert not valued.sidebar.chooser.targets.isHidden() and name in scene.dataset.columns
    column = scene.dataset.X[:, scene.dataset.column(name)]
    assert column.min() <= bar.control.field.value <= column.max()
    assert name.startswith(bar.name.text().rstrip("…"))
    other = valued.sidebar.chooser.targets.itemData(1)
    valued.sidebar.chooser.targets.setCurrentIndex(1)
    assert other.startswith(bar.name.text().rstrip("…")) and valued.store.undo_what == "choose target"
