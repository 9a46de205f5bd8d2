import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt

from mlviz.draw.marks import Lines
from mlviz.draw.plot import Handle, Plot
from mlviz.ui.axes import Style
from mlviz.ui.sideplot import SidePlot
from tests.ui.hands import LEFT, NONE, mouse

NO_BUTTON = Qt.MouseButton.NoButton


@pytest.fixture
def side(qtbot):
    lambdas = np.geomspace(1e-4, 1.0, 9)
    handle = Handle("lambda_", np.column_stack((lambdas, np.zeros(9))), lambdas, 4, "λ")
    curve = Lines("path", np.column_stack((lambdas, np.linspace(-1, 3, 9))), label="weights")
    widget = SidePlot(Style())
    widget.set_plot(Plot("path", "Path", "λ", "weight", (curve,), x_scale="log", handles=(handle,)))
    qtbot.addWidget(widget)
    widget.resize(400, 220)
    widget.show()
    return widget


def move(side, place, buttons=NO_BUTTON):
    mouse(side, QEvent.Type.MouseMove, side.to_pixel(place).toPoint(), NO_BUTTON, buttons, NONE)


def test_the_value_under_the_cursor_is_read(side):
    move(side, (1.0, 3.0))
    assert side.readout == "λ 1: weight 3"
    move(side, (1.0, -1.0))
    assert side.readout == ""


def test_a_handle_is_dragged_and_painted_at_the_hand(qtbot, side):
    told = []
    side.dragged.connect(lambda *what: told.append(what))
    start = side.to_pixel((1e-2, 0)).toPoint()
    before = side.grab().toImage().pixelColor(side.to_pixel((1e-3, 0)).toPoint())
    mouse(side, QEvent.Type.MouseButtonPress, start, LEFT, LEFT, NONE)
    move(side, (1e-3, 0), LEFT)
    assert told == [("lambda_", pytest.approx(1e-3), False)]
    assert side.grab().toImage().pixelColor(side.to_pixel((1e-3, 0)).toPoint()) != before
    mouse(side, QEvent.Type.MouseButtonRelease, side.to_pixel((1e-3, 0)).toPoint(), LEFT, NO_BUTTON, NONE)
    assert told[-1] == ("lambda_", pytest.approx(1e-3), True)


def test_a_press_elsewhere_drags_nothing(qtbot, side):
    with qtbot.assertNotEmitted(side.dragged):
        mouse(side, QEvent.Type.MouseButtonPress, QPoint(5, 5), LEFT, LEFT, NONE)
        move(side, (1e-3, 0), LEFT)
        mouse(side, QEvent.Type.MouseButtonRelease, QPoint(5, 5), LEFT, NO_BUTTON, NONE)


@pytest.mark.parametrize("plot", [None, Plot("empty", "", "", "", ())])
def test_nothing_to_show_is_painted_too(side, plot):
    side.set_plot(plot)
    move(side, (1, 1))
    assert not side.grab().isNull() and side.readout == ""
