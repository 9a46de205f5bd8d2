"""The ghost is the fit that undo goes back to, whatever gesture came last and however the worker answered it."""

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Lines
from mlviz.draw.plot import Plot, ghost
from mlviz.picture import PanelPicture, draw
from mlviz.scene import edits
from mlviz.scene.change import Change
from mlviz.scene.defaults import default_scene
from mlviz.ui.canvas import former_fit
from tests.ui.hands import LEFT, NONE, mouse

KEY, NO_BUTTON = Qt.Key, Qt.MouseButton.NoButton
SIZE = [(400, 300)]


def answer(window):
    """What the worker makes of the request made last, a draft where one was asked for."""
    QApplication.processEvents()
    scene, _, draft = window.link.requests[-1]
    for picture in draw(scene, SIZE, 12, "canvas"):
        window.link.pictured.emit(dataclasses.replace(picture, draft=draft))
    QApplication.processEvents()


def press_keys(window):
    for _ in range(2):
        QTest.keyClick(window.canvas, KEY.Key_Up)
        answer(window)


def drag(window, end=QEvent.Type.MouseButtonRelease):
    canvas = window.canvas
    window.hand.tool = "move"
    at = QPoint(*np.rint(canvas.frame().to_pixels(window.store.scene.dataset.X[:1])[0]).astype(int).tolist())
    mouse(canvas, QEvent.Type.MouseButtonPress, at, LEFT, LEFT, NONE)
    for _ in range(2):
        at += QPoint(18, 14)
        mouse(canvas, QEvent.Type.MouseMove, at, NO_BUTTON, LEFT, NONE)
        answer(window)
    if end is None:
        QTest.keyClick(canvas, KEY.Key_Escape)
    mouse(canvas, QEvent.Type.MouseButtonRelease, at, LEFT, NO_BUTTON, NONE)


def drag_and_take_back(window):
    drag(window, None)


def click(window):
    window.hand.tool = "pen"
    QTest.mouseClick(window.canvas, LEFT, NONE, window.canvas.rect().center() + QPoint(40, 30))


def click_and_take_back(window):
    window.hand.tool = "pen"
    at = window.canvas.rect().center()
    mouse(window.canvas, QEvent.Type.MouseButtonPress, at, LEFT, LEFT, NONE)
    answer(window)
    QTest.keyClick(window.canvas, KEY.Key_Escape)
    mouse(window.canvas, QEvent.Type.MouseButtonRelease, at, LEFT, NO_BUTTON, NONE)


def choose_before_the_slider_rests(window):
    press_keys(window)
    window.burst.set_value(0, "pipeline.preprocessing", "standardize")
    answer(window)


def choose_another_method(window):
    window.store.push(edits.with_method(window.store.scene, 0, "lda"), "choose method")


GESTURES = (
    press_keys,
    drag,
    click,
    drag_and_take_back,
    press_keys,
    click_and_take_back,
    choose_before_the_slider_rests,
    drag,
    choose_another_method,
    drag,
    drag_and_take_back,
)


def looks(marks):
    return [(type(mark), mark.role, mark.places().round(9).tolist()) for mark in marks]


@pytest.mark.parametrize("method", ["svm", "kmeans", "kernel-ridge"])
def test_after_every_gesture_the_ghost_is_the_fit_that_undo_goes_to(window, method):
    rng = np.random.default_rng(4)
    X = np.vstack((rng.normal((-1.2, 0.5), 0.8, (12, 2)), rng.normal((1.2, -0.5), 0.8, (12, 2))))
    scene = default_scene().replace(dataset=Dataset(X, np.repeat([0, 1], 12)))
    window.store.reset(edits.with_method(scene, 0, method))
    canvas, seen = window.canvas, 0
    answer(window)
    canvas.show_ghost(True)
    for gesture in GESTURES:
        gesture(window)
        window.burst.settle()
        answer(window)
        (undone,) = draw(window.store._past[-1].scene, SIZE, 12, "canvas")
        found = [mark for mark in canvas._plot.marks if mark.role == "ghost"]
        assert looks(found) == looks(ghost(undone.plot.marks)), gesture.__name__
        seen += bool(found)
    assert seen > len(GESTURES) // 2


def test_a_ghost_is_made_when_it_is_asked_for(monkeypatch):
    """Not at each change, which has to be answered first."""
    made, scene = [], default_scene()
    line = Lines("boundary", np.array([[0.0, 0.0], [1.0, 1.0]]))
    picture = PanelPicture(0, 0, scene.dataset.key, Plot("data", "", "x1", "x2", (line,)))
    monkeypatch.setattr(former_fit, "ghost", lambda marks: made.append(marks) or ghost(marks))
    former = former_fit.FormerFit()
    former.follow(Change(scene, scene.replace(dataset=scene.dataset.add([[1.0, 2.0]], 0))), picture, going_on=False)
    assert not made and [mark.role for mark in former.marks] == ["ghost"] and made == [(line,)]
