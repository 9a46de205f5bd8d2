"""The name of a handle stands beside it, and not over what the plot shows, where there is room elsewhere."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QImage

from mlviz.draw import palette
from mlviz.draw.marks import Lines, Points
from mlviz.draw.plot import Handle, Plot
from mlviz.ui.paint.axes import Style
from mlviz.ui.sideplots.plot_view import PlotView
from tests.sweep import share

X = np.linspace(0.0, 10.0, 200)
SHAPES = {
    "peak": np.exp(-((X - 5) ** 2)),
    "valley": -np.exp(-((X - 5) ** 2)),
    "falling": 1 / (1 + X),
    "waves": np.sin(2 * X),
}


@pytest.fixture
def side(qtbot):
    widget = PlotView(Plot("path", "Path", "k", "error", ()), Style())
    qtbot.addWidget(widget)
    widget.resize(400, 220)
    widget.show()
    return widget


def red(side):
    """Which pixels have the red of the curve, nearly."""
    image = side.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    shown = np.array(image.constBits()).reshape(image.height(), image.width(), 4)[..., 2::-1].astype(np.int16)
    return (np.abs(shown - np.array(palette.ink("curve", "light").line[:3], np.int16)) < 60).all(axis=-1)


@pytest.mark.parametrize("kind", ["upright", "level", "point"])
@pytest.mark.parametrize(
    ("shape", "name"), [*((shape, "k") for shape in SHAPES), *((shape, "noise variance") for shape in (*SHAPES,)[:3])]
)
def test_no_name_hides_what_the_plot_shows(side, kind, shape, name):
    places = np.column_stack((X, SHAPES[shape]))
    marks = (Lines("curve", places), Points("curve", places[::20]))
    for at in share((0, 40, 95, 100, 105, 150, 199), f"{kind} {shape} {name}"):
        handle = Handle("algorithm.k", places, X, at, name, kind)
        plot = Plot(kind, "Path", "k", "error", marks, handles=(handle,))
        side.show_plot(plot, Style())
        with_name = red(side)
        side.show_plot(replace(plot, handles=(replace(handle, label=""),)), Style())
        assert (red(side) & ~with_name).sum() == 0, at


def test_a_line_that_only_ends_far_away_is_in_the_way_all_along(side):
    places = np.array([(0.0, 0.0)] * 300 + [(10.0, 1.0)])  # the anchors of a line go by its corners
    handle = Handle("algorithm.k", np.array([(4.5, 0.9)]), np.array([4.5]), 0, "k", "upright")
    slope = Lines("curve", places * (1, 0) + (0, 0.95))
    plot = Plot("slope", "Path", "k", "error", (slope,), limits=(0.0, 10.0, 0.0, 1.0), handles=(handle,))
    side.show_plot(plot, Style())
    with_name = red(side)
    side.show_plot(replace(plot, handles=(replace(handle, label=""),)), Style())
    assert (red(side) & ~with_name).sum() == 0


def test_names_of_two_handles_do_not_stand_over_each_other(side):
    at = np.array([(5.0, 0.5)])
    handles = [Handle(f"algorithm.{name}", at, at[:, 0], 0, name, "upright") for name in ("gamma", "sigma")]
    plot = Plot("two", "Path", "k", "error", (), limits=(0.0, 10.0, 0.0, 1.0), handles=tuple(handles))
    images = []
    for shown in (handles, [handles[0], replace(handles[1], label="")], [replace(handles[0], label=""), handles[1]]):
        side.show_plot(replace(plot, handles=tuple(shown)), Style())
        images.append(side.grab().toImage())
    both, *alone = images
    assert both not in alone
    assert alone[0] != alone[1]
