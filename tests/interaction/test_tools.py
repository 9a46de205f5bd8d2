import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from mlviz.data.dataset import Dataset
from mlviz.interaction import selection
from mlviz.interaction.gesture import rounded
from mlviz.interaction.selection import inside
from mlviz.interaction.tool_state import ToolState
from tests.ui.hands import ALT, CTRL, LEFT, MIDDLE, NONE, RIGHT, SHIFT, Desk

Key = Qt.Key


def near(found, wanted, desk):
    # Press, release and the rounded way are each up to half a pixel off.
    return np.allclose(found, wanted, atol=1.5 * desk.canvas.unit().max())


def test_a_click_adds_a_point_of_the_active_class_where_it_was(qtbot):
    desk = Desk(qtbot)
    desk.hand.code = 3
    desk.click(1, -2)
    assert near(desk.data.X, [(1, -2)], desk)
    assert desk.data.labels.tolist() == [3]
    assert desk.store.undo_what == "add point"
    assert not desk.store.gesturing


def test_a_click_is_rounded_to_its_pixel(qtbot):
    desk = Desk(qtbot)
    desk.click(0.7131, 1.23456)
    exact = desk.place(desk.pixel(0.7131, 1.23456))
    assert (np.abs(desk.data.X[0] - exact) <= desk.canvas.unit() / 2).all()
    assert np.array_equal(desk.data.X[0], np.round(desk.data.X[0], 2))


@pytest.mark.parametrize("size", [1e-300, 3e-9, 0.016, 1.0, 250.0, 1e12])
def test_rounding_tells_pixels_apart_at_every_scale(size):
    pixels = np.arange(-40, 40)[:, None] * np.array([size, size])
    places = rounded(pixels, np.array([size, size]))
    assert len(np.unique(places[:, 0])) == 80
    assert (np.abs(places - pixels) <= size * 0.5000001).all()


@pytest.mark.parametrize(
    ("button", "keys"), [(RIGHT, Qt.KeyboardModifier.NoModifier), (Qt.MouseButton.LeftButton, SHIFT)]
)
def test_the_other_click_adds_one_of_the_next_class(qtbot, button, keys):
    desk = Desk(qtbot)
    desk.click(0, 0, button, keys)
    desk.hand.code = 8
    desk.click(1, 1, button, keys)
    assert desk.data.labels.tolist() == [1, 0]


def test_a_click_with_ctrl_removes_the_nearest_point(qtbot):
    desk = Desk(qtbot, [(0, 0), (2, 2), (-3, 1)])
    desk.click(1.6, 1.2, keys=CTRL)
    assert desk.data.X.tolist() == [[0, 0], [-3, 1]]
    desk.store.undo()
    assert len(desk.data) == 3
    desk.store.undo()
    assert len(desk.data) == 3


def test_a_fast_second_click_is_a_click(qtbot):
    desk = Desk(qtbot)
    for _ in range(2):
        desk.click(1, 1)
    QTest.mouseDClick(desk.canvas, LEFT, pos=desk.pixel(-1, 1))
    desk.let_go(-1, 1)
    assert len(desk.data) == 3


def test_nine_classes_can_be_clicked(qtbot):
    desk = Desk(qtbot)
    for code in range(9):
        desk.hand.code = code
        desk.click(code - 4 + 0.5, 0)
    assert desk.data.labels.tolist() == list(range(9))
    with pytest.raises(ValueError, match="class code"):
        desk.hand.code = 9


@pytest.mark.parametrize("tool", ["pen", "move", "select", "lasso"])
def test_a_sample_is_dragged_in_one_step_of_undo(qtbot, tool):
    desk = Desk(qtbot, [(0, 0), (2, 2)])
    desk.hand.tool = tool
    seen = []
    desk.store.listen(lambda change: seen.append((change.new.dataset.X[1].copy(), desk.store.gesturing)))
    desk.drag((2, 2), (-1, -2), (3, 1))
    assert near(desk.data.X, [(0, 0), (3, 1)], desk)
    assert len({tuple(place) for place, _ in seen}) >= 8  # the fit could follow all the way
    assert all(gesturing for _, gesturing in seen[:-1]) and not seen[-1][1]
    desk.store.undo()
    assert desk.data.X.tolist() == [[0, 0], [2, 2]]
    desk.store.undo()
    assert desk.store.undo_what is None


def test_a_new_point_can_be_dragged_on_before_the_button_is_up(qtbot):
    desk = Desk(qtbot)
    desk.drag((0, 0), (2, 1))
    assert near(desk.data.X, [(2, 1)], desk)
    desk.store.undo()
    assert len(desk.data) == 0


def test_escape_takes_a_drag_back(qtbot):
    desk = Desk(qtbot, [(0, 0)])
    desk.drag((0, 0), (2, 2), release=False)
    assert near(desk.data.X, [(2, 2)], desk)
    desk.key(Key.Key_Escape)
    assert desk.data.X.tolist() == [[0, 0]]
    desk.let_go(2, 2)
    assert desk.data.X.tolist() == [[0, 0]]
    assert desk.store.undo_what is None and desk.store.redo_what is None


def test_a_sample_is_not_dragged_out_of_sight(qtbot):
    desk = Desk(qtbot, [(0, 0)])
    desk.drag((0, 0), (90, 0))
    x1 = desk.canvas.frame().limits[1]
    assert desk.data.X[0, 0] <= x1 + desk.canvas.unit()[0]


def test_another_change_ends_a_drag(qtbot):
    desk = Desk(qtbot, [(0, 0), (1, 1)])
    desk.drag((1, 1), (2, 2), release=False)
    desk.store.undo()
    desk.store.push(desk.store.scene.replace(dataset=desk.data.erase([1])), "erase")
    desk.drag((2, 2), (3, 3), release=False)
    desk.let_go(3, 3)
    assert desk.data.X[0].tolist() == [0, 0]


def test_a_brush_stroke_is_one_step_and_stays_in_its_circle(qtbot):
    desk = Desk(qtbot)
    desk.hand.tool, desk.hand.radius, desk.hand.code = "brush", 40, 2
    desk.drag((-1, 0), (1, 0), steps=12)
    n = len(desk.data)
    assert n > 6 and set(desk.data.labels) == {2}
    away = desk.data.X / desk.canvas.unit()
    away[:, 0] = np.maximum(np.abs(away[:, 0]) - 1 / desk.canvas.unit()[0], 0)
    assert (np.hypot(*away.T) < 42).all()
    desk.store.undo()
    assert len(desk.data) == 0
    desk.drag((-1, 0), (1, 0), steps=12)
    assert len(desk.data) == n


def test_the_brush_goes_on_spraying_while_it_rests(qtbot):
    desk = Desk(qtbot)
    desk.hand.tool = "brush"
    desk.drag((0, 0), release=False)
    before = len(desk.data)
    qtbot.waitUntil(lambda: len(desk.data) >= before + 3)
    desk.let_go(0, 0)
    n = len(desk.data)
    qtbot.wait(120)
    assert len(desk.data) == n


def test_the_eraser_misses_nothing_on_a_fast_way(qtbot):
    places = [(x, 0) for x in np.linspace(-3, 3, 25)] + [(0, 2)]
    desk = Desk(qtbot, places)
    desk.hand.tool = "eraser"
    desk.drag((-3, 0), (3, 0), steps=1)
    assert desk.data.X.tolist() == [[0, 2]]
    desk.store.undo()
    assert len(desk.data) == 26


def test_the_relabel_brush_changes_classes_only(qtbot):
    desk = Desk(qtbot, [(-2, 0), (0, 0), (0, 3)])
    desk.hand.tool, desk.hand.code = "relabel", 4
    desk.drag((-2, 0), (0, 0))
    assert desk.data.labels.tolist() == [4, 4, 0]
    assert desk.store.undo_what == "relabel points"
    desk.store.undo()
    assert desk.data.labels.tolist() == [0, 0, 0]


def test_a_rectangle_selects_and_the_selection_is_dragged_as_a_whole(qtbot):
    desk = Desk(qtbot, [(0, 0), (1, 0.5), (3, 3)])
    desk.hand.tool = "select"
    desk.drag((-1, -1), (2, 2))
    assert desk.selection == [0, 1]
    assert desk.store.undo_what is None
    desk.drag((1, 0.5), (2, 1))
    assert near(desk.data.X, [(1, 0.5), (2, 1), (3, 3)], desk)
    assert np.allclose(desk.data.X[1] - desk.data.X[0], (1, 0.5))
    assert desk.selection == [0, 1]


def test_shift_adds_to_the_selection_and_ctrl_takes_out_of_it(qtbot):
    desk = Desk(qtbot, [(-2, 0), (0, 0), (2, 0)])
    desk.hand.tool = "select"
    desk.drag((-3, -1), (-1, 1))
    desk.drag((1, -1), (3, 1), keys=SHIFT)
    assert desk.selection == [0, 2]
    desk.click(0, 0, keys=SHIFT)
    assert desk.selection == [0, 1, 2]
    desk.drag((-3, -1), (-1, 1), keys=CTRL)
    assert desk.selection == [1, 2]
    desk.click(2, 0, keys=CTRL)
    assert desk.selection == [1]
    desk.click(-1, 3)
    assert desk.selection == []


def test_a_lasso_selects_what_is_inside_its_line(qtbot):
    desk = Desk(qtbot, [(0, 0), (2, 0), (0, 2), (3, 3)])
    desk.hand.tool = "lasso"
    desk.drag((-1, -1), (2.5, -1), (-1, 2.5), (-1, -1))
    assert desk.selection == [0]
    desk.drag((-1, -1), (3.5, -1), (-1, 3.5), (-1, -1))
    assert desk.selection == [0, 1, 2]


def test_inside_knows_a_hollow_outline_and_level_edges():
    outline = np.array([(0, 0), (4, 0), (4, 4), (3, 4), (3, 1), (1, 1), (1, 4), (0, 4)], dtype=float)
    places = np.array([(0.5, 3), (2, 3), (3.5, 3), (2, 0.5), (9, 0), (-1, 1)])
    assert inside(places, outline).tolist() == [True, False, True, True, False, False]


def test_a_selection_ends_with_a_change_from_elsewhere(qtbot):
    desk = Desk(qtbot, [(0, 0), (1, 1)])
    selection.select_all(desk.store, desk.hand)
    desk.store.push(desk.store.scene.replace(dataset=desk.data.erase([0])), "erase")
    assert desk.selection == []
    selection.delete_selection(desk.store, desk.hand)
    assert len(desk.data) == 1


@pytest.mark.parametrize(
    ("tool", "button", "keys"), [("move", LEFT, NONE), ("pen", MIDDLE, NONE), ("brush", LEFT, ALT)]
)
def test_panning_takes_the_place_under_the_hand_along(qtbot, tool, button, keys):
    desk = Desk(qtbot, [(3, 3)])
    desk.hand.tool = tool
    start, end = desk.pixel(0, 0), desk.pixel(1, -1)
    before = desk.place(start)
    desk.drag((0, 0), (1, -1), button=button, keys=keys)
    assert np.allclose(desk.place(end), before, atol=desk.canvas.unit().max())
    assert len(desk.data) == 1 and desk.store.undo_what is None


def test_escape_takes_panning_back(qtbot):
    desk = Desk(qtbot)
    before = desk.limits
    desk.drag((0, 0), (1, 1), button=MIDDLE, release=False)
    assert not np.allclose(desk.limits, before)
    desk.key(Key.Key_Escape)
    assert np.array_equal(desk.limits, before)


def test_shift_and_wheel_change_the_brush(qtbot):
    desk = Desk(qtbot)
    radius, limits = desk.hand.radius, desk.limits
    desk.wheel(0, 0, 2, SHIFT)
    assert desk.hand.radius > radius
    for _ in range(60):
        desk.wheel(0, 0, -2, SHIFT)
    assert desk.hand.radius == 4
    assert np.array_equal(desk.limits, limits)


def test_the_next_class_is_the_next_one_that_has_points():
    hand = ToolState()

    def following(active, labels):
        hand.code = active
        return hand.next_code(Dataset(np.zeros((len(labels), 2)), labels))

    assert [following(active, []) for active in (0, 1)] == [1, 0]
    assert following(0, [0, 0]) == 1 and following(1, [1]) == 0, "with one class the other of the first two"
    assert [following(active, [0, 1, 1]) for active in (0, 1)] == [1, 0], "no third class by accident"
    assert [following(active, [0, 2, 5]) for active in (0, 2, 5, 7)] == [2, 5, 0, 0]
    assert following(2, [2]) == 0
