"""Points are held out and switched off by hand."""

import dataclasses

import pytest

from mlviz.data.generators.catalog import Moons
from mlviz.interaction import selection
from mlviz.scene.splits import edits as splits
from tests.ui.hands import RIGHT, Desk


@pytest.mark.parametrize(
    ("tool", "mask", "marked", "words"),
    [
        ("hold-out", "held_out", True, ("hold out points", "train on points")),
        ("switch-off", "active", False, ("switch points off", "switch points on")),
    ],
)
def test_brushes_mark_points_and_take_the_mark_away(qtbot, tool, mask, marked, words):
    desk = Desk(qtbot, [(-2, 0), (0, 0), (0, 3)])
    desk.store.reset(desk.store.scene.replace(dataset=dataclasses.replace(desk.data, source=Moons())))
    desk.hand.tool = tool
    desk.drag((-2, 0), (0, 0))
    assert (getattr(desk.data, mask) == marked).tolist() == [True, True, False]
    assert desk.store.undo_what == words[0] and desk.data.source == Moons()
    before = desk.data
    desk.drag((-2, 0), (0, 0))
    assert desk.data is before, "what is marked already is no change"
    desk.drag((0, 0), (0, 3), button=RIGHT)
    assert (getattr(desk.data, mask) == marked).tolist() == [True, False, False]
    assert desk.store.undo_what == words[1]
    desk.store.undo()
    desk.store.undo()
    assert (getattr(desk.data, mask) == marked).tolist() == [False] * 3


def test_selected_points_are_held_out_or_switched_off_and_stay_selected(qtbot):
    desk = Desk(qtbot, [(-2, 0), (0, 0), (0, 3)])
    for edit, mask, usual in ((splits.with_rows_held_out, "held_out", False), (splits.with_rows_off, "active", True)):
        desk.hand.select([0, 2], desk.data)
        for marked in (True, False):
            selection.change_selection(desk.store, desk.hand, edit, "mark points")
            assert (getattr(desk.data, mask) != usual).tolist() == [marked, False, marked] and desk.selection == [0, 2]


def test_a_point_that_is_drawn_is_for_training(qtbot):
    desk = Desk(qtbot, [(-2, 0), (2, 0)])
    desk.store.push(splits.split(desk.store.scene, 0.5), "split")
    desk.click(0, 2)
    assert desk.data.held_out.sum() == 1 and desk.data.training[-1]
