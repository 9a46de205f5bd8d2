"""Samples in the colour of their value: the very colours of the bar, painted anew where a value changes."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from mlviz.draw import palette
from mlviz.draw.legend import Entry, Layout, retold
from mlviz.draw.marks.base import Swatch
from mlviz.draw.value_scale import ValueScale
from mlviz.ui.canvas.cached_layer import changed_box
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.samples import DrawnSamples, paint_samples

FRAME = AxesFrame((0, 10, 0, 5), QRectF(0, 0, 200, 100))
PLACES = np.array([[1.0, 2.5], [5.0, 2.5], [9.0, 2.5]])
VALUES = np.array([-3.0, 0.5, 4.0])


def samples(values=VALUES, held_out=None):
    scale = ValueScale.of(values)
    plain = np.zeros(len(values), dtype=np.intp)
    return DrawnSamples(PLACES, plain, (), held_out, None, scale.shades(values), f"y, {scale}")


def painted(drawn, theme, raster):
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.magenta)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_samples(painter, FRAME, drawn, Style(theme=theme), raster)
    return image


def colours(image, dx=0):
    return [image.pixel(round(20 * x) + dx, round(100 - 20 * y)) for x, y in PLACES.tolist()]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("raster", [True, False])
def test_the_middle_of_each_sample_has_the_colour_of_its_value_in_the_bar(qapp, theme, raster):
    drawn = samples()
    bar = palette.diverging_tints(theme)
    assert colours(painted(drawn, theme, raster)) == bar[drawn.shades].tolist()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_one_that_is_held_out_has_the_colour_in_its_ring(qapp, theme):
    drawn = samples(held_out=np.array([True, True, True]))
    image, bar = painted(drawn, theme, True), palette.diverging_tints(theme)
    canvas = palette.theme_colors(theme).canvas
    for middle, ring, shade in zip(colours(image), colours(image, dx=5), drawn.shades.tolist(), strict=True):
        assert np.abs(np.subtract([middle >> 16 & 255, middle >> 8 & 255, middle & 255], canvas[:3])).max() < 60
        wanted = int(bar[shade])
        off = [abs((ring >> k & 255) - (wanted >> k & 255)) for k in (16, 8, 0)]
        assert max(off) < 40


def test_where_a_value_changes_is_painted_anew_and_nothing_else():
    before, after = samples(), samples(np.array([-3.0, 2.5, 4.0]))
    box = changed_box(before, after, FRAME, 4.0)
    assert box.contains(100, 50) and not box.contains(20, 50) and not box.contains(180, 50)
    assert changed_box(before, samples(), FRAME, 4.0).isEmpty()
    plain = DrawnSamples(PLACES, np.zeros(3, dtype=np.intp))
    assert changed_box(before, plain, FRAME, 4.0) is None


def test_a_legend_that_is_held_tells_the_scale_as_it_is():
    scale, held_out = Swatch("scale", "value"), Swatch("hollow", "class -1")
    held = (
        (Entry("held out", (held_out,)), Entry("y, 0 to 1", (scale,))),
        (0.92, Layout(2, (80.0,)), ("held out", "y, 0 to 1")),
        (3.0, 4.0),
    )
    now = (Entry("y, 0 to 2", (scale,)), Entry("something new", (Swatch("line", "curve"),)))
    found, (factor, layout, words), at = retold(held, now)
    assert [entry.label for entry in found] == ["held out", "y, 0 to 2"] and words == ("held out", "y, 0 to 2")
    assert (factor, layout, at) == (0.92, Layout(2, (80.0,)), (3.0, 4.0))
    assert retold(held, held[0]) == held
