"""Whole plots: legend, ticks, room, and the same look on screens, at scale two and in vectors."""

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from mlviz.algorithms import registry as methods
from mlviz.data.generators.catalog import generators
from mlviz.draw import palette
from mlviz.draw.marks import Lines, Segments
from mlviz.draw.plot import Plot
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies import registry as studies
from mlviz.ui.paint.axes import AxesFrame, Style, plot_area
from mlviz.ui.paint.axis_painter import axis_ticks
from mlviz.ui.paint.layers import Sheet
from mlviz.ui.paint.samples import DrawnSamples
from mlviz.ui.paint.stack import FrameContent, paint_content, paint_stack, stack
from tests.ui.paint.paper import AREA, FRAME, LIMITS, STYLE, is_dark, legend_painted, many_marks, painted

pytestmark = pytest.mark.usefixtures("qapp")


def test_the_legend_names_what_is_there_and_avoids_the_samples():
    samples = DrawnSamples(np.array([[9.0, 4.5]]), np.array([0]), ("setosa",))
    boxes = []
    painted(
        lambda p: boxes.append(
            legend_painted(p, FRAME, (Lines("curve", np.empty((0, 2)), label="fit"),), samples, STYLE)
        )
    )
    assert AREA.contains(boxes[0])
    assert boxes[0].right() < AREA.center().x() + 1
    painted(lambda p: boxes.append(legend_painted(p, FRAME, (), None, STYLE)))
    assert boxes[1].isEmpty()


@pytest.mark.parametrize("text", [1.0, 1.6])
def test_a_legend_is_left_out_rather_than_hide_much_of_the_picture(text):
    marks = tuple(Lines("curve", np.empty((0, 2)), label=f"curve number {k}") for k in range(12))
    shares = []
    for width in range(20, 1200, 20):
        frame = AxesFrame(LIMITS, QRectF(0, 0, width, 0.75 * width))
        boxes = []
        painted(lambda p, f=frame, b=boxes: b.append(legend_painted(p, f, marks, None, Style(text=text))))
        assert boxes[0].isEmpty() or frame.area.contains(boxes[0])
        shares.append(boxes[0].width() * boxes[0].height() / (frame.area.width() * frame.area.height()))
    assert shares[0] == 0 and shares[-1] > 0 and max(shares) < 0.2


def test_the_same_look_at_scale_two():
    plot = Plot("data", "", "x", "y", many_marks(2.0))
    samples = DrawnSamples(np.array([[5.0, 2.5], [7.0, 1.0]]), np.array([0, 1]))

    def paint(painter):
        paint_content(painter, QRectF(0, 0, 300, 160), FrameContent(plot, samples), LIMITS, STYLE)

    one, two = painted(paint), painted(paint, 2.0)
    smaller = two.reshape(160, 2, 300, 2, 3).mean(axis=(1, 3))
    assert np.abs(smaller - one).mean() < 4


def test_screen_and_vector_look_alike():
    plot = Plot("data", "", "x", "y", many_marks(2.0))
    samples = DrawnSamples(np.array([[5.0, 2.5], [7.0, 1.0]]), np.array([0, 1]))
    rect = QRectF(0, 0, 300, 160)
    content = FrameContent(plot, samples)
    shown = [painted(lambda p, r=r: paint_content(p, rect, content, LIMITS, STYLE, r)) for r in (True, False)]
    assert np.abs(shown[0] - shown[1]).mean() < 3


def test_dim_fades_the_picture_but_not_the_samples():
    plot = Plot("data", "", "x", "y", (Lines("boundary", np.array([[0.0, 2.5], [10.0, 2.5]])),))
    samples = DrawnSamples(np.array([[5.0, 2.5]]), np.array([0]))
    rect = QRectF(0, 0, 300, 160)
    area = plot_area(rect, STYLE)
    y, x = round(area.center().y()), round(area.center().x())
    content = FrameContent(plot, samples, legend=False, dim=0.4)
    dim = painted(lambda p: paint_content(p, rect, content, LIMITS, STYLE))
    assert np.abs(dim[y, x] - palette.class_colour(0, "light")[:3]).max() < 8
    assert not is_dark(dim[y - 2 : y + 3, x + 40]).any()


def test_named_ticks_do_not_run_into_each_other():
    words = tuple((float(k), f"a long name {k}") for k in range(10))
    plot = Plot("coefficients", "", "", "", (), x_ticks=words)
    x, _ = axis_ticks(AxesFrame((-1, 10, 0, 1), AREA), plot, STYLE)
    assert 1 < len(x.labels) < 4


@pytest.mark.parametrize("method", ["kmeans", "gmm", "hierarchical"])
def test_the_names_of_the_criteria_are_whole(method):
    X = generators()["blobs"](n_samples=45).generate(1).X
    *_, result = studies()["cluster-criteria"](most=3, repeats=2).run(Pipeline(methods()[method]()), X)
    (plot,) = result.plots()
    area = plot_area(QRectF(0, 0, 600, 180), STYLE)
    labels = axis_ticks(AxesFrame(plot.limits, area), plot, STYLE)[1].labels
    assert list(labels) == [name for _, name in plot.y_ticks] and len(labels) > 3


def test_the_area_leaves_room_in_every_style():
    rect = QRectF(0, 0, 400, 300)
    areas = [plot_area(rect, Style(text=text), title) for text in (1.0, 1.6) for title in ("", "title")]
    assert all(rect.contains(area) for area in areas)
    assert areas[0].width() > areas[2].width()
    assert areas[0].height() > areas[1].height()


def test_still_layers_leave_out_what_follows_the_samples():
    tied = Segments("residual", np.array([[2.0, 0.0]]), np.array([[2.0, 5.0]]), rows=np.array([0]))
    free = dataclasses.replace(tied, rows=None)
    for mark, shown in ((tied, False), (free, True)):
        layers = [layer for layer in stack(FrameContent(Plot("d", "", "", "", (mark,)))) if layer.still]
        rgb = painted(lambda p, these=layers: paint_stack(Sheet(p, FRAME, STYLE), these))
        assert (rgb[65, 77:84].min() < 200) == shown
