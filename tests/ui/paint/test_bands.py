"""A field is enlarged band by band: no seam shows, and large areas are left to Qt's threads."""

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from mlviz.draw.marks import Field
from mlviz.ui.paint import painter as room
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.painter import paint_marks


def pixels_of(area, scale):
    rng = np.random.default_rng(0)
    nodes = np.linspace(0, 1, 40), np.linspace(0, 1, 30)
    field = Field("region", *nodes, rng.integers(0, 255, (30, 40), np.uint8), rng.integers(0, 3, (30, 40), np.uint8))
    image = QImage(int(500 * scale), int(400 * scale), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.fill(0xFFFFFFFF)
    with QPainter(image) as brush:
        paint_marks(brush, AxesFrame((0, 1, 0, 1), area), [field], Style())
    return np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1).copy()


@pytest.mark.parametrize("scale", [1, 1.25, 2])
@pytest.mark.parametrize("area", [QRectF(30, 20, 440, 350), QRectF(30.4, 20.7, 433.3, 351.9), QRectF(5, 5, 300, 20.5)])
def test_bands_leave_no_seam(area, scale, monkeypatch):
    in_bands = pixels_of(area, scale)
    monkeypatch.setattr(room, "_LARGE", 0)
    assert np.array_equal(in_bands, pixels_of(area, scale))


def test_bands_are_low_and_cover_the_area_once():
    area = QRectF(3.5, 7.25, 800, 611.5)
    bands = list(room._bands(area, 1.5))
    assert all(band.height() * 1.5 <= 95 for band in bands)
    assert bands[0].top() == area.top() and bands[-1].bottom() == pytest.approx(area.bottom())
    assert all(a.bottom() == pytest.approx(b.top()) for a, b in itertools.pairwise(bands))
    assert list(room._bands(area, 3)) == [area]
