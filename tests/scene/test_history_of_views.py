"""What undo does to the view: it keeps the present one, but where what it takes back had brought one of its own."""

import numpy as np

from mlviz.data.dataset import Dataset
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.failures import failure_of
from mlviz.scene.failures.failure import failing
from mlviz.scene.history import Store
from tests.scene.test_history import click, sizes


def test_the_view_is_not_undone() -> None:
    store = Store(default_scene())
    store.push(click(store.scene), "add")
    store.look(store.scene.with_view(limits=(0.0, 1.0, 2.0, 3.0), equal=False, probe=(0.5, 2.5), slice=(0, 0, 1, 1)))
    assert store.undo_what == "add"
    view = store.scene.view
    store.undo()
    assert sizes(store) == 0 and store.scene.view == view
    store.redo()
    assert sizes(store) == 1 and store.scene.view == view


def test_a_change_that_chose_what_is_seen_is_taken_back_with_it() -> None:
    store = Store(default_scene())
    store.look(store.scene.with_view(limits=(0.0, 1.0, 2.0, 3.0)))
    before = store.scene.view
    store.push(failing(store.scene, 0, failure_of("units")), "other samples")
    after = store.scene.view
    assert not after.equal and after.limits != before.limits
    store.look(store.scene.with_view(limits=(0.0, 1.0, 0.0, 100.0)))
    looked = store.scene.view
    store.push(edits.with_method(store.scene, 0, "knn"), "choose method")
    store.undo()
    assert store.scene.view == looked  # it changed no view, so the present one stays
    store.undo()
    assert store.scene.view == before
    store.redo()
    assert store.scene.view == looked


def test_other_axes_come_back_with_their_own_view() -> None:
    data = Dataset(np.zeros((1, 3)), [0], ("a", "b", "c"))
    store = Store(default_scene().replace(dataset=data))
    before = store.scene.view
    store.push(store.scene.with_view(axes=("a", "c"), limits=(0.0, 9.0, 0.0, 9.0)), "axes")
    store.undo()
    assert store.scene.view == before
