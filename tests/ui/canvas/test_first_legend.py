"""What is drawn before the first sample has names, and in a low canvas what an area means is told before samples."""

import numpy as np
from PySide6.QtCore import Qt

from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Lines, Polygons
from mlviz.picture import draw
from mlviz.scene import edits
from mlviz.scene.attempts import edits as attempt_edits
from mlviz.scene.values import OVER_PLANE
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.layers import notice_box
from mlviz.ui.paint.legend import arranged
from mlviz.ui.paint.scene_view import hint_of
from tests.ui.hands import Desk

PLACES = np.array([(-2.0, 0.0), (2.0, 1.0)])
TRIANGLE = np.array([(-4.0, -1.0), (4.0, -1.0), (0.0, 2.0)])
BAND = (
    Polygons("minima", (TRIANGLE,), label="curves as good as this one"),
    Lines("curve", TRIANGLE, label="prediction"),
    Lines("reference", TRIANGLE, label="another line with a long name"),
)


def with_picture(desk):
    (picture,) = draw(desk.store.scene, [(600, 480)])
    desk.canvas.set_picture(picture)
    desk.canvas.grab()
    return picture


def told(desk):
    return [entry.label for entry in desk.canvas._layers._arranged[1][0]]


def test_what_is_drawn_before_the_first_sample_is_named_below_the_sentence(qtbot):
    desk = Desk(qtbot, algorithm="gp")
    picture = with_picture(desk)
    labels = {mark.label for mark in picture.plot.marks if mark.label}
    assert len(labels) >= 3 and set(told(desk)) == labels
    area, hint = desk.canvas.frame().area, hint_of(desk.store.scene, 0)
    sentence = notice_box(area, hint, Qt.AlignmentFlag.AlignTop, desk.canvas._style)
    box = desk.canvas.legend_box()
    assert area.contains(box) and not box.intersects(sentence)
    desk.click(-2, 0)
    with_picture(desk)

    def settled():
        desk.canvas.grab()
        assert "samples" in told(desk)

    qtbot.waitUntil(settled)


def test_where_nothing_is_drawn_there_is_no_legend(qtbot):
    desk = Desk(qtbot, algorithm="svm")
    with_picture(desk)
    assert desk.canvas.legend_box().isEmpty()
    values = Desk(qtbot, algorithm="gp")
    values.store.push(edits.with_task(values.store.scene, 0, OVER_PLANE), "task")
    with_picture(values)
    assert values.canvas.legend_box().isEmpty()


def test_an_answer_that_is_drawn_before_the_first_sample_is_named(qtbot):
    desk = Desk(qtbot, algorithm="svm")
    desk.store.push(attempt_edits.with_drawn(desk.store.scene, 0, "boundary", PLACES), "draw")
    with_picture(desk)
    assert told(desk) == ["attempt 1"]


def samples(desk, held_out=(False, False)):
    data = Dataset(PLACES, np.zeros(2, dtype=int), held_out=np.array(held_out))
    desk.store.push(desk.store.scene.replace(dataset=data), "samples")
    return desk.canvas._samples


def in_a_canvas(desk, width, height, marks, held_out=(False, False)):
    desk.canvas.resize(640, 520)
    frame, drawn = desk.canvas.frame(), samples(desk, held_out)
    found = arranged(frame.limits, (0.0, 0.0, width, height), frame.scales, marks, drawn, Style())
    return None if found is None else [entry.label for entry in found[0]]


def test_in_a_low_canvas_an_area_is_named_before_the_samples(qtbot):
    desk = Desk(qtbot, PLACES)
    named = [in_a_canvas(desk, 420.0, height, BAND) for height in range(300, 20, -5)]
    known = [labels for labels in named if labels is not None]
    assert known[0] == ["samples", *(mark.label for mark in BAND)]
    assert ["curves as good as this one"] in known
    assert all(labels == ["samples"] or BAND[0].label in labels for labels in known)
    without = [in_a_canvas(desk, 420.0, height, BAND[1:]) for height in range(300, 20, -5)]
    assert ["samples"] in without, "lines alone are named with the samples, or not at all"
