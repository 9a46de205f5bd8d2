import re
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator

from mlviz.draw import palette
from mlviz.draw.marks import Field, Lines, Points
from mlviz.draw.plot import Handle, Plot, full_limits
from mlviz.ui.paint.axes import AxesFrame, Style, plot_area
from mlviz.ui.paint.strokes import colour
from mlviz.ui.sideplots.plot_view import PlotView
from tests.ui.hands import LEFT, NONE, mouse, turn_wheel

NO_BUTTON = Qt.MouseButton.NoButton


LAMBDAS = np.geomspace(1e-4, 1.0, 9)
HANDLE = Handle("algorithm.lambda_", np.column_stack((LAMBDAS, np.zeros(9))), LAMBDAS, 4, "λ", "upright")
CURVE = Lines("path", np.column_stack((LAMBDAS, np.linspace(-1, 3, 9))), label="weights")
PLOT = Plot("path", "Path", "λ", "weight", (CURVE,), x_scale="log", handles=(HANDLE,))


@pytest.fixture
def side(qtbot):
    widget = PlotView(PLOT, Style())
    qtbot.addWidget(widget)
    widget.resize(400, 220)
    widget.show()
    return widget


def pixel(side, place):
    frame = AxesFrame(full_limits(PLOT), plot_area(QRectF(side.rect()), Style()), (PLOT.x_scale, PLOT.y_scale))
    return QPointF(*frame.to_pixels([place])[0].tolist()).toPoint()


def move(side, place, buttons=NO_BUTTON):
    mouse(side.viewport(), QEvent.Type.MouseMove, pixel(side, place), NO_BUTTON, buttons, NONE)


def words(side):
    """What is written over the plot."""
    buffer = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    with QPainter(generator) as painter:
        side.drawForeground(painter, QRectF(side.rect()))
    return "".join(re.findall(r"<text[^>]*>([^<]*)</text>", bytes(buffer.data().data()).decode()))


def test_the_value_under_the_cursor_is_read(side):
    move(side, (1.0, 3.0))
    assert words(side) == "λ" + "λ 1: weight 3"  # the handle, the value
    move(side, (1.0, -1.0))
    assert words(side) == "λ"


def test_the_cell_of_a_matrix_under_the_cursor_is_read_in_the_words_of_the_plot(side):
    K = np.arange(12.0).reshape(3, 4) / 8
    x, y, name = np.arange(1.0, 5), np.arange(1.0, 4), "K({x:.0f} | {y:.0f})"
    field = Field("similarity", x, y, np.full((3, 4), 200, np.uint8), cells=K, cell_name=name)
    plot = Plot("gram", "Gram matrix", "sample", "sample", (field,), (0.5, 7.0, 0.5, 3.5), x_ticks=())
    side.show_plot(plot, Style())
    side.grab()
    frame = AxesFrame(plot.limits, plot_area(QRectF(side.rect()), Style()))
    for place, said in (((1.2, 0.8), "K(1 | 1) = 0"), ((3.6, 3.4), "K(4 | 3) = 1.38"), ((6.0, 2.0), "")):
        at = QPointF(*frame.to_pixels([place])[0].tolist()).toPoint()
        mouse(side.viewport(), QEvent.Type.MouseMove, at, NO_BUTTON, NO_BUTTON, NONE)
        assert words(side) == said


def press(side, pixel):
    mouse(side.viewport(), QEvent.Type.MouseButtonPress, pixel, LEFT, LEFT, NONE)


def drag(side, pixel):
    mouse(side.viewport(), QEvent.Type.MouseMove, pixel, NO_BUTTON, LEFT, NONE)


def let_go(side, pixel):
    mouse(side.viewport(), QEvent.Type.MouseButtonRelease, pixel, LEFT, NO_BUTTON, NONE)


def handle_plot(kind, x_scale, y_scale, at=4):
    """A handle of nine places on a slope, each with the number of its place as its value."""
    ends = [np.geomspace(1e-3, 1e2, 9) if scale == "log" else np.linspace(-2, 4, 9) for scale in (x_scale, y_scale)]
    handle = Handle("algorithm.k", np.column_stack(ends), np.arange(9.0), at, "k", kind)
    line = Lines("curve", handle.points)
    return Plot(kind, "Slope", "x", "y", (line,), x_scale=x_scale, y_scale=y_scale, handles=(handle,))


def painted_at(side, place, ink):
    """Whether a pixel at a place has nearly that colour: a line may lie between two of them."""
    image, at = side.grab().toImage(), place.toPoint()
    colours = [
        image.pixelColor(at + QPoint(*beside)).getRgb()[:3] for beside in ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1))
    ]
    return np.abs(np.array(colours) - ink.getRgb()[:3]).max(axis=1).min() < 40


@pytest.mark.parametrize("kind", ["upright", "level", "point"])
@pytest.mark.parametrize("x_scale", ["linear", "log"])
@pytest.mark.parametrize("y_scale", ["linear", "log"])
def test_a_handle_slides_along_its_line_under_new_plots(side, kind, x_scale, y_scale):
    plots = [handle_plot(kind, x_scale, y_scale, at) for at in range(9)]
    side.show_plot(plots[4], Style())
    told, ink = [], colour(palette.ink("now", "light").line)
    side.dragged.connect(lambda *what: told.append(what))
    frame = AxesFrame(full_limits(plots[4]), plot_area(QRectF(side.rect()), Style()), (x_scale, y_scale))
    places = [QPointF(*pixel) for pixel in frame.to_pixels(plots[4].handles[0].points).tolist()]
    # Beside the places, and off the curve where the handle does not go: it stays on it.
    beside = [place + QPointF(6, -3) if kind != "upright" else QPointF(place.x() + 6, 100) for place in places]
    start = places[4]
    press(side, start)
    for at in (5, 6, 3):
        drag(side, beside[at])
        side.show_plot(plots[at], Style())
        assert painted_at(side, places[at], ink)
    let_go(side, beside[3])
    values = [(value, finished) for path, value, finished in told if path == "algorithm.k"]
    assert values == [(5.0, False), (6.0, False), (3.0, False), (3.0, True)]
    side.show_plot(plots[3], Style())
    assert painted_at(side, places[3], ink)


def test_a_handle_may_set_a_text(side):
    plot = handle_plot("upright", "linear", "linear", 4)
    (handle,) = plot.handles
    texts = np.array([f"{value:g} 9" for value in handle.values])
    plot = replace(plot, handles=(replace(handle, values=texts),))
    side.show_plot(plot, Style())
    told = []
    side.dragged.connect(lambda *what: told.append(what))
    frame = AxesFrame(full_limits(plot), plot_area(QRectF(side.rect()), Style()), ("linear", "linear"))
    x = frame.to_pixels(handle.points)[:, 0]
    press(side, QPointF(x[4], 100))
    drag(side, QPointF(x[6], 100))
    let_go(side, QPointF(x[6], 100))
    assert told == [("algorithm.k", texts[6], False), ("algorithm.k", texts[6], True)] and type(told[0][1]) is str


def test_a_handle_that_is_held_stays_while_a_plot_does_not_have_it(side):
    told, bare = [], Plot("path", "Path", "λ", "weight", (CURVE,), x_scale="log")
    side.dragged.connect(lambda *what: told.append(what))
    press(side, pixel(side, (1e-2, 0)))
    drag(side, pixel(side, (1e-3, 0)))
    side.show_plot(bare, Style())
    drag(side, pixel(side, (1e-1, 0)))
    let_go(side, pixel(side, (1e-1, 0)))
    assert told[-1] == ("algorithm.lambda_", pytest.approx(1e-1), True)
    side.show_plot(bare, Style())
    assert words(side) == ""


def test_a_handle_is_found_by_its_cursor(side):
    move(side, (1e-2, 1.0))
    assert side.viewport().cursor().shape() == Qt.CursorShape.SizeHorCursor
    move(side, (1e-3, 1.0))
    assert side.viewport().cursor().shape() == Qt.CursorShape.ArrowCursor


def seen(side):
    """What of the plot is on the screen, read off it: the values at two pixels of the area."""
    return np.array([side._frame.to_data([pixel])[0] for pixel in ((100.0, 60.0), (300.0, 150.0))])


def test_wheel_and_drag_look_at_a_part_until_a_double_click(side):
    whole, at = seen(side), pixel(side, (1e-2, 2.0))
    image = side.grab().toImage()
    under = side._frame.to_data([at.toTuple()])[0]
    turn_wheel(side.viewport(), at, 3)
    assert side._frame.to_data([at.toTuple()])[0] == pytest.approx(under)
    near = seen(side)
    assert np.log(near[1, 0] / near[0, 0]) < 0.6 * np.log(whole[1, 0] / whole[0, 0])
    side.show_plot(replace(PLOT, marks=(*PLOT.marks, Points("now", np.array([[1e-9, 50.0]])))), Style())
    assert seen(side) == pytest.approx(near)
    grip = at + QPoint(-60, 20)
    held = side._frame.to_data([grip.toTuple()])[0]
    press(side, grip)
    for shift in range(0, 31, 10):
        drag(side, grip + QPoint(shift, shift))
    let_go(side, grip + QPoint(30, 30))
    assert side._frame.to_data([(grip + QPoint(30, 30)).toTuple()])[0] == pytest.approx(held)
    side.show_plot(PLOT, Style())
    assert side.grab().toImage() != image
    mouse(side.viewport(), QEvent.Type.MouseButtonDblClick, at, LEFT, LEFT, NONE)
    let_go(side, at)
    assert seen(side) == pytest.approx(whole)


def test_the_wheel_over_an_axis_zooms_along_it_alone(side):
    whole = seen(side)
    turn_wheel(side.viewport(), QPoint(200, side.height() - 20), 2)
    near = seen(side)
    assert near[:, 1] == pytest.approx(whole[:, 1]) and near[1, 0] / near[0, 0] < whole[1, 0] / whole[0, 0]


def test_another_plot_is_seen_whole(side):
    turn_wheel(side.viewport(), QPoint(200, 100), 2)
    side.show_plot(replace(PLOT, y_label="other weight"), Style())
    assert side._frame.limits == full_limits(PLOT)


@pytest.mark.parametrize("notches", [1, -1])
@pytest.mark.parametrize("scale", ["linear", "log"])
def test_zoom_has_no_end_where_something_breaks(side, scale, notches):
    side.show_plot(handle_plot("point", scale, scale), Style())
    for _ in range(120):
        turn_wheel(side.viewport(), QPoint(200, 100), 20 * notches)
    move(side, (1.0, 1.0))
    assert not side.grab().isNull() and np.isfinite(side._frame.limits).all()
    mouse(side.viewport(), QEvent.Type.MouseButtonDblClick, QPoint(200, 100), LEFT, LEFT, NONE)
    assert side._frame.limits == full_limits(side.plot)


def test_a_press_elsewhere_drags_nothing(qtbot, side):
    with qtbot.assertNotEmitted(side.dragged):
        mouse(side.viewport(), QEvent.Type.MouseButtonPress, QPoint(5, 5), LEFT, LEFT, NONE)
        move(side, (1e-3, 0), LEFT)
        mouse(side.viewport(), QEvent.Type.MouseButtonRelease, QPoint(5, 5), LEFT, NO_BUTTON, NONE)


def test_nothing_to_show_is_painted_too(side):
    side.show_plot(Plot("empty", "", "", "", ()), Style())
    move(side, (1, 1))
    assert not side.grab().isNull() and words(side) == ""


def test_what_a_handle_is_called_is_not_written_over_the_legend(side):
    side.resize(250, 220)
    side.grab()
    legend, above = side._legend, pixel(side, (1e-2, 0)).x()
    assert legend.left() - 30 < above < legend.right()  # otherwise there is nothing to be in the way of
    with_label = side.grab(legend.toAlignedRect()).toImage()
    handle = replace(HANDLE, label="")
    side.show_plot(replace(PLOT, handles=(handle,)), Style())
    assert side.grab(legend.toAlignedRect()).toImage() == with_label
