"""Canvases that are compared: laid out over a hyperparameter in one action, swapped, under one cursor."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from mlviz.scene import comparing, edits
from mlviz.ui.comparison.values_dialog import ValuesDialog
from tests.ui.comparison.test_strip import answer, scene_of
from tests.ui.hands import LEFT, NONE, mouse

KEY, CTRL, NO_BUTTON = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.MouseButton.NoButton


def methods(window):
    return [panel.pipeline.algorithm.id for panel in window.store.scene.panels]


def values(window, name="C"):
    return [getattr(panel.pipeline.algorithm, name) for panel in window.store.scene.panels]


def test_one_key_lays_the_main_hyperparameter_out_and_one_undo_takes_it_back(staged):
    window = staged(scene_of("knn", "svm"))
    window.panels.choose(1)
    before = window.store.scene.panels
    window.actions_.action("compare main").trigger()
    assert values(window) == list(comparing.spread(window.store.scene, 0, "algorithm.C"))
    assert window.canvas is window.panels.canvases[values(window).index(1.0)]  # the canvas of the value of before
    assert "Undo" in window.status.currentMessage()
    window.store.undo()
    assert window.store.scene.panels == before


def open_menu(window, name):
    """The menu of a right click on a hyperparameter."""
    row = window.sidebar.hyperparameters.rows[name]
    QTest.mouseClick(row, Qt.MouseButton.RightButton)
    QApplication.sendEvent(
        row, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(2, 2), row.mapToGlobal(QPoint(2, 2)))
    )
    menus = row.findChildren(QMenu)
    return menus[-1].actions() if menus else []


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")
def test_a_right_click_on_a_hyperparameter_compares_its_values(staged):
    window = staged(scene_of("svm"))
    open_menu(window, "kernel")[0].trigger()
    assert len(set(values(window, "kernel"))) == len(window.store.scene.panels) > 2
    window.store.undo()

    told = []

    def in_dialog():
        dialog = next(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, ValuesDialog))
        dialog.line.setText("0.1, x")
        dialog.accept()
        told.append((dialog.isVisible(), dialog.problem.text()))
        dialog.line.setText("0,1; 0,5")
        dialog.accept()

    QTimer.singleShot(50, in_dialog)
    open_menu(window, "sigma")[1].trigger()
    assert values(window, "sigma") == [0.1, 0.5]
    assert told[0][0] and told[0][1].startswith("σ is a number")


def test_what_can_not_be_laid_out_has_no_menu(staged):
    window = staged(scene_of("svm"))
    window.store.push(edits.with_value(window.store.scene, 0, "algorithm.kernel", "expression"), "kernel")
    assert not open_menu(window, "expression")


def drag(window, one, other, escape=False):
    """Drag the line under a canvas onto another canvas."""
    source, target = window.panels.canvases[one], window.panels.canvases[other]
    start = source._cell(source.size()).below.center().toPoint()
    goal = source.mapFromGlobal(target.mapToGlobal(target.rect().center()))
    mouse(source, QEvent.Type.MouseButtonPress, start, LEFT, LEFT, NONE)
    for share in (0.3, 0.7, 1.0):
        at = start + (goal - start) * share
        mouse(source, QEvent.Type.MouseMove, at, NO_BUTTON, LEFT, NONE)
    marked = [frame.property("reached") for frame in window.panels._frames]
    if escape:
        QTest.keyClick(source, KEY.Key_Escape)
    mouse(source, QEvent.Type.MouseButtonRelease, goal, LEFT, NO_BUTTON, NONE)
    return marked


def test_a_canvas_dragged_by_its_line_onto_another_is_swapped_with_it(staged):
    window = staged(scene_of("svm", "knn", "lda"))
    n = len(window.store.scene.dataset)
    assert drag(window, 0, 2)[2] is True
    assert methods(window) == ["lda", "knn", "svm"] and window.current == 2
    drag(window, 2, 1, escape=True)
    assert methods(window) == ["lda", "knn", "svm"]
    assert QApplication.overrideCursor() is None and not any(f.property("reached") for f in window.panels._frames)
    drag(window, 1, 1)
    assert methods(window) == ["lda", "knn", "svm"]
    window.store.undo()
    assert methods(window) == ["svm", "knn", "lda"] and len(window.store.scene.dataset) == n


def test_a_click_on_the_line_is_no_drag(staged):
    window = staged(scene_of("svm", "knn"))
    canvas = window.panels.canvases[1]
    QTest.mouseClick(canvas, LEFT, NONE, canvas._cell(canvas.size()).below.center().toPoint())
    assert methods(window) == ["svm", "knn"] and window.current == 1 and window.store.undo_what is None


def test_keys_swap_canvases_and_go_along(make_window):
    window = make_window(scene_of("svm", "knn", "lda"))
    for action, order, current in (
        ("swap next", ["knn", "svm", "lda"], 1),
        ("swap next", ["knn", "lda", "svm"], 2),
        ("swap next", ["svm", "lda", "knn"], 0),
        ("swap previous", ["knn", "lda", "svm"], 2),
    ):
        window.actions_.action(action).trigger()
        assert methods(window) == order and window.current == current and window.canvas.hasFocus() is not None


def test_the_place_under_the_cursor_is_shown_in_all_canvases_by_the_window_alone(staged):
    window = staged(scene_of("svm", "knn", "lda"))
    answer(window)
    first, *others = window.panels.canvases
    asked = len(window.link.requests)
    mouse(first, QEvent.Type.MouseMove, first.frame().area.center().toPoint(), NO_BUTTON, NO_BUTTON, NONE)
    assert first.cross() is None
    assert all(canvas.cross() == window.hand.cursor is not None for canvas in others)
    assert len(window.link.requests) == asked
