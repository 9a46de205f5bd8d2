"""Failures at a click: the line above the canvases, what does better beside it, and the way back."""

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QUrl
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from mlviz.algorithms import registry
from mlviz.scene import edits
from mlviz.scene.failures import failure_of, failures, failures_of
from mlviz.ui.sidebar.method_page import BREAK
from tests.sweep import of_families, share
from tests.ui.hands import LEFT, NONE, mouse

NOTHING = Qt.MouseButton.NoButton


def opened(window):
    """The entries of the menu as they are when it is opened, those of the menus below it in a list of their own."""
    menu = window.actions_.menu("Data/Break it")
    menu.aboutToShow.emit()
    return [action for action in menu.actions() if not action.isSeparator()]


def entry(window, title):
    def find(actions):
        for action in actions:
            if action.menu() is not None and (found := find(action.menu().actions())):
                return found
            if action.text() == title:
                return action
        return None

    found = find(opened(window))
    assert isinstance(found, QAction), title
    return found


def trigger(window, name):
    window.actions_.action(name).trigger()


def said(window):
    breaking = window.breaking
    return breaking.label.text() if breaking.frame.isVisible() else ""


def drag_first(window, release=True):
    canvas, scene = window.canvas, window.store.scene
    start = QPoint(*canvas.frame().to_pixels([scene.dataset.X[0, :2]])[0].round().astype(int).tolist())
    mouse(canvas, QEvent.Type.MouseButtonPress, start, LEFT, LEFT, NONE)
    for way in (8, 16):
        mouse(canvas, QEvent.Type.MouseMove, start + QPoint(way, way), NOTHING, LEFT, NONE)
    if release:
        mouse(canvas, QEvent.Type.MouseButtonRelease, start + QPoint(16, 16), LEFT, NOTHING, NONE)


@pytest.mark.parametrize("method", of_families(registry()))
def test_the_menu_begins_with_the_failures_of_the_present_method(kept_window, method):
    window = kept_window
    for _ in range(2):  # also when it is opened again
        window.store.push(edits.with_method(window.store.scene, 0, method), "choose")
        titles = [action.text() for action in opened(window) if action.menu() is None]
        assert titles[2:] == [failure.title for failure in failures_of(method)]
        below = [action.menu() for action in opened(window) if action.menu() is not None]
        assert sorted(one.text() for menu in below for one in menu.actions()) == sorted(f.title for f in failures())


def test_one_click_shows_the_failure_another_what_does_better_and_undo_goes_back(window):
    window.presets.draw_preset("moons")
    before = window.store.scene
    entry(window, "Exclusive or").trigger()
    scene = window.store.scene
    assert [panel.pipeline.algorithm.id for panel in scene.panels] == ["svm"]
    assert said(window) == failure_of("xor").line("svm")
    window.breaking.better.click()
    assert [panel.pipeline.algorithm.kernel for panel in window.store.scene.panels] == ["linear", "gaussian"]
    assert said(window) and not window.breaking.better.isVisible()
    trigger(window, "undo")
    assert window.store.scene.panels == scene.panels and window.breaking.better.isVisible()
    trigger(window, "undo")
    assert window.store.scene.dataset is before.dataset and window.store.scene.panels == before.panels
    assert not said(window)
    trigger(window, "redo")
    assert said(window) == failure_of("xor").line("svm")


def test_the_line_stays_while_a_hand_moves_the_samples_and_goes_with_others(window):
    window.breaking.show(failure_of("lever"))
    line, place = said(window), window.panels.geometry()
    drag_first(window, release=False)
    assert said(window) == line and window.panels.geometry() == place
    drag_first(window)
    assert said(window) == line and window.panels.geometry() == place
    window.presets.draw_preset("moons")
    assert not said(window)
    trigger(window, "undo")
    assert said(window) == line


def test_the_line_stays_where_the_same_samples_are_held_out_or_relabelled(window):
    window.breaking.show(failure_of("far-and-wrong"))
    line, data = said(window), window.store.scene.dataset
    held_out = np.arange(len(data)) % 3 == 0
    for changed in (dataclasses.replace(data, held_out=held_out, key="another"), data.relabel([0, 1], 1)):
        window.store.push(window.store.scene.replace(dataset=changed), "change")
        assert said(window) == line
        trigger(window, "undo")
        assert said(window) == line
    trigger(window, "clear data")
    assert not said(window)


def test_the_line_goes_with_the_method_that_fails_and_comes_back_with_it(window):
    failure = failure_of("bridge")
    window.breaking.show(failure)
    line = said(window)
    window.store.push(edits.with_method(window.store.scene, 0, "kmeans"), "method")
    assert line and not said(window), "it is of single linkage"
    trigger(window, "undo")
    assert said(window) == line
    window.store.push(edits.with_another_panel(window.store.scene, 0), "canvas")
    window.store.push(edits.with_method(window.store.scene, 1, "kmeans"), "method")
    assert said(window) == line, "another canvas shows it still"


def test_closing_the_line_leaves_the_points(window):
    window.breaking.show(failure_of("xor"))
    data = window.store.scene.dataset
    window.breaking.close.click()
    assert not said(window) and window.store.scene.dataset is data
    assert not window.actions_.action("better beside").isEnabled()


def test_keys_go_through_the_failures_of_the_method(window):
    window.store.push(edits.with_method(window.store.scene, 0, "knn"), "choose")
    ours = failures_of("knn")
    for failure in (*ours, ours[0]):
        trigger(window, "break it")
        assert window.breaking.shown is failure
        assert window.store.scene.panels[0].pipeline == failure.broken("knn").pipeline


def test_the_same_kind_is_drawn_again_with_the_next_seed(window):
    window.breaking.show(failure_of("units"))  # of samples that no generator of the menu draws
    trigger(window, "better beside")
    panels, line = window.store.scene.panels, said(window)
    trigger(window, "next seed")
    expected = failure_of("units").samples(failure_of("units").seed + 1)
    assert (window.store.scene.dataset.X == expected.X).all()
    assert window.store.scene.panels == panels and said(window) == line


def test_several_canvases_give_way_to_one_and_come_back(window):
    trigger(window, "add panel")
    trigger(window, "add panel")
    window.breaking.show(failure_of("too-many"))
    QApplication.processEvents()
    assert len(window.panels.canvases) == 1 and window.current == 0
    trigger(window, "undo")
    assert len(window.panels.canvases) == 3


def test_the_help_offers_the_failures_of_its_method(window):
    trigger(window, "about method")
    text = window.help.browser.toPlainText()
    for failure in failures_of("svm"):
        assert f"{failure.title}: look at {failure.look}." in text
    window.help.browser.anchorClicked.emit(QUrl(f"{BREAK}rare-class"))
    assert said(window) == failure_of("rare-class").line("svm")


@pytest.mark.parametrize(("size", "parts"), [((1024, 768), 4), ((1280, 800), 12)])
def test_every_line_can_be_read_whole_in_a_presentation_too(window, size, parts):
    """The longest in each, and of the others a quarter; where there is more room, a twelfth."""
    longest = sorted(failures(), key=lambda failure: len(failure.line(failure.breaks[0].method)))[-6:]
    for presenting in (False, True):
        window.presentation.show(presenting)
        window.showNormal()
        window.resize(*size)
        others = [failure for failure in failures() if failure not in longest]
        for failure in longest + share(others, f"{size} {presenting}", parts):
            window.breaking.show(failure)
            QApplication.processEvents()
            label = window.breaking.label
            assert label.font().pixelSize() >= (18 if presenting else 11)
            assert label.height() >= label.heightForWidth(label.width()), failure.id
            assert window.canvas.height() > 0.6 * size[1], failure.id
