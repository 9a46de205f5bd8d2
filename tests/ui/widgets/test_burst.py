"""Changes in quick succession: what is one step of undo, and when it is over."""

import pytest
from PySide6.QtCore import QObject

from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.history import Store
from mlviz.ui.widgets.burst import Burst

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def store():
    return Store(default_scene())


@pytest.fixture
def burst(store, qapp):
    parent = QObject()
    yield Burst(store, parent)
    parent.deleteLater()


def value(store, path="algorithm.C"):
    return edits.value_at(store.scene, 0, path)


def test_steps_in_quick_succession_are_one_step_of_undo_until_the_hand_rests(qtbot, store, burst):
    for _ in range(3):
        burst.step_value(0, "algorithm.C", 1)
    assert value(store) == 10.0 and store.gesturing and store.undo_what == "change C"
    qtbot.waitUntil(lambda: not store.gesturing)
    burst.step_value(0, "algorithm.C", 1)
    store.undo()
    assert value(store) == 10.0
    store.undo()
    assert value(store) == 1.0 and store.undo_what is None


def test_another_subject_begins_another_step(store, burst):
    burst.set_value(0, "algorithm.C", 2.0)
    burst.set_value(0, "algorithm.kernel", "polynomial")
    burst.set_value(0, "algorithm.C", 3.0)
    for expected in (2.0, 2.0, 1.0):
        store.undo()
        assert value(store) == expected
    assert store.undo_what is None


def test_what_is_held_does_not_come_to_rest(qtbot, store, burst):
    burst.set_value(0, "algorithm.C", 2.0, held=True)
    qtbot.wait(1000)
    assert store.gesturing
    burst.settle()
    assert not store.gesturing


def test_a_rest_leaves_the_gesture_of_another_hand_alone(store, burst):
    burst.step_value(0, "algorithm.C", 1)
    store.push(edits.with_value(store.scene, 0, "algorithm.kernel", "polynomial"), "drag", "another hand")
    burst.settle()
    assert store.gesturing
    store.settle()
    assert not store.gesturing


def test_a_change_by_others_in_between_begins_another_step(store, burst):
    burst.step_value(0, "algorithm.C", 1)
    store.push(edits.with_method(store.scene, 0, "knn"), "choose method")
    store.undo()
    burst.step_value(0, "algorithm.C", 1)
    assert value(store) == 5.0
    store.undo()
    assert value(store) == 2.0


def test_what_is_only_looked_at_has_no_history(store, burst):
    burst.set_value(0, "view.step", 3.0)
    assert value(store, "view.step") == 3 and store.undo_what is None and not store.gesturing


def test_the_same_value_again_is_no_change(store, burst):
    burst.set_value(0, "algorithm.C", 1.0)
    assert store.undo_what is None and not store.gesturing
