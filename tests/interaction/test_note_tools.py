"""The hand that writes and scribbles: what becomes of its places, and what undo takes back."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from mlviz.interaction import note_tools
from mlviz.interaction.tool_state import Writing
from mlviz.scene.notes import MAX_STROKES, Note, Stroke
from tests.ui.hands import CTRL, RIGHT, Desk

AXES = ("x1", "x2")
HERE = Note(AXES, (-1.0, 1.0), "look here")


def desk_of(qtbot, tool, **scene):
    desk = Desk(qtbot, [(-2, -1), (2, 1), (0, 0)], np.array([0, 1, 0]), "svm")
    desk.store.reset(desk.store.scene.replace(**scene))
    desk.hand.tool = tool
    return desk


def near(desk, found, wanted, pixels=2):
    return np.allclose(found, wanted, atol=pixels * desk.canvas.unit().max())


def test_a_click_begins_words_there_and_changes_nothing_else(qtbot):
    desk = desk_of(qtbot, "text")
    before = desk.store.scene
    desk.click(1, 2)
    assert desk.hand.writing.panel == 0 and desk.hand.writing.old is None
    assert near(desk, desk.hand.writing.place, (1, 2)) and desk.store.scene is before


def test_a_drag_moves_words_in_one_step_of_undo(qtbot):
    desk = desk_of(qtbot, "text", notes=(HERE,))
    grip = (HERE.place[0] + 0.1, HERE.place[1])
    desk.drag(grip, (0, -1), (2, -2))
    (moved,) = desk.store.scene.notes
    assert moved.words == HERE.words and near(desk, moved.place, (1.9, -2))
    assert desk.hand.note == moved and desk.hand.writing is None
    assert desk.store.undo_what == "move text"
    desk.store.undo()
    assert desk.store.scene.notes == (HERE,) and desk.store.undo_what is None


def test_a_double_click_writes_in_words_and_one_click_only_selects_them(qtbot):
    desk = desk_of(qtbot, "text", notes=(HERE,))
    desk.click(-0.9, 1)
    assert desk.hand.note == HERE and desk.hand.writing is None
    desk.click(-0.9, 1)
    assert desk.hand.writing == Writing(0, HERE.place, HERE)


def test_what_is_under_the_hand_is_the_words_and_not_only_their_place(qtbot):
    desk = desk_of(qtbot, "text", notes=(HERE, replace(HERE, place=(-1.0, -2.0))))
    x, y = desk.canvas.frame().to_pixels([HERE.place])[0]
    assert desk.canvas.note_at(np.array([x + 40, y])) == HERE
    assert desk.canvas.note_at(np.array([x - 10, y])) is None
    assert desk.canvas.note_at(np.array([x + 40, y + 40])) is None


def test_the_uppermost_words_are_taken(qtbot):
    above = replace(HERE, words="over it")
    desk = desk_of(qtbot, "text", notes=(HERE, above))
    desk.click(-0.9, 1, keys=CTRL)
    assert desk.store.scene.notes == (HERE,) and desk.store.undo_what == "remove text"


def test_the_pen_keeps_the_way_of_the_hand(qtbot):
    desk = desk_of(qtbot, "ink")
    desk.hand.ink = "blue"
    samples = desk.data
    ways = np.linspace(0, 2 * np.pi, 60)
    desk.drag(*zip(2 * np.cos(ways), 2 * np.sin(ways), strict=True), steps=2)
    (stroke,) = desk.store.scene.strokes
    assert stroke.ink == "blue" and stroke.axes == AXES and desk.data is samples
    away = np.abs(np.hypot(*stroke.curve.T) - 2)
    assert away.max() < 2.5 * desk.canvas.unit().max() and len(stroke.places) < 60
    turns = np.diff(stroke.curve, axis=0)
    angles = np.abs(np.diff(np.unwrap(np.arctan2(turns[:, 1], turns[:, 0]))))
    assert angles.max() < 0.35, "the corners of pixels are to be seen"
    assert desk.store.undo_what == "draw with the pen" and not desk.store.gesturing
    desk.store.undo()
    assert desk.store.scene.strokes == ()


def test_a_stroke_is_shown_under_the_hand_before_it_is_kept(qtbot):
    desk = desk_of(qtbot, "ink")
    desk.drag((-2, 2), (0, 1), (2, 2), release=False)
    (mark,) = [mark for mark in desk.canvas.preview_marks() if mark.role == "red ink"]
    assert near(desk, mark.xy[[0, -1]], [(-2, 2), (2, 2)]) and desk.store.scene.strokes == ()
    desk.let_go(2, 2)
    assert len(desk.store.scene.strokes) == 1
    assert not [mark for mark in desk.canvas.preview_marks() if mark.role == "red ink"]


def test_a_click_of_the_pen_is_a_dot_with_either_button(qtbot):
    desk = desk_of(qtbot, "ink")
    desk.click(1, 1)
    desk.click(1, 2, button=RIGHT)
    assert [len(stroke.places) for stroke in desk.store.scene.strokes] == [1, 1]
    assert near(desk, desk.store.scene.strokes[1].places[0], (1, 2))


def test_a_very_long_stroke_is_thinned(qtbot, monkeypatch):
    monkeypatch.setattr(note_tools, "MAX_PLACES", 200)
    desk = desk_of(qtbot, "ink")
    rng = np.random.default_rng(0)
    desk.drag(*rng.uniform(-3, 3, size=(500, 2)).tolist(), steps=1)
    assert 100 < len(desk.store.scene.strokes[0].places) <= 200


def test_ctrl_click_removes_the_stroke_that_is_near(qtbot):
    lines = (Stroke(AXES, ((-2.0, 2.0), (2.0, 2.0))), Stroke(AXES, ((-2.0, -2.0), (2.0, -2.0))))
    desk = desk_of(qtbot, "ink", strokes=lines)
    desk.click(0, 0, keys=CTRL)
    assert desk.store.scene.strokes == lines
    desk.click(0, -2.02, keys=CTRL)
    assert desk.store.scene.strokes == lines[:1] and desk.store.undo_what == "remove pen stroke"


def test_what_there_is_no_room_for_is_refused_in_words(qtbot):
    line = Stroke(AXES, ((0.0, 0.0), (1.0, 1.0)))
    desk = desk_of(qtbot, "ink", strokes=(line,) * MAX_STROKES)
    desk.drag((0, 0), (1, 2))
    assert len(desk.store.scene.strokes) == MAX_STROKES and "500 pen strokes" in desk.hand.refusal


def test_escape_lets_go_of_words_then_of_the_tool(qtbot):
    desk = desk_of(qtbot, "text", notes=(HERE,))
    desk.click(-0.9, 1)
    assert desk.canvas.cancel() and desk.hand.note is None and desk.hand.tool == "text"
    assert desk.canvas.cancel() and desk.hand.tool == "pen"
    assert not desk.canvas.cancel()


def test_arrows_nudge_the_selected_words_by_a_pixel(qtbot):
    desk = desk_of(qtbot, "text", notes=(HERE,))
    desk.hand.select([0], desk.data)
    desk.click(-0.9, 1)
    samples = desk.data
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Up):
        QTest.keyClick(desk.canvas, key)
    (moved,) = desk.store.scene.notes
    assert np.allclose((np.array(moved.place) - HERE.place) / desk.canvas.unit(), (2, 1), atol=0.6)
    assert desk.data is samples and desk.hand.note == moved
    desk.store.undo()
    assert desk.store.scene.notes == (HERE,) and desk.store.undo_what is None


def test_escape_takes_back_a_drag(qtbot):
    desk = desk_of(qtbot, "text", notes=(HERE,))
    desk.drag((-0.9, 1), (2, -2), release=False)
    assert desk.store.scene.notes != (HERE,)
    desk.canvas.cancel()
    assert desk.store.scene.notes == (HERE,) and desk.store.undo_what is None
