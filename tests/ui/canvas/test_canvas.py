import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAccessible, QAction, QFocusEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from mlviz.draw.layer import Explanation
from mlviz.draw.marks import Field, Points
from mlviz.draw.plot import Plot
from mlviz.interaction.selection import select_all
from mlviz.picture import PanelPicture
from mlviz.ui.canvas.canvas import Canvas
from mlviz.ui.canvas.panel_view import TELL_MS
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.scene_view import zoomed
from tests.ui.hands import CTRL, SHIFT, Desk

Key = Qt.Key


def picture(desk, *marks, **facts):
    return PanelPicture(0, 0, desk.store.scene.dataset.key, Plot("data", "", "x1", "x2", marks), **facts)


def full_field():
    nodes = np.linspace(-9, 9, 4)
    return Field("region", nodes, nodes, np.full((4, 4), 255, np.uint8), np.zeros((4, 4), np.uint8))


def test_points_are_on_the_screen_before_any_picture(qtbot):
    desk = Desk(qtbot)
    empty = desk.colour_at(1, 1)
    desk.click(1, 1)
    assert desk.colour_at(1, 1) != empty
    desk.store.undo()
    assert desk.colour_at(1, 1) == empty


def test_a_click_sets_no_cursor_that_is_there_already(qtbot):
    desk, told = Desk(qtbot), []

    class Ear(QObject):
        def eventFilter(self, watched, event):
            told.extend([event.type()] * (event.type() == QEvent.Type.CursorChange))
            return False

    ear = Ear()
    desk.canvas.installEventFilter(ear)
    desk.click(1, 1)
    assert not told and desk.canvas.cursor().shape() == Qt.CursorShape.CrossCursor
    desk.hand.tool = "move"
    assert told and desk.canvas.cursor().shape() == Qt.CursorShape.OpenHandCursor


def test_a_late_picture_of_other_rows_puts_no_marks_on_samples(qtbot):
    desk = Desk(qtbot, [(-2, -2), (0, 0)])
    late = picture(desk, Points("now", np.zeros((1, 2)), rows=np.array([0])))
    desk.store.push(desk.store.scene.replace(dataset=desk.store.scene.dataset.erase([0])), "erase")
    plain = desk.colour_at(0, 0)
    desk.canvas.set_picture(late)
    assert desk.colour_at(0, 0) == plain
    desk.canvas.set_picture(picture(desk, Points("now", np.zeros((1, 2)), rows=np.array([0]))))
    assert desk.colour_at(0, 0) != plain


def test_marks_on_samples_follow_the_hand(qtbot):
    desk = Desk(qtbot, [(0, 0), (-2, -2)])
    desk.canvas.set_picture(picture(desk, Points("now", np.zeros((1, 2)), rows=np.array([0]))))
    crossed = desk.colour_at(0, 0)
    desk.drag((0, 0), (2, 1), release=False)
    x, y = desk.data.X[0]
    assert desk.colour_at(x, y) == crossed != desk.colour_at(-2, -2)


def test_marks_rest_while_their_rows_mean_nothing(qtbot):
    desk = Desk(qtbot, [(0, 0), (-2, -2)])
    desk.canvas.set_picture(picture(desk, Points("now", np.zeros((1, 2)), rows=np.array([0]))))
    plain = desk.colour_at(-2, -2)
    desk.store.push(desk.store.scene.replace(dataset=desk.data.erase([0])), "erase")
    assert desk.colour_at(-2, -2) == plain


def test_a_late_picture_fades_and_a_new_one_does_not_blank(qtbot):
    desk = Desk(qtbot)
    desk.canvas.set_picture(picture(desk, full_field()))
    strong = desk.colour_at(2, 2)
    desk.click(-1, 0)
    assert desk.colour_at(2, 2) == strong
    qtbot.waitUntil(lambda: desk.canvas.stale)
    faded = desk.colour_at(2, 2)
    assert sum(strong) < sum(faded) < sum(desk.canvas._style.colors.canvas[:3])
    desk.canvas.set_picture(picture(desk, full_field()))
    assert desk.colour_at(2, 2) == strong


def test_an_old_sentence_is_not_shown_as_if_it_were_about_the_points_there_are_now(qtbot, monkeypatch):
    desk = Desk(qtbot)
    shown = []
    monkeypatch.setattr(desk.canvas._layers, "paint", lambda *a: shown.append((a[-1].message, a[-1].caption)) or True)
    old = picture(desk, caption="n = 0", message="There are no samples yet.")
    desk.canvas.set_picture(old)
    desk.canvas.grab()
    assert shown[-1] == ("There are no samples yet.", "n = 0")
    desk.click(1, 1)
    desk.canvas.set_picture(old)  # it was on its way
    qtbot.waitUntil(lambda: desk.canvas.stale)
    desk.canvas.grab()
    assert shown[-1] == ("Computing ...", "")
    desk.canvas.set_picture(picture(desk, caption="n = 1"))
    desk.canvas.grab()
    assert shown[-1] == (None, "n = 1")


def test_a_picture_of_other_axes_is_not_shown(qtbot):
    desk = Desk(qtbot)
    desk.canvas.set_picture(PanelPicture(0, 0, "", Plot("data", "", "x2", "x1", (full_field(),))))
    assert desk.canvas.picture is None


def test_the_wheel_zooms_about_the_cursor_and_is_not_undoable(qtbot):
    desk = Desk(qtbot, [(0, 0)])
    at = desk.pixel(2, -1)
    before, width = desk.place(at), np.ptp(desk.limits[:2])
    desk.wheel(2, -1, 1)
    assert np.ptp(desk.limits[:2]) < width
    assert np.allclose(desk.place(at), before)
    desk.wheel(2, -1, -1)
    assert np.allclose(desk.limits, (-4, 4, -4, 4), atol=desk.canvas.unit().max())
    assert desk.store.undo_what is None


def test_zooming_ends_where_floats_do():
    limits = (-4.0, 4.0, -4.0, 4.0)
    for factor in (2.0, 0.5):
        now = limits
        for _ in range(3000):
            now = zoomed(now, factor, (1.0, 1.0)) or now
        assert np.isfinite(now).all() and now[0] < now[1]


def test_fit_view_shows_every_point(qtbot):
    desk = Desk(qtbot, [(100, -50), (300, 20)])
    desk.canvas.fit_view()
    x0, x1, y0, y1 = desk.canvas.frame().limits
    assert x0 < 100 < 300 < x1 and y0 < -50 < 20 < y1


def test_nudging_is_one_step_of_undo_until_the_hand_rests(qtbot):
    desk = Desk(qtbot, [(0, 0), (1, 1)])
    desk.hand.select([1], desk.data)
    for _ in range(3):
        desk.key(Key.Key_Right)
    desk.key(Key.Key_Down, SHIFT)
    assert np.allclose((desk.data.X[1] - 1) / desk.canvas.unit(), (3, -10), atol=1.1)
    assert desk.store.gesturing and desk.selection == [1]
    qtbot.waitUntil(lambda: not desk.store.gesturing)
    desk.key(Key.Key_Right)
    desk.store.undo()
    desk.store.undo()
    assert desk.data.X.tolist() == [[0, 0], [1, 1]]


def test_escape_lets_go_of_the_selection(qtbot):
    desk = Desk(qtbot, [(0, 0), (1, 1)])
    select_all(desk.store, desk.hand)
    desk.key(Key.Key_Escape)
    assert desk.selection == []


def test_the_keyboard_alone_adds_moves_and_removes_points(qtbot):
    desk = Desk(qtbot)
    desk.key(Key.Key_Insert)
    desk.key(Key.Key_Return)
    for _ in range(5):
        desk.key(Key.Key_Right)
    desk.key(Key.Key_Return, SHIFT)
    assert desk.data.labels.tolist() == [0, 1]
    assert np.allclose(np.diff(desk.data.X[:, 0]), 50 * desk.canvas.unit()[0], atol=0.02)
    desk.key(Key.Key_Return, CTRL)
    assert desk.data.labels.tolist() == [0]
    desk.hand.tool = "select"
    for _ in range(5):
        desk.key(Key.Key_Left)
    desk.key(Key.Key_Return)
    assert desk.selection == [0]
    desk.key(Key.Key_Up)
    assert desk.data.X[0, 1] > 0


@pytest.mark.parametrize("selected", [True, False])
def test_arrows_are_the_windows_unless_something_is_selected(qtbot, selected):
    desk = Desk(qtbot, [(0, 0)])
    window, stepped = QMainWindow(), []
    qtbot.addWidget(window)
    action = QAction(window, shortcut="Right")
    action.triggered.connect(lambda: stepped.append(1))
    window.addAction(action)
    window.setCentralWidget(desk.canvas)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    desk.canvas.setFocus()
    if selected:
        select_all(desk.store, desk.hand)
    desk.key(Key.Key_Right)
    assert bool(stepped) is not selected
    assert bool(desk.data.X[0, 0] > 0) is selected
    window.takeCentralWidget().setParent(None)


def test_hovering_tells_the_place_and_a_pin_keeps_it(qtbot):
    desk = Desk(qtbot, [(0, 0)])
    with qtbot.waitSignal(desk.canvas.hovered) as told:
        desk.point_at(1, 2)
    assert np.allclose(told.args[0], (1, 2), atol=0.02)
    desk.canvas.toggle_pin()
    with qtbot.assertNotEmitted(desk.canvas.hovered, wait=60):
        desk.point_at(-1, 0)
    with qtbot.waitSignal(desk.canvas.hovered):
        desk.key(Key.Key_Escape)


def test_the_evidence_at_the_probe_is_painted(qtbot):
    desk = Desk(qtbot, [(0, 0)])
    desk.store.look(desk.store.scene.with_view(probe=(1.0, 1.0)))
    plain = desk.colour_at(2, 2)
    desk.canvas.set_picture(picture(desk, explanation=Explanation("near", (Points("now", np.array([[2.0, 2.0]])),))))
    assert desk.colour_at(2, 2) != plain


def test_the_cursor_is_shared_with_other_canvases(qtbot):
    desk = Desk(qtbot)
    other = Canvas(desk.store, 0, desk.hand, Style())
    qtbot.addWidget(other)
    other.resize(640, 520)
    at = desk.pixel(1, 1)
    before = other.grab().toImage().pixelColor(at)
    desk.point_at(1, 1)
    assert other.grab().toImage().pixelColor(at) != before
    assert desk.canvas.cross() is None


def test_presentation_makes_room_for_larger_words(qtbot):
    desk = Desk(qtbot)
    width, height = desk.canvas.area_size()
    desk.canvas.set_style(Style(text=1.6, lines=1.5, points=1.4))
    assert desk.canvas.area_size() < (width, height)


@pytest.mark.parametrize("size", [(160, 140), (1, 1), (2000, 150)])
def test_any_size_and_any_picture_is_painted(qtbot, size):
    desk = Desk(qtbot, [(0, 0), (1e9, -1e9)])
    desk.canvas.setMinimumSize(1, 1)
    desk.canvas.resize(*size)
    desk.canvas.set_picture(
        picture(desk, full_field(), caption="a very long caption " * 20, message="It cannot be fitted.")
    )
    assert not desk.canvas.grab().isNull()


@pytest.fixture
def screen_reader():
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


def test_it_says_in_words_what_it_shows_to_those_who_listen(qtbot, screen_reader):
    desk = Desk(qtbot, [(0, 0), (1, 1), (2, 2)], [0, 1, 1])
    desk.canvas.set_picture(picture(desk, caption="k-means, k = 3", message="It cannot be fitted."))
    qtbot.waitUntil(lambda: "It cannot be fitted." in desk.canvas.accessibleDescription())
    words = desk.canvas.accessibleDescription()
    assert "There are 3 points." in words and "2 of class 2 (grey square), on average at (1.5, 1.5)" in words
    assert "k-means, k = 3" in words and "It cannot be fitted." in words


@pytest.mark.parametrize(
    "event",
    [QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason), QEvent(QEvent.Type.ActivationChange)],
    ids=["keyboard", "window in front"],
)
def test_a_screen_reader_that_comes_later_finds_what_is_shown(qtbot, event):
    desk = Desk(qtbot, [(0, 0), (1, 1), (2, 2)], [0, 1, 1])
    desk.canvas.window().activateWindow()
    qtbot.waitUntil(desk.canvas.isActiveWindow)
    desk.canvas.set_picture(picture(desk, caption="k-means, k = 3"))
    qtbot.wait(TELL_MS + 100)
    assert "k-means, k = 3" not in desk.canvas.accessibleDescription()  # nobody has listened
    QApplication.sendEvent(desk.canvas, event)
    assert "k-means, k = 3" in desk.canvas.accessibleDescription()
