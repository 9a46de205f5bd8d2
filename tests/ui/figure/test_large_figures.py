"""Figures of very many samples are no giants."""

import numpy as np
import pytest
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from mlviz.draw.marks import Lines, Points
from mlviz.draw.plot import Plot
from mlviz.picture import PanelPicture
from mlviz.ui.figure.figure import export
from mlviz.ui.paint import stack as stack_module
from mlviz.ui.paint.axes import Style
from tests.ui.hands import scene_with

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("qapp")]


def figure_of(tmp_path, ending, n=20_000):
    """A picture of n samples with a cross on every tenth; returns the file's bytes."""
    rng = np.random.default_rng(0)
    scene = scene_with(rng.normal(0, 1.2, (n, 2)), np.arange(n) % 3, "svm")
    rows = np.arange(0, n, 10)
    marks = (
        Lines("boundary", np.array([(-4.0, 0.0), (4.0, 0.0)]), label="decision boundary"),
        Points("misclassified", scene.dataset.X[rows], rows=rows),
    )
    picture = PanelPicture(0, 0, "", Plot("data", "", "x1", "x2", marks, limits=(-4.0, 4.0, -4.0, 4.0)), caption="many")
    path = tmp_path / f"many{ending}"
    export(path, [picture], scene, (800, 600), Style(), dpi=192)
    return path.read_bytes()


@pytest.mark.parametrize(("ending", "most"), [(".png", 1.5e6), (".svg", 5e6), (".pdf", 2e6)])
def test_a_figure_of_twenty_thousand_samples_is_no_giant(tmp_path, ending, most):
    content = figure_of(tmp_path, ending)
    assert len(content) < most
    if ending == ".svg":
        # The symbols are one image; the words and the lines are still themselves.
        assert content.count(b"<image") == 1
        assert b">x1<" in content
        assert content.count(b"<path") < 200


def test_embedded_symbols_stand_where_vectors_would(tmp_path, monkeypatch):
    shown = []
    for most in (5000, 0):
        monkeypatch.setattr(stack_module, "MOST_VECTORS", most)
        svg = figure_of(tmp_path, ".svg", 300)
        image = QImage(1600, 1200, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        QSvgRenderer(QByteArray(svg)).render(painter)
        painter.end()
        shown.append(np.frombuffer(image.constBits(), np.uint8).reshape(1200, 1600, 4).astype(int))
    assert np.abs(shown[0] - shown[1]).mean() < 1.0
