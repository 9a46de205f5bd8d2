"""The screen and files are painted from one list of layers, in one order."""

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from mlviz.draw.layer import Explanation
from mlviz.draw.marks import Arrows, Field, Lines, Points, Segments, Text
from mlviz.draw.plot import Plot
from mlviz.picture import PanelPicture
from mlviz.ui.figure import figure
from mlviz.ui.figure.figure import export
from mlviz.ui.paint import layers
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.layers import Layer
from mlviz.ui.paint.stack import FrameContent, paint_content, stack
from tests.ui.hands import Desk

PLACES = [(0.0, 0.0), (1.0, 1.0), (-2.0, 1.5)]


def all_kinds():
    nodes, xy, rows = np.linspace(-5, 5, 4), np.array(PLACES[:2]), np.array([0, 1])
    return (
        Points("center", xy),
        Points("misclassified", xy, rows=rows),
        Text("path", xy, ("a", "b")),
        Segments("residual", xy, xy + 1, rows=rows),
        Arrows("component", xy, xy + 1),
        Lines("boundary", xy),
        Field("region", nodes, nodes, np.full((4, 4), 99, np.uint8), np.zeros((4, 4), np.uint8)),
    )


@pytest.fixture
def desk(qtbot):
    desk = Desk(qtbot, PLACES)
    desk.point_at(2, 2)
    desk.canvas.toggle_pin()
    told = Explanation("because it is so", (Segments("neighbour", np.zeros((1, 2)), np.ones((1, 2))),))
    plot = Plot("data", "k means", "x1", "x2", all_kinds())
    desk.canvas.set_picture(
        PanelPicture(0, 0, desk.store.scene.dataset.key, plot, caption="a caption", explanation=told)
    )
    return desk


def painted_by(monkeypatch, act):
    """The layers, each with the roles of its marks, in the order in which `act` has them painted."""
    found = []

    def spied(paint):
        def spy(layer, sheet):
            found.append((type(layer).__name__, [mark.role for mark in getattr(layer, "marks", ())]))
            paint(layer, sheet)

        return spy

    with monkeypatch.context() as patch:
        for kind in (value for value in vars(layers).values() if isinstance(value, type) and issubclass(value, Layer)):
            patch.setattr(kind, "paint", spied(kind.paint))
        act()
    return found


def test_canvas_and_figure_paint_the_same_layers_in_the_same_order(desk, monkeypatch, tmp_path):
    canvas = desk.canvas
    canvas.grab()
    canvas.set_style(Style(lines=1.1))  # nothing that is kept may be used again
    on_screen = painted_by(monkeypatch, canvas.grab)
    scene, picture = desk.store.scene, canvas.picture
    in_file = painted_by(monkeypatch, lambda: export(tmp_path / "a.png", [picture], scene, (640, 520), Style()))
    assert on_screen == in_file
    names = [name for name, _ in on_screen]
    assert names == [
        "AxesLayer", "MarkLayer", "FrameLayer", "CaptionLayer",
        "MarkLayer", "SampleLayer", "MarkLayer", "MarkLayer", "MarkLayer", "CrossLayer", "LegendLayer", "CardLayer",
        "WordsLayer",
    ]  # fmt: skip
    assert [roles for name, roles in on_screen if name == "MarkLayer"] == [
        ["boundary", "region"], ["residual"], ["misclassified"], ["center", "component"], ["neighbour", "probe"]
    ]  # fmt: skip


def test_what_is_still_is_lowest_and_is_painted_once(desk, monkeypatch):
    kinds = [layer.still for layer in stack(FrameContent(desk.canvas.picture.plot))]
    assert kinds == sorted(kinds, reverse=True) and any(kinds) and not all(kinds)
    desk.canvas.grab()
    again = [name for name, _ in painted_by(monkeypatch, desk.canvas.grab)]
    assert again[:2] == ["MarkLayer", "SampleLayer"] and "AxesLayer" not in again


@pytest.mark.parametrize("edge", ["left", "bottom"])
@pytest.mark.parametrize("ending", [".png", ".svg"])
def test_a_sample_on_an_axis_lies_over_its_line_on_the_screen_and_in_files(qtbot, tmp_path, monkeypatch, edge, ending):
    style = Style(lines=8.0)  # half of the line, 4 pixels, is inside the area, where samples are seen
    desk = Desk(qtbot, PLACES, algorithm="svm")
    x0, _, y0, _ = desk.canvas.frame().limits
    x0, y0 = (x0, 0.5) if edge == "left" else (0.5, y0)
    desk.store.push(desk.store.scene.replace(dataset=desk.data.move([0], np.array([[x0, y0]]))), "move")
    plot = Plot("data", "", "x1", "x2", (), limits=desk.canvas.frame().limits)
    picture = PanelPicture(0, 0, desk.store.scene.dataset.key, plot)
    desk.canvas.set_style(style)
    desk.canvas.set_picture(picture)
    screen = desk.canvas.grab().toImage()
    at = desk.canvas.frame().to_pixels([(x0, y0)])[0]
    path, frames = tmp_path / f"figure{ending}", []

    def paint(*args, **facts):
        frames.append(paint_content(*args, **facts))

    monkeypatch.setattr(figure, "paint_content", paint)
    export(path, [picture], desk.store.scene, (640, 520), style)
    written = QImage(640, 520, QImage.Format.Format_RGB32)
    with QPainter(written) as painter:
        if ending == ".svg":
            QSvgRenderer(str(path)).render(painter)
        else:
            painter.drawImage(0, 0, QImage(str(path)))
    there = frames[0].to_pixels([(x0, y0)])[0]
    inward = np.array([2.0, 0.0]) if edge == "left" else np.array([0.0, -2.0])
    blue, line = np.array([21, 96, 196]), np.array(style.colors.faint[:3])
    for image, place in ((screen, at), (written, there)):
        rgb = np.array(image.pixelColor(*np.floor(place + inward).astype(int).tolist()).getRgb()[:3])
        assert np.abs(rgb - blue).max() < 12
        along = place + inward + ([0, -40] if edge == "left" else [60, 0])
        beside = np.array(image.pixelColor(*np.floor(along).astype(int).tolist()).getRgb()[:3])
        assert np.abs(beside - line).max() < 12
