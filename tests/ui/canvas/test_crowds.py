"""Thousands of samples: smaller symbols, and the lines of the model on top of them."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from mlviz.draw import palette
from mlviz.draw.marks import Field, Lines, Points
from mlviz.draw.plot import Plot
from mlviz.ui.canvas.frame_layers import LayerCache
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.cells import alone
from mlviz.ui.paint.layers import MarkLayer, SampleLayer
from mlviz.ui.paint.samples import CROWD_SIZES, DrawnSamples, crowded_style
from mlviz.ui.paint.stack import FrameContent, paint_content, paint_plot, stack
from tests.ui.paint.paper import legend_painted

LIMITS = (0.0, 1.0, 0.0, 1.0)


def crowd(n):
    rng = np.random.default_rng(0)
    return DrawnSamples(rng.random((n, 2)), np.zeros(n, dtype=np.intp))


def test_symbols_shrink_in_steps_with_their_number():
    sizes = [crowded_style(Style(points=1.4), crowd(n)).points for n in (0, 2000, 2001, 5001, 20_001, 100_000)]
    assert sizes[:2] == [1.4, 1.4] and sizes[2:] == pytest.approx([1.4 * s for s in (0.8, 0.65, 0.5, 0.5)])
    assert crowded_style(Style(), None) == Style()


@pytest.mark.parametrize("n", [CROWD_SIZES[0][0], CROWD_SIZES[0][0] + 1])
def test_over_a_crowd_lines_come_after_what_sits_on_samples(n):
    boundary = Lines("boundary", np.zeros((2, 2)))
    crosses = Points("misclassified", np.zeros((1, 2)), rows=np.array([0]))
    cells, centre = Lines("cell", np.zeros((2, 2))), Points("center", np.zeros((1, 2)))
    layers = stack(FrameContent(Plot("data", "", "", "", (boundary, cells, centre, crosses)), crowd(n)))
    shown = [mark for layer in layers if isinstance(layer, MarkLayer) for mark in layer.marks]
    over = next(k for k, layer in enumerate(layers) if isinstance(layer, SampleLayer))
    above = [mark for layer in layers[over:] if isinstance(layer, MarkLayer) for mark in layer.marks]
    if n > CROWD_SIZES[0][0]:
        assert above == [crosses, boundary, centre] and shown == [cells, *above]
    else:
        assert above == [crosses, centre] and shown == [boundary, cells, *above]


@pytest.mark.parametrize(("n", "seen"), [(CROWD_SIZES[0][0], False), (CROWD_SIZES[0][0] + 1, True)])
def test_a_line_is_seen_over_a_crowd_on_the_screen_and_in_figures(qtbot, n, seen):
    # All samples lie on the line, so that it is hidden unless it is on top of them.
    places = np.column_stack((np.linspace(0.05, 0.95, n), np.full(n, 0.5)))
    samples = DrawnSamples(places, np.zeros(n, dtype=np.intp))
    plot = Plot("data", "", "x", "y", (Lines("curve", np.array([(0.0, 0.5), (1.0, 0.5)])),), limits=LIMITS)
    ink, rect = palette.ink("curve", "light").line[:3], QRectF(0, 0, 400, 300)

    def layers(painter):
        frame = AxesFrame(LIMITS, alone(rect.width(), rect.height(), Style()).area)
        LayerCache().paint(
            painter, alone(rect.width(), rect.height(), Style()), frame, Style(), FrameContent(plot, samples)
        )
        return frame

    def figure(painter):
        return paint_content(painter, rect, FrameContent(plot, samples), LIMITS, Style(), raster=False)

    for paint in (layers, figure):
        image = QImage(400, 300, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        frame = paint(painter)
        painter.end()
        row, columns = frame.area.center().y(), np.linspace(frame.area.left() + 40, frame.area.right() - 40, 60)
        near = [image.pixelColor(int(x), int(row) + dy).getRgb()[:3] for x in columns for dy in (-1, 0, 1)]
        share = np.mean([np.abs(np.subtract(rgb, ink)).max() < 30 for rgb in near])
        assert bool(share > 0.3) is seen, (paint, share)


def test_a_square_chart_is_square_whatever_its_room(qtbot):
    field = Field("value", np.arange(1.0, 6), np.arange(1.0, 6), np.full((5, 5), 200, dtype=np.uint8))
    plot = Plot("gram", "Gram matrix", "sample", "sample", (field,), (0.5, 5.5, 0.5, 5.5), equal=True)
    image = QImage(900, 900, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    for rect in (QRectF(0, 0, 800, 180), QRectF(0, 0, 200, 700)):
        area = paint_plot(painter, rect, plot, plot.limits, Style()).area
        assert area.width() == pytest.approx(area.height()) and rect.contains(area)
    painter.end()


def test_where_a_legend_does_not_fit_the_classes_still_have_names(qtbot):
    samples = DrawnSamples(np.array([[0.5, 0.5], [0.6, 0.5]]), np.array([0, 1]), ("calm", "wild"))
    marks = tuple(Lines("curve", np.empty((0, 2)), label=f"a long name of curve {k}") for k in range(12))
    image = QImage(900, 700, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    boxes = [
        legend_painted(painter, AxesFrame(LIMITS, QRectF(0, 0, width, width)), marks, samples, Style())
        for width in (700, 260, 40)
    ]
    painter.end()
    assert boxes[0].height() > 10 * 12 > boxes[1].height() > 0 and boxes[2].isEmpty()
