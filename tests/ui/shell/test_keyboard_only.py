"""A whole session without a mouse: every event here is a key, sent to whatever has the keyboard."""

import re
from collections import Counter

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QImageReader
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMenu

from mlviz.algorithms import registry
from mlviz.ui.export.dialog import ExportDialog
from tests.sweep import of_families

# A limit of the platform without a screen, whenever a menu or a list pops up.
pytestmark = [pytest.mark.slow, pytest.mark.qt_log_ignore("does not support grabbing the keyboard")]
KEY, SHIFT = Qt.Key, Qt.KeyboardModifier.ShiftModifier
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


class Hands:
    """Ten fingers on a keyboard."""

    def __init__(self, window):
        self.window = window

    @property
    def at(self):
        return QApplication.focusWidget()

    def press(self, key, keys=Qt.KeyboardModifier.NoModifier, times=1):
        for _ in range(times):
            QTest.keyClick(QApplication.activePopupWidget() or self.at or self.window, key, keys)

    def type(self, text):
        QTest.keyClicks(self.at, text)

    def tab_to(self, name, key=KEY.Key_Tab):
        for _ in range(80):
            if self.at is not None and name in (self.at.accessibleName(), getattr(self.at, "text", str)()):
                return
            self.press(key)
        raise AssertionError(f"Tab never comes to {name}")

    def meet(self, kind, then):
        """Do something in a dialog as soon as it has the keyboard; it never stays open."""
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, kind) or not dialog.isAncestorOf(self.at):
            QTimer.singleShot(20, lambda: self.meet(kind, then))
            return
        try:
            then()
        except BaseException:
            dialog.reject()
            raise


@pytest.fixture
def hands(make_window, qtbot):
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    window = make_window(live=True)
    with qtbot.waitActive(window):
        window.activateWindow()
    return Hands(window)


def test_from_an_empty_canvas_to_a_picture_in_a_file(hands, qtbot, tmp_path):
    window = hands.window
    assert hands.at is window.canvas  # ready to draw

    # Points: three of our own, then the canvas is cleared, then a preset.
    hands.press(KEY.Key_Return)  # brings the cursor up
    hands.press(KEY.Key_Return)
    hands.press(KEY.Key_Right, times=4)
    hands.press(KEY.Key_Return, SHIFT)  # one of the next class
    hands.press(KEY.Key_2)
    hands.press(KEY.Key_Up, times=5)
    hands.press(KEY.Key_Return)
    assert window.store.scene.dataset.labels.tolist() == [0, 1, 1]
    hands.press(KEY.Key_Escape)
    hands.press(KEY.Key_Backspace, CTRL)
    assert len(window.store.scene.dataset) == 0
    hands.tab_to("Draw blobs")
    hands.press(KEY.Key_Space)
    n = len(window.store.scene.dataset)
    assert n > 50 and hands.at is window.canvas
    window.fitted = True
    window.show_parts()

    # A method, chosen by its first letters, and a hyperparameter, typed.
    hands.tab_to("Method")
    hands.type("k-m")
    assert window.sidebar.panel.pipeline.algorithm.id == "kmeans"
    hands.tab_to("k, value")
    hands.press(KEY.Key_A, CTRL)
    hands.type("4")
    hands.press(KEY.Key_Return)
    assert window.sidebar.panel.pipeline.algorithm.n_clusters == 4
    hands.tab_to("k, slider", KEY.Key_Backtab)
    hands.press(KEY.Key_Left)
    assert window.sidebar.panel.pipeline.algorithm.n_clusters == 3

    # Layers and steps.
    QApplication.processEvents()  # new boxes are shown by the event loop
    hands.tab_to("centres")
    box = hands.at
    before = box.isChecked()
    hands.press(KEY.Key_Space)
    assert box.isChecked() != before
    qtbot.waitUntil(lambda: window.player.usable)
    hands.tab_to("Canvas 1")
    hands.press(KEY.Key_Home)
    assert window.store.scene.view.step == 0
    hands.press(KEY.Key_Space)
    assert window.player.playing
    hands.press(KEY.Key_Space)
    hands.press(KEY.Key_End)

    # A point: selected, moved, given another class, deleted; and all of it undone.
    start = window.store.scene.dataset
    hands.press(KEY.Key_N, times=2)
    assert window.hand.selection(window.store.scene.dataset).tolist() == [1]
    assert "Point 2 of" in window.status.currentMessage()
    hands.press(KEY.Key_Right, SHIFT, times=3)
    moved = window.store.scene.dataset
    assert moved.X[1, 0] > start.X[1, 0] and moved.X[1, 1] == pytest.approx(start.X[1, 1], abs=0.01)
    assert (np.delete(moved.X, 1, 0) == np.delete(start.X, 1, 0)).all()
    hands.press(KEY.Key_3)
    assert window.store.scene.dataset.labels[1] == 2
    hands.press(KEY.Key_Delete)
    assert len(window.store.scene.dataset) == n - 1
    hands.press(KEY.Key_Z, CTRL, times=3)
    np.testing.assert_array_equal(window.store.scene.dataset.X, start.X)

    # The picture, 12 cm wide, into a file.
    target = tmp_path / "figure.png"
    seen = []

    def in_dialog():
        hands.tab_to("Unit")
        hands.type("cm")
        hands.tab_to("Width", KEY.Key_Backtab)
        hands.press(KEY.Key_A, CTRL)
        hands.type("12")
        seen.append(QApplication.activeModalWidget().export)
        hands.meet(QFileDialog, in_file_dialog)
        hands.press(KEY.Key_Return)

    def in_file_dialog():
        assert isinstance(hands.at, QLineEdit)
        hands.press(KEY.Key_A, CTRL)
        hands.type(str(target))
        hands.press(KEY.Key_Return)

    hands.meet(ExportDialog, in_dialog)
    hands.press(KEY.Key_E, CTRL)
    assert seen[0].unit == "cm" and seen[0].size[0] == pytest.approx(12 / 2.54 * 96)
    qtbot.waitUntil(lambda: target.exists())
    assert QImageReader(str(target)).size().width() == round(12 / 2.54 * 200)


def test_menus_open_and_choose_by_letters(hands):
    window = hands.window
    QTest.keyClick(window.menuBar(), KEY.Key_V, ALT)
    assert isinstance(QApplication.activePopupWidget(), QMenu)
    equal = window.store.scene.view.equal
    hands.press(KEY.Key_E)
    assert window.store.scene.view.equal != equal


def test_no_two_entries_of_a_menu_share_a_letter(window):
    def look_at(menu):
        letters = Counter()
        for action in menu.actions():
            letters.update(found.lower() for found in re.findall(r"&(\w)", action.text().replace("&&", "")))
            if action.menu() is not None:
                look_at(action.menu())
        assert not letters or max(letters.values()) == 1, (menu, letters)

    window.presets._fill_recent()
    look_at(window.menuBar())


@pytest.mark.parametrize("method", of_families(registry()))
def test_tab_reaches_every_control_of_the_window_and_comes_round(kept_window, qtbot, method):
    window = kept_window
    window.presets.open_shipped("iris")
    window.sidebar.chooser.choose(method)
    window.fitted = True
    window.show_parts()
    with qtbot.waitActive(window):
        window.activateWindow()
    window.canvas.setFocus()
    QApplication.processEvents()  # new boxes are shown by the event loop
    hands, stops = Hands(window), []
    while not stops or hands.at is not window.canvas:
        stops.append(hands.at)
        hands.press(KEY.Key_Tab)
        assert len(stops) < 80
    wanted = [
        window.sidebar.chooser.methods,
        *(box for box in window.sidebar.layers.boxes.values() if box.isEnabled()),
        *window.actions_.classes.buttons[:3],
    ]
    for form in (window.sidebar.hyperparameters, window.sidebar.pipeline):
        wanted += [form.rows[name].control for name in form.rows if form.rows[name].isVisible()]
    for part in wanted:
        assert part in stops or any(part.isAncestorOf(stop) for stop in stops), part.accessibleName()
    # From top to bottom beside the canvas.
    body = window.sidebar.scrolled.widget()
    beside = [stop for stop in stops if body.isAncestorOf(stop)]
    heights = [stop.mapTo(body, stop.rect().center()).y() for stop in beside]
    assert heights == sorted(heights) or max(np.diff(heights) * -1) < 12  # what stands in a row has one height


def test_the_point_after_the_last_is_the_first(hands):
    window = hands.window
    for key in (KEY.Key_N, KEY.Key_N):
        hands.press(key)
    assert not len(window.hand.selection(window.store.scene.dataset))  # there are no points
    hands.press(KEY.Key_Return, times=3)  # the cursor, and two points
    hands.press(KEY.Key_Escape)
    for keys, row in ((SHIFT, 1), (SHIFT, 0), (SHIFT, 1), (Qt.KeyboardModifier.NoModifier, 0)):
        hands.press(KEY.Key_N, keys)
        assert window.hand.selection(window.store.scene.dataset).tolist() == [row]
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
