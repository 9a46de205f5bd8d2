"""The hand that turns the direction of principal component analysis on the canvas, whatever its tool."""

import dataclasses

import numpy as np
import pytest

from mlviz.interaction.turning import turnable_on
from mlviz.picture import draw
from mlviz.scene import edits
from tests.sweep import sweep
from tests.ui.hands import Desk

POINTS = np.array([(-2, -1), (-1, 1), (0, 0.2), (1, -1), (2, 1), (2, 2), (2.5, 1.5)])


def desk_of(qtbot, angle=20.0, preprocessing="none", tool="pen"):
    desk = Desk(qtbot, POINTS, None, "pca")
    scene = edits.with_value(desk.store.scene, 0, "pipeline.preprocessing", preprocessing)
    desk.store.push(edits.with_settings(scene, 0, {"by_hand": True, "angle": angle}), "by hand")
    desk.hand.tool = tool
    return desk


def algorithm(desk):
    return desk.store.scene.panels[0].pipeline.algorithm


@pytest.mark.parametrize("preprocessing", ["none", "standardize"])
def test_the_ends_are_on_the_line_of_the_mean_among_the_samples_so_that_the_hand_finds_them(qtbot, preprocessing):
    # Two groups far apart: two standard deviations reach past all of them, and one input is longer than the other.
    steps = np.linspace(-0.4, 0.4, 6)
    points = np.array([(x + s, 9 * x - 5 * s) for x in (-1.6, 1.6) for s in steps])
    desk = Desk(qtbot, points, None, "pca")
    scene = edits.with_value(desk.store.scene, 0, "pipeline.preprocessing", preprocessing)
    scale = points.std(axis=0) if preprocessing == "standardize" else np.ones(2)
    for angle in np.linspace(0, 180, 13):
        (first, second) = turnable_on(edits.with_settings(scene, 0, {"by_hand": True, "angle": float(angle)}), 0).ends
        for end, sign in ((first, 1), (second, -1)):
            assert (end >= points.min(axis=0) - 1e-9).all() and (end <= points.max(axis=0) + 1e-9).all()
            along = sign * (end - points.mean(axis=0)) / scale
            assert np.hypot(*along) > 0.3
            wanted = np.radians(angle)
            assert along @ (np.cos(wanted), np.sin(wanted)) == pytest.approx(np.hypot(*along))


@sweep("preprocessing, end, tool", ["none", "standardize"], [0, 1], ["pen", "move", "select", "eraser"])
def test_a_drag_of_either_end_turns_the_direction_in_one_step_of_undo(qtbot, tool, end, preprocessing):
    desk = desk_of(qtbot, tool=tool, preprocessing=preprocessing)
    data = desk.data
    place = np.array((0.4, 1.9))
    desk.drag(tuple(turnable_on(desk.store.scene, 0).ends[end]), tuple(place))
    towards = (desk.place(desk.pixel(*place)) - POINTS.mean(axis=0)) / (
        POINTS.std(axis=0) if preprocessing == "standardize" else 1
    )
    wanted = np.degrees(np.arctan2(towards[1], towards[0])) % 180
    assert algorithm(desk).angle == pytest.approx(wanted, abs=0.06)
    assert desk.data is data and desk.store.undo_what == "turn direction"
    ends = turnable_on(desk.store.scene, 0).ends
    (picture,) = draw(desk.store.scene, [(300, 300)], 8)
    (shown,) = [mark for mark in picture.plot.marks if mark.role == "now"]
    np.testing.assert_allclose(shown.xy, ends, atol=1e-9)
    desk.store.undo()
    assert algorithm(desk).angle == 20.0


def test_what_the_direction_has_stands_beside_the_best_there_is(qtbot):
    scene = desk_of(qtbot, angle=35.0).store.scene
    (picture,) = draw(scene, [(300, 300)], 8)
    (text,) = [mark for mark in picture.plot.marks if mark.role == "attempt" and hasattr(mark, "words")]
    centred = POINTS - POINTS.mean(axis=0)
    angles = np.radians(np.append(35.0, np.linspace(0, 180, 3601)))
    scores = centred @ np.array([np.cos(angles), np.sin(angles)])
    variance = (scores**2).sum(axis=0) / (len(POINTS) - 1)
    error = ((centred**2).sum() - (scores**2).sum(axis=0)) / (len(POINTS) - 1)
    told = [[float(word.rstrip(",")) for word in words.split() if word[0].isdigit()] for words in text.words]
    assert told[0] == pytest.approx([variance[0], variance.max()], rel=5e-3)
    assert told[1] == pytest.approx([error[0], error.min()], rel=5e-3)


def test_there_is_nothing_to_turn_without_a_direction_by_hand_two_inputs_and_samples(qtbot):
    desk = desk_of(qtbot)
    scene = desk.store.scene
    assert turnable_on(scene, 0) is not None
    for other in (
        edits.with_value(scene, 0, "algorithm.by_hand", False),
        edits.with_layer(scene, 0, "turn", False),
        edits.with_inputs(scene, 0, ("x1",)),
        edits.without_samples(scene),
        edits.with_method(scene, 0, "kmeans"),
        scene.replace(dataset=scene.dataset.move(np.arange(7), np.zeros((7, 2)))),
        dataclasses.replace(scene, hides_answer=True),
    ):
        assert turnable_on(other, 0) is None
    desk.click(-2.5, 2.5)
    assert len(desk.data) == len(POINTS) + 1 and algorithm(desk).angle == 20.0
