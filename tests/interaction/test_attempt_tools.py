"""The hand that draws an answer: what each method's canvas makes of it, and what undo takes back."""

import numpy as np
import pytest

from mlviz.numerics.drawn_lines import is_closed
from mlviz.picture.attempts.marks import attempt_marks
from mlviz.scene import edits
from mlviz.scene.attempts import MAX_ATTEMPTS
from tests.ui.hands import CTRL, NONE, RIGHT, SHIFT, Desk

POINTS = [(-2, -1), (-1, 1), (0, 0.2), (1, -1), (2, 1), (2, 2)]
LABELS = [0, 0, 0, 1, 1, 1]


def desk_of(qtbot, method, points=POINTS, labels=LABELS):
    desk = Desk(qtbot, points, np.array(labels), method)
    desk.hand.tool = "attempt"
    return desk


def attempts(desk):
    return desk.store.scene.attempts


def near(desk, found, wanted):
    return np.allclose(found, wanted, atol=2 * desk.canvas.unit().max())


def test_a_drag_draws_a_boundary_and_undo_takes_it_back(qtbot):
    desk = desk_of(qtbot, "svm")
    before = desk.store.scene
    desk.drag((-3, 2), (0, 0), (3, 1))
    (attempt,) = attempts(desk)
    assert attempt.kind == "boundary" and attempt.axes == ("x1", "x2")
    (line,) = attempt.arrays
    assert near(desk, line, [(-3, 2), (0, 0), (3, 1)])
    assert desk.store.undo_what == "draw boundary" and not desk.store.gesturing
    assert desk.store.scene.dataset is before.dataset
    desk.store.undo()
    assert not attempts(desk)
    desk.store.redo()
    assert attempts(desk) == (attempt,)


def test_a_drag_that_comes_back_is_closed(qtbot):
    desk = desk_of(qtbot, "svm")
    desk.drag((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -0.9))
    assert is_closed(attempts(desk)[0].arrays[0])


def test_there_and_back_on_the_same_way_is_no_closed_curve(qtbot):
    desk = desk_of(qtbot, "svm")
    desk.drag((-1, 0), (2, 0), (-1, 0))
    assert not any(is_closed(line) for attempt in attempts(desk) for line in attempt.arrays)


@pytest.mark.parametrize("how", [{"keys": SHIFT}, {"button": RIGHT}])
def test_shift_adds_a_line_to_the_one_before(qtbot, how):
    desk = desk_of(qtbot, "svm")
    desk.drag((-3, 0), (3, 0), **how)
    desk.drag((0, -3), (0, 3), **how)
    assert [len(attempt.lines) for attempt in attempts(desk)] == [2]
    desk.drag((1, -3), (1, 3))
    assert [len(attempt.lines) for attempt in attempts(desk)] == [2, 1]


def test_escape_takes_back_what_is_being_drawn(qtbot):
    desk = desk_of(qtbot, "svm")
    before = desk.store.scene
    desk.drag((-3, 0), (3, 0), release=False)
    assert [mark.role for mark in desk.canvas.preview_marks()] == ["attempt"]
    assert desk.canvas.cancel()
    desk.let_go(3, 0)
    assert not attempts(desk) and desk.store.undo_what is None
    assert not desk.canvas.preview_marks() and desk.store.scene.dataset is before.dataset


@pytest.mark.parametrize("method", ["svm", "pca", "linear-regression"])
def test_two_clicks_draw_a_straight_line(qtbot, method):
    desk = desk_of(qtbot, method)
    desk.click(-1, 0.5)
    (attempt,) = attempts(desk)
    assert attempt.unfinished and len(desk.data) == len(POINTS)
    assert [mark.role for mark in attempt_marks(desk.store.scene, 0)] == ["attempt"]
    desk.click(-1, 0.5)
    assert attempts(desk) == (attempt,)
    desk.click(2, 1)
    (attempt,) = attempts(desk)
    assert not attempt.unfinished and near(desk, attempt.arrays[0], [(-1, 0.5), (2, 1)])
    desk.store.undo()
    assert attempts(desk)[0].unfinished
    desk.store.redo()
    desk.click(0, 0)
    assert [one.unfinished for one in attempts(desk)] == [False, True]


def test_a_click_with_shift_leads_the_line_on(qtbot):
    desk = desk_of(qtbot, "svm")
    for place, keys in (((-2, 0), NONE), ((0, 1), NONE), ((2, 0), SHIFT), ((3, 1), SHIFT)):
        desk.click(*place, keys=keys)
    (attempt,) = attempts(desk)
    assert near(desk, attempt.arrays[0], [(-2, 0), (0, 1), (2, 0), (3, 1)])


@pytest.mark.parametrize("method", ["svm", "pca", "linear-regression"])
def test_a_hand_that_trembles_draws_no_line(qtbot, method):
    desk = desk_of(qtbot, method)
    desk.drag((0, 0), (0.07, 0.07))
    assert not attempts(desk) and len(desk.data) == len(POINTS)


def test_clicks_place_centres_as_many_as_the_method_has(qtbot):
    desk = desk_of(qtbot, "kmeans")
    for place in ((-2, 0), (0, 2), (2, 0)):
        desk.click(*place)
    assert [len(attempt.lines[0]) for attempt in attempts(desk)] == [3]
    assert desk.store.undo_what == "place centre"
    desk.click(1, -2)
    assert [len(attempt.lines[0]) for attempt in attempts(desk)] == [3, 1]
    desk.store.undo()
    desk.store.undo()
    assert [len(attempt.lines[0]) for attempt in attempts(desk)] == [2]
    desk.click(1, -2, keys=SHIFT)
    assert [len(attempt.lines[0]) for attempt in attempts(desk)] == [2, 1]


def test_a_drag_moves_a_centre_in_one_step_of_undo(qtbot):
    desk = desk_of(qtbot, "kmeans")
    desk.click(-2, 0)
    desk.click(2, 0)
    desk.drag((2, 0), (2, 2))
    assert near(desk, attempts(desk)[0].arrays[0], [(-2, 0), (2, 2)])
    assert desk.store.undo_what == "move centre"
    desk.store.undo()
    assert near(desk, attempts(desk)[0].arrays[0], [(-2, 0), (2, 0)])


def test_a_mixture_takes_clicks_for_centres_and_drags_for_a_level(qtbot):
    desk = desk_of(qtbot, "gmm")
    desk.click(-2, 0)
    desk.drag((-3, -3), (3, -3), (3, 3), (-3, 3))
    kinds = [attempt.kind for attempt in attempts(desk)]
    assert kinds == ["centres", "level"] and is_closed(attempts(desk)[1].arrays[0])
    desk.drag((-3, 0), (3, 0))  # encloses nothing
    assert len(attempts(desk)) == 2


@pytest.mark.parametrize(("method", "kind"), [("linear-regression", "curve"), ("pca", "axis")])
def test_curve_and_axis(qtbot, method, kind):
    desk = desk_of(qtbot, method)
    desk.drag((-3, -1), (0, 1), (3, 0))
    (attempt,) = attempts(desk)
    assert attempt.kind == kind
    assert len(attempt.lines[0]) == (2 if kind == "axis" else 3)


def test_ctrl_click_removes_the_nearest_attempt(qtbot):
    desk = desk_of(qtbot, "svm")
    desk.drag((-3, 3), (3, 3))
    desk.drag((-3, -3), (3, -3))
    desk.click(0, 2, keys=CTRL)
    assert near(desk, attempts(desk)[0].arrays[0], [(-3, -3), (3, -3)]) and len(attempts(desk)) == 1
    assert desk.store.undo_what == "remove attempt"
    desk.store.undo()
    assert len(attempts(desk)) == 2
    desk.click(0, -2, keys=CTRL)
    desk.click(0, 0, keys=CTRL)
    desk.click(0, 0, keys=CTRL)
    assert not attempts(desk)


def test_where_nothing_can_be_drawn_nothing_is(qtbot):
    desk = desk_of(qtbot, "linear-regression")
    desk.store.push(edits.with_inputs(desk.store.scene, 0, ("x1",)), "inputs")
    data = desk.data
    wide = type(data)(np.column_stack((data.X, data.X[:, 0])), data.labels, ("x1", "x2", "x3"))
    desk.store.push(edits.with_inputs(desk.store.scene.replace(dataset=wide), 0, ("x1", "x3")), "wide")
    desk.drag((-3, 0), (3, 0))
    assert not attempts(desk)


def test_only_so_many_are_kept(qtbot):
    desk = desk_of(qtbot, "pca")
    for turn in range(MAX_ATTEMPTS + 2):
        desk.drag((0, 0), (3, 3 * turn / MAX_ATTEMPTS), steps=2)
    assert len(attempts(desk)) == MAX_ATTEMPTS
    assert near(desk, attempts(desk)[0].arrays[0][1], (3, 6 / MAX_ATTEMPTS))


def test_a_long_way_is_kept_in_few_places(qtbot):
    desk = desk_of(qtbot, "svm")
    angles = np.linspace(0, 6 * np.pi, 120)
    desk.drag(*np.column_stack((angles / 6 - 1.5, np.sin(angles))).tolist(), steps=4)
    assert 20 < len(attempts(desk)[0].lines[0]) < 200
