from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter

from mlviz.draw.marks import Field, Lines
from mlviz.draw.plot import Plot
from mlviz.interaction.tool_state import ToolState
from mlviz.scene.history import Store
from mlviz.scene.notes import Stroke
from mlviz.ui.canvas.cached_layer import CachedLayer
from mlviz.ui.canvas.canvas import Canvas
from mlviz.ui.canvas.frame_layers import LayerCache
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.cells import alone
from mlviz.ui.paint.layers import MarkLayer, Sheet, StrokeLayer
from mlviz.ui.paint.stack import FrameContent
from tests.ui.hands import scene_with

STYLE = Style()
NODES = np.linspace(-1, 1, 3)
LINE = Lines("boundary", np.array([(-1.0, -1.0), (1.0, 1.0)]))
FIELD = Field("region", NODES, NODES, np.full((3, 3), 200, np.uint8), np.zeros((3, 3), np.uint8))
FIRST = FrameContent(Plot("data", "", "x1", "x2", ()), caption="a caption of many words, n = 10")


def pixels(cache, content):
    image = QImage(420, 300, QImage.Format.Format_RGB32)
    cell = alone(420, 300, STYLE)
    with QPainter(image) as painter:
        cache.paint(painter, cell, AxesFrame((-1, 1, -1, 1), cell.area), STYLE, content)
    return image


@pytest.mark.parametrize(
    "then",
    [
        FrameContent(Plot("data", "", "x1", "x2", ()), caption="n = 11"),
        FrameContent(Plot("data", "", "x1", "x2", ()), caption="", dim=0.5),
        FrameContent(Plot("data", "", "x1", "x2", (LINE,)), caption=FIRST.caption),
        FrameContent(Plot("data", "", "x1", "x2", (FIELD,)), caption="n = 11"),
        FrameContent(Plot("data", "", "weight", "x2", ()), caption=FIRST.caption),
        FrameContent(Plot("data", "", "x1", "x2", (), x_ticks=((0.0, "none"),)), caption=FIRST.caption),
    ],
    ids=["words", "no words", "line", "field", "name", "ticks"],
)
def test_a_frame_after_another_one_is_painted_like_the_first_of_all(qapp, then):
    used = LayerCache()
    before = pixels(used, FIRST)
    after = pixels(used, then)
    assert after == pixels(LayerCache(), then)
    assert after != before


def with_marks(*marks, limits=(-1, 1, -1, 1), **others):
    return replace(FIRST, plot=Plot("data", "", "x1", "x2", marks, limits=limits), **others)


NEW_FIELD = replace(FIELD, strength=np.full((3, 3), 90, np.uint8))
THEN = with_marks(NEW_FIELD, LINE, caption="n = 11")
SEEN_THROUGH = replace(NEW_FIELD, cover=True)


@pytest.mark.parametrize(
    ("ahead", "then", "left"),
    [
        ([with_marks(NEW_FIELD)], THEN, (LINE,)),
        ([with_marks(NEW_FIELD), THEN], THEN, ()),
        ([with_marks(FIELD, LINE), with_marks(NEW_FIELD)], THEN, (LINE,)),
        ([THEN, with_marks(SEEN_THROUGH)], with_marks(SEEN_THROUGH, LINE), (LINE,)),
        ([with_marks(replace(FIELD))], THEN, (NEW_FIELD, LINE)),
        ([THEN], with_marks(NEW_FIELD), (NEW_FIELD,)),
        ([with_marks(LINE)], THEN, (NEW_FIELD, LINE)),
        ([THEN], replace(THEN, dim=0.5), (NEW_FIELD, LINE)),
    ],
    ids=[
        "field",
        "all",
        "another picture before",
        "a field to be seen through",
        "another field",
        "more marks",
        "another grid",
        "faded",
    ],
)
def test_a_picture_painted_ahead_looks_as_it_does_without(qapp, monkeypatch, ahead, then, left):
    used = LayerCache()
    before = pixels(used, with_marks(FIELD))
    cell = alone(420, 300, STYLE)
    for content in ahead:
        used.begin(cell, AxesFrame((-1, 1, -1, 1), cell.area), STYLE, content.plot)
    painted, paint = [], MarkLayer.paint
    monkeypatch.setattr(MarkLayer, "paint", lambda layer, *on: (painted.extend(layer.marks), paint(layer, *on))[1])
    after = pixels(used, then)
    assert tuple(painted) == left and after != before
    assert after == pixels(LayerCache(), then)
    assert pixels(used, with_marks(FIELD)) == before


def test_what_fields_are_painted_on_is_laid_bare_before_they_come(qapp, monkeypatch):
    used, cell = LayerCache(), alone(420, 300, STYLE)
    place = cell, AxesFrame((-1, 1, -1, 1), cell.area), STYLE
    contents = [with_marks(FIELD, LINE), THEN] * 2
    seen = [pixels(LayerCache(), content) for content in contents]
    pixels(used, with_marks(NEW_FIELD))
    for content, look in zip(contents, seen, strict=True):
        used.lay_ahead(cell, AxesFrame((-2, 2, -2, 2), cell.area), STYLE)  # those axes are not there
        used.lay_ahead(*place)
        with monkeypatch.context() as only:
            only.delattr("mlviz.ui.canvas.frame_layers._lay_bare")
            used.begin(*place, content.plot)
            assert pixels(used, content) == look


def test_what_is_painted_ahead_is_not_seen_and_not_used_elsewhere(qapp):
    used, cell = LayerCache(), alone(420, 300, STYLE)
    before = pixels(used, with_marks(FIELD))
    used.begin(cell, AxesFrame((-2, 2, -2, 2), cell.area), STYLE, THEN.plot)
    assert pixels(used, with_marks(FIELD)) == before
    assert pixels(used, THEN) == pixels(LayerCache(), THEN)


def test_strokes_are_kept_painted_until_they_or_the_view_change(qtbot, monkeypatch):
    scene = scene_with([(0, 0), (1, 1)]).replace(
        strokes=(Stroke(("x1", "x2"), ((-1.0, -1.0), (1.0, 1.0), (2.0, 0.0))),)
    )
    store = Store(scene)
    canvas = Canvas(store, 0, ToolState(), Style())
    qtbot.addWidget(canvas)
    painted, paint = [], StrokeLayer.paint
    monkeypatch.setattr(StrokeLayer, "paint", lambda *given: (painted.append(1), paint(*given))[1])
    first = canvas.grab().toImage()
    once = len(painted)
    assert once and canvas.grab().toImage() == first and len(painted) == once
    store.push(scene.replace(strokes=scene.strokes * 2), "draw with the pen")
    canvas.grab()
    assert len(painted) == once + 1
    store.look(store.scene.with_view(limits=(-3.0, 5.0, -4.0, 4.0)))
    canvas.grab()
    assert len(painted) > once + 1


def test_a_stroke_is_seen_at_once_even_in_a_hurry(qtbot):
    frame = AxesFrame((-1, 1, -1, 1), alone(420, 300, STYLE).area)
    layers = [StrokeLayer((Stroke(("x1", "x2"), ((-0.5, 0.0), (0.5, end))),)) for end in (0.0, 0.4)]
    kept, images = CachedLayer(), []
    for layer, hurry in ((layers[0], False), (layers[1], True), (layers[1], False)):
        image = QImage(420, 300, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        with QPainter(image) as painter:
            assert kept.paint(Sheet(painter, frame, STYLE), layer, hurry)
        images.append(image)
    assert images[0] != images[1] == images[2]
