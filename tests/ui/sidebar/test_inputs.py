"""The list of inputs: which columns the method reads is ticked by mouse or keys, and undo takes a tick back."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from sklearn.decomposition import PCA

from mlviz.algorithms import registry
from mlviz.data.tables.shipped import load_shipped
from mlviz.draw.marks import Arrows, Text
from mlviz.scene import edits
from mlviz.scene.files.scene_file import from_json, to_json
from mlviz.scene.scene import roles
from tests.sweep import of_families

pytestmark = pytest.mark.slow

IRIS = load_shipped("iris")


def show_iris(window, method="svm"):
    window.store.reset(edits.with_dataset(window.store.scene, IRIS))
    window.sidebar.chooser.choose(method)
    if window.sidebar.inputs.columns.isHidden() or not window.sidebar.inputs.columns.isVisible():
        window.sidebar.inputs.head.click()
    return window.sidebar.inputs.columns


def click(columns, name):
    """On the box of a column."""
    (item,) = columns.findItems(name, Qt.MatchFlag.MatchExactly)
    columns.scrollToItem(item)
    box = columns.visualItemRect(item)
    QTest.mouseClick(columns.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(box.left() + 10, box.center().y()))


def inputs(window):
    return roles(window.store.scene, window.sidebar.panel).inputs


@pytest.mark.parametrize("method", of_families(registry()))
def test_a_click_on_a_column_is_one_step_of_undo_for_every_method(kept_window, method):
    window = kept_window
    columns = show_iris(window, method)
    before = window.store.scene.panels[0]
    assert before.inputs is None
    offered = edits.offered_inputs(window.store.scene, before)
    name = next(name for name in offered if name not in inputs(window))
    usual = inputs(window)
    click(columns, name)
    assert set(inputs(window)) == {*usual, name} and window.store.undo_what == f"add input {name}"
    click(columns, name)
    assert window.store.scene.panels[0].inputs is None, "just the usual ones are no choice of one's own"
    window.store.undo()
    window.store.undo()
    assert window.store.scene.panels[0] == before


def test_by_keys_alone(qtbot, window):
    columns = show_iris(window)
    with qtbot.waitActive(window):
        window.activateWindow()
    window.sidebar.inputs.head.setFocus()
    qtbot.keyClick(window.sidebar.inputs.head, Qt.Key.Key_Tab)
    assert columns.hasFocus()
    for key in (Qt.Key.Key_End, Qt.Key.Key_Space):
        qtbot.keyClick(columns, key)
    assert inputs(window) == (*window.store.scene.axes, IRIS.columns[-1])
    assert window.store.undo_what == f"add input {IRIS.columns[-1]}"


def test_the_last_input_and_the_target_stay_as_they_are(window):
    columns = show_iris(window, "linear-regression")
    window.store.push(edits.with_task(window.store.scene, 0, "regression"), "choose task")
    x, y = window.store.scene.axes
    before = window.store.scene
    for name in (x, y):
        click(columns, name)
    assert window.store.scene is before
    window.sidebar.inputs.all.click()
    assert inputs(window) == tuple(name for name in IRIS.columns if name != y)
    turned = window.store.scene.with_view(axes=(y, IRIS.columns[2]))
    target = edits.with_task(turned, 0, "regression").panels[0]
    assert IRIS.columns[2] not in roles(turned, target).inputs, "what is predicted is no input"
    window.sidebar.inputs.on_axes.click()
    assert inputs(window) == (x,) and window.store.scene.panels[0].inputs is None


def test_the_list_is_there_where_there_is_something_to_choose(window):
    assert window.sidebar.inputs.isHidden()
    columns = show_iris(window)
    assert not window.sidebar.inputs.isHidden()
    for name in IRIS.columns[2:]:
        click(columns, name)
    scene = from_json(to_json(window.store.scene))
    assert scene.panels[0].inputs == IRIS.columns
    window.sidebar.inputs.head.click()
    assert window.sidebar.inputs.head.text() == "Inputs: 4 of 4 columns"
    window.store.undo()
    window.store.undo()
    assert window.sidebar.inputs.head.text() == "Inputs: those on the axes"


def test_principal_components_of_all_four_columns_by_clicks(qtbot, make_window):
    """They are scikit-learn's: the variances, the scores on the canvas, and the loadings drawn there."""
    window = make_window(live=True)
    columns = show_iris(window, "pca")
    for name in IRIS.columns[2:]:
        click(columns, name)
    truth = PCA(svd_solver="full").fit(IRIS.X)

    def picture_with(**preprocessing):
        picture = window.pictures.get(0)
        assert picture is not None and picture.key == window.store.scene.dataset.key and not picture.draft
        assert picture.preprocessing == preprocessing.get("preprocessing", "none") and picture.sides
        assert "variance 4" in picture.facts or preprocessing
        return picture

    def bars(picture):
        (bar,) = (mark for mark in picture.sides[0].marks if mark.role == "bar")
        return [corners[:, 1].max() for corners in bar.vertices]

    qtbot.waitUntil(lambda: picture_with() is not None)
    picture = picture_with()
    np.testing.assert_allclose(bars(picture), truth.explained_variance_, rtol=1e-9)
    told = [picture.facts[f"variance {j}"].value for j in range(1, 5)]
    np.testing.assert_allclose(told, truth.explained_variance_, rtol=1e-9)
    assert "projected along the other inputs" in picture.caption
    (arrows,) = (mark for mark in picture.plot.marks if isinstance(mark, Arrows))
    components = truth.components_[:3] * np.sign(arrows.end - arrows.start)[:, :1] * np.sign(truth.components_[:3, :1])
    drawn = np.sqrt(truth.explained_variance_[:3, None]) * components[:, :2]
    np.testing.assert_allclose(arrows.end - arrows.start, drawn, atol=1e-9)

    control = window.sidebar.pipeline.rows["preprocessing"].control
    control.setCurrentIndex(control.findText("principal components"))
    projected = {"preprocessing": "principal-components"}
    qtbot.waitUntil(lambda: picture_with(**projected) is not None)
    picture = picture_with(**projected)
    np.testing.assert_allclose(bars(picture), truth.explained_variance_, rtol=1e-9)
    (loadings,) = (mark for mark in picture.plot.marks if isinstance(mark, Arrows) and mark.role == "loading")
    expected = truth.components_[:2].T * np.sqrt(truth.explained_variance_[:2])
    np.testing.assert_allclose(np.abs(loadings.end), np.abs(expected), atol=1e-9)
    (words,) = (mark for mark in picture.plot.marks if isinstance(mark, Text) and mark.role == "loading")
    assert words.words == IRIS.columns
    places = window.canvas.axes.places(IRIS)
    np.testing.assert_allclose(np.abs(places), np.abs(truth.transform(IRIS.X)[:, :2]), atol=1e-9)
    # An input's loading has the sign of its correlation with the scores that are drawn.
    for k in (0, 1):
        signs = [np.sign(np.corrcoef(IRIS.X[:, j], places[:, k])[0, 1]) for j in range(4)]
        np.testing.assert_array_equal(np.sign(loadings.end[:, k]), signs)


def test_layers_that_stand_among_features_are_greyed_with_the_reason(window):
    show_iris(window)
    control = window.sidebar.pipeline.rows["preprocessing"].control
    control.setCurrentIndex(control.findText("features"))
    boxes = window.sidebar.layers.boxes
    assert not boxes["slack"].isEnabled() and "no place on the two axes" in boxes["slack"].toolTip()
    assert boxes["regions"].isEnabled() and boxes["support vectors"].isEnabled()
    before = window.store.scene
    window.sidebar.pipeline.rows["sin_x1"].control.click()
    assert window.sidebar.panel.pipeline.sin_x1 and window.store.undo_what == "change sin x1"
    window.store.undo()
    assert window.store.scene.panels == before.panels
    control.setCurrentIndex(control.findText("none"))
    assert boxes["slack"].isEnabled() and not window.sidebar.pipeline.rows["sin_x1"].isVisible()


def test_what_a_button_reads_is_said_in_words_that_need_no_tooltip(window):
    """ "Usual" said nothing; where all columns are read anyway, one button suffices."""
    show_iris(window)
    assert window.sidebar.inputs.on_axes.text() == "On the axes" and not window.sidebar.inputs.on_axes.isHidden()
    panel = window.store.scene.panels[0]
    projecting = replace(panel.pipeline, preprocessing="principal-components")
    window.store.push(window.store.scene.with_panel(0, replace(panel, pipeline=projecting)), "projection")
    assert projecting.preprocessor.projects and window.sidebar.inputs.on_axes.isHidden()
