"""Predict, then reveal, in the window: nothing of the answer is anywhere before it is revealed."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QTableWidget, QWidget

from mlviz.picture import draw as pictures
from mlviz.scene import edits
from mlviz.studies import registry as studies
from tests.ui.predict.hand import METHODS, WAYS, draw, scene_of, settle


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


def shown_of(secrets, window):
    """Those of some words that the window shows or tells."""
    words = all_words(window)
    return {secret for secret in secrets if secret in words}


@pytest.mark.parametrize("method", METHODS)
def test_the_answer_goes_at_once_whatever_the_worker_is_at(qtbot, staged, method):
    window = staged(scene_of(method))
    (picture,) = pictures(window.store.scene, [window.canvas.area_size()])
    window.link.pictured.emit(picture)
    qtbot.wait(100)
    window.canvas.setAccessibleDescription(window.canvas.in_words())
    secrets = told_by(picture)
    assert secrets and shown_of(secrets, window) == secrets
    window.actions_.action("predict").trigger()
    qtbot.waitUntil(lambda: not shown_of(secrets, window))
    window.link.pictured.emit(picture)  # one that was under way
    qtbot.wait(100)
    assert not shown_of(secrets, window)
    assert window.canvas.picture.hidden and window.pictures[0].hidden


def test_nothing_is_told_before_and_everything_after(qtbot, make_window):
    window = make_window(live=True)
    for method in METHODS:
        window.store.reset(scene_of(method))
        assert_told_after(qtbot, window, method)


def assert_told_after(qtbot, window, method):
    settle(qtbot, window)
    window.hand.cursor = (0.5, 0.5)
    qtbot.wait(60)
    settle(qtbot, window)
    for canvas in window.panels.canvases:
        canvas.setAccessibleDescription(canvas.in_words())
    secrets = told_by(window.canvas.picture)
    assert shown_of(secrets, window)

    window.actions_.action("predict").trigger()
    settle(qtbot, window)
    assert not shown_of(secrets, window)
    assert window.predict.isVisible() and window.hand.tool == "attempt"
    assert window.sides.tabs.count() == 0 and not window.player.usable and not window.player.isVisible()
    for way in WAYS[method]:
        draw(window, way)
    QTest.keyClick(window.canvas, Qt.Key.Key_G)
    settle(qtbot, window)
    assert not shown_of(secrets, window)
    roles = {mark.role for mark in window.canvas._plot.marks}
    assert roles <= {"attempt", "attempt goes on", "region"} and "attempt" in roles
    QGuiApplication.clipboard().clear()  # of what another test has copied
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
def test_studies_tell_nothing_either(qtbot, staged, study):
    scene = edits.with_study(scene_of("lda"), 0, studies()[study]())
    window = staged(scene)
    window.appearance.toggle_sides()
    (picture,) = pictures(scene, [window.canvas.area_size()])
    window.link.pictured.emit(picture)
    (answer,) = picture.studies
    secrets = told_by(picture) | {
        number for fact in answer.facts.values() for number in re.findall(r"\d[\d.,]*\d", str(fact)) if len(number) > 3
    }
    qtbot.waitUntil(lambda: bool(shown_of(secrets, window)))
    window.actions_.action("predict").trigger()
    qtbot.waitUntil(lambda: window.canvas.picture is not None and not shown_of(secrets, window))
    assert window.canvas.picture.hidden and not window.canvas.picture.studies
    assert not {mark.role for mark in window.canvas._plot.marks}
    if studies()[study]().plotted:
        assert "The answer is hidden until it is revealed." in [
            window.studies._words(one) for one in window.store.scene.panels[0].studies
        ]


def test_in_the_middle_of_a_gesture_nothing_stays_either(qtbot, staged):
    window = staged(scene_of("kmeans"))
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
    qtbot.waitUntil(lambda: not window.sides.plots)
    assert window.store.gesturing and window.canvas.picture.hidden
    assert not [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()]
    assert not window.player.isVisible()
