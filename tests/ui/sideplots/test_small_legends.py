"""However low a side plot is, its legend names each of its lines, and lines that are dragged end at it."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from mlviz.draw.marks import Lines, Points
from mlviz.draw.plot import Handle, Plot, full_limits
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.stack import paint_plot
from mlviz.ui.sideplots.plot_view import PlotView
from tests.sweep import share
from tests.ui.sideplots.test_same_as_file import METHODS, charts_of

pytestmark = pytest.mark.usefixtures("qapp")
SIZES = ((426, 184), (682, 185), (700, 150), (431, 217))
"""Rooms beside the settings of a study in windows of 1024 x 768 and 1280 x 800, and of a chart without settings.

Of those with odd numbers, and of the others, one is narrow and one is wide.
"""
WORDS = {
    "two": ("mean silhouette", "Largest silhouette: k = 3"),
    "three": ("± one standard deviation", "mean agreement", "Most stable: k = 3"),
    "four": ("inertia + 35.6 k", "inertia", "Elbow: k = 3", "Least inertia + price: k = 3"),
    "five": ("BIC", "AIC", "Least BIC: k = 3", "Least AIC: k = 5", "a mixture not to be trusted"),
}


def views_of(plot, style, sizes=SIZES):
    """The view of a plot at one size after the other, as where a splitter is dragged."""
    view = PlotView(plot, style)
    for size in sizes:
        view.resize(*size)
        view.grab()
        yield view, size
    view.close()


def labels(plot):
    return {mark.label for mark in plot.marks if mark.label}


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_line_of_a_low_plot_is_named_in_full(words, theme):
    x = np.arange(1.0, 11.0)
    marks = tuple(
        Lines("curve", np.column_stack((x, k * np.sin(x))), label=word)
        if k < 2
        else Points("now", np.array([(3.0, 0.5 * k)]), label=word)
        for k, word in enumerate(WORDS[words])
    )
    handle = Handle("algorithm.k", np.column_stack((x, x)), x, 2, "k", "upright")
    for view, size in views_of(Plot("low", "Low", "number", "value", marks, handles=(handle,)), Style(theme)):
        assert view.legend is not None, size
        entries, laid = view.legend[:2]
        assert {entry.label for entry in entries} == set(WORDS[words]), size
        assert laid[2] == tuple(entry.label for entry in entries), size  # none shortened


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.id)
def test_every_chart_of_every_method_names_its_lines_and_hides_none(method):
    """Legends stand in a free corner, else beside the axes; only where these would be too small they are over marks."""
    for plot in charts_of(method):
        for view, size in views_of(plot, Style(), share(SIZES, f"{method.id} {plot.id}", 2)):
            entries = view.legend[0] if view.legend else ()
            assert {entry.label for entry in entries} == labels(plot), (plot.id, size)
            assert_hides_nothing(view, plot, size)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.id)
def test_a_chart_is_painted_alike_wherever_it_stands_in_a_figure(method):
    """Its legend stands within its own room: in a figure another chart may be to the left of it."""
    for plot in charts_of(method):
        here, there = (painted(plot, QRectF(*at, 300, 160)) for at in ((0, 0), (310, 190)))
        # Sums of other numbers round otherwise, which a few pixels at the rims of strokes show.
        assert np.mean(np.abs(here - there).max(axis=-1) > 60) < 0.002, plot.id


def painted(plot, room):
    """The pixels of a figure in the room that a plot is painted into; there are none beside it."""
    image = QImage(640, 380, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.black)
    with QPainter(image) as painter:
        paint_plot(painter, room, plot, full_limits(plot), Style())
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(380, 640, 4)[..., :3].copy()
    rows, columns = (slice(round(a), round(b)) for a, b in ((room.y(), room.bottom()), (room.x(), room.right())))
    inside = pixels[rows, columns].astype(int)
    pixels[rows, columns] = 0
    assert not pixels.any(), f"{plot.id} is painted outside of its room"
    return inside


def test_a_legend_that_no_corner_has_room_for_stands_beside_the_axes():
    x = np.linspace(0.0, 10.0, 400)
    plot = Plot("low", "Low", "number", "value", (Lines("curve", np.column_stack((x, np.sin(40 * x))), label="all"),))
    for view, size in views_of(plot, Style()):
        assert view.legend is not None, size
        assert_hides_nothing(view, plot, size)


def box_holds(box, xy):
    return ((xy > (box.left(), box.top())) & (xy < (box.right(), box.bottom()))).all(axis=1)


def assert_hides_nothing(view, plot, size):
    if view.legend is not None:
        places = [mark.anchors()[0] for mark in plot.marks]
        xy = view._frame.to_pixels(np.concatenate((np.empty((0, 2)), *places)))
        under = [box_holds(box, xy) for box in (view._legend, view._frame.area)]  # beyond the axes nothing is drawn
        assert not (under[0] & under[1]).any(), (plot.id, size)


def test_a_line_that_is_dragged_ends_at_the_legend():
    """What the legend stands on is painted before it, lines of handles too."""
    x = np.arange(1.0, 11.0)
    marks = (Lines("curve", np.column_stack((x, x)), label="inertia"),)
    handle = Handle("algorithm.k", np.column_stack((x, x)), x, 1, "", "upright")
    pictures = []
    for handles in ((handle,), ()):
        view = PlotView(Plot("low", "Low", "k", "value", marks, handles=handles, limits=(1, 10, 1, 10)), Style())
        view.resize(560, 150)
        image = view.grab().toImage()
        (left, top), width = view.legend[2], 20
        strip = [image.pixelColor(int(left) + dx, int(top) + 6) for dx in range(width)]
        pictures.append(strip)
        view.close()
    faint = [abs(a.lightness() - b.lightness()) for a, b in zip(*pictures, strict=True)]
    assert max(faint) < 40


def test_a_legend_takes_nothing_from_axes_with_equal_units_where_there_is_room_beside(qtbot):
    areas = []
    for label in ("", "class "):
        marks = tuple(Points(f"dot {k}", np.array([[k, k], [-k, k]]), label=label and f"{label}{k}") for k in range(3))
        view = PlotView(Plot("e", "E", "coordinate 1", "coordinate 2", marks, (-4, 4, -4, 4), equal=True), Style())
        qtbot.addWidget(view)
        view.resize(700, 180)
        view.show()
        view.grab()
        areas.append(view._frame.area)
    assert areas[0].size() == areas[1].size()
    _, _, (left, _) = view.legend
    assert areas[1].right() < left < 600
