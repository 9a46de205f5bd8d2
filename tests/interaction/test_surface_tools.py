"""The hand that draws a surface as an answer, by places and by lines along which it has one value."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from mlviz.numerics.drawn_lines import is_closed
from mlviz.scene import edits
from mlviz.scene.attempts import edits as attempt_edits
from mlviz.scene.values import OVER_PLANE
from tests.ui.hands import CTRL, SHIFT, Desk


@pytest.fixture
def desk(qtbot, monkeypatch):
    monkeypatch.setattr("mlviz.picture.attempts.marks._NODES", 40)  # lines are drawn at each move, and not looked at
    made = Desk(qtbot, [(-2.0, -1.0), (2.0, -1.0), (0.0, 2.0)], np.zeros(3, dtype=int), "linear-regression")
    made.store.push(edits.with_task(made.store.scene, 0, OVER_PLANE), "task")
    made.hand.tool = "attempt"
    return made


def test_the_hand_draws_lines_beside_places_and_undoes_each(desk):
    desk.hand.value = 3.0
    desk.drag((-2, -2), (-2, 2))
    (begun,) = desk.store.scene.attempts
    assert begun.kind == "surface" and begun.levels == (3.0,) and begun.values == () and begun.lines[0] == ()
    assert desk.store.undo_what == "draw level line" and len(desk.data) == 3
    desk.hand.value = 1.0
    desk.drag((0, -2), (0, 2))
    desk.click(2, 0)
    (whole,) = desk.store.scene.attempts
    assert whole.levels == (3.0, 1.0) and whole.values == (1.0,)
    desk.drag((2, 0), (3, 1))
    (moved,) = desk.store.scene.attempts
    assert moved.lines[1:] == whole.lines[1:] and moved.lines[0] != whole.lines[0], "a place alone is moved"
    desk.hand.value = 2.0
    desk.click(-2, 1)
    assert desk.store.scene.attempts[0].levels == (2.0, 1.0) and desk.store.undo_what == "give value"
    desk.drag((1, -1), (1, 1), keys=SHIFT)
    assert [one.levels for one in desk.store.scene.attempts] == [(2.0, 1.0), (2.0,)]
    desk.click(1, 0.5, keys=CTRL)
    assert [one.levels for one in desk.store.scene.attempts] == [(2.0, 1.0)]
    for _ in range(3):
        desk.store.undo()
    assert desk.store.scene.attempts == (moved,)


def test_lines_of_different_values_do_not_cross(desk):
    desk.hand.value = 3.0
    desk.drag((-2, -2), (2, 2))
    desk.hand.value = 1.0
    desk.drag((-2, 2), (2, -2))
    assert desk.store.scene.attempts[0].levels == (3.0,) and "only one value" in desk.hand.refusal
    desk.hand.refusal, desk.hand.value = "", 3.0
    desk.drag((-2, 2), (2, -2))
    assert desk.store.scene.attempts[0].levels == (3.0, 3.0) and not desk.hand.refusal, "lines of a saddle cross"
    desk.hand.value = 1.0
    desk.click(1, 1)
    assert desk.store.scene.attempts[0].levels == (3.0, 3.0) and "only one value" in desk.hand.refusal


def test_no_gesture_gives_a_place_two_values(desk):
    """Beside one another two values make a surface so steep that it is thousands high elsewhere."""
    desk.hand.value = 0.0
    desk.drag((-2, -2), (2, 2))
    desk.hand.value = 3.0
    desk.click(0, 2)
    before = desk.store.scene.attempts
    desk.hand.value = 1.0
    desk.drag((-1, 2), (1, 2))
    assert desk.store.scene.attempts == before and "only one value" in desk.hand.refusal, "not by a line"
    desk.hand.refusal = ""
    desk.drag((3, 3), (-1, -1))
    assert desk.store.scene.attempts == before and "only one value" in desk.hand.refusal, "not along a line"
    desk.drag((0, 2), (0, 1), (0, 0))
    (moved,) = desk.store.scene.attempts
    gaps = (moved.arrays[0][0] - (0, 0)) / desk.canvas.unit()
    assert moved.lines[0] != before[0].lines[0] and np.hypot(*gaps) > 8, "not by moving it there"
    assert "only one value" in desk.hand.refusal
    assert np.abs(moved.surface.predict(moved.arrays[1])).max() < 0.1
    desk.store.push(attempt_edits.with_places(desk.store.scene, 1, [(1.0, 1.0)], [0.0]), "a value on its line")
    for place in ((1, 1), (-1, -1)):  # the place's, then the line's
        desk.hand.refusal = ""
        desk.click(*place)
        (kept,) = desk.store.scene.attempts
        assert (kept.levels, kept.values) == ((0.0,), (0.0,)) and "only one value" in desk.hand.refusal
    desk.hand.refusal, desk.hand.value = "", 0.0
    desk.drag((-2, 1), (2, 1))
    assert desk.store.scene.attempts[0].levels == (0.0, 0.0) and not desk.hand.refusal


def test_a_drag_moves_a_whole_line_in_one_step_of_undo_and_escape_takes_it_back(desk):
    desk.hand.value = 3.0
    desk.drag((-2, -2), (-1, 0), (-2, 2))
    desk.hand.value = 1.0
    desk.drag((1, -1), (2, -1), (2, 1), (1, 1), (1, -0.98))
    (before,) = desk.store.scene.attempts
    desk.drag((-1.5, -1), (-1.5, -0.5), (-2, -1.5), (-2, -1))
    (moved,) = desk.store.scene.attempts
    shift = moved.arrays[1] - before.arrays[1]
    assert shift == pytest.approx(np.tile((-0.5, 0.0), (len(shift), 1)), abs=2 * desk.canvas.unit().max())
    assert shift == pytest.approx(np.tile(shift[0], (len(shift), 1)), abs=1e-12), "it keeps its shape"
    assert moved.levels == before.levels and moved.lines[2] == before.lines[2] and len(desk.data) == 3
    assert desk.store.undo_what == "move level line" and not desk.store.gesturing
    desk.store.undo()
    assert desk.store.scene.attempts == (before,)
    desk.drag((2, 0), (2.5, 0.5))
    closed = desk.store.scene.attempts[0].arrays[2]
    assert is_closed(closed) and closed[0] == pytest.approx(before.arrays[2][0] + 0.5, abs=0.05)
    desk.store.undo()
    desk.drag((2, 0), (3, 1), release=False)
    assert desk.store.scene.attempts != (before,)
    desk.key(Qt.Key.Key_Escape)
    desk.let_go(3, 1)
    assert desk.store.scene.attempts == (before,)


def test_a_line_is_not_moved_onto_another_value(desk):
    desk.hand.value = 3.0
    desk.drag((-2, -2), (-2, 2))
    desk.click(1, 0)
    desk.hand.value = 1.0
    desk.drag((-1, -2), (-1, 2))
    (before,) = desk.store.scene.attempts
    desk.drag((-1, 1), (0, 1), (1, 1))
    (moved,) = desk.store.scene.attempts
    away = (moved.arrays[2][:, 0] - 1) / desk.canvas.unit()[0]
    assert moved.lines != before.lines and (away < -8).all() and "only one value" in desk.hand.refusal
    desk.store.undo()
    desk.hand.refusal = ""
    desk.drag((-1, 1), (-2, 2), (-1.5, 1))
    (moved,) = desk.store.scene.attempts
    assert "only one value" in desk.hand.refusal, "across a line"
    assert moved.arrays[2][0] == pytest.approx(before.arrays[2][0] - (0.5, 0), abs=0.05), "and back to where it may be"
    desk.hand.refusal = ""
    desk.drag((-1.5, 1), (-1.97, 1))
    (moved,) = desk.store.scene.attempts
    apart = (moved.arrays[2][0] - moved.arrays[1][0]) / desk.canvas.unit()
    assert apart[0] > 7 and "only one value" in desk.hand.refusal, "lines of one shape come no nearer than a click"


def test_the_cursor_tells_where_a_drag_moves_what_was_drawn(desk):
    def shape(x, y):
        desk.point_at(x, y)
        return desk.canvas.cursor().shape()

    desk.hand.value = 1.0
    desk.drag((-2, -2), (-2, 2))
    desk.click(3, 3)
    assert shape(-2, 0) == shape(3, 3) == Qt.CursorShape.SizeAllCursor
    assert shape(1, 1) == Qt.CursorShape.CrossCursor
    desk.hand.tool = "brush"
    assert shape(-2, 0) == Qt.CursorShape.CrossCursor


def test_a_surface_that_is_full_says_so_and_keeps_what_it_has(desk):
    desk.hand.value = 1.0
    for y in np.linspace(-3, 3, 20):
        assert not desk.hand.refusal
        desk.drag((-3, y), (-1, y))
    (attempt,) = desk.store.scene.attempts
    assert len(attempt.levels) == 19 and "19 lines" in desk.hand.refusal
    places = np.stack(np.meshgrid(np.linspace(0, 3.5, 10), np.linspace(-3, 3, 5)), axis=-1).reshape(-1, 2)
    desk.store.push(attempt_edits.with_places(desk.store.scene, 1, places, [1.0] * 50), "as many as there may be")
    desk.hand.refusal = ""
    desk.click(-0.5, 3.5)
    assert len(desk.store.scene.attempts[0].values) == 50 and "50 places" in desk.hand.refusal


def test_a_short_drag_is_a_click_and_one_that_comes_back_is_closed(desk):
    desk.hand.value = 1.0
    x, y = desk.place(desk.pixel(1, 1))
    desk.drag((x, y), (x + 5 * (desk.limits[1] - desk.limits[0]) / 640, y))
    (attempt,) = desk.store.scene.attempts
    assert attempt.levels == () and attempt.values == (1.0,)
    desk.drag((-2, -2), (-1, -2), (-1, -1), (-2, -1), (-2, -1.95))
    line = desk.store.scene.attempts[0].arrays[1]
    assert (line[0] == line[-1]).all() and len(line) >= 5


def test_no_part_of_a_line_is_moved_beside_another_value(desk):
    desk.hand.value = 3.0
    desk.drag((-2, -2), (-2, 2))
    desk.hand.value = 1.0
    desk.drag((2, -2), (0, 0), (2, 2))
    desk.drag((1, 1), *((1 - step, 1) for step in np.linspace(0.1, 1.98, 20)), steps=2)
    (moved,) = desk.store.scene.attempts
    away = (moved.arrays[2][:, 0].min() - moved.arrays[1][0, 0]) / desk.canvas.unit()[0]
    assert 7 < away < 40 and "only one value" in desk.hand.refusal, "the bend comes no nearer than a click"
