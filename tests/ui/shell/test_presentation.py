"""Presentation mode, and the ghost of the fit before."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mlviz.algorithms import registry
from mlviz.data.generators.catalog import generators
from mlviz.draw.marks import Field, Lines, Points
from mlviz.draw.plot import GHOST_LABEL, ghost
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene

pytestmark = pytest.mark.slow

KEY = Qt.Key


def scene(*names):
    return Scene(generators()["moons"]().generate(1), tuple(Panel(Pipeline(registry()[name]())) for name in names))


@pytest.fixture
def presented(staged, qtbot):
    window = staged(scene("svm"))
    with qtbot.waitActive(window):
        window.activateWindow()
    QTest.keyClick(window.canvas, KEY.Key_F5)
    assert window.appearance.presenting
    return window


def press(window, key, keys=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(QApplication.focusWidget() or window, key, keys)


def test_what_a_clicker_sends_does_no_harm(presented):
    window = presented
    before, tool = window.store.scene, window.hand.tool
    for key in (KEY.Key_B, KEY.Key_P, KEY.Key_E, KEY.Key_S, KEY.Key_R, KEY.Key_M, KEY.Key_L, KEY.Key_D, KEY.Key_F,
                KEY.Key_Period, KEY.Key_Comma, KEY.Key_PageUp, KEY.Key_PageDown, KEY.Key_BracketRight):  # fmt: skip
        press(window, key)
    assert window.hand.tool == tool
    assert window.store.scene.dataset is before.dataset and window.store.scene.panels == before.panels
    press(window, KEY.Key_F11)
    assert not window.appearance.presenting
    press(window, KEY.Key_F11)
    press(window, KEY.Key_Escape)
    assert not window.appearance.presenting


def test_it_begins_with_the_way_out(presented):
    banner, canvas = presented.presentation.banner, presented.canvas
    QApplication.processEvents()
    assert banner.isVisible() and banner.text().startswith("Escape ends")
    left, middle = canvas.mapTo(presented, canvas.rect().topLeft()).x(), banner.geometry().center().x()
    assert abs(middle - left - canvas.width() / 2) <= 1
    assert presented.presentation._quiet.isActive(), "it goes by itself"
    press(presented, KEY.Key_Escape)
    assert not presented.appearance.presenting and banner.isHidden()


def test_no_word_of_the_banner_is_cut_among_six_canvases(staged):
    window = staged(scene(*["svm"] * 6))
    window.presentation.show(True)
    QApplication.processEvents()
    banner = window.presentation.banner
    assert banner.width() >= banner.sizeHint().width() > window.canvas.width()
    assert window.panels.rect().contains(banner.geometry().translated(-window.panels.mapTo(window, QPoint())))


@pytest.mark.parametrize("width", [800, 1024, 1920])
@pytest.mark.parametrize(
    "words", ["C = 1", "The legend is in the way: drag it aside, or hide it (Ctrl+L).", "some " * 25]
)
def test_words_too_long_for_the_window_stand_in_lines(presented, words, width):
    presented.resize(width, 768)
    presented.presentation.say(words)
    banner, panels = presented.presentation.banner, presented.panels
    assert panels.rect().contains(banner.geometry().translated(-panels.mapTo(presented, QPoint())))
    needed = banner.heightForWidth(banner.width()) if banner.wordWrap() else banner.sizeHint().height()
    assert banner.height() >= needed and (banner.wordWrap() or banner.width() >= banner.sizeHint().width())


def test_the_main_hyperparameter_is_told_large(presented):
    window = presented
    press(window, KEY.Key_Up)
    C = window.sidebar.panel.pipeline.algorithm.C
    assert C > 1
    assert window.presentation.banner.isVisible()
    assert window.presentation.banner.text() == f"C = {C:.4g}"
    press(window, KEY.Key_Down)
    assert window.presentation.banner.text() == "C = 1"
    press(window, KEY.Key_2)
    assert window.presentation.banner.text() == "class 2" and window.hand.code == 1
    centre = window.presentation.banner.geometry().center()
    assert abs(centre.x() - window.canvas.mapTo(window, window.canvas.rect().center()).x()) < 3
    press(window, KEY.Key_Escape)
    assert not window.presentation.banner.isVisible()
    press(window, KEY.Key_Up)
    assert not window.presentation.banner.isVisible()  # the side panel tells


def test_a_long_class_name_stays_in_the_window(presented):
    data = presented.store.scene.dataset.rename(2, "a very long name " * 20)
    presented.store.push(presented.store.scene.replace(dataset=data), "rename")
    press(presented, KEY.Key_3)
    assert presented.rect().contains(presented.presentation.banner.geometry())


def test_a_cursor_at_rest_goes_and_comes_back(presented, qtbot):
    canvas = presented.canvas
    QTest.mouseMove(canvas, canvas.rect().center())
    presented.presentation.hide_cursor()
    assert canvas.cursor().shape() == Qt.CursorShape.BlankCursor
    QTest.mouseMove(canvas, canvas.rect().center() * 0.9)
    qtbot.waitUntil(lambda: canvas.cursor().shape() != Qt.CursorShape.BlankCursor)
    presented.presentation.show(False)
    presented.presentation.hide_cursor()
    assert canvas.cursor().shape() != Qt.CursorShape.BlankCursor


def test_everything_is_larger_and_comes_back(staged):
    window = staged(scene("kmeans", "svm"))
    usual = (
        window.appearance.style,
        window.player.note.font().pointSizeF(),
        window.player.buttons["play"].iconSize().width(),
    )
    window.presentation.show(True)
    assert (window.appearance.style.text, window.appearance.style.lines, window.appearance.style.points) == (
        1.6,
        1.5,
        1.4,
    )
    assert window.player.note.font().pointSizeF() == pytest.approx(1.6 * usual[1])
    assert window.player.buttons["play"].iconSize().width() == round(1.6 * usual[2])
    for part in (window.menuBar(), window.actions_.toolbar, window.status, window.sidebar, window.sides):
        assert not part.isVisible()
    window.presentation.show(False)
    assert usual == (
        window.appearance.style,
        window.player.note.font().pointSizeF(),
        window.player.buttons["play"].iconSize().width(),
    )
    assert window.menuBar().isVisible() and window.sidebar.isVisible()


def test_page_keys_step_and_space_plays(make_window, qtbot):
    window = make_window(scene("kmeans"), live=True)
    window.presentation.show(True)
    qtbot.waitUntil(lambda: window.player.usable)
    steps = window.pictures[0].n_steps
    press(window, KEY.Key_PageUp)
    assert window.store.scene.view.step == steps - 2
    press(window, KEY.Key_PageDown)
    assert window.store.scene.view.step is None
    press(window, KEY.Key_Space)
    assert window.player.playing and window.store.scene.view.step == 0
    press(window, KEY.Key_Space)
    assert not window.player.playing


def test_a_ghost_keeps_what_says_what_the_fit_was():
    line = np.array([[0.0, 0], [1, 1]])
    marks = (
        Field("region", line[:, 0], line[:, 0], np.zeros((2, 2), np.uint8)),
        Lines("boundary", line, label="decision boundary"),
        Lines("margin", line),
        Points("misclassified", line, rows=np.array([0, 1])),
        Points("center", line),
    )
    kept = ghost(marks)
    assert [type(mark) for mark in kept] == [Lines, Points]
    assert all(mark.role == "ghost" and mark.label == GHOST_LABEL for mark in kept)


def test_the_fit_before_the_last_change_is_seen_while_g_is_held(make_window, qtbot):
    window = make_window(scene("svm"), live=True)
    canvas = window.canvas

    def ghosts():
        return [mark for mark in canvas._plot.marks if mark.role == "ghost"]

    def boundary():
        return next(mark.xy for mark in canvas.picture.plot.marks if mark.role == "boundary")

    qtbot.waitUntil(lambda: canvas.picture is not None and not canvas.picture.message)
    first = boundary()
    QTest.keyPress(canvas, KEY.Key_G)
    assert not ghosts()  # nothing was before
    QTest.keyRelease(canvas, KEY.Key_G)
    for _ in range(3):
        QTest.keyClick(canvas, KEY.Key_Up)  # one step of undo
    qtbot.waitUntil(lambda: not canvas.picture.draft and canvas.picture.caption.find("C = 1,") < 0)
    QTest.keyPress(canvas, KEY.Key_G)
    np.testing.assert_array_equal(ghosts()[0].xy, first)
    assert not np.array_equal(boundary(), first)
    assert window.actions_.action("ghost").isChecked()
    QTest.keyRelease(canvas, KEY.Key_G)
    assert not ghosts()
    window.actions_.action("ghost").trigger()
    assert ghosts()


def test_the_code_of_the_picture_is_copied(make_window, qtbot):
    window = make_window(scene("knn"), live=True)
    QGuiApplication.clipboard().clear()
    window.actions_.action("copy code").trigger()
    assert QGuiApplication.clipboard().text() == ""
    qtbot.waitUntil(lambda: 0 in window.pictures)
    window.actions_.action("copy code").trigger()
    text = QGuiApplication.clipboard().text()
    compile(text, "copied", "exec")
    assert "KNeighborsClassifier(n_neighbors=5" in text and "fit(X, y)" in text


def test_the_key_that_pins_the_ghost_is_no_peek(window):
    QTest.keyPress(window.canvas, KEY.Key_G, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyRelease(window.canvas, KEY.Key_G, Qt.KeyboardModifier.ShiftModifier)
    assert window.canvas.ghost and window.actions_.action("ghost").isChecked()
    window.actions_.action("ghost").trigger()
    assert not window.canvas.ghost


def test_the_side_plots_come_and_go_in_it_as_beside_it_and_neither_changes_the_other(staged):
    window = staged(scene("hierarchical"))
    (picture,) = draw(window.store.scene, [(300, 300)], 8)
    window.link.pictured.emit(picture)
    window._show_numbers()

    def toggle(command):
        window.actions_.action(command).trigger()

    for wanted in (False, True):
        assert window.appearance.sides_wanted == window.sides.isVisible() == wanted
        toggle("present")
        assert not window.sides.isVisible(), "it begins with the canvas alone"
        toggle("sides")
        assert window.sides.isVisible() and window.sides.front == "dendrogram"
        raised = window.sides.height() / window.height()
        assert raised > 0.35, "its words are larger"
        assert not window.sidebar.isVisible() and window.actions_.action("sides").isChecked()
        toggle("sides")
        assert not window.sides.isVisible()
        toggle("sides")
        toggle("present")
        assert window.appearance.sides_wanted == window.sides.isVisible() == wanted
        assert not wanted or window.sides.height() < 0.3 * window.height()
        toggle("sides")


def test_a_study_that_is_asked_in_it_is_seen(staged):
    window = staged(scene("kmeans"))
    window.presentation.show(True)
    window.studies.toggle("elbow")
    assert window.sides.isVisible()


def test_no_chart_is_asked_for_under_the_hand_while_the_side_plots_are_hidden(staged, monkeypatch):
    window = staged(scene("hierarchical"))
    (picture,) = draw(window.store.scene, [(300, 300)], 8)
    window.link.pictured.emit(picture)
    window._show_numbers()
    asked = []
    monkeypatch.setattr(window.link, "request", lambda scene, sizes, draft, front: asked.append(front))
    for shown in (False, True):
        assert window.sides.isVisible() == shown and window.sides.front
        window._requests.ask()
        window.actions_.action("sides").trigger()
    assert (0, "") in asked and asked[0] == (0, "")
    assert (0, "dendrogram") in asked
