"""The tour: each step is done by hand and ticked, it is left at any time, and it touches nothing."""

import itertools
import re

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mlviz.algorithms import registry
from mlviz.studies.values import main_parameter
from mlviz.ui.guide.hints import HINTS
from mlviz.ui.guide.tour_steps import STEPS
from mlviz.ui.shell.help_pages import GESTURES
from mlviz.ui.shell.key_routing import PEEK
from mlviz.ui.shell.menu.commands import COMMANDS, written
from tests.test_imports import loaded
from tests.ui.hands import LEFT, NONE, RIGHT
from tests.ui.samples import with_points
from tests.ui.shell.test_calm import answer, places
from tests.ui.shell.test_legible import SMALLEST, cut

pytestmark = pytest.mark.slow
TEMPLATES = [text for step in STEPS for text in (step.words, *(task.words for task in step.tasks))]
TEMPLATES += [hint.words for hint in HINTS]
MENTION = re.compile(r"\{(key|name)\[([^]]*)\]\}")
KEY = re.compile(r"\bF\d+\b|\b(Ctrl|Shift|Alt)\b|\b(Space|Up|Down|Left|Right|Escape|Return)\b|\b[B-HJ-Z]\b")
"""What looks like a key."""


@pytest.fixture
def window(make_window):
    """One of its own for each test: how it looks outlives a scene."""
    return make_window()


def outlined(window):
    """The rectangle in the window that is outlined; None where there is none."""
    outline = window.guide.tour._outline
    return outline.geometry() if outline is not None and outline.isVisible() else None


def ticked(window):
    tour = window.guide.tour
    tour.look()
    return [mark.text() == "✓" for mark, words in tour.rows if not words.isHidden()]


@pytest.fixture
def toured(make_window, qtbot):
    window = make_window()
    with qtbot.waitActive(window):
        window.activateWindow()
    QTest.keyClick(window.canvas, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    assert window.guide.touring
    return window


def test_it_starts_from_the_menu_and_beside_the_presets_and_never_by_itself(window):
    assert window.guide.tour is None
    window.presets.rows.tour.click()
    assert window.guide.touring and window.guide.tour.step == 0 and not window.guide.tour.isWindow()
    assert window.canvas.hasFocus() or not window.isActiveWindow()


def test_nothing_of_it_is_read_before_it_is_wanted():
    modules = ("mlviz.ui.guide.tour", "mlviz.ui.guide.hints", "mlviz.ui.guide.hint_line")
    assert loaded(("import mlviz.ui.shell.window", modules)) == [[]]


def click(window, x, y, button=LEFT):
    canvas = window.canvas
    QTest.mouseClick(canvas, button, NONE, QPoint(*canvas.frame().to_pixels([(x, y)])[0].round().astype(int).tolist()))


def test_every_task_is_done_by_hand_and_ticked(toured, qtbot, monkeypatch):
    window, tour = toured, toured.guide.tour

    def press(key, keys=NONE):
        QTest.keyClick(window.canvas, key, keys)
        answer(window)

    assert ticked(window) == [False, False] and outlined(window).intersects(window.panels.geometry())
    click(window, -1, 0)
    click(window, -2, 1)
    assert ticked(window) == [True, False] and not tour.next.isDefault()
    click(window, 1, 0, RIGHT)
    click(window, 2, -1, RIGHT)
    assert ticked(window) == [True, True] and tour.next.isDefault() and outlined(window) is None
    answer(window)

    tour.next.click()
    assert ticked(window) == [False, False]
    window.sidebar.chooser.choose("perceptron")
    answer(window)
    assert ticked(window) == [True, False]
    press(Qt.Key.Key_Up)
    assert ticked(window) == [True, True]

    tour.next.click()
    press(Qt.Key.Key_W)
    assert ticked(window) == [True, False]
    QTest.keyPress(window.canvas, Qt.Key.Key_G)
    assert ticked(window) == [True, True]
    QTest.keyRelease(window.canvas, Qt.Key.Key_G)
    press(Qt.Key.Key_Escape)
    assert window.guide.touring and not window.hand.pinned

    tour.next.click()
    assert ticked(window) == [False, False]
    press(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    QApplication.processEvents()
    assert ticked(window) == [True, False]
    press(Qt.Key.Key_F6)
    assert ticked(window) == [True, True]

    tour.next.click()
    assert ticked(window) == [False] * 3 and tour.next.text() == "Fi&nish"
    qtbot.waitUntil(lambda: window.player.usable)
    press(Qt.Key.Key_Left)
    assert ticked(window) == [True, False, False]
    press(Qt.Key.Key_F5)
    assert ticked(window) == [True, True, False] and tour.isVisible()
    press(Qt.Key.Key_Escape)
    assert window.guide.touring and not window.appearance.presenting
    monkeypatch.setattr(window.exporting, "copy", lambda: None)
    press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert ticked(window) == [True] * 3
    tour.next.click()
    assert not window.guide.touring and written("{key[shortcuts]}") in window.status.currentMessage()


def by_escape(window):
    QTest.keyClick(window.canvas, Qt.Key.Key_Escape)


def by_escape_on_the_card(window):
    window.guide.tour.next.setFocus()
    QTest.keyClick(window.guide.tour.next, Qt.Key.Key_Escape)


def by_button(window):
    window.guide.tour.leaving.click()


def test_it_is_left_at_each_step_and_nothing_has_changed(staged):
    window = with_points(staged())
    answer(window)
    scene, undo, before = window.store.scene, window.store.undo_what, places(window)
    for step, way in itertools.product(range(len(STEPS)), (by_escape, by_escape_on_the_card, by_button)):
        window.actions_.action("tour").trigger()
        for _ in range(step):
            window.guide.tour.next.click()
        QApplication.processEvents()
        assert window.guide.tour.step == step
        assert (window.store.scene, window.store.undo_what, places(window)) == (scene, undo, before)
        way(window)
        QApplication.processEvents()
        assert not window.guide.touring and outlined(window) is None
        assert (window.store.scene, window.store.undo_what, places(window)) == (scene, undo, before)
        assert window.focusWidget() is window.canvas


def test_what_it_says_of_a_main_hyperparameter_holds_for_every_method():
    have = [main_parameter(method()) is not None for method in registry().values()]
    (words,) = (step.words for step in STEPS if "main hyperparameter" in step.words)
    assert not all(have) and sum(have) > len(have) / 2
    assert "Most methods have a main hyperparameter" in words and "Its main" not in words


def test_its_buttons_have_keys_that_no_menu_has(toured, qtbot):
    tour, go, back, leave = toured.guide.tour, Qt.Key.Key_N, Qt.Key.Key_B, Qt.Key.Key_L

    def press(key, seen):
        QTest.keyClick(toured.canvas, key, Qt.KeyboardModifier.AltModifier)
        qtbot.waitUntil(seen)  # a button is seen to go down for a moment

    for key, step in ((go, 1), (go, 2), (back, 1), (go, 2), (go, 3), (go, 4)):
        press(key, lambda step=step: tour.step == step)
    assert tour.isVisible() and toured.canvas.hasFocus()
    press(go, lambda: not tour.isVisible())
    toured.guide.start_tour()
    press(leave, lambda: not tour.isVisible())


def test_it_begins_anew_and_goes_back(window):
    with_points(window)
    window.guide.start_tour()
    tour = window.guide.tour
    assert not tour.back.isEnabled() and ticked(window) == [True, True]
    tour.next.click()
    tour.back.click()
    assert tour.step == 0 and ticked(window) == [True, True]
    window.guide.leave_tour()
    window.guide.start_tour()
    assert window.guide.tour is tour and tour.step == 0 and tour.done == {(0, 0), (0, 1)}


def test_keys_and_names_are_those_of_the_actions(kept_window):
    window = kept_window
    for kind, name in MENTION.findall(" ".join(TEMPLATES)):
        said = written(f"{{{kind}[{name}]}}")
        if name == "peek":
            assert said == PEEK and any(gesture == f"hold {PEEK}" for gesture, _ in GESTURES)
            continue
        action = window.actions_.action(name)
        true = {
            "key": action.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
            "name": action.text().replace("&", "").rstrip("."),
        }
        assert said == true[kind] != "", name
    for template in TEMPLATES:
        left = MENTION.sub("", template)
        assert not KEY.search(left), f"a key that is written out may be another one tomorrow: {template}"


def test_a_key_that_is_written_out_would_be_noticed():
    assert all(KEY.search(words) for words in ("Press F6.", "Press W to pin.", "Ctrl+E writes it."))
    assert {command.id for command in COMMANDS} >= {name for _, name in MENTION.findall("".join(TEMPLATES))} - {"peek"}


@pytest.mark.parametrize(("size", "presenting"), [((1024, 768), False), ((1024, 768), True), ((1280, 800), False)])
def test_every_step_is_legible_inside_the_window_and_covers_nothing_that_it_speaks_of(staged, size, presenting):
    window = with_points(staged())
    answer(window)
    window.guide.start_tour()
    tour = window.guide.tour
    window.presentation.show(presenting)
    window.resize(*size)
    heights, buttons = set(), set()
    for _ in STEPS:
        QApplication.processEvents()
        assert window.rect().contains(tour.geometry())
        labels = [tour.count, tour.title, tour.words, *(label for row in tour.rows for label in row)]
        for widget in [label for label in labels if label.isVisible()] + [tour.leaving, tour.back, tour.next]:
            assert not cut(widget), cut(widget)
            assert widget.fontInfo().pixelSize() >= SMALLEST
        heights.add(tour.height())
        buttons.add(tour.next.geometry().getRect())
        around = outlined(window)
        assert presenting or around is None or not around.intersects(tour.geometry())
        tour.next.click()
    assert len(heights) == len(buttons) == 1 and not window.guide.touring


def test_the_outline_goes_with_what_it_is_around(window):
    window.guide.start_tour()
    window.guide.tour.next.click()
    QApplication.processEvents()
    before = outlined(window)
    window.resize(window.width() + 60, window.height() + 20)
    QApplication.processEvents()
    assert outlined(window).left() == before.left() + 60
    window.appearance.toggle_sidebar()
    assert outlined(window) is None
    window.appearance.toggle_sidebar()
    QApplication.processEvents()
    assert outlined(window).left() == before.left() + 60


def test_the_outline_is_not_taken_for_the_frame_of_the_current_canvas(toured):
    window, tour = toured, toured.guide.tour
    click(window, 1, 1)
    tour._go(3)
    window.actions_.action("add panel").trigger()
    for theme in ("light", "dark"):
        window.appearance.set_theme(theme)
        tour.look()
        QApplication.processEvents()
        assert_apart(window)


def assert_apart(window):
    assert outlined(window).contains(window.panels.canvases[0].mapTo(window, window.panels.canvases[0].rect().center()))
    picture, highlight = window.grab().toImage(), window.palette().highlight().color()
    corners = [canvas.mapTo(window, QPoint(-1, 0)) for canvas in window.panels.canvases]
    framed = [
        sum(picture.pixelColor(at + QPoint(0, y)) == highlight for y in range(window.canvas.height())) for at in corners
    ]
    assert framed[0] == 0 and framed[1] > 0.9 * window.canvas.height()
    line = outlined(window)
    dashes = {picture.pixelColor(line.left() + 1, y).name() for y in range(line.top() + 9, line.bottom() - 9)}
    assert window.palette().linkVisited().color().name() in dashes and len(dashes) > 1
