"""The strip over the canvases while an answer is predicted: what it says, and what its keys do."""

import itertools

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mlviz.data.generators.catalog import SaddleRegression
from mlviz.draw.numbers import typographic
from mlviz.picture import draw as pictures
from mlviz.scene import edits
from mlviz.scene.attempts import edits as attempt_edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.files import scene_file
from mlviz.scene.values import OVER_PLANE
from mlviz.ui.shell.menu.commands import COMMANDS
from tests.ui.predict.hand import METHODS, WAYS, draw, scene_of, settle


def test_a_clicker_reveals(qtbot, make_window):
    window = make_window(scene_of("kmeans"), live=True)
    settle(qtbot, window)
    window.actions_.action("predict").trigger()
    settle(qtbot, window)
    QTest.keyClick(window.canvas, Qt.Key.Key_Right)
    assert window.store.scene.hides_answer
    with qtbot.waitActive(window):
        window.activateWindow()
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Qt.Key.Key_PageDown)
    assert not window.store.scene.hides_answer
    settle(qtbot, window)
    step = window.canvas.picture.step
    QTest.keyClick(window.canvas, Qt.Key.Key_PageUp)
    qtbot.waitUntil(lambda: window.canvas.picture.step == step - 1)
    QTest.keyClick(window.canvas, Qt.Key.Key_PageDown)
    qtbot.waitUntil(lambda: window.canvas.picture.step == step)


def test_undo_takes_attempts_back_and_shows_nothing(staged):
    window = staged(scene_of("svm"))
    window.actions_.action("predict").trigger()
    draw(window, WAYS["svm"][0])
    assert len(window.store.scene.attempts) == 1
    for _ in range(3):
        window.actions_.action("undo").trigger()
    assert not window.store.scene.attempts and window.store.scene.hides_answer
    window.actions_.action("redo").trigger()
    assert len(window.store.scene.attempts) == 1


def test_a_scene_that_hides_its_answer_opens_ready_to_draw(qtbot, make_window, tmp_path):
    scene = attempt_edits.hiding(scene_of("svm"), True)
    for window in (make_window(scene), make_window()):
        if window.store.scene is not scene:
            scene_file.save(scene, tmp_path / "a.mlviz")
            window.documents.open(tmp_path / "a.mlviz")
        assert window.predict.isVisible() and window.predict.reveal.isVisible()
        assert window.hand.tool == "attempt" and window.store.scene.hides_answer
        draw(window, WAYS["svm"][0])
        assert len(window.store.scene.attempts) == 1
        window.predict.reveal.click()
        assert not window.store.scene.hides_answer
        window.predict.hide_again.click()
        assert window.store.scene.hides_answer


@pytest.mark.parametrize("tool", ["attempt", "pen", "move"])
@pytest.mark.parametrize("revealed", [False, True])
def test_undo_and_redo_leave_the_tool_in_the_hand(staged, tool, revealed):
    window = staged(scene_of("svm"))
    undo, redo = (window.actions_.action(name) for name in ("undo", "redo"))
    window.store.push(window.store.scene.replace(seed=5), "another seed")
    window.actions_.action("predict").trigger()
    draw(window, WAYS["svm"][0])
    if revealed:
        window.predict.reveal.click()
    window.hand.tool = tool
    for action, left in ((undo, 0), (undo, 0), (redo, 0), (redo, 1), (undo, 0)):
        action.trigger()
        assert len(window.store.scene.attempts) == left
        assert window.hand.tool == tool and window.store.scene.hides_answer is not revealed


def test_an_attempt_that_is_given_up_leaves_the_tool_in_the_hand(staged):
    window = staged(scene_of("svm"))
    window.hand.tool = "attempt"
    drawn = attempt_edits.with_drawn(window.store.scene, 0, "boundary", ((0.0, 0.0), (1.0, 1.0)))
    window.store.push(drawn, "draw boundary", "a gesture")
    window.store.cancel("a gesture")
    assert not window.store.scene.attempts and window.hand.tool == "attempt"


def test_attempts_are_erased_and_come_back(staged):
    window = staged(scene_of("svm"))
    erase = window.actions_.action("erase attempts")
    assert not erase.isEnabled() and not window.predict.isVisible()
    window.actions_.action("predict").trigger()
    draw(window, WAYS["svm"][0])
    draw(window, WAYS["svm"][0][::-1])
    window.actions_.action("predict").trigger()
    assert window.predict.isVisible() and erase.isEnabled()
    erase.trigger()
    assert not window.store.scene.attempts and not window.predict.isVisible() and window.hand.tool == "pen"
    window.actions_.action("undo").trigger()
    assert len(window.store.scene.attempts) == 2 and window.predict.isVisible()


def test_every_canvas_hides_and_scores_by_its_own_method(qtbot, make_window):
    window = make_window(scene_of("svm", "lda", "kmeans"), live=True)
    settle(qtbot, window)
    window.actions_.action("predict").trigger()
    settle(qtbot, window)
    assert all(canvas.picture.hidden for canvas in window.panels.canvases)
    draw(window, WAYS["svm"][0], window.panels.canvases[1])
    draw(window, [(0, 1)], window.panels.canvases[2])
    kinds = [attempt.kind for attempt in window.store.scene.attempts]
    assert kinds == ["boundary", "centres"]
    drawn = [{mark.label for mark in canvas._plot.marks} - {""} for canvas in window.panels.canvases]
    assert drawn == [{"attempt 1"}, {"attempt 1"}, {"attempt 2"}]
    window.actions_.action("predict").trigger()
    settle(qtbot, window)
    assert [len(canvas.picture.scores) for canvas in window.panels.canvases] == [1, 1, 1]
    for index, word in enumerate(("training error", "training error", "inertia")):
        window.panels.choose(index)
        qtbot.wait(20)
        assert word in window.predict.words.toolTip()
        assert "1 more attempt for other methods, canvases" in window.predict.words.toolTip()


def test_its_words_are_never_cut(qtbot, make_window):
    window = make_window()
    strip, words = window.predict, window.predict.words
    strip.setParent(None)
    qtbot.addWidget(strip)
    for method, factor, width in itertools.product(METHODS, (1.0, 1.6), (560, 800, 1100)):
        if window.store.scene.panels[0].pipeline.algorithm.id != method or not window.store.scene.hides_answer:
            window.store.reset(scene_of(method))
            window.actions_.action("predict").trigger()
        strip.enlarge(factor)
        strip.resize(width, strip.height())
        strip.show()
        assert words.heightForWidth(words.width()) <= words.height(), (method, factor, width)
        for button in (strip.reveal, strip.erase):
            assert button.width() >= button.sizeHint().width() and strip.rect().contains(button.geometry())
        strip.hide()


def test_the_table_is_as_large_as_the_presentation(qtbot, make_window):
    window = make_window(scene_of("svm"))
    usual = window.predict.words.font().pointSizeF()
    window.actions_.action("predict").trigger()
    draw(window, WAYS["svm"][0])
    window.predict.enlarge(1.6)
    window.actions_.action("predict").trigger()
    (picture,) = pictures(window.store.scene, [window.canvas.area_size()])
    window.link.pictured.emit(picture)
    qtbot.wait(20)
    table = window.predict.table
    assert table.isVisible() and table.columnCount() > 1
    for column in range(table.columnCount()):
        assert table.horizontalHeaderItem(column).font().pointSizeF() == pytest.approx(1.6 * usual)
    assert table.font().pointSizeF() == pytest.approx(1.6 * usual)


def test_it_can_be_used_by_keyboard_alone(qtbot, staged):
    window = staged(scene_of("kmeans"))
    keys = {key for command in COMMANDS if command.id in ("predict", "go on", "erase attempts") for key in command.keys}
    assert keys == {"F12", "PgDown", "Ctrl+Shift+A"}
    with qtbot.waitActive(window):
        window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_F12)
    assert window.store.scene.hides_answer and QApplication.focusWidget() is window.canvas
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Return, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Return):
        QTest.keyClick(window.canvas, key)
    (attempt,) = window.store.scene.attempts
    assert len(attempt.lines[0]) == 2


def test_what_the_method_says_along_lines_has_a_column_of_its_own(qtbot, staged):
    scene = edits.with_drawn(default_scene(), SaddleRegression(n_samples=60).generate(2))
    window = staged(edits.with_task(edits.with_method(scene, 0, "linear-regression"), 0, OVER_PLANE))
    window.actions_.action("predict").trigger()
    window.hand.value = 1.0
    draw(window, [(-2, -2), (-2, 2)])
    window.hand.value = 2.0
    draw(window, [(1, -2), (1, 2)])
    assert "draw a line along which" in window.predict.words.text(), "there is room for all of it"
    window.actions_.action("predict").trigger()
    (picture,) = pictures(window.store.scene, [window.canvas.area_size()])
    window.link.pictured.emit(picture)
    qtbot.wait(20)
    table, (score,) = window.predict.table, picture.scores
    column = table.columnCount() - 1
    assert table.horizontalHeaderItem(column).text() == "method's mean along lines" and len(score.along) == 2
    assert table.item(0, column).text() == typographic(", ".join(line.short for line in score.along))
    assert "along its line for 1 the method says" in table.item(0, column).toolTip()


def test_many_lines_are_told_in_a_narrow_strip_as_well(qtbot, make_window):
    scene = edits.with_drawn(default_scene(), SaddleRegression(n_samples=60).generate(2))
    window = make_window(edits.with_task(edits.with_method(scene, 0, "linear-regression"), 0, OVER_PLANE))
    window.actions_.action("predict").trigger()
    for x in range(-3, 4):
        window.hand.value = 0.125 * x
        draw(window, [(x, -3), (x, 3)])
    window.actions_.action("predict").trigger()
    (picture,) = pictures(window.store.scene, [window.canvas.area_size()])
    window.link.pictured.emit(picture)
    qtbot.wait(20)
    strip, table = window.predict, window.predict.table
    strip.setParent(None)
    qtbot.addWidget(strip)
    strip.show()
    heights = []
    for factor, width in itertools.product((1.0, 1.6), (1800, 900)):
        strip.enlarge(factor)
        window.link.pictured.emit(picture)
        strip.resize(width, strip.height())
        qtbot.wait(20)
        cell, words = table.visualItemRect(table.item(0, table.columnCount() - 1)), table.fontMetrics()
        text = table.item(0, table.columnCount() - 1).text()
        wanted = words.boundingRect(cell.adjusted(3, 0, -3, 0), Qt.TextFlag.TextWordWrap, text)
        assert wanted.height() <= cell.height() and wanted.width() <= cell.width(), (factor, width)
        heights.append(cell.height())
    assert heights[0] < heights[1] and heights[2] < heights[3], "in several lines where one is too long"
