"""What is drawn by hand beyond the axes is cut by them: it never runs along their edge."""

import numpy as np
import pytest

from mlviz.draw.marks import Text
from mlviz.picture.attempts.marks import attempt_marks
from mlviz.scene import edits
from mlviz.scene.values import OVER_PLANE
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.words import placed_words
from tests.ui.hands import Desk

POINTS, LABELS = [(-2, -1), (-1, 1), (0, 0.2), (1, -1), (2, 1), (2, 2)], np.array([0, 0, 0, 1, 1, 1])
OUT_AND_BACK = [(0, -2), (8, -1), (8, 1), (0, 2)]


def desk_of(qtbot, tool, method="svm", task=None):
    desk = Desk(qtbot, POINTS, LABELS, method)
    if task is not None:
        desk.store.push(edits.with_task(desk.store.scene, 0, task), "task")
    desk.hand.tool = tool
    return desk


def drawn(desk):
    """All places of the lines that were drawn."""
    scene = desk.store.scene
    lines = [line for attempt in scene.attempts for line in attempt.arrays]
    return np.concatenate((*lines, *(np.array(stroke.places) for stroke in scene.strokes)))


def on_edge(desk, places):
    """Which places are on the edge of the axes that are seen."""
    x0, x1, y0, y1 = desk.canvas.frame().limits
    near = 0.5 * desk.canvas.unit()
    x, y = places.T
    return (np.minimum(abs(x - x0), abs(x - x1)) < near[0]) | (np.minimum(abs(y - y0), abs(y - y1)) < near[1])


@pytest.mark.parametrize(
    ("tool", "method", "task"),
    [
        ("attempt", "svm", None),
        ("attempt", "linear-regression", None),
        ("attempt", "linear-regression", OVER_PLANE),
        ("attempt", "gmm", None),
        ("ink", "svm", None),
    ],
)
def test_a_line_goes_on_beyond_the_axes(qtbot, tool, method, task):
    desk = desk_of(qtbot, tool, method, task)
    desk.drag(*OUT_AND_BACK, steps=20)
    places = drawn(desk)
    assert places[:, 0].max() > desk.canvas.frame().limits[1] + 0.2
    assert not on_edge(desk, places).any()


def test_an_axis_has_the_direction_of_the_hand_that_leaves_the_axes(qtbot):
    desk = desk_of(qtbot, "attempt", "pca")
    desk.drag((0, 0), (6, 3))
    (way,) = np.diff(drawn(desk), axis=0)
    assert way[1] / way[0] == pytest.approx(0.5, abs=0.02)


def test_what_the_hand_places_stays_in_sight(qtbot):
    """A centre is one place: as a sample it must not be dragged out of sight."""
    desk = desk_of(qtbot, "attempt", "kmeans")
    desk.drag((3, 0), (9, 0))
    x0, x1, *_ = desk.canvas.frame().limits
    assert x0 <= drawn(desk)[0, 0] <= x1 + 0.5 * desk.canvas.unit()[0]


def test_the_level_of_a_line_is_written_where_some_of_the_line_is_seen(qtbot):
    desk = desk_of(qtbot, "attempt", "linear-regression", OVER_PLANE)
    desk.hand.value = 3.0
    desk.drag((0, -3), (0, 9), (3, 9))  # its middle is out of sight
    words = [mark for mark in attempt_marks(desk.store.scene, 0) if isinstance(mark, Text)]
    assert [word.text for word in placed_words(desk.canvas.frame(), words, None, Style())].count("3") == 1
