"""Lines in an SVG end at the axes also in programs that do not heed its clips."""

import re

import numpy as np
import pytest
from PySide6.QtCore import QByteArray
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from mlviz.draw.marks import Ellipses, Lines, Segments
from mlviz.draw.plot import Plot
from mlviz.ui.figure.plots import export_plots
from mlviz.ui.paint.axes import Style

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("qapp")]
SIZE = (400, 300)
SLOPE = np.array([[-3.0, -3.0], [3.0, 3.0]])


def painted(content):
    renderer, image = QSvgRenderer(QByteArray(content)), QImage(*SIZE, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    with QPainter(image) as painter:
        renderer.render(painter)
    return np.array(image.constBits()).reshape(SIZE[1], SIZE[0], 4)[..., :3].astype(int)


@pytest.mark.parametrize(
    "mark",
    [
        Lines("curve", SLOPE),
        Lines("margin", SLOPE),
        Segments("residual", SLOPE[:1], SLOPE[1:]),
        Ellipses("margin", np.zeros((1, 2)), 1.05 * np.eye(2)[None]),
    ],
)
def test_without_its_clips_nothing_runs_beyond_the_axes(tmp_path, mark):
    pictures = []
    for name, marks in (("with", (mark,)), ("without", ())):
        plot = Plot("slope", "", "x", "y", marks, limits=(-1.0, 1.0, -1.0, 1.0))
        export_plots(tmp_path / f"{name}.svg", [plot], SIZE, Style("print"))
        content = (tmp_path / f"{name}.svg").read_bytes()
        pictures.append(painted(re.sub(rb' ?clip-path="[^"]*"', b"", content)))
    rows, columns = np.nonzero(np.abs(pictures[0] - pictures[1]).max(axis=-1) > 30)
    assert len(rows) > 100
    frame = np.abs(pictures[1] - 255).max(axis=-1) > 100  # the line about the axes is the only long one
    x = np.flatnonzero(frame.mean(axis=0) > 0.5)
    y = np.flatnonzero(frame.mean(axis=1) > 0.5)
    beyond = max(x.min() - columns.min(), columns.max() - x.max(), y.min() - rows.min(), rows.max() - y.max())
    assert beyond <= 4
