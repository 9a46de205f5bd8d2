"""A hyperparameter that is played: its values in order, no picture skipped, one step of undo, and what stops it."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from mlviz.data.generators.catalog import generators
from mlviz.picture import PanelPicture, draw
from mlviz.scene import edits
from mlviz.scene.defaults import first_scene
from mlviz.studies.values import NUMBERS, Tried, parameter_of
from mlviz.ui.controls.animation import VALUES
from tests.ui.hands import LEFT, NONE


def scene_of(method="svm", **values):
    scene = edits.with_method(edits.with_drawn(first_scene(), generators()["moons"]().generate(1)), 0, method)
    for name, value in values.items():
        scene = edits.with_value(scene, 0, f"algorithm.{name}", value)
    return scene


def value_in(window, name="C"):
    return getattr(window.store.scene.panels[0].pipeline.algorithm, name)


def answer(window):
    """As the worker would: the picture of what was asked for last."""
    scene, sizes, draft = window.link.requests[-1]
    shown = draw(scene.with_view(step=0), sizes[:1], resolution=8)[0]
    told = {"request": len(window.link.requests), "draft": draft, "sides": None}
    window.link.pictured.emit(PanelPicture(**{**vars(shown), **told}))


def due(window):
    """The time of the next value has come."""
    window.animation._clock.stop()
    window.animation._go_on()


@pytest.fixture
def playing(staged):
    window = staged(scene_of(C=0.5))
    window.player.speed.setCurrentIndex(0)
    window.store.push(edits.with_value(window.store.scene, 0, "algorithm.C", 1.0), "set C")
    window.animate("C")
    return window


def test_it_visits_the_values_of_the_slider_up_and_down(playing, monkeypatch):
    drawn = draw(playing.store.scene, [(60, 60)], resolution=8)
    monkeypatch.setattr(f"{__name__}.draw", lambda *_, **__: drawn)  # all that counts is that there is a picture
    algorithm = playing.store.scene.panels[0].pipeline.algorithm
    values = Tried.over(parameter_of(algorithm, "C", NUMBERS), VALUES).values
    assert (values[0], values[-1], len(values)) == (0.01, 1000.0, VALUES)
    seen = []
    for _ in range(2 * VALUES):
        seen.append(value_in(playing))
        answer(playing)
        due(playing)
    start = values.index(seen[0])
    assert values[start - 1] == 1.0, "it begins where the hyperparameter is"
    there_and_back = [*values[start:], *values[-2::-1], *values[1:]]
    assert seen == there_and_back[: len(seen)]


def test_no_value_comes_before_the_picture_of_the_last_one(playing):
    first, asked = value_in(playing), len(playing.link.requests)
    for _ in range(5):
        due(playing)
    assert value_in(playing) == first and len(playing.link.requests) == asked
    answer(playing)
    assert value_in(playing) != first and len(playing.link.requests) == asked + 1
    second = value_in(playing)
    answer(playing)
    assert value_in(playing) == second, "its time has not come"


def test_a_picture_asked_for_before_does_not_count(playing):
    first = value_in(playing)
    old = draw(playing.store.scene, [(60, 60)], resolution=8)[0]
    playing.link.pictured.emit(PanelPicture(**{**vars(old), "request": playing.animation._awaited - 1}))
    due(playing)
    assert value_in(playing) == first


def go(window, times):
    for _ in range(times):
        answer(window)
        due(window)


def by_escape(window):
    QTest.keyClick(window.canvas, Qt.Key.Key_Escape)


def by_space(window):
    QTest.keyClick(window.canvas, Qt.Key.Key_Space)


def by_its_key(window):
    QTest.keyClick(window.canvas, Qt.Key.Key_Space, Qt.KeyboardModifier.ShiftModifier)


@pytest.mark.parametrize("stop", [by_escape, by_space, by_its_key])
def test_a_whole_run_is_one_step_of_undo(playing, stop):
    go(playing, 7)
    reached = value_in(playing)
    stop(playing)
    assert not playing.animation.running and not playing.store.gesturing and value_in(playing) == reached != 1.0
    for _ in range(3):
        due(playing)
    assert value_in(playing) == reached
    assert playing.store.undo_what == "animate C"
    playing.store.undo()
    assert value_in(playing) == 1.0 and playing.store.undo_what == "set C"


def drag_slider(window):
    window.sidebar.hyperparameters.rows["C"].control.moved.emit(3.0)


def click(window):
    QTest.mouseClick(window.canvas, LEFT, NONE, QPoint(200, 200))


def undo(window):
    window.store.undo()


def another_method(window):
    window.store.push(edits.with_method(window.store.scene, 0, "lda"), "choose method")


@pytest.mark.parametrize("stop", [drag_slider, click, undo, another_method])
def test_whatever_else_changes_the_scene_stops_it(playing, stop):
    go(playing, 3)
    stop(playing)
    now = playing.store.scene
    assert not playing.animation.running
    for _ in range(3):
        due(playing)
    assert playing.store.scene is now


def test_zooming_does_not_stop_it(playing):
    go(playing, 2)
    playing.canvas.zoom(1.3)
    go(playing, 2)
    playing.animation.stop()
    playing.store.undo()
    assert value_in(playing) == 1.0


def test_another_play_takes_its_place(playing):
    go(playing, 3)
    playing.store.push(edits.with_value(playing.store.scene, 0, "algorithm.kernel", "gaussian"), "set kernel")
    playing.animate("C")
    go(playing, 2)
    playing.animate("sigma")
    assert playing.animation.running and playing.store.undo_what == "animate σ"
    playing.store.undo()
    assert playing.store.undo_what == "animate C"


def test_whole_numbers_come_one_by_one(staged):
    window = staged(scene_of("knn", n_neighbors=5))
    window.animate()
    seen = []
    for _ in range(6):
        seen.append(value_in(window, "n_neighbors"))
        go(window, 1)
    assert seen == sorted(set(seen)) and all(isinstance(value, int) for value in seen)
    window.animation.stop()


def test_a_method_without_a_number_says_so(staged):
    window = staged(scene_of("lda"))
    before = window.store.scene
    window.animate("solver of its own")
    assert not window.animation.running and window.store.scene is before
    assert "no hyperparameter" in window.status.currentMessage()


def test_a_right_click_offers_it(staged, monkeypatch):
    monkeypatch.setattr(QMenu, "popup", lambda menu, place: None)  # there is no mouse here to be grabbed
    window = staged(scene_of())
    row = window.sidebar.hyperparameters.rows["C"]
    QApplication.sendEvent(row, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(5, 5), QPoint(50, 50)))
    (menu,) = row.findChildren(QMenu)
    (entry,) = [action for action in menu.actions() if "Animate" in action.text()]
    entry.trigger()
    assert window.animation.running and window.store.undo_what == "animate C"
    window.animation.stop()


def test_with_a_worker_every_value_is_seen(make_window, qtbot):
    window = make_window(scene_of(), live=True)
    qtbot.waitUntil(lambda: not window.link.busy and window.canvas.picture is not None)
    window.player.speed.setCurrentIndex(5)
    asked, seen = [], []
    window.store.listen(lambda change: asked.append(value_in(window)) if change.panels else None)
    window.link.pictured.connect(lambda picture: seen.append(picture.caption))
    window.animate("C")
    qtbot.waitUntil(lambda: len(asked) > 12)
    window.animation.stop()
    qtbot.waitUntil(lambda: not window.link.busy)
    captions = list(dict.fromkeys(seen))
    assert len(captions) >= len(asked), (asked, captions)
    assert np.all(np.diff(asked[:12]) > 0)
    window.store.undo()
    assert value_in(window) == 1.0
