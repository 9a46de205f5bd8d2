"""Predict, then reveal, in the window: nothing of the answer is anywhere before it is revealed."""

import re

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QTableWidget, QWidget

from mlviz.data.generators.catalog import generators
from mlviz.picture import draw as pictures
from mlviz.scene import attempt_edits, edits
from mlviz.scene.defaults import first_scene
from mlviz.scene.files import scene_file
from mlviz.studies import registry as studies
from mlviz.ui.shell.commands import COMMANDS
from tests.ui.hands import LEFT, NONE, mouse

METHODS = {"svm": "moons", "kmeans": "blobs", "linear-regression": "linear", "pca": "blobs", "lda": "two-gaussians"}
WAYS = {
    "svm": [[(-3, 1), (0, 0), (3, 0.5)]],
    "kmeans": [[(-2, 1)], [(1, 1)], [(0, -2)]],
    "linear-regression": [[(-3, -1), (3, 1)]],
    "pca": [[(-1, 0), (1, 0.5)]],
    "lda": [[(-3, 2), (3, -2)]],
}


def scene_of(*methods):
    scene = edits.with_drawn(first_scene(), generators()[METHODS[methods[0]]]().generate(1))
    for index, method in enumerate(methods):
        scene = scene if not index else edits.with_another_panel(scene, 0)
        scene = edits.with_method(scene, index, method)
    return scene


def settle(qtbot, window):
    """Wait until every canvas has the picture of the present scene, charts and facts too."""

    def ready():
        pictures = [canvas.picture for canvas in window.panels.canvases]
        assert all(picture is not None and picture.sides is not None for picture in pictures)
        assert not window.link.busy
        assert all(picture.hidden == window.store.scene.hides_answer for picture in pictures)

    qtbot.waitUntil(ready, timeout=20_000)
    qtbot.wait(60)


def draw(window, way, canvas=None):
    canvas = canvas or window.canvas
    pixels = [QPoint(*np.rint(place).astype(int).tolist()) for place in canvas.frame().to_pixels(np.array(way, float))]
    mouse(canvas, QEvent.Type.MouseButtonPress, pixels[0], LEFT, LEFT, NONE)
    for at in pixels[1:]:
        mouse(canvas, QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton, LEFT, NONE)
    mouse(canvas, QEvent.Type.MouseButtonRelease, pixels[-1], LEFT, Qt.MouseButton.NoButton, NONE)


def all_words(window):
    """Every text that the window could show or tell: labels, tooltips, descriptions, entries, cells, the title."""
    found = [window.windowTitle(), window.canvas.in_words(), window.status.currentMessage()]
    for widget in window.findChildren(QWidget):
        found += [widget.toolTip(), widget.statusTip(), widget.accessibleName(), widget.accessibleDescription()]
        if isinstance(widget, QLabel):
            found.append(widget.text())
        if isinstance(widget, QTableWidget):
            cells = [(r, c) for r in range(widget.rowCount()) for c in range(widget.columnCount())]
            found += [item.text() for at in cells if (item := widget.item(*at)) is not None]
    for action in window.findChildren(QAction):
        found += [action.text(), action.toolTip(), action.statusTip()]
    return "\n".join(found)


def told_by(picture):
    """Numbers of at least three digits that the answer tells; λ is that of a hyperparameter, in other units."""
    words = [str(fact) for name, fact in picture.facts.items() if name != "lambda"]
    words += [words for score in picture.scores for measure in score.measures for words in measure.words[1:]]
    numbers = (number for text in words for number in re.findall(r"\d[\d.,]*\d", text))
    return {number for number in numbers if len(re.sub(r"\D", "", number)) > 2}


@pytest.mark.parametrize("method", METHODS)
def test_the_answer_goes_at_once_whatever_the_worker_is_at(qtbot, make_window, method):
    window = make_window(scene_of(method))
    (picture,) = pictures(window.store.scene, [window.canvas.area_size()])
    window.link.pictured.emit(picture)
    qtbot.wait(100)
    window.canvas.setAccessibleDescription(window.canvas.in_words())
    secrets = told_by(picture)
    assert secrets and all(secret in all_words(window) for secret in secrets)
    window.actions_.action("predict").trigger()
    qtbot.wait(100)
    shown = all_words(window)
    assert not [secret for secret in secrets if secret in shown]
    window.link.pictured.emit(picture)  # one that was under way
    qtbot.wait(100)
    shown = all_words(window)
    assert not [secret for secret in secrets if secret in shown]
    assert window.canvas.picture.hidden and window.pictures[0].hidden


@pytest.mark.parametrize("method", METHODS)
def test_nothing_is_told_before_and_everything_after(qtbot, make_window, method):
    window = make_window(scene_of(method), live=True)
    settle(qtbot, window)
    window.hand.cursor = (0.5, 0.5)
    qtbot.wait(60)
    settle(qtbot, window)
    for canvas in window.panels.canvases:
        canvas.setAccessibleDescription(canvas.in_words())
    secrets = told_by(window.canvas.picture)
    assert secrets and any(secret in all_words(window) for secret in secrets)

    window.actions_.action("predict").trigger()
    settle(qtbot, window)
    shown = all_words(window)
    assert not [secret for secret in secrets if secret in shown]
    assert window.predict.isVisible() and window.hand.tool == "attempt"
    assert window.sides.tabs.count() == 0 and not window.player.usable and not window.player.isVisible()
    for way in WAYS[method]:
        draw(window, way)
    QTest.keyClick(window.canvas, Qt.Key.Key_G)
    settle(qtbot, window)
    shown = all_words(window)
    assert not [secret for secret in secrets if secret in shown]
    roles = {mark.role for mark in window.canvas._plot.marks}
    assert roles <= {"attempt", "attempt goes on", "region"} and "attempt" in roles
    window.actions_.action("copy code").trigger()
    assert "hidden" in window.status.currentMessage() and "sklearn" not in QGuiApplication.clipboard().text()
    assert not [word for word in secrets if word in window.predict.words.text()]

    window.actions_.action("predict").trigger()
    settle(qtbot, window)
    (score,) = window.canvas.picture.scores
    table = window.predict.table
    assert table.isVisible() and table.rowCount() == 1
    for column, measure in enumerate(score.measures, start=1):
        words = table.item(0, column).text().replace("−", "-").replace("\u00a0", " ")
        assert words == f"{measure.words[0]}  ({measure.words[1]})"
    assert score.sentence == window.predict.words.toolTip()
    assert secrets <= told_by(window.canvas.picture)
    assert "attempt" in {mark.role for mark in window.canvas._plot.marks}


@pytest.mark.parametrize("study", ["confusion-matrix", "roc", "stability", "variance-lens"])
def test_studies_tell_nothing_either(qtbot, make_window, study):
    scene = edits.with_study(scene_of("lda"), 0, studies()[study]())
    window = make_window(scene)
    window.appearance.toggle_sides()
    (picture,) = pictures(scene, [window.canvas.area_size()])
    window.link.pictured.emit(picture)
    qtbot.wait(150)
    (answer,) = picture.studies
    secrets = told_by(picture) | {
        number for fact in answer.facts.values() for number in re.findall(r"\d[\d.,]*\d", str(fact)) if len(number) > 3
    }
    window.actions_.action("predict").trigger()
    qtbot.wait(150)
    shown = all_words(window)
    assert not [secret for secret in secrets if secret in shown]
    assert window.canvas.picture.hidden and not window.canvas.picture.studies
    assert not {mark.role for mark in window.canvas._plot.marks}
    if studies()[study]().plotted:
        assert "The answer is hidden until it is revealed." in [
            window.studies._words(one) for one in window.store.scene.panels[0].studies
        ]


def test_in_the_middle_of_a_gesture_nothing_stays_either(qtbot, make_window):
    window = make_window(scene_of("kmeans"))
    window.appearance.toggle_sides()
    (picture,) = pictures(window.store.scene, [window.canvas.area_size()])
    window.link.pictured.emit(picture)
    qtbot.wait(150)
    window.sides.open_window()
    apart = next(pane for pane in window.sides.plots.values()).window()
    assert apart is not window and apart.isVisible() and window.player.isVisible()
    held = object()
    window.store.push(edits.with_settings(window.store.scene, 0, {"n_clusters": 4}), "change k", held)
    assert window.store.gesturing
    window.actions_.action("predict").trigger()
    window.store.push(edits.with_settings(window.store.scene, 0, {"n_clusters": 5}), "change k", held)
    qtbot.wait(150)
    assert window.store.gesturing and window.canvas.picture.hidden
    assert not window.sides.plots
    assert not [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()]
    assert not window.player.isVisible()


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


def test_undo_takes_attempts_back_and_shows_nothing(qtbot, make_window):
    window = make_window(scene_of("svm"))
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


def test_attempts_are_erased_and_come_back(qtbot, make_window):
    window = make_window(scene_of("svm"))
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
        assert "1 more attempt on other canvases" in window.predict.words.toolTip()


@pytest.mark.parametrize("factor", [1.0, 1.6])
@pytest.mark.parametrize("width", [560, 800, 1100])
@pytest.mark.parametrize("method", METHODS)
def test_its_words_are_never_cut(qtbot, make_window, method, width, factor):
    window = make_window(scene_of(method))
    window.actions_.action("predict").trigger()
    strip = window.predict
    strip.enlarge(factor)
    strip.setParent(None)
    qtbot.addWidget(strip)
    strip.resize(width, strip.height())
    strip.show()
    words = strip.words
    assert words.heightForWidth(words.width()) <= words.height()
    for button in (strip.reveal, strip.erase):
        assert button.width() >= button.sizeHint().width() and strip.rect().contains(button.geometry())


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


def test_it_can_be_used_by_keyboard_alone(qtbot, make_window):
    window = make_window(scene_of("kmeans"))
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
