import gc
import weakref

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.decomposition import PCA

from mlviz.algorithms import registry
from mlviz.data.tables import shipped
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.preprocessing import preprocessings
from mlviz.scene import edits
from mlviz.scene.canvas_axes import axes_of, axes_of_view, fitted_limits, in_components, other_components
from mlviz.scene.files import scene_file
from mlviz.scene.history import Store
from mlviz.scene.scene import Panel, Scene, View, roles

IRIS = shipped.load_shipped("iris")
SCORES = PCA(2, svd_solver="full").fit_transform(IRIS.X)


def panel(preprocessing="principal-components", method="svm", **changes):
    return Panel(Pipeline(registry()[method](), preprocessing), **changes)


def scene_of(*panels, **view):
    return Scene(IRIS, panels or (panel(),), view=View(**view))


def test_the_components_are_those_of_all_columns():
    scene = scene_of()
    axes = axes_of(scene, 0)
    assert roles(scene, scene.panels[0]).inputs == IRIS.columns
    assert axes.names == ("component 1 (92.5\u00a0%)", "component 2 (5.31\u00a0%)")
    assert_allclose(axes.places(IRIS), SCORES, atol=1e-9)
    assert axes.components_of == IRIS.columns and axes.shared
    named = scene_of(panel(inputs=IRIS.columns[:3]))
    assert_allclose(np.abs(axes_of(named, 0).places(IRIS)), np.abs(PCA(2).fit_transform(IRIS.X[:, :3])), atol=1e-8)


def test_columns_stay_columns():
    scene = scene_of(panel("whiten"))
    axes = axes_of(scene, 0)
    assert axes.names == scene.axes and axes.projection is None and axes.key == scene.axes
    assert_array_equal(axes.places(IRIS), scene.dataset.X[:, list(scene.axis_columns)])
    assert axes.limits == scene.view.limits


def test_a_value_is_predicted_from_the_components_of_the_other_columns():
    scene = scene_of(panel(method="kernel-ridge", target=IRIS.columns[3]))
    assert roles(scene, scene.panels[0]).inputs == IRIS.columns[:3]
    (picture,) = draw(scene.with_view(limits=fitted_limits(scene)), [(200, 150)], 30)
    assert picture.message is None and any(mark.role == "value" for mark in picture.plot.marks)


def test_samples_held_out_or_switched_off_turn_no_component():
    held = np.arange(len(IRIS)) % 2 == 1
    data = type(IRIS)(IRIS.X, IRIS.labels, IRIS.columns, held_out=held)
    found = axes_of(Scene(data, (panel(),)), 0)
    expected = PCA(2, svd_solver="full").fit(IRIS.X[~held])
    assert_allclose(found.places(data), expected.transform(IRIS.X), atol=1e-9)


def test_a_new_sample_has_the_scores_of_its_place_and_is_average_otherwise():
    axes = axes_of(scene_of(), 0)
    data = axes.add(IRIS, np.array([1.0, -0.5]), 2)
    assert len(data) == len(IRIS) + 1 and data.labels[-1] == 2
    pca = PCA(svd_solver="full").fit(IRIS.X)
    scores = pca.transform(data.X[-1:])[0]
    assert_allclose(scores, (1.0, -0.5, 0, 0), atol=1e-9)
    few = axes_of(scene_of(panel(inputs=IRIS.columns[:3])), 0).add(IRIS, np.array([0.2, 0.1]), 0)
    assert_allclose(few.X[-1, 3], IRIS.X[:, 3].mean())


def test_a_moved_sample_keeps_what_the_axes_do_not_show():
    axes = axes_of(scene_of(), 0)
    rows, target = np.array([3, 70]), np.array([(0.0, 0.0), (2.0, 1.0)])
    data = axes.move(IRIS, rows, target)
    assert_allclose(axes.places(data)[rows], target, atol=1e-9)
    pca = PCA(svd_solver="full").fit(IRIS.X)
    assert_allclose(pca.transform(data.X)[rows, 2:], pca.transform(IRIS.X)[rows, 2:], atol=1e-9)
    row, distance = axes.nearest(data, np.array([2.0, 1.01]), np.ones(2))
    assert row == 70 and distance == pytest.approx(0.01)


def test_the_view_is_of_components_where_all_panels_show_them():
    both, mixed = scene_of(panel(), panel(method="knn")), scene_of(panel("none"), panel())
    assert in_components(both) and not in_components(mixed)
    assert axes_of(both, 1).limits == both.view.limits and axes_of_view(both).components_of
    own = axes_of(mixed, 1)
    x0, x1, y0, _ = own.limits
    assert not own.shared and axes_of_view(mixed).projection is None
    assert x0 < SCORES[:, 0].min() < SCORES[:, 0].max() < x1 and y0 < SCORES[:, 1].min()
    assert fitted_limits(mixed) == fitted_limits(scene_of(panel("none")))


def test_components_of_other_inputs_do_not_share_the_view():
    scene = scene_of(panel(), panel(method="kernel-ridge", target=IRIS.columns[3]), panel(method="knn"))
    assert [axes_of(scene, index).shared for index in range(3)] == [True, False, True]
    store = Store(scene_of(panel(inputs=IRIS.columns[:3])))
    store.push(store.scene.with_panel(0, panel()), "choose inputs")
    assert store.scene.view.limits == fitted_limits(store.scene)


def test_switching_shows_the_samples_and_undo_brings_the_old_view_back():
    start = scene_of(panel("none"), limits=(4.0, 8.0, 1.5, 5.0), probe=(5.0, 3.0), equal=False)
    store = Store(start)
    store.push(store.scene.with_panel(0, panel()), "change preprocessing")
    assert store.scene.view.limits == fitted_limits(store.scene) and store.scene.view.probe is None
    store.look(store.scene.with_view(limits=(-1.0, 1.0, -1.0, 1.0)))
    store.undo()
    assert store.scene.view.limits == (4.0, 8.0, 1.5, 5.0)
    store.redo()
    assert in_components(store.scene) and store.scene.view.limits != (4.0, 8.0, 1.5, 5.0)
    store.push(edits.with_another_panel(store.scene, 0), "add canvas")
    kept = store.scene.view.limits
    store.push(store.scene.with_panel(1, panel("none")), "change preprocessing")
    assert store.scene.view.limits == fitted_limits(store.scene) != kept


def test_pictures_of_mixed_panels_have_the_view_each_of_its_own_axes():
    scene = scene_of(panel("none"), panel(), equal=False, probe=(5.0, 3.0))
    scene = scene.with_view(limits=fitted_limits(scene))
    columns, components = draw(scene, [(200, 150)] * 2, 30)
    assert columns.plot.limits == scene.view.limits and columns.explanation is not None
    assert components.plot.limits == axes_of(scene, 1).limits and components.explanation is None
    assert components.plot.x_label.startswith("component 1 (")
    assert components.components_of == IRIS.columns and columns.components_of == ()


def test_the_probe_is_explained_at_its_scores():
    scene = scene_of(panel(method="linear-regression", target=IRIS.columns[3]))
    (picture,) = draw(scene.with_view(limits=(-4, 4, -2, 2), probe=(1.0, 0.5)), [(200, 150)], 30)
    model = scene.panels[0].pipeline.fit(IRIS.X[:, :3], IRIS.X[:, 3])
    place = model.training.transform.to_user(np.array([(1.0, 0.5)]))[0]
    assert model.explain(place).sentence.split(" ")[0] in picture.explanation.sentence
    assert "component 1 (" in picture.explanation.sentence and "x1" not in picture.explanation.sentence


def test_a_scene_of_components_comes_back_from_its_file():
    scene = scene_of(panel(), panel("whiten", method="kmeans"), limits=(-4.0, 4.0, -2.0, 2.0))
    back = scene_file.from_json(scene_file.to_json(scene))
    assert back.panels == scene.panels and back.view == scene.view


@pytest.mark.parametrize("n", [0, 1, 2])
def test_a_canvas_of_components_starts_empty(n):
    data = type(IRIS)(IRIS.X[:n], IRIS.labels[:n], IRIS.columns)
    scene = Scene(data, (panel(method="kmeans"),))
    axes = axes_of(scene, 0)
    assert axes.places(data).shape == (n, 2) and np.isfinite(axes.places(data)).all()
    more = axes.add(data, np.array([2.0, 1.0]), 0)
    assert np.isfinite(more.X).all() and draw(scene.replace(dataset=more), [(100, 100)], 20)[0].plot.x_label


def test_a_column_that_is_gone_is_told():
    scene = scene_of(panel(inputs=("petal_length", "gone")))
    assert axes_of(scene, 0).projection is None
    assert "no column 'gone'" in draw(scene, [(100, 100)], 20)[0].message


def test_the_axes_of_a_scene_are_learned_once_and_go_with_it():
    scene = scene_of()
    assert axes_of(scene, 0) is axes_of(scene, 0)
    assert axes_of(scene.with_view(equal=False), 0).projection is axes_of(scene, 0).projection
    gone = weakref.ref(scene)
    del scene
    gc.collect()
    assert gone() is None


def test_axes_that_another_preprocessing_makes_of_the_same_inputs_are_others(monkeypatch):
    class Reversed(type(preprocessings()["principal-components"])):
        id = "reversed"

    known = {**preprocessings(), "reversed": Reversed()}
    for room in ("mlviz.pipeline.pipeline", "mlviz.scene.canvas_axes"):
        monkeypatch.setattr(f"{room}.preprocessings", lambda: known)
    other = panel("principal-components")
    object.__setattr__(other.pipeline, "preprocessing", "reversed")
    scene, changed = scene_of(panel()), scene_of(other)
    assert axes_of(scene, 0).components_of == axes_of(changed, 0).components_of
    assert axes_of(scene, 0).key != axes_of(changed, 0).key and other_components(changed, scene)
    assert not other_components(scene_of(panel()), scene)
    both = scene_of(panel(), other)
    assert axes_of(both, 0).shared and not axes_of(both, 1).shared
