"""Playback: the bar moves `view.step`, edits bring the last step back, and a remote clicker goes on after it."""

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import Blobs
from mlviz.draw.plot import Plot
from mlviz.picture import PanelPicture, draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.failures import failure_of
from mlviz.scene.history import Store
from mlviz.scene.scene import Panel
from mlviz.ui.shell.player import MORE_THAN_ALL, Player
from tests.ui.samples import some_points

pytestmark = pytest.mark.slow

KEY = Qt.Key


def picture(step, n_steps=6, finished=True, stage="update"):
    plot = Plot("data", "", "x1", "x2", ())
    return PanelPicture(1, 0, "", plot, step=step, n_steps=n_steps, finished=finished, stage=stage)


@pytest.fixture
def store():
    return Store(default_scene())


@pytest.fixture
def player(qtbot, store):
    player = Player(store)
    qtbot.addWidget(player)
    player.show_picture(picture(5), playable=True)
    return player


def test_the_bar_works_only_where_there_are_steps_and_keeps_its_place(player):
    for shown, playable, usable in ((picture(5), True, True), (picture(0, 1), True, False), (picture(5), False, False)):
        player.show_picture(shown, playable)
        assert (player.usable, player.isHidden()) == (usable, not usable)
        assert player.sizePolicy().retainSizeWhenHidden()


def test_a_draft_leaves_the_bar_in_its_place(player):
    player.show_picture(dataclasses.replace(picture(0, n_steps=1), draft=True), playable=True)
    assert player.usable and not player.isEnabled()
    player.show_picture(picture(0, n_steps=1), playable=True)
    player.show_picture(dataclasses.replace(picture(3), draft=True), playable=True)
    assert not player.usable
    player.show_picture(picture(5), playable=True)
    assert player.usable and player.isEnabled()


def test_nothing_moves_under_the_hand_that_drags_a_sample(qtbot, make_window):
    window = make_window(live=True)
    for method in ("logistic", "kernel-logistic", "gmm", "smo"):
        assert_still(qtbot, window, method)


def assert_still(qtbot, window, method):
    xy = np.array([(0, 0), (1, 0.5), (0.4, 1.2), (2, 2), (3, 2.2), (2.1, 3.0)])
    data = Dataset(xy, np.repeat([0, 1], 3))
    scene = default_scene().replace(dataset=data, panels=(Panel(Pipeline(registry()[method]())),)).with_view(equal=True)
    window.store.reset(scene)
    qtbot.waitUntil(lambda: window.canvas.picture is not None and window.canvas.picture.key == scene.dataset.key)
    # The charts come after the rest, and are shown when the canvas has been painted.
    qtbot.waitUntil(lambda: window.player.usable and not window.link.busy)
    qtbot.waitUntil(lambda: not window._numbers.waiting)
    seen = window.canvas.frame(), list(window.sides.plots), window.player.isVisible()
    for k in range(1, 6):
        moved = xy + np.outer(np.arange(6) == 2, [0.05 * k, 0.02 * k])
        window.store.push(window.store.scene.replace(dataset=Dataset(moved, data.labels)), "move", merge="hand")
        key = window.store.scene.dataset.key
        qtbot.waitUntil(lambda key=key: window.canvas.picture.key == key)
        qtbot.wait(20)
        frame = window.canvas.frame()
        assert window.canvas.picture.draft or k == 1  # a first change may be the only one
        assert (frame.area, frame.limits) == (seen[0].area, seen[0].limits)
        assert (list(window.sides.plots), window.player.isVisible()) == seen[1:]
    window.store.settle()
    qtbot.waitUntil(lambda: not window.canvas.picture.draft and not window.link.busy)
    qtbot.waitUntil(lambda: not window._numbers.waiting)
    assert window.canvas.frame().limits == seen[0].limits
    assert (list(window.sides.plots), window.player.isVisible()) == seen[1:]
    assert window.player.isEnabled()


def test_steps_go_to_and_fro_and_the_last_one_is_none(player, store):
    player.skip(-1)
    assert store.scene.view.step == 4
    player.skip(-MORE_THAN_ALL)
    assert store.scene.view.step == 0
    player.skip(-1)
    assert store.scene.view.step == 0
    player.skip(1)
    assert store.scene.view.step == 1
    player.skip(MORE_THAN_ALL)
    assert store.scene.view.step is None
    player.slider.setValue(3)
    assert store.scene.view.step == 3
    assert store.undo_what is None


def test_playing_starts_at_the_beginning_and_stops_at_the_end(qtbot, player, store):
    player.speed.setCurrentIndex(player.speed.count() - 1)
    seen = []
    store.listen(lambda change: seen.append(change.new.view.step))
    player.toggle()
    assert player.playing
    qtbot.waitUntil(lambda: not player.playing)
    assert seen == [0, 1, 2, 3, 4, None]


def test_an_unfinished_fit_goes_on_playing(player, store):
    player.show_picture(picture(5, finished=False), playable=True)
    player.go(5)
    assert store.scene.view.step == 5


def test_an_edit_shows_the_last_step_again(player, store):
    store.listen(player.follow_edit)
    player.skip(-MORE_THAN_ALL)
    player.toggle()
    store.look(store.scene.with_view(limits=(0.0, 1.0, 0.0, 1.0)))
    assert player.playing and store.scene.view.step == 0
    store.push(store.scene.replace(dataset=store.scene.dataset.add((0, 0), 0)), "add")
    assert not player.playing and store.scene.view.step is None


def test_the_note_says_step_and_stage(player):
    player.show_picture(picture(2, stage="assignment"), playable=True)
    assert player.note.text() == "step 2 of 5\nassignment" and player.slider.value() == 2


def test_k_means_plays_in_the_real_window(qtbot, make_window):

    scene = default_scene().replace(dataset=Blobs().generate(1))
    window = make_window(scene.with_panel(0, Panel(Pipeline(registry()["kmeans"]()))), live=True)
    player = window.player
    qtbot.waitUntil(lambda: player.usable and window.pictures[0].finished)
    last = window.pictures[0].step
    assert last > 1 and player.isVisible()
    window.actions_.action("first").trigger()
    qtbot.waitUntil(lambda: window.pictures[0].step == 0)
    window.actions_.action("step").trigger()
    qtbot.waitUntil(lambda: window.pictures[0].step == 1)
    assert window.pictures[0].stage in player.note.text()
    player.speed.setCurrentIndex(player.speed.count() - 1)
    window.actions_.action("play").trigger()
    qtbot.waitUntil(lambda: not player.playing)
    qtbot.waitUntil(lambda: window.pictures[0].step == last)
    qtbot.waitUntil(lambda: "objective" in window.sides.plots)


def press(window, key):
    QTest.keyClick(window.canvas, key)


def stepping(window, steps):
    """A playback of so many steps, as if the worker had answered with them."""
    window.player._n_steps, window.player._finished = steps, True
    window.actions_.refresh()


def canvases(window, *methods):
    scene = window.store.scene
    for _ in methods[1:]:
        scene = edits.with_another_panel(scene, 0)
    for index, method in enumerate(methods):
        scene = edits.with_method(scene, index, method)
    window.store.push(scene, "canvases")
    window.presentation.show(True)
    QApplication.processEvents()


def test_one_key_goes_through_all_steps_then_the_canvases_and_begins_anew(window):
    window.presets.draw_preset("blobs")
    canvases(window, "kmeans", "gmm")
    stepping(window, 3)
    window.player.go(0)
    seen = []
    for _ in range(5):
        seen.append((window.current, window.store.scene.view.step))
        press(window, KEY.Key_PageDown)
    assert seen == [(0, 0), (0, 1), (0, None), (1, None), (0, 0)]


def test_the_other_key_goes_the_way_back(window):
    window.presets.draw_preset("blobs")
    canvases(window, "kmeans", "gmm")
    stepping(window, 2)
    window.panels.choose(1)
    seen = []
    for _ in range(4):
        seen.append((window.current, window.store.scene.view.step))
        press(window, KEY.Key_PageUp)
    assert seen == [(1, None), (1, 0), (0, 0), (0, 0)]


def test_canvases_without_steps_are_gone_through_too(window):
    canvases(window, "lda", "qda", "knn")
    for expected in (1, 2, 0):
        press(window, KEY.Key_PageDown)
        assert window.current == expected
    assert window.presentation.banner.text() == "linear discriminant analysis"


def test_what_is_hidden_is_shown_before_the_next_canvas(window):
    window.breaking.show(failure_of("slanted"))
    canvases(window, "naive-bayes")
    press(window, KEY.Key_PageDown)
    assert [panel.pipeline.algorithm.id for panel in window.store.scene.panels] == ["naive-bayes", "lda"]
    assert window.current == 0
    press(window, KEY.Key_PageDown)
    assert window.current == 1


def test_others_can_be_revealed_one_at_a_press(window):
    canvases(window, "lda", "qda")
    left = ["second", "first"]
    window.reveals.append(lambda: bool(left) and bool(left.pop()))
    for expected, current in ((["second"], 0), ([], 0), ([], 1)):
        press(window, KEY.Key_PageDown)
        assert left == expected and window.current == current


def test_outside_a_presentation_the_keys_only_step(window):
    window.breaking.show(failure_of("slanted"))
    stepping(window, 3)
    for _ in range(3):
        press(window, KEY.Key_PageDown)
    assert len(window.store.scene.panels) == 1 and window.store.scene.view.step is None
    press(window, KEY.Key_PageUp)
    assert window.store.scene.view.step == 1


def beside(panel, step, n_steps):
    return dataclasses.replace(picture(step, n_steps), panel=panel)


def test_canvases_go_by_the_steps_of_the_one_that_has_most(qtbot, staged):
    scene = default_scene()
    panels = tuple(Panel(Pipeline(registry()[method]())) for method in ("gmm", "kmeans", "lda"))
    window = staged(scene.replace(panels=panels))
    player, store = window.player, window.store
    player.show_picture(beside(0, 2, 3), playable=True)
    player.follow(beside(1, 5, 6))
    player.follow(beside(2, 9, 10))  # its steps are not worth watching
    assert player.slider.maximum() == 5
    assert player.note.text() == "step 5 of 5, canvas 2\nthis canvas finished after 2 steps"
    player.skip(-MORE_THAN_ALL)
    player.show_picture(beside(0, 0, 3), playable=True)
    player.follow(beside(1, 0, 6))
    assert player.note.text() == "step 0 of 5, canvas 2\nupdate"
    player.skip(3)
    player.show_picture(beside(0, 2, 3), playable=True)
    player.follow(beside(1, 3, 6))
    assert store.scene.view.step == 3 and player.slider.value() == 3
    assert player.note.text() == "step 3 of 5, canvas 2\nthis canvas finished after 2 steps"
    player.skip(2)
    assert store.scene.view.step is None
    player.show_picture(beside(1, 5, 6), playable=True)
    assert player.note.text() == "step 5 of 5, canvas 2\nupdate"
    player.follow(beside(0, 5, 6))
    assert player.note.text() == "step 5 of 5\nupdate"


def test_a_canvas_whose_steps_are_over_says_so():
    scene = default_scene().replace(dataset=some_points(60))
    panels = tuple(Panel(Pipeline(registry()[method]())) for method in ("kmeans", "gmm", "lda"))
    scene = scene.replace(panels=panels)
    lengths = [picture.n_steps for picture in draw(scene, [(90, 60)] * 3, 8)]
    assert 1 == lengths[2] < lengths[0] < lengths[1]
    for step in (0, lengths[0] - 1, lengths[0] + 1, None):
        pictures = draw(scene.with_view(step=step), [(90, 60)] * 3, 8)
        for shown, n in zip(pictures, lengths, strict=True):
            over = step is not None and step >= n - 1 > 0
            assert (f"finished after {n - 1} steps" in shown.caption) == over
            assert (f"step {step} of {n - 1}" in shown.caption) == (step is not None and step < n - 1)
    alone = scene.replace(panels=panels[:1]).with_view(step=lengths[0] + 1)
    assert "finished after" not in draw(alone, [(90, 60)], 8)[0].caption
