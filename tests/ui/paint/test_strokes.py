"""Pieces of lines, and arrows, as Qt strokes them."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPainterPath

from mlviz.draw import palette
from mlviz.draw.marks import Lines
from mlviz.ui.paint import strokes
from mlviz.ui.paint.painter import paint_marks
from tests.ui.paint.paper import AREA, FRAME, STYLE, is_dark, painted

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("count", [7, 70])
def test_sharp_turns_are_stroked_as_one_path_over_its_halo(count):
    """Pieces that go on from one another and others that do not, few and many: the same pixels as of Qt's own path."""
    x = np.linspace(20, 280, count + 1)
    corners = np.column_stack((x, 60 + 50 * np.cos(np.arange(count + 1))))
    lines = np.delete(strokes.line_pieces(corners), count // 2, axis=0)
    ink = palette.Ink((20, 40, 60, 255), width=2.0, dash="dashed", halo=(250, 200, 0, 255))

    def by_hand(painter):
        path = QPainterPath()
        for at, (x0, y0, x1, y1) in enumerate(lines.tolist()):
            if at in (0, count // 2):
                path.moveTo(x0, y0)
            path.lineTo(x1, y1)
        painter.strokePath(path, strokes.pen((250, 200, 0, 255), 4.0))
        painter.strokePath(path, strokes.pen((20, 40, 60, 255), 2.0, "dashed"))

    drawn = painted(lambda painter: strokes.draw_inked(painter, lines, ink, 1.0))
    assert (drawn != drawn[0, 0]).any() and np.array_equal(drawn, painted(by_hand))


def test_cutting():
    lines = np.array([[-1e15, 50, 1e15, 50], [0, 500, 300, 500], [60, 50, 70, 60], [50, -1e9, 50, 1e9], [9, 9, 9, 9.0]])
    inside = strokes.clip_lines(lines, QRectF(0, 0, 100, 100), spare=0)
    assert np.allclose(inside, [[0, 50, 100, 50], [60, 50, 70, 60], [50, 0, 50, 100], [9, 9, 9, 9]])


def test_dashes_go_on_along_a_run():
    whole = strokes.dashed(np.array([[0, 0, 20, 0.0]]), (3, 2))
    parted = strokes.dashed(np.array([[0, 0, 7, 0], [7, 0, 20, 0.0]]), (3, 2))

    def length(lines):
        return np.hypot(*(lines[:, 2:] - lines[:, :2]).T).sum()

    assert length(whole) == length(parted) == 12
    assert set(whole[:, 0]) == {0, 5, 10, 15}
    assert set(parted[:, 0]) == {0, 5, 7, 10, 15}


@pytest.mark.parametrize("tip", [(130.0, 90.0), (61.0, 70.5), (60.0, 64.0), (239.0, 20.0)])
def test_an_arrow_is_a_shaft_and_a_triangle_over_their_halos(tip):
    """However long, and at the rim too: the same pixels as of paths by hand."""
    start, ink = np.array([60.0, 70.0]), palette.Ink((20, 40, 60, 255), width=2.0, halo=(250, 200, 0, 255))
    length = float(np.hypot(*(tip - start)))
    along = (tip - start) / length
    head = min(4.6 * 2.0, 0.6 * length)
    across = 0.42 * head * np.array([-along[1], along[0]])
    corners = [np.array(tip), tip - head * along + across, tip - head * along - across]

    def by_hand(painter):
        shaft, point = QPainterPath(QPointF(*start)), QPainterPath(QPointF(*tip))
        shaft.lineTo(*(tip - 0.8 * head * along))
        for corner in (*corners[1:], corners[0]):
            point.lineTo(*corner)
        painter.strokePath(shaft, strokes.pen(ink.halo, 4.0))
        painter.strokePath(point, strokes.pen(ink.halo, 2.0))
        painter.strokePath(shaft, strokes.pen(ink.line, 2.0))
        painter.fillPath(point, strokes.colour(ink.line))

    drawn = painted(lambda p: strokes.paint_arrows(p, AREA, np.array([[*start, *tip]]), ink, 1.0))
    assert is_dark(drawn).any() and np.array_equal(drawn, painted(by_hand))


@pytest.mark.parametrize("dash", ["solid", "dashed"])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_many_translucent_pieces_look_like_one_stroked_path(scale, dash):
    """No darker where pieces meet or cross; where they meet their soft edges add up, to a twentieth of all."""
    t = np.linspace(0, 4 * np.pi, 600)
    curve = np.column_stack((150 + 100 * np.sin(t), 80 + 50 * np.sin(1.5 * t)))
    lines = strokes.line_pieces(curve)

    def drawn(raster):
        def paint(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            strokes.draw_inked(painter, lines, palette.Ink((0, 0, 0, 128), width=2.0, dash=dash), 1.0, raster)

        return painted(paint, scale)[..., 0]

    layered, stroked = drawn(True), drawn(False)
    assert layered.min() == pytest.approx(127, abs=1) and stroked.min() == pytest.approx(127, abs=1)
    dark = [int((seen < 200).sum()) for seen in (layered, stroked)]
    assert dark[0] == pytest.approx(dark[1], rel=0.1) and dark[1] > 300


@pytest.mark.parametrize("raster", [True, False])
@pytest.mark.parametrize("role", ["level", "slice", "curve", "attempt", "boundary"])
def test_a_line_beside_the_axes_shows_as_much_of_its_halo_in_files(role, raster):
    ink = STYLE.ink(role)
    edge = (ink.width + 2 * (ink.halo is not None)) / 2
    for reach, seen in ((0.2, True), (-0.2, False)):  # how far, in pixels, the line is wider than its way to the axes
        y = FRAME.limits[3] + (edge - reach) / 20
        line = Lines(role, np.array([[0.0, y], [10.0, y]]))

        def paint(painter, line=line):
            painter.fillRect(AREA, "grey")
            paint_marks(painter, FRAME, [line], STYLE, raster=raster)

        rows = painted(paint, 10.0, size=(70, 50))[200:, 500:]
        assert (rows != rows[-1, -1]).any() == seen
