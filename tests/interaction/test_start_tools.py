"""The hand on centres from which a clustering starts: it moves, adds and removes them, whatever its tool."""

import numpy as np
import pytest

from mlviz.algorithms.clustering.start_by_hand import BY_HAND, places_of
from mlviz.interaction.starts import start_on
from mlviz.scene import edits
from tests.ui.hands import CTRL, SHIFT, Desk

POINTS = [(-2, -1), (-1, 1), (0, 0.2), (1, -1), (2, 1), (2, 2)]


def desk_of(qtbot, centers="-2, 0; 2, 0", preprocessing="none", tool="pen"):
    desk = Desk(qtbot, POINTS, None, "kmeans")
    scene = edits.with_value(desk.store.scene, 0, "pipeline.preprocessing", preprocessing)
    desk.store.push(edits.with_settings(scene, 0, {"init": BY_HAND, "centers": centers, "n_clusters": 2}), "start")
    desk.hand.tool = tool
    return desk


def algorithm(desk):
    return desk.store.scene.panels[0].pipeline.algorithm


def near(desk, found, wanted):
    return np.allclose(found, wanted, atol=2 * desk.canvas.unit().max())


@pytest.mark.parametrize("tool", ["pen", "move", "select", "eraser"])
def test_a_drag_moves_a_centre_in_one_step_of_undo(qtbot, tool):
    desk = desk_of(qtbot, tool=tool)
    data = desk.data
    desk.drag((2, 0), (1, 1.5))
    assert near(desk, places_of(algorithm(desk).centers), [(-2, 0), (1, 1.5)])
    assert desk.store.undo_what == "move start" and desk.data is data
    desk.store.undo()
    assert algorithm(desk).centers == "-2, 0; 2, 0"


def test_shift_pulls_a_further_one_out_and_control_takes_one_away(qtbot):
    desk = desk_of(qtbot)
    desk.drag((2, 0), (0, -1), keys=SHIFT)
    assert near(desk, places_of(algorithm(desk).centers), [(-2, 0), (2, 0), (0, -1)])
    assert algorithm(desk).n_clusters == 3 and desk.store.undo_what == "add start"
    desk.click(-2, 0, keys=CTRL)
    assert near(desk, places_of(algorithm(desk).centers), [(2, 0), (0, -1)])
    assert algorithm(desk).n_clusters == 2 and desk.store.undo_what == "remove start"
    desk.click(2, 0, keys=CTRL)
    desk.click(0, -1, keys=CTRL)
    assert algorithm(desk).n_clusters == 1
    assert len(desk.data) == len(POINTS)


def test_beside_a_centre_the_tool_in_the_hand_works(qtbot):
    desk = desk_of(qtbot)
    desk.click(0.5, 2.5)
    assert len(desk.data) == len(POINTS) + 1 and algorithm(desk).centers == "-2, 0; 2, 0"


def test_what_is_dragged_is_in_the_units_of_the_method(qtbot):
    desk = desk_of(qtbot, "", "standardize")
    start = start_on(desk.store.scene, 0)
    desk.drag(tuple(start.places[0]), (1, 1))
    X = np.array(POINTS, dtype=float)
    placed = places_of(algorithm(desk).centers)
    assert placed.shape == (2, 2)
    assert near(desk, placed[0] * X.std(axis=0) + X.mean(axis=0), (1, 1))
    np.testing.assert_allclose(start_on(desk.store.scene, 0).places[1], start.places[1], atol=1e-9)


def test_there_is_none_without_a_start_by_hand_on_other_axes_or_hidden(qtbot):
    desk = desk_of(qtbot)
    scene = desk.store.scene
    assert start_on(scene, 0) is not None
    assert start_on(edits.with_value(scene, 0, "algorithm.init", "k-means++"), 0) is None
    assert start_on(edits.with_layer(scene, 0, "start", False), 0) is None
    assert start_on(edits.with_inputs(scene, 0, ("x1",)), 0) is None
    assert start_on(edits.without_samples(scene), 0) is None
    assert start_on(edits.with_value(scene, 0, "algorithm.centers", "1, 2, 3"), 0) is None
