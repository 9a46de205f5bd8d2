"""Every chart of every method has its ticks and its words at the same places on the screen and in a file."""

import functools
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QRect, QRectF
from PySide6.QtGui import QPainter, QTransform
from PySide6.QtSvg import QSvgGenerator

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Lines
from mlviz.draw.plot import Plot, full_limits
from mlviz.picture.render import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene, View
from mlviz.testing.check import cases, ordinary
from mlviz.ui.paint.axes import TICK_PX, Style
from mlviz.ui.paint.stack import paint_plot
from mlviz.ui.sideplots.plot_view import PlotView
from tests.sweep import share

pytestmark = pytest.mark.usefixtures("qapp")
SIZES = ((431, 217), (250, 140), (900, 600))
STYLES = (Style(), Style("dark", text=1.6, lines=1.5, points=1.4))
NEAREST_PX = 0.75
"""The axes of the screen are on whole pixels, which moves them by half a one; the rest is for the measures of fonts."""
SVG = "{http://www.w3.org/2000/svg}"
METHODS = [method for method in registry().values() if method.charts]
OTHERWISE = {
    "gp": ({}, {"kernel": "expression"}),
    "kernel-ridge": ({}, {"kernel": "expression"}),
    "quantile-regression": ({}, {"basis": "kernel"}),
    "linear-regression": ({}, {"basis": "polynomial", "penalty": "L2"}, {"penalty": "L1"}, {"solver": "gradient, 1/L"}),
    "mds": ({"metric": "manhattan"}, {"scaling": "classical"}),
    "spectral": ({}, {"n_clusters": 3}),
}
"""What else a method is to be where it does not draw all its charts as it is."""


@functools.cache
def charts_of(method):
    """The charts of a method on ordinary samples."""
    found = []
    for case in cases(method):
        X, y = ordinary(case)
        inputs, target = ("a", "b")[: case.d], None
        data = Dataset(X, y if case.task == "classification" else np.zeros(len(X), int), columns=inputs)
        if case.task == "regression":
            target = "t"
            data = Dataset(np.column_stack((X, y)), data.labels, columns=(*inputs, target))
        elif case.d == 1:
            data = Dataset(np.column_stack((X, X)), data.labels, columns=(*inputs, "b"))
        for values in OTHERWISE.get(method.id, ({},)):
            panel = Panel(Pipeline(method(**values)), inputs, target)
            (picture,) = draw(Scene(data, (panel,), view=View(slice=(-2.0, 1.0, 2.0, -1.0))), [(300, 300)], 8)
            found += picture.sides
    return tuple(found)


def painted(paint):
    """What is painted with a painter, as SVG."""
    buffer = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(96)  # what is kept as a QPicture, as the axes are, would come out in another size
    with QPainter(generator) as painter:
        paint(painter)
    return ET.fromstring(bytes(buffer.data().data()).decode())


def placed(element, matrix=None):
    """All words and ticks with their places (x, y) in pixels."""
    matrix = matrix or QTransform()
    if turned := re.match(r"matrix\(([^)]*)\)", element.get("transform", "")):
        a, b, c, d, e, f = map(float, turned[1].split(","))
        matrix = QTransform(a, b, c, d, e, f) * matrix
    if element.tag == f"{SVG}text":
        yield element.text, matrix.map(float(element.get("x")), float(element.get("y")))
    if element.tag == f"{SVG}polyline":
        (x0, y0), (x1, y1) = (matrix.map(*map(float, end.split(","))) for end in element.get("points").split())
        if abs(abs(x1 - x0) + abs(y1 - y0) - TICK_PX) < 0.01:
            yield "tick", ((x0 + x1) / 2, (y0 + y1) / 2)
    for inner in element:
        yield from placed(inner, matrix)


def about(area, sheet):
    """The words and ticks about an area of what was painted, by their names: places (k, 2)."""
    found = {}
    for name, place in placed(sheet):
        if not area.contains(*place):
            found.setdefault(name, []).append(place)
    return {name: np.array(places) for name, places in found.items()}


def farthest(plot, style, size):
    """How far words and ticks on the screen are from where they are in a file, at most: pixels."""
    plot, rect = replace(plot, title=""), QRect(0, 0, *size)
    view = PlotView(plot, style)
    view.resize(*size)
    view.show()
    frames = []
    sheet = painted(lambda painter: frames.append(paint_plot(painter, QRectF(rect), plot, full_limits(plot), style)))
    area = frames[0].area.adjusted(1, 1, -1, -1)
    shown = about(area, painted(lambda painter: view.render(painter, QRectF(rect), rect)))
    filed = about(area, sheet)
    view.close()
    counts = {name: len(places) for name, places in filed.items()}
    assert counts and {name: len(places) for name, places in shown.items()} == counts
    gaps = [np.abs(shown[name][:, None] - filed[name]).max(axis=2) for name in shown]
    return max(max(gap.min(axis=0).max(), gap.min(axis=1).max()) for gap in gaps)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.id)
def test_every_chart_of_every_method(method):
    plots = list({plot.id: plot for plot in charts_of(method)}.values())
    assert {plot.id for plot in plots} == {chart.id for chart in method.charts}
    for number, plot in enumerate(plots):
        assert farthest(plot, STYLES[number % 2], SIZES[number % 3]) <= NEAREST_PX, plot.id
    assert farthest(plots[0], STYLES[1], SIZES[0]) <= NEAREST_PX, "also what is presented"


CURVE = np.column_stack((np.linspace(1.0, 2.0, 20), np.linspace(3.0, 5.0, 20)))
ODD = {
    "far away": {"x": 1e6, "dx": 1e-2, "y": -4e7, "dy": 1e-3},
    "tiny": {"dx": 1e-9, "dy": 1e-12},
    "huge": {"dx": 1e15, "dy": 1e300},
    "a power of ten at each end": {"limits": (1e-3, 1e2, 1e-9, 1e6), "x_scale": "log", "y_scale": "log"},
    "less than a decade": {"limits": (2.0, 3.5, 2.0, 90.0), "x_scale": "log", "y_scale": "log"},
    "equal units": {"limits": (0.5, 7.0, 0.5, 3.5), "equal": True},
    "long words": {
        "x_ticks": ((1.0, "the very first of them"), (2.0, "and the very last of them")),
        "limits": (1, 2, 0, 1),
    },
    "words like markup": {"x_label": "<b>a</b> & b", "y_label": "a<br>b", "x_ticks": ((1.5, "<i>&amp;</i>"),)},
    "whole numbers": {"x_whole": True, "limits": (0.0, 3.0, -1.0, 1.0)},
    "labels with little room": {"x_label": "long words of it", "y_label": "high words"},
    "no width": {"limits": (1.0, 1.0, 2.0, 2.0)},
}


@pytest.mark.parametrize("what", ODD)
@pytest.mark.parametrize("style", STYLES, ids=["light", "presented"])
def test_odd_plots(what, style):
    facts = {"x": 0.0, "dx": 1.0, "y": 0.0, "dy": 1.0, "x_label": "x", "y_label": "y"} | ODD[what]
    start, size = np.array([facts.pop("x"), facts.pop("y")]), np.array([facts.pop("dx"), facts.pop("dy")])
    plot = Plot("odd", "Odd", marks=(Lines("curve", start + size * CURVE),), **facts)
    for room in share(SIZES, f"{what} {style.text}"):
        assert farthest(plot, style, room) <= NEAREST_PX
