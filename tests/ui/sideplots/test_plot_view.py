import re

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator

from mlviz.draw.extent import full_limits
from mlviz.draw.marks import Field, Lines
from mlviz.draw.plot import Handle, Plot
from mlviz.ui.paint.axes import AxesFrame, Style, plot_area
from mlviz.ui.sideplots.plot_view import PlotView
from mlviz.ui.sideplots.tabs import SideTabs
from tests.ui.hands import LEFT, NONE, mouse

NO_BUTTON = Qt.MouseButton.NoButton


LAMBDAS = np.geomspace(1e-4, 1.0, 9)
HANDLE = Handle("algorithm.lambda_", np.column_stack((LAMBDAS, np.zeros(9))), LAMBDAS, 4, "λ")
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


def test_the_cell_of_a_matrix_under_the_cursor_is_read(side):
    K = np.arange(12.0).reshape(3, 4) / 8
    field = Field("similarity", np.arange(1.0, 5), np.arange(1.0, 4), np.full((3, 4), 200, np.uint8), cells=K)
    plot = Plot("gram", "Gram matrix", "sample", "sample", (field,), (0.5, 7.0, 0.5, 3.5), x_ticks=())
    side.show_plot(plot, Style())
    side.grab()
    frame = AxesFrame(plot.limits, plot_area(QRectF(side.rect()), Style()))
    for place, said in (((1.2, 0.8), "k(1, 1) = 0"), ((3.6, 3.4), "k(4, 3) = 1.38"), ((6.0, 2.0), "")):
        at = QPointF(*frame.to_pixels([place])[0].tolist()).toPoint()
        mouse(side.viewport(), QEvent.Type.MouseMove, at, NO_BUTTON, NO_BUTTON, NONE)
        assert words(side) == said


def test_a_plot_with_equal_units_has_room_while_it_is_in_front(qtbot):
    tabs = SideTabs(Style(), cover=lambda pane: None)
    qtbot.addWidget(tabs)
    equal = Plot("gram", "Gram matrix", "sample", "sample", (), (0, 1, 0, 1), equal=True)
    tabs.show_plots((PLOT, equal))
    low = tabs.minimumHeight()
    tabs.tabs.setCurrentIndex(1)
    assert tabs.minimumHeight() > low + 80
    tabs.tabs.setCurrentIndex(0)
    assert tabs.minimumHeight() == low


def test_a_handle_is_dragged_and_painted_at_the_hand(qtbot, side):
    told = []
    side.dragged.connect(lambda *what: told.append(what))
    start = pixel(side, (1e-2, 0))
    before = side.grab().toImage().pixelColor(pixel(side, (1e-3, 0)))
    mouse(side.viewport(), QEvent.Type.MouseButtonPress, start, LEFT, LEFT, NONE)
    move(side, (1e-3, 0), LEFT)
    assert told == [("algorithm.lambda_", pytest.approx(1e-3), False)]
    assert side.grab().toImage().pixelColor(pixel(side, (1e-3, 0))) != before
    mouse(side.viewport(), QEvent.Type.MouseButtonRelease, pixel(side, (1e-3, 0)), LEFT, NO_BUTTON, NONE)
    assert told[-1] == ("algorithm.lambda_", pytest.approx(1e-3), True)


def test_a_press_elsewhere_drags_nothing(qtbot, side):
    with qtbot.assertNotEmitted(side.dragged):
        mouse(side.viewport(), QEvent.Type.MouseButtonPress, QPoint(5, 5), LEFT, LEFT, NONE)
        move(side, (1e-3, 0), LEFT)
        mouse(side.viewport(), QEvent.Type.MouseButtonRelease, QPoint(5, 5), LEFT, NO_BUTTON, NONE)


def test_nothing_to_show_is_painted_too(side):
    side.show_plot(Plot("empty", "", "", "", ()), Style())
    move(side, (1, 1))
    assert not side.grab().isNull() and words(side) == ""


def test_a_plot_that_a_draft_does_not_have_stays_faded(qtbot):
    sides = SideTabs(Style(), cover=lambda pane: None)
    qtbot.addWidget(sides)
    sides.resize(400, 240)
    sides.show()
    sides.show_plots([PLOT])
    crisp = sides.plots["path"].grab().toImage()
    sides.show_plots([], held=True)
    assert list(sides.plots) == ["path"]
    faded = sides.plots["path"].grab().toImage()
    assert faded != crisp and faded.size() == crisp.size()
    sides.show_plots([PLOT])
    assert sides.plots["path"].grab().toImage() == crisp
    sides.show_plots([])
    assert not sides.plots
