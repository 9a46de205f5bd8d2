"""A canvas that shows principal components: what the hand does there, alone and beside canvases of columns."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from sklearn.decomposition import PCA

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.plot import Limits
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.preprocessing import preprocessings
from mlviz.scene.canvas_axes import axes_of, fitted_limits, in_components
from mlviz.scene.edits import without_samples
from mlviz.scene.scene import DEFAULT_LIMITS, Panel, Scene, View
from mlviz.ui.shell.status import COMPONENTS_NOTE
from tests.ui.hands import CTRL, Desk, turn_wheel

RNG = np.random.default_rng(4)
DATA = Dataset(RNG.normal(size=(40, 4)) @ RNG.normal(size=(4, 4)) + 10, np.arange(40) % 2, tuple("abcd"))


def scene_of(*ways) -> Scene:
    panels = tuple(Panel(Pipeline(registry()["lda"](), way)) for way in ways)
    scene = Scene(DATA, panels, view=View(equal=False))
    return scene.with_view(limits=fitted_limits(scene))


@pytest.fixture
def desk(qtbot):
    desk = Desk(qtbot)
    desk.store.reset(scene_of("principal-components"))
    return desk


def scores(dataset, of=DATA):
    return PCA(svd_solver="full").fit(of.X).transform(dataset.X)


def test_the_samples_stand_at_their_scores(desk):
    np.testing.assert_allclose(np.abs(desk.canvas._samples.places), np.abs(scores(DATA)[:, :2]), atol=1e-9)
    assert desk.canvas.frame().limits == fitted_limits(desk.store.scene)
    assert "The horizontal axis is component 1 (" in desk.canvas.in_words()


def test_a_click_adds_the_sample_with_these_scores(desk):
    axes = desk.canvas.axes
    place = desk.place(desk.pixel(0.5, 0.7))
    desk.click(0.5, 0.7)
    assert len(desk.data) == 41 and desk.store.undo_what == "add point"
    np.testing.assert_allclose(axes.places(desk.data)[-1], place, atol=0.02)
    np.testing.assert_allclose(scores(desk.data)[-1, 2:], 0, atol=1e-9)


def test_a_drag_moves_a_sample_along_the_components_and_keeps_the_rest(desk):
    axes, before = desk.canvas.axes, scores(DATA)
    start = axes.places(DATA)[7]
    desk.drag(tuple(start), tuple(start * 0.5))
    np.testing.assert_allclose(axes.places(desk.data)[7], start * 0.5, atol=0.05)
    np.testing.assert_allclose(scores(desk.data)[7, 2:], before[7, 2:], atol=1e-9)
    np.testing.assert_array_equal(np.delete(desk.data.X, 7, 0), np.delete(DATA.X, 7, 0))


def test_ctrl_click_removes_the_nearest_and_arrows_nudge(desk):
    x, y = desk.canvas.axes.places(DATA)[11]
    desk.click(x, y, keys=CTRL)
    assert len(desk.data) == 39 and not (DATA.X[11] == desk.data.X).all(axis=1).any()
    desk.store.undo()
    desk.hand.select([3], desk.data)
    axes = desk.canvas.axes
    desk.key(Qt.Key.Key_Right)
    moved = axes.places(desk.data)[3] - axes.places(DATA)[3]
    np.testing.assert_allclose(moved, (desk.canvas.unit()[0], 0), atol=0.51 * desk.canvas.unit().max())


def test_alone_it_can_be_zoomed_and_fitted(desk):
    whole = desk.canvas.frame().limits
    desk.wheel(0, 0, 3)
    x0, x1, *_ = desk.canvas.frame().limits
    assert x1 - x0 < whole[1] - whole[0]
    desk.canvas.fit_view()
    assert desk.canvas.frame().limits == whole


def canvas_limits(window, index) -> Limits:
    return window.panels.canvases[index].axes.limits


def test_beside_columns_it_is_always_seen_whole(window):
    window.store.reset(scene_of("none", "principal-components"))
    columns, components = window.panels.canvases
    before, whole = window.store.scene.view, canvas_limits(window, 1)
    turn_wheel(components, components.rect().center(), 3)
    components.fit_view()
    assert window.store.scene.view.limits == before.limits
    turn_wheel(columns, columns.rect().center(), 3)
    assert window.store.scene.view.limits != before.limits and canvas_limits(window, 1) == whole
    components.hover((1.0, 1.0))
    assert window.hand.cursor is None
    columns.hover((1.0, 1.0))
    assert window.hand.cursor == (1.0, 1.0) and components.cross() is None


def test_while_a_sample_is_dragged_the_limits_stay_under_the_hand(qtbot):
    desk = Desk(qtbot)
    desk.store.reset(scene_of("principal-components", "none"))
    whole = desk.canvas.frame().limits
    start = desk.canvas.axes.places(DATA)[int(np.argmax(desk.canvas.axes.places(DATA)[:, 0]))]
    desk.drag(tuple(start), (whole[1], start[1]), release=False)
    assert desk.canvas.frame().limits == whole != desk.canvas.axes.limits
    desk.let_go(whole[1], start[1])
    assert desk.canvas.frame().limits == desk.canvas.axes.limits


def test_the_list_of_the_window_offers_every_preprocessing(window):
    window.store.reset(scene_of("none"))
    control = window.sidebar.pipeline.rows["preprocessing"].control
    assert [control.itemText(k) for k in range(control.count())] == [one.label for one in preprocessings().values()]
    control.setCurrentText("principal components")
    assert in_components(window.store.scene)
    assert window.store.scene.view.limits == fitted_limits(window.store.scene)
    data = axes_of(window.store.scene, 0).add(DATA, np.array([0.1, 0.2]), 0)
    window.store.push(window.store.scene.replace(dataset=data), "add point")
    assert window.status.currentMessage() == COMPONENTS_NOTE
    window.store.undo()
    window.store.undo()
    assert not in_components(window.store.scene) and window.status.currentMessage() == ""


def test_a_picture_of_the_columns_comes_too_late(make_window, qtbot):
    window = make_window(scene_of("none"), live=True)
    qtbot.waitUntil(lambda: window.canvas.picture is not None)
    late = window.canvas.picture
    window.store.push(scene_of("principal-components"), "change preprocessing")
    assert window.canvas.picture is None
    window.canvas.set_picture(late)
    assert window.canvas.picture is None
    qtbot.waitUntil(lambda: window.canvas.picture is not None)
    assert window.canvas.picture.plot.x_label == axes_of(window.store.scene, 0).names[0]
    assert window.canvas.picture.components_of == DATA.columns


@pytest.mark.parametrize("way", [way for way, kind in preprocessings().items() if kind.projects])
@pytest.mark.parametrize("ways", [1, 2])
def test_without_samples_there_are_no_components_and_the_axes_are_the_columns(desk, way, ways):
    desk.store.reset(scene_of(*[way] * ways))
    desk.store.push(without_samples(desk.store.scene), "clear data")
    assert desk.canvas.axes.names == ("a", "b") and not desk.canvas.axes.components_of
    assert desk.canvas.frame().limits == DEFAULT_LIMITS
    (picture, *_) = draw(desk.store.scene, [desk.canvas.area_size()] * ways, 8)
    desk.canvas.set_picture(picture)
    assert desk.canvas.picture is picture
    assert "The horizontal axis is a," in desk.canvas.in_words()
    place = desk.place(desk.pixel(1, 2))
    desk.click(1, 2)
    np.testing.assert_allclose(desk.data.X[0, :2], place, atol=0.02)
    desk.store.undo()
    desk.store.undo()
    assert desk.canvas.axes.components_of
