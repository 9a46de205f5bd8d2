import itertools

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from mlviz.draw import palette
from mlviz.draw.marks import Arrows, Ellipses, Field, Lines, Points, Polygons, Segments, Text
from mlviz.draw.plot import Plot
from mlviz.ui.paint.axes import AxesFrame, Style, plot_area
from mlviz.ui.paint.explanation_card import Pinned
from mlviz.ui.paint.painter import paint_marks
from mlviz.ui.paint.samples import DrawnSamples, paint_samples
from mlviz.ui.paint.stack import FrameContent, paint_content
from tests.sweep import share
from tests.ui.paint.paper import AREA, FRAME, STYLE, is_dark, many_marks, marks_alone, painted

pytestmark = pytest.mark.usefixtures("qapp")
NO_ROWS = np.empty(0, dtype=np.intp)
PINNED = Pinned((2.0, 2.0), "Why here? Because.", ())


def test_frame_maps_both_ways():
    data = np.array([[0.0, 0.0], [10.0, 5.0], [3.0, 1.0]])
    assert np.allclose(FRAME.to_pixels(data), [[40, 120], [240, 20], [100, 100]])
    assert np.allclose(FRAME.to_data(FRAME.to_pixels(data)), data)


def test_log_frame_maps_both_ways():
    frame = AxesFrame((1.0, 100.0, 0.01, 1.0), AREA, ("log", "log"))
    data = np.array([[1.0, 0.01], [10.0, 0.1], [100.0, 1.0]])
    assert np.allclose(frame.to_pixels(data), [[40, 120], [140, 70], [240, 20]])
    assert np.allclose(frame.to_data(frame.to_pixels(data)), data)
    assert np.isnan(frame.to_pixels([(-1.0, 0.0)])).all()


@pytest.mark.parametrize("raster", [True, False])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_nodes_of_a_field_are_the_middles_of_its_cells(raster, scale):
    strength = np.zeros((3, 5), dtype=np.uint8)
    strength[2, 4] = 255  # top right node
    field = Field("value", np.linspace(0, 10, 5), np.linspace(0, 5, 3), strength)
    rgb = marks_alone(field, raster=raster, scale=scale)
    tints = palette.diverging_tints("light")
    low, high = ([int(tints[k]) >> shift & 255 for shift in (16, 8, 0)] for k in (0, 255))
    k = round(scale)
    assert np.abs(rgb[21 * k, 238 * k] - high).max() < 12  # the last node, at the corner of the area
    assert np.abs(rgb[115 * k, 45 * k] - low).max() < 3
    middle = rgb[21 * k, 215 * k]  # half way between two nodes
    assert np.abs(middle - (np.array(low) + high) / 2).max() < 25
    assert (rgb[10 * k, 238 * k] == 255).all()  # nothing outside the area


@pytest.mark.parametrize("raster", [True, False])
def test_cells_are_even_and_nothing_lies_between_them(raster):
    strength = np.zeros((3, 5), dtype=np.uint8)
    strength[2, 4] = 255
    x, y = np.linspace(0, 10, 5), np.linspace(0, 5, 3)
    rgb = marks_alone(Field("similarity", x, y, strength, cells=np.ones((3, 5))), raster=raster)
    tints = palette.diverging_tints("light", "similarity")
    low, high = ([int(tints[k]) >> shift & 255 for shift in (16, 8, 0)] for k in (0, 255))
    for column in (205, 211):
        assert np.abs(rgb[21, column] - low).max() < 3
    for column in (219, 238):
        assert np.abs(rgb[21, column] - high).max() < 3


def test_a_field_shows_the_tints_of_its_classes():
    classes = np.array([[0, 1], [0, 1]], dtype=np.uint8)
    field = Field("region", np.array([0.0, 10.0]), np.array([0.0, 5.0]), np.full((2, 2), 200, np.uint8), classes)
    rgb = marks_alone(field)
    for code, x in ((0, 42), (1, 238)):
        tint = int(palette.class_tints("light")[code, 200])
        assert np.abs(rgb[70, x] - [tint >> 16 & 255, tint >> 8 & 255, tint & 255]).max() < 4


def test_marks_on_samples_follow_them():
    samples = DrawnSamples(np.array([[2.0, 1.0], [8.0, 4.0]]), np.array([0, 1]))
    mark = Points("misclassified", np.array([[5.0, 2.5]]), rows=np.array([1]))
    rgb = marks_alone(mark, samples=samples)
    assert is_dark(rgb[34:47, 194:207]).any()
    assert not is_dark(rgb[38:43, 198:203]).any()  # the symbol that is struck out stays to be seen
    assert not is_dark(rgb[60:80, 130:150]).any()
    gone = Points("misclassified", np.array([[5.0, 2.5]]), rows=np.array([7]))
    assert not is_dark(marks_alone(gone, samples=samples)).any()
    without = marks_alone(mark)
    assert is_dark(without[64:77, 134:147]).any()


@pytest.mark.parametrize("raster", [True, False])
def test_symbols_are_filled_with_mixed_colours(raster):
    mix = np.array([[1, 0], [0.5, 0.5], [0, 1]], dtype=np.float32)
    image = marks_alone(Points("member 0", np.array([[2.0, 2.5], [5, 2.5], [8, 2.5]]), mix=mix), raster=raster)
    first, middle, second = (image[70, x] for x in (80, 140, 200))
    blue, orange = (np.array(palette.class_colour(code, "light")[:3]) for code in (0, 1))
    assert np.abs(first - blue).max() <= 6 and np.abs(second - orange).max() <= 6
    assert np.abs(middle - (blue + orange) / 2).max() <= 6


@pytest.mark.parametrize("raster", [True, False])
def test_lines_are_where_they_should_be(raster):
    x = np.linspace(0, 10, 1001)
    rgb = marks_alone(Lines("boundary", np.column_stack((x, x / 2))), raster=raster)
    for x in (60, 140, 220):
        assert is_dark(rgb[round(120 - (x - 40) / 2), x])
    assert not is_dark(rgb[110, 140])


@pytest.mark.parametrize("count", [20, 2000])
def test_nan_lifts_the_pen(count):
    x = np.linspace(0, 10, count)
    x[(x > 4) & (x < 6)] = np.nan
    rgb = marks_alone(Lines("boundary", np.column_stack((x, np.full(count, 2.5)))))
    assert is_dark(rgb[69:72, 60]).any()
    assert not is_dark(rgb[69:72, 140]).any()


@pytest.mark.parametrize("count", [2, 4000])
def test_dashes_have_gaps(count):
    x = np.linspace(0, 10, count)
    row = is_dark(marks_alone(Lines("margin", np.column_stack((x, np.full(count, 2.525)))))[69:71]).any(axis=0)
    share = row[45:235].mean()
    assert 0.4 < share < 0.8
    assert (np.diff(row[45:235].astype(int)) == 1).sum() > 8


def test_a_line_to_far_away_keeps_its_direction():
    rgb = marks_alone(Lines("boundary", np.array([[0.0, 0.0], [1e9, 5e8]])))
    assert is_dark(rgb[70, 140])
    assert is_dark(rgb[30, 220])


@pytest.mark.parametrize("x", [0, 47, 130, 222])
def test_symbols_in_a_part_are_those_of_the_whole(x):
    """Those that reach into it from beside it too, and none where all are far away."""
    rng = np.random.default_rng(x)
    xy, shares = rng.uniform(-1, (11, 6), (25, 2)), rng.dirichlet([1, 1, 1], 25)
    xy[3] = np.nan
    marks = [Points("support vector", xy), Points("center", xy[::-1], size=np.linspace(0.5, 2, 25), mix=shares)]
    marks.append(Points("center", xy, mix=np.repeat(shares[:5], 5, axis=0)))
    whole, part = (
        painted(lambda painter, clip=clip: (painter.setClipRect(clip), paint_marks(painter, FRAME, marks, STYLE)))
        for clip in (QRectF(0, 0, 300, 160), QRectF(x, 30, 40, 50))
    )
    assert np.array_equal(part[30:80, x : x + 40], whole[30:80, x : x + 40])
    part[30:80, x : x + 40] = 255
    assert (part == 255).all()


def test_samples_are_filled_hollow_or_faint():
    samples = DrawnSamples(
        np.array([[2.0, 2.5], [5.0, 2.5], [8.0, 2.5]]),
        np.zeros(3, dtype=np.intp),
        held_out=np.array([False, True, False]),
        active=np.array([True, True, False]),
    )
    for raster in (True, False):
        rgb = painted(lambda p, raster=raster: paint_samples(p, FRAME, samples, STYLE, raster))
        colour = np.array(palette.class_colour(0, "light")[:3])
        assert np.abs(rgb[70, 80] - colour).max() < 6
        assert rgb[70, 140].min() > 200
        faint = np.abs(rgb[70, 200] - colour).max()
        assert 60 < faint < 200


def test_the_last_sample_is_on_top():
    samples = DrawnSamples(np.array([[5.0, 2.5], [5.0, 2.5]]), np.array([0, 2]))
    rgb = painted(lambda p: paint_samples(p, FRAME, samples, STYLE))
    assert np.abs(rgb[70, 140] - palette.class_colour(2, "light")[:3]).max() < 6


def test_samples_outside_are_cut():
    samples = DrawnSamples(np.array([[-0.1, 2.5], [1e300, 0], [50.0, 2.5]]), np.zeros(3, dtype=np.intp))
    rgb = painted(lambda p: paint_samples(p, FRAME, samples, STYLE))
    assert (rgb[:, :39] == 255).all()
    assert (rgb[70, 40] != 255).any()


def no_marks():
    none = np.empty((0, 2))
    return (
        Points("now", none, rows=NO_ROWS, label="now"),
        Lines("curve", none),
        Segments("residual", none, none, rows=NO_ROWS),
        Polygons("square", ()),
        Ellipses("class 1", none, np.empty((0, 2, 2))),
        Text("path", none, ()),
        Field("region", np.empty(0), np.empty(0), np.empty((0, 0), np.uint8)),
    )


@pytest.mark.parametrize("raster", [True, False])
@pytest.mark.parametrize("rect", [QRectF(0, 0, 300, 160), QRectF(0, 0, 0, 0), QRectF(0, 0, 30, 20)])
@pytest.mark.parametrize("value", [2.0, np.nan, np.inf, -1e300, 0.0])
@pytest.mark.parametrize("scale", ["linear", "log"])
def test_nothing_is_too_odd_to_paint(raster, rect, value, scale):
    samples = DrawnSamples(np.array([[value, 1.0], [2.0, 2.0]]), np.array([0, 40]), ("a",))
    canvases = (0.5, 4.0, 0.5, 4.0), (1.0, 1.0, 1.0, 1.0), (-1e308, 1e308, 0, 1e-300)
    tried = itertools.product(canvases, (many_marks(value), no_marks()))
    for limits, marks in share(tried, (raster, rect, value, scale)):
        plot = Plot("data", "title", "x", "y", marks, x_scale=scale, y_scale=scale)
        content = FrameContent(plot, samples, title="title", caption="caption", pinned=PINNED)
        painted(lambda p, c=content, at=limits: paint_content(p, rect, c, at, STYLE, raster, rect))


@pytest.mark.parametrize("raster", [True, False])
def test_an_arrow_ends_at_its_tip_and_is_thickest_behind_it(raster):
    seen = is_dark(marks_alone(Arrows("component", np.array([[1.0, 2.5]]), np.array([[8.0, 2.5]])), raster=raster))
    columns = np.flatnonzero(seen.any(axis=0))
    assert abs(columns[0] - 60) <= 1 and 0 <= 200 - columns[-1] <= 4
    height = seen.sum(axis=0)
    assert height[100] <= 4 and height[189:193].max() >= 8


@pytest.mark.parametrize("centered", [False, True])
def test_words_stand_beside_their_place_or_on_it(centered):
    place = np.array([[5.0, 2.5]])  # pixel (140, 70)
    rows, columns = np.nonzero(is_dark(marks_alone(Text("boundary", place, ("0.1",), centered=centered))))
    middle = np.array([columns.min() + columns.max(), rows.min() + rows.max()]) / 2
    if centered:
        assert np.abs(middle - (139.5, 69.5)).max() < 3
    else:
        assert columns.min() > 144 and rows.max() < 70


@pytest.mark.parametrize("lines", [1.0, 4.0])
def test_words_at_the_rim_leave_the_line_of_the_axes_as_it_is(lines):
    rect, limits, style = QRectF(0, 0, 300, 160), (0.0, 1.0, 0.0, 1.0), Style(lines=lines)
    words = Text("path", np.array([[0.5, 1.0]]), ("       ",), centered=True)
    plain, written = (Plot("d", "", "", "", marks) for marks in ((), (words,)))
    shown = [
        painted(lambda p, plot=plot: paint_content(p, rect, FrameContent(plot), limits, style))
        for plot in (plain, written)
    ]
    area = plot_area(rect, style)
    bottom_of_line = int(np.ceil(area.top() + lines / 2))
    assert (shown[0][:bottom_of_line] == shown[1][:bottom_of_line]).all()
    field = Field("region", np.linspace(0, 1, 3), np.linspace(0, 1, 3), np.full((3, 3), 255, np.uint8))
    cards = [painted(lambda p, m=marks: paint_content(p, rect, FrameContent(Plot("d", "", "", "", m)), limits, style))
             for marks in ((field,), (field, words))]  # fmt: skip
    assert (cards[0] != cards[1]).any()  # there is a card below the line


def test_arrows_without_length_or_far_outside_are_no_trouble():
    places = np.array([[1.0, 1.0], [1e300, 0.0], [np.nan, 1.0], [-1e9, 2.5]])
    ends = np.array([[1.0, 1.0], [1e308, 1.0], [2.0, 1.0], [1e9, 2.5]])
    seen = is_dark(marks_alone(Arrows("component", places, ends)))
    assert seen[70, 45:235].all() and not seen[:60].any() and not seen[80:].any()
