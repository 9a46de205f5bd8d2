"""What holds for marks of every kind, those to come included: the kinds are taken from the union."""

import dataclasses
from dataclasses import dataclass
from typing import get_args

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from mlviz.draw import legend, marks
from mlviz.draw.marks import (
    MOST_LINES,
    Arrows,
    Ellipses,
    Field,
    Lines,
    Mark,
    Points,
    Polygons,
    Segments,
    Text,
    thin_marks,
)
from mlviz.draw.marks.base import BaseMark, Swatch
from mlviz.draw.plot import GHOST_LABEL, Plot, full_limits, ghost, with_ghost
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.painter import paint_marks
from mlviz.ui.paint.samples import DrawnSamples
from mlviz.ui.paint.stack import FrameContent, stack
from tests.ui.paint.paper import legend_painted

pytestmark = pytest.mark.usefixtures("qapp")
KINDS = get_args(Mark)
FRAME = AxesFrame((0.0, 10.0, 0.0, 5.0), QRectF(10, 10, 200, 100))
NONE = np.empty((0, 2))
XY, END = np.array([[2.0, 1.0], [6.0, 4.0]]), np.array([[3.0, 4.0], [8.0, 2.0]])
NODES = (np.linspace(1, 9, 5), np.linspace(1, 4, 4))
FULL = {
    Points: Points("boundary", XY, label="mark"),
    Lines: Lines("boundary", XY, label="mark"),
    Segments: Segments("boundary", XY, END, label="mark"),
    Arrows: Arrows("boundary", XY, END, label="mark"),
    Polygons: Polygons("boundary", (np.array([[2.0, 1.0], [6.0, 1.0], [6.0, 4.0]]),), label="mark"),
    Ellipses: Ellipses("boundary", XY, np.stack(2 * [np.diag((1.0, 0.5))]), label="mark"),
    Field: Field("boundary", *NODES, np.full((4, 5), 255, np.uint8), label="mark"),
    Text: Text("boundary", XY, ("one", "two"), label="mark"),
}
EMPTY = {
    Points: Points("boundary", NONE),
    Lines: Lines("boundary", NONE),
    Segments: Segments("boundary", NONE, NONE),
    Arrows: Arrows("boundary", NONE, NONE),
    Polygons: Polygons("boundary", ()),
    Ellipses: Ellipses("boundary", NONE, np.empty((0, 2, 2))),
    Field: Field("boundary", NONE[:, 0], NONE[:, 0], np.empty((0, 0), np.uint8)),
    Text: Text("boundary", NONE, ()),
}
every_kind = pytest.mark.parametrize("kind", KINDS)


@dataclass(frozen=True, eq=False)
class Bubbles(BaseMark):
    """A kind that says no more than where it is."""

    xy: np.ndarray

    in_data = ("xy",)


def painted(mark, samples=None, raster=True):
    image = QImage(220, 120, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    try:
        paint_marks(painter, FRAME, [mark], Style(), samples, raster)
    finally:
        painter.end()
    flat = np.frombuffer(image.constBits(), np.uint8).reshape(120, 220, 4)[:, :, :3]
    return flat.astype(int)


def test_the_union_has_every_kind_and_the_sweep_knows_them():
    classes = {value for value in vars(marks).values() if isinstance(value, type) and issubclass(value, BaseMark)}
    assert classes - {BaseMark} == set(KINDS) == set(FULL) == set(EMPTY)


@pytest.mark.qt_log_ignore("Painter ended with 1 saved states")
def test_a_new_kind_is_asked_by_nobody_but_its_own_class_and_is_missed_by_the_painter_aloud():
    new = Bubbles("boundary", XY, label="bubbles")
    plot = Plot("data", "", "", "", (new,))
    assert full_limits(plot)[0] < 2 and full_limits(plot)[1] > 6
    assert legend.entries([new]) == (legend.Entry("bubbles", (Swatch("line", "boundary"),)),)
    np.testing.assert_array_equal(legend.obstacles([new]).places, XY)
    assert thin_marks([new]) == ((new,), "")
    assert [mark.role for mark in with_ghost(plot, ghost([new])).marks] == ["ghost", "boundary"]
    np.testing.assert_array_equal(new.moved((2, 3), (1, -1)).xy, XY * (2, 3) + (1, -1))
    assert any(new in getattr(layer, "marks", ()) for layer in stack(FrameContent(plot)))
    with pytest.raises(AssertionError, match="Bubbles"):
        painted(new)


@every_kind
def test_axes_hold_all_of_it(kind):
    assert full_limits(Plot("p", "", "", "", (EMPTY[kind],))) == (0, 1, 0, 1)
    x0, x1, y0, y1 = full_limits(Plot("p", "", "", "", (FULL[kind],)))
    frame = AxesFrame((x0, x1, y0, y1), QRectF(20, 20, 180, 80))
    places = frame.to_pixels(np.concatenate((FULL[kind].places(), FULL[kind].anchors().places)))
    assert (places > (20, 20)).all() and (places < (200, 100)).all()
    assert np.ptp(places, axis=0).min() > 60


@every_kind
def test_it_goes_from_the_models_coordinates_to_the_users_axes_and_back(kind):
    scale, shift = np.array([2.0, 0.5]), np.array([10.0, -1.0])
    mark, there = FULL[kind], FULL[kind].moved(scale, shift)
    assert type(there) is kind and (there.role, there.label) == (mark.role, mark.label)
    np.testing.assert_allclose(there.places(), mark.places() * scale + shift)
    np.testing.assert_allclose(there.anchors().places, mark.anchors().places * scale + shift)
    np.testing.assert_allclose(there.moved(1 / scale, -shift / scale).places(), mark.places())
    assert len(EMPTY[kind].moved(scale, shift).places()) == 0
    # It is painted elsewhere by as much.
    right = painted(mark.moved((1, 1), (1, 0)))
    assert np.abs(right[:, 50:190] - painted(mark)[:, 30:170]).mean() < 1


@every_kind
def test_the_legend_has_a_sign_for_it_and_keeps_off_it(kind):
    (entry,) = legend.entries([FULL[kind]])
    assert entry.label == "mark" and entry.swatches == (FULL[kind].swatch(),)
    found = legend.obstacles([FULL[kind], EMPTY[kind]])
    assert np.isfinite(found.places).all() and (len(found.places) > 0) != (kind is Field)
    assert len(found.reach) == len(found.weight) == len(found.places)
    image = QImage(220, 120, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    box = legend_painted(painter, FRAME, [FULL[kind]], None, Style(), raster=False)
    painter.end()
    assert FRAME.area.contains(box)
    signs = [
        image.pixelColor(x, int(box.center().y())).lightness() for x in range(int(box.left()) + 6, int(box.left()) + 28)
    ]
    assert min(signs) < 128


@every_kind
def test_of_very_many_tied_lines_some_are_drawn_and_all_else_stays(kind):
    mark = FULL[kind]
    assert thin_marks([mark]) == ((mark,), "") and thin_marks([EMPTY[kind]]) == ((EMPTY[kind],), "")
    lines = dataclasses.replace(
        FULL[Segments], start=np.zeros((MOST_LINES + 1, 2)), end=np.ones((MOST_LINES + 1, 2)),
        rows=np.arange(MOST_LINES + 1),
    )  # fmt: skip
    shown, remark = thin_marks([lines, mark])
    assert shown[1] is mark and len(shown[0].start) == (MOST_LINES + 2) // 2 and "1 in 2" in remark


@every_kind
@pytest.mark.parametrize("raster", [True, False])
def test_its_ghost_is_an_outline(kind, raster):
    shadows = ghost([FULL[kind], EMPTY[kind]])
    if kind.fills:
        assert shadows == ()
        return
    assert [type(mark) for mark in shadows] == [kind, kind]
    assert {(mark.role, mark.label) for mark in shadows} == {("ghost", GHOST_LABEL)}
    covered = (painted(shadows[0], raster=raster) < 255).any(axis=2)
    assert 0 < covered.sum() < 0.12 * covered.size
    if kind in (Ellipses, Polygons):
        inside = FRAME.to_pixels([(2.0, 1.0) if kind is Ellipses else (5.2, 2.0)])[0].astype(int)
        assert not covered[inside[1] - 3 : inside[1] + 4, inside[0] - 6 : inside[0] + 7].any()


@every_kind
@pytest.mark.parametrize("raster", [True, False])
def test_it_is_painted(kind, raster):
    blank = np.full((120, 220, 3), 255)
    assert (painted(FULL[kind], raster=raster) != blank).any(axis=2).sum() > 20
    assert (painted(EMPTY[kind], raster=raster) == blank).all()


@every_kind
def test_what_is_tied_goes_where_its_samples_go(kind):
    samples = DrawnSamples(np.array([[9.0, 4.5], [1.0, 0.5], [5.0, 2.5]]), np.zeros(3, dtype=np.intp))
    if kind not in (Points, Segments):
        assert FULL[kind].rows is None and not FULL[kind].on_samples
        assert FULL[kind].at_samples(samples.places) is FULL[kind]
        return
    mark = dataclasses.replace(FULL[kind], rows=np.array([2, 7]))
    assert mark.rows is not None and mark.on_samples == (len(mark.in_data) == 1)
    there = mark.at_samples(samples.places)
    np.testing.assert_array_equal(getattr(there, mark.in_data[0]), [(5.0, 2.5), (np.nan, np.nan)])
    assert (painted(mark, samples) == painted(there)).all() and (painted(mark, samples) != painted(mark)).any()
