"""Values over the plane by hand: each road to a value gives the same samples, and one step of undo a gesture."""

import numpy as np
import pytest

from mlviz.data.tables.editing import with_cell
from mlviz.draw.marks import Text
from mlviz.interaction import values
from mlviz.interaction.selection import select_all
from mlviz.scene import edits
from mlviz.scene.values import OVER_PLANE
from mlviz.scene.values.edits import with_values
from mlviz.ui.paint.scene_view import samples_of
from tests.ui.hands import CTRL, LEFT, RIGHT, SHIFT, Desk

PLACES = [(-2.0, 1.0), (0.0, -1.0), (2.0, 2.0)]
START = [-2.0, 0.0, 2.0]


def desk_of(qtbot, start=START, places=PLACES):
    desk = Desk(qtbot, places, algorithm="knn")
    scene = edits.with_task(desk.store.scene, 0, OVER_PLANE)
    rows = np.arange(len(places))
    desk.store.reset(scene.replace(dataset=with_values(scene.dataset, rows, start, "y")))
    return desk


def y(desk):
    return desk.data.X[:, 2].tolist()


def undone_at_once(desk, start=START):
    desk.store.undo()
    assert y(desk) == pytest.approx(start) and desk.store.undo_what is None
    return True


def by_slider(desk, value):
    desk.hand.select([1], desk.data)
    key = object()
    for way in np.linspace(0.0, value, 5)[1:]:
        values.set_value(desk.store, desk.hand, 0, float(way), key)
    assert desk.selection == [1]


def by_brush(desk, value):
    desk.hand.value, desk.hand.tool = value, "relabel"
    desk.drag((-0.4, -1.0), (0.4, -1.0))


def by_table(desk, value):
    desk.store.push(desk.store.scene.replace(dataset=with_cell(desk.data, 1, 2, str(value))), "edit point")


def by_hand(desk, value):
    desk.hand.tool = "value"
    press = desk.pixel(0.0, -1.0)
    up = desk.place(press - type(press)(0, round(240 * value / 4)))  # the scale is 4 wide, and 240 pixels high
    desk.drag(tuple(desk.place(press)), tuple(up))


def by_digit(desk, value):
    desk.hand.select([1], desk.data)
    code = round((value + 2) / 4 * 8)
    values.set_value(desk.store, desk.hand, 0, values.keyed_value(desk.store.scene, 0, code))


def by_keys(desk, value):
    desk.hand.select([1], desk.data)
    key = object()
    for _ in range(round(value / 0.2)):
        values.raise_value(desk.store, desk.hand, 0, 1, key)


@pytest.mark.parametrize("road", [by_slider, by_brush, by_table, by_hand, by_digit, by_keys])
def test_each_road_gives_the_same_samples_and_one_step_of_undo(qtbot, road):
    desk = desk_of(qtbot)
    road(desk, 1.0)
    assert y(desk) == pytest.approx([-2.0, 1.0, 2.0], abs=0.0 if road is not by_hand else 0.02)
    np.testing.assert_array_equal(desk.data.X[:, :2], PLACES)
    assert desk.data.labels.tolist() == [0, 0, 0]
    # The samples wear it in the same frame, whatever the worker does.
    np.testing.assert_array_equal(samples_of(desk.store.scene, 0).shades, [1, 128 + 63, 255])
    assert undone_at_once(desk)


def test_clicked_and_sprayed_points_have_the_present_value_and_the_other_button_the_mirrored_one(qtbot):
    desk = desk_of(qtbot)
    desk.hand.value = 1.5
    desk.click(-1, -2)
    desk.click(1, -2, RIGHT)
    desk.click(1, 0, keys=SHIFT)
    assert y(desk)[3:] == [1.5, -1.5, -1.5] and not desk.data.labels.any()
    desk.hand.tool = "brush"
    desk.drag((-3, -3), (-2, -3))
    assert len(desk.data) > 8 and set(y(desk)[6:]) == {1.5}
    desk.hand.tool = "eraser"
    desk.drag((-3.3, -3), (-1.7, -3))
    assert set(y(desk)[6:]) <= {1.5} and desk.data.columns == ("x1", "x2", "y")


def test_without_a_choice_a_click_gives_the_middle_of_the_scale(qtbot):
    desk = desk_of(qtbot, [100.0, 200.0, 300.0])
    assert values.shown_value(desk.store.scene, desk.hand, 0) == 200.0
    desk.click(-1, -2)
    assert y(desk)[3] == 200.0


def test_from_nothing_the_two_buttons_give_the_two_ends_of_the_scale(qtbot):
    desk = desk_of(qtbot, [], [])
    assert values.shown_value(desk.store.scene, desk.hand, 0) == 1.0
    for x, button in ((-2, LEFT), (-1, RIGHT), (0, LEFT), (1, RIGHT)):
        desk.click(x, 0, button)
    assert y(desk) == [1.0, -1.0, 1.0, -1.0]
    desk.click(2, 0)
    assert y(desk)[4] == 1.0


def test_numbers_of_two_classes_are_given_on_by_the_two_buttons(qtbot):
    desk = desk_of(qtbot, [0.0, 1.0, 0.0])
    desk.click(-1, -2)
    desk.click(1, -2, RIGHT)
    assert y(desk)[3:] == [1.0, 0.0]


def test_the_value_tool_adds_where_there_is_none_takes_a_value_by_a_click_and_shows_it(qtbot):
    desk = desk_of(qtbot)
    desk.hand.tool, desk.hand.value = "value", 0.5
    desk.drag((-1, -2), release=False)
    (words,) = [mark for mark in desk.canvas.preview_marks() if isinstance(mark, Text)]
    assert words.words == ("y = 0.5",)
    desk.let_go(-1, -1)
    assert len(desk.data) == 4 and y(desk)[3] > 1.0 and desk.data.X[3, :2] == pytest.approx((-1, -2), abs=0.02)
    assert desk.hand.value == y(desk)[3]
    assert not [mark for mark in desk.canvas.preview_marks() if isinstance(mark, Text)]
    desk.store.undo()
    assert len(desk.data) == 3
    desk.click(2, 2)
    assert desk.hand.value == 2.0 and desk.store.undo_what is None


def test_with_the_value_tool_a_point_under_the_cursor_tells_its_value(qtbot):
    desk = desk_of(qtbot)

    def told():
        return [word for mark in desk.canvas.preview_marks() if isinstance(mark, Text) for word in mark.words]

    desk.point_at(2, 2)
    assert told() == []
    desk.hand.tool = "value"
    desk.point_at(2, 2.01)
    assert told() == ["y = 2"]
    values.set_value(desk.store, desk.hand, 0, 1.0)
    desk.store.push(desk.store.scene.replace(dataset=with_values(desk.data, [2], 1.5, "y")), "set value")
    assert told() == ["y = 1.5"]
    desk.point_at(1, 1)
    assert told() == []


def test_the_value_tool_moves_all_selected_points_and_escape_takes_it_back(qtbot):
    desk = desk_of(qtbot)
    desk.hand.tool = "value"
    select_all(desk.store, desk.hand)
    desk.drag((0, -1), (0, 0), release=False)
    moved = np.array(y(desk)) - START
    assert moved == pytest.approx([moved[0]] * 3, abs=0.011) and moved[0] > 0.5
    assert desk.selection == [0, 1, 2]
    desk.canvas.cancel()
    assert y(desk) == START and desk.hand.value is None


def test_the_value_tool_says_where_points_have_no_value(qtbot):
    desk = Desk(qtbot, PLACES, algorithm="knn")
    desk.hand.tool = "value"
    desk.click(0, 0)
    assert desk.hand.refusal == values.NONE and OVER_PLANE in values.NONE and len(desk.data) == 3
    values.raise_value(desk.store, desk.hand, 0, 1)
    values.set_value(desk.store, desk.hand, 0, 3.0)
    assert desk.store.undo_what is None and values.keyed_value(desk.store.scene, 0, 3) is None


def test_the_tool_for_answers_gives_the_present_value_to_a_place_and_to_a_line(qtbot):
    desk = desk_of(qtbot)
    desk.hand.tool, desk.hand.value = "attempt", 0.25
    desk.click(1, 1)
    desk.drag((-1, -1), (-1, 1))
    (attempt,) = desk.store.scene.attempts
    assert attempt.kind == "surface" and attempt.values == (0.25,) and attempt.levels == (0.25,)
    assert np.allclose(attempt.lines[0], [(1, 1)], atol=0.05)
    assert np.allclose(attempt.lines[1], [(-1, -1), (-1, 1)], atol=0.05)


def test_ctrl_click_removes_a_point_with_its_value(qtbot):
    desk = desk_of(qtbot)
    desk.click(0, -1, keys=CTRL)
    assert y(desk) == [-2.0, 2.0]


@pytest.mark.parametrize("start", [[3.0], [1e9], [0.0], [-1e-9]])
def test_a_single_point_can_be_dragged(qtbot, start):
    desk = desk_of(qtbot, start, PLACES[1:2])
    desk.hand.tool = "value"
    desk.drag((0, -1), (0, 1))
    assert y(desk)[0] > start[0] and np.isfinite(y(desk)[0])
    assert undone_at_once(desk, start)


@pytest.mark.parametrize("equal", [0.0, 5.0, 1e9, -1e9])
def test_equal_values_can_be_told_apart_by_hand(qtbot, equal):
    desk = desk_of(qtbot, [equal] * 3)
    desk.hand.tool = "value"
    desk.drag((0, -1), (0, 0.5))
    assert y(desk)[0] == y(desk)[2] == equal and y(desk)[1] > equal
    shades = samples_of(desk.store.scene, 0).shades.astype(int)
    assert shades[1] > shades[0] == shades[2]


def test_values_far_from_nothing_and_near_each_other_are_dragged_on_their_own_scale(qtbot):
    desk = desk_of(qtbot, [1e9, 1e9 + 1e6, 1e9 + 2e6])
    desk.hand.tool = "value"
    desk.drag((0, -1), (0, 0))
    assert 1e9 + 1e6 < y(desk)[1] < 1e9 + 3e6


def test_a_click_on_a_canvas_of_classes_gives_the_value_of_the_other_canvas(qtbot):
    desk = desk_of(qtbot)
    scene = edits.with_another_panel(desk.store.scene, 0)
    desk.store.reset(edits.with_task(scene, 0, "classification"))
    desk.hand.value = 0.7
    desk.click(-1, -2)
    desk.click(1, -2, RIGHT)
    assert y(desk)[3:] == [0.7, 0.7] and desk.data.labels.tolist()[3:] == [0, 1]
    # Digits, brush and tool are of this canvas, which shows classes.
    assert (
        values.keyed_value(desk.store.scene, 0, 3) is None
        and values.shown_value(desk.store.scene, desk.hand, 0) is None
    )
    desk.hand.tool, desk.hand.code = "relabel", 2
    desk.drag((-0.4, -1.0), (0.4, -1.0))
    assert desk.data.labels.tolist()[1] == 2 and y(desk)[:3] == START
    assert samples_of(desk.store.scene, 0).shades is None and samples_of(desk.store.scene, 1).shades is not None
