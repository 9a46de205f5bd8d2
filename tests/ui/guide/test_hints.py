"""Every hint can come true under a hand, is shown once, and is never in the way."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mlviz.scene import edits
from mlviz.scene.values import OVER_PLANE
from mlviz.ui.guide.hint_line import HintLine
from mlviz.ui.guide.hints import HINTS
from mlviz.ui.shell.menu.commands import written
from mlviz.ui.shell.worker_link import WorkerLink
from tests.ui.hands import LEFT, NONE, mouse
from tests.ui.samples import some_points, with_points
from tests.ui.shell.test_calm import answer, places

pytestmark = pytest.mark.slow

WORDS = {hint.id: written(hint.words) for hint in HINTS}
NOTHING = Qt.MouseButton.NoButton


def pixel(canvas, place):
    return QPoint(*canvas.frame().to_pixels([place])[0].round().astype(int).tolist())


def drag(window, release=True):
    """Take hold of the first point, and move it."""
    canvas, start = window.canvas, pixel(window.canvas, window.store.scene.dataset.X[0])
    mouse(canvas, QEvent.Type.MouseButtonPress, start, LEFT, LEFT, NONE)
    for way in (8, 16, 24):
        mouse(canvas, QEvent.Type.MouseMove, start + QPoint(way, way), NOTHING, LEFT, NONE)
    if release:
        mouse(canvas, QEvent.Type.MouseButtonRelease, start + QPoint(24, 24), LEFT, NOTHING, NONE)


def point(window):
    mouse(window.canvas, QEvent.Type.MouseMove, pixel(window.canvas, (0.3, 0.4)), NOTHING, NOTHING, NONE)


def slide(window):
    slider = window.sidebar.hyperparameters.rows["C"].control.slider
    QTest.mouseClick(slider, LEFT, NONE, QPoint(slider.width() - 4, slider.height() // 2))


def over_plane(window):
    window.sidebar.chooser.choose("knn")
    window.sidebar.chooser.tasks.setCurrentText(OVER_PLANE)


def start_by_hand(window):
    window.sidebar.chooser.choose("kmeans")
    window.store.push(edits.with_value(window.store.scene, 0, "algorithm.init", "by hand"), "change start")


WAYS = {
    "values": over_plane,
    "canvases": lambda window: window.actions_.action("add panel").trigger(),
    "main": slide,
    "compare": slide,
    "comparison": lambda window: window.actions_.action("add panel").trigger(),
    "ghost": drag,
    "held out": lambda window: window.presets.open_shipped("iris"),
    "legend": lambda window: window.presets.draw_preset("moons"),
    "pin": point,
    "slice": point,
    "start": start_by_hand,
}
"""What a hand does, on a window with points, for a hint to come true."""


def wait(window, qtbot, milliseconds=60):
    """Let the worker answer and the hand rest."""
    qtbot.waitUntil(lambda: not any(canvas.stale for canvas in window.panels.canvases))
    QTest.qWait(milliseconds)


@pytest.fixture
def only(make_window, qtbot):
    """Puts points on a live window in which one hint alone is left, and comes at once."""
    window = with_points(make_window(live=True))
    start = window.store.scene

    def stage(name):
        guide = window.guide
        guide._made_line().left = []
        guide.hide_hint()
        guide._pause.stop()
        guide.rest.setInterval(0)
        window.store.reset(start)
        QApplication.sendEvent(window.canvas, QEvent(QEvent.Type.Leave))
        qtbot.waitUntil(lambda: window.canvas.picture is not None and window.fitted and not window.link.busy)
        qtbot.waitUntil(lambda: window.canvas.picture.key == start.dataset.key)
        guide.rest.timeout.emit()  # the points are old by now
        guide.line.left = [hint for hint in HINTS if hint.id == name]
        return window

    return stage


def label(window):
    return window.guide.line.label if window.guide.line is not None else None


def visible(window):
    return label(window) is not None and label(window).isVisible()


def test_each_hint_comes_true_under_the_hand_and_is_shown_once(only, qtbot):
    for name in WORDS:
        window = only(name)
        WAYS[name](window)
        qtbot.waitUntil(lambda window=window: visible(window))
        assert label(window).text() == WORDS[name]
        QTest.mouseClick(window.canvas, LEFT, NONE, QPoint(window.canvas.width() // 2, window.canvas.height() - 2))
        assert not visible(window), name
        window.guide._pause.stop()
        WAYS[name](window)
        wait(window, qtbot)
        assert not visible(window), name


def test_a_hint_that_was_shown_is_not_shown_in_another_window(only, make_window, qtbot):
    window = only("ghost")
    drag(window)
    qtbot.waitUntil(lambda: visible(window))
    again = with_points(make_window(link=WorkerLink()))
    again.guide.rest.setInterval(0)
    again.guide._pause.stop()
    drag(again)
    wait(again, qtbot)
    assert not visible(again)


def test_each_hint_has_a_way():
    assert WAYS.keys() == WORDS.keys()


@pytest.fixture
def window(make_window, preferences):
    """A window on points, answered by hand, whose hints come when they are looked for; none is due."""
    preferences.keep("hints/legend", "seen")
    made = with_points(make_window())
    answer(made)
    made.guide.rest.setInterval(10**6)
    made.guide.rest.timeout.emit()
    assert not visible(made)
    return made


def move(window, seed=1):
    """Another place for every point: two hints at once."""
    window.store.push(window.store.scene.replace(dataset=some_points(30, seed=seed)), "move points")
    answer(window)
    window.guide.rest.timeout.emit()


def test_nothing_of_the_window_changes_by_a_hint(window):
    window.actions_.action("add panel").trigger()
    answer(window)
    before, scene, undo = places(window), window.store.scene, window.store.undo_what
    window.guide.rest.timeout.emit()
    assert visible(window)
    assert (places(window), window.store.scene, window.store.undo_what) == (before, scene, undo)
    assert window.canvas.hasFocus()


def test_a_hint_waits_for_its_turn_and_what_happened_meanwhile_is_not_forgotten(window):
    move(window)
    first = label(window).text()
    assert visible(window) and first == WORDS["ghost"]
    move(window, seed=2)
    assert label(window).text() == first
    window.guide.hide_hint()
    window.guide._pause.stop()
    window.guide._pause.timeout.emit()
    assert visible(window) and label(window).text() == WORDS["held out"]


def test_there_is_no_hint_during_a_gesture(window):
    drag(window, release=False)
    answer(window)
    window.guide.rest.timeout.emit()
    assert window.store.gesturing and not visible(window)
    window.canvas.cancel()
    window.canvas.cancel()
    move(window)
    assert visible(window)


def test_there_is_no_hint_in_a_presentation_or_on_the_tour(window):
    window.presentation.show(True)
    move(window)
    assert not visible(window)
    window.presentation.show(False)
    window.actions_.action("tour").trigger()
    move(window, seed=2)
    assert not visible(window)
    window.guide.leave_tour()
    window.guide.rest.timeout.emit()
    assert visible(window)
    window.presentation.show(True)
    assert not visible(window)


def test_a_hint_goes_by_itself(window, qtbot):
    move(window)
    window.guide.line._quiet.start(20)
    qtbot.waitUntil(lambda: not visible(window))


def test_hints_can_be_switched_off_and_be_shown_again(window, make_window):
    action = window.actions_.action("hints")
    assert action.isChecked()
    action.trigger()
    move(window)
    assert not visible(window) and not action.isChecked()
    assert not make_window().guide.hinting
    action.trigger()
    window.guide.rest.timeout.emit()
    assert visible(window) and action.isChecked()
    action.trigger()
    window.actions_.action("hints again").trigger()
    assert action.isChecked() and len(window.guide.line.left) == len(HINTS)
    move(window, seed=3)
    assert visible(window) and label(window).text() == WORDS["ghost"]


def test_a_hint_is_one_line_inside_the_canvases_over_no_part_of_a_caption_or_legend(window):
    line = window.guide._made_line()
    assert isinstance(line, HintLine)
    for canvases in (1, 2, 3):
        if canvases > 1:
            window.actions_.action("add panel").trigger()
        for size in ((1024, 768), (1280, 800)):
            window.resize(*size)
            answer(window)
            assert_has_room(window, line, canvases)


def assert_has_room(window, line, canvases):
    for words in WORDS.values():
        line._show(words)
        QApplication.processEvents()
        assert window.panels.rect().contains(line.label.geometry())
        # Of three the legend is in the corner without a canvas, with room to spare below it.
        told = [window.panels._legend.geometry()] if canvases == 2 else []
        for canvas in window.panels.canvases:
            axes = canvas.frame().area.toRect().translated(canvas.mapTo(window.panels, QPoint()))
            assert not axes.intersects(line.label.geometry()), words
            caption = canvas.cells.of_size(canvas.width(), canvas.height(), window.panels.canvas_style).caption
            told.append(caption.toRect().translated(canvas.mapTo(window.panels, QPoint())))
        for box in told:
            met = box.intersected(line.label.geometry())
            # Up and down all of it or nothing; at the sides there are no words.
            assert met.isEmpty() or met.height() >= box.height() - 1, words
        assert line.label.fontMetrics().horizontalAdvance(words) <= line.label.contentsRect().width()


def test_a_click_beside_the_axes_goes_to_a_canvas_and_adds_no_point(window):
    window.actions_.action("add panel").trigger()
    answer(window)
    data = window.store.scene.dataset
    for index in (0, 1):
        canvas = window.panels.canvases[index]
        QTest.mouseClick(canvas, LEFT, NONE, QPoint(canvas.width() // 2, canvas.height() - 6))
        assert window.current == index and window.store.scene.dataset is data
