"""Pins in the window: the present fit or the one before, named and removed, one step of undo each."""

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from mlviz.picture import draw
from mlviz.scene import edits
from mlviz.scene.pins import pin_names
from mlviz.ui.comparison.fit_pins import PinsDialog
from tests.ui.comparison.test_strip import scene_of


def answer(window):
    """Show what the worker would answer."""
    for picture in draw(window.store.scene, [(200, 150)] * len(window.store.scene.panels), 16):
        window.link.pictured.emit(picture)


def set_C(window, C):
    window.store.push(edits.with_value(window.store.scene, 0, "algorithm.C", C), "change C")
    answer(window)


def press(window, *names):
    for name in names:
        window.actions_.action(name).trigger()
        answer(window)


@pytest.fixture
def pinned(staged):
    """A window with pins for C = 1 and C = 10, the present fit with C = 100."""
    window = staged(scene_of("svm"))
    answer(window)
    press(window, "pin fit")
    set_C(window, 10.0)
    press(window, "pin fit")
    set_C(window, 100.0)
    return window


def names(window):
    return pin_names(window.store.scene, 0)


def roles(window):
    return {mark.role for mark in window.canvas._plot.marks if mark.role.startswith("pin ")}


def test_what_is_pinned_stays_beside_what_comes_after(pinned):
    assert names(pinned) == ["C = 1", "C = 10"] and roles(pinned) == {"pin 0", "pin 1"}
    pinned.store.undo()
    assert names(pinned) == ["C = 1", "C = 10"]
    pinned.store.undo()
    answer(pinned)
    assert len(names(pinned)) == 1 and roles(pinned) == {"pin 0"}


def test_the_fit_before_the_last_change_can_be_pinned_and_nothing_twice(pinned):
    press(pinned, "pin former")
    assert len(names(pinned)) == 2 and pinned.status.currentMessage() == "That fit is pinned already."
    set_C(pinned, 0.1)
    press(pinned, "pin former", "pin former")
    assert names(pinned) == ["C = 1", "C = 10", "C = 100"]
    pinned.canvas.show_ghost(True)
    assert any(mark.role == "ghost" for mark in pinned.canvas._plot.marks)  # the held key as before


def test_without_a_fit_there_is_nothing_to_pin(make_window):
    window = make_window()
    press(window, "pin fit", "pin former")
    assert not window.store.scene.panels[0].pins and "could be pinned" in window.status.currentMessage()


def test_pins_are_renamed_and_removed(pinned):
    def in_dialog():
        dialog = next(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, PinsDialog))
        dialog.list.item(0).setCheckState(Qt.CheckState.Unchecked)
        dialog.list.item(1).setText("the better one")
        dialog.accept()

    QTimer.singleShot(50, in_dialog)
    press(pinned, "pins")
    assert names(pinned) == ["the better one"]
    press(pinned, "undo")
    assert names(pinned) == ["C = 1", "C = 10"]
    press(pinned, "unpin")
    assert not names(pinned) and not roles(pinned)
    assert not pinned.actions_.action("pins").isEnabled()


def test_pins_go_along_with_their_canvas(pinned):
    pinned.actions_.action("add panel").trigger()
    pinned.store.push(edits.with_method(pinned.store.scene, 1, "knn"), "method")
    pinned.panels.choose(1)
    pinned.actions_.action("unpin").trigger()
    pinned.actions_.action("swap previous").trigger()
    assert [len(panel.pins) for panel in pinned.store.scene.panels] == [0, 2]
