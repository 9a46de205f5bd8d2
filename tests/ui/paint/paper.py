"""Paper to paint on, and what is seen on it."""

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from mlviz.draw.marks import Ellipses, Field, Lines, Points, Polygons, Segments, Text
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.legend import arranged, paint_legend
from mlviz.ui.paint.painter import paint_marks

AREA = QRectF(40, 20, 200, 100)
LIMITS = (0.0, 10.0, 0.0, 5.0)
FRAME = AxesFrame(LIMITS, AREA)
STYLE = Style()


def canvas(scale=1.0, size=(300, 160)):
    image = QImage(round(size[0] * scale), round(size[1] * scale), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    image.fill(Qt.GlobalColor.white)
    return image


def pixels(image):
    """(h, w, 3) red, green, blue."""
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    flat = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine() // 4, 4)
    return flat[:, : plain.width(), 2::-1].astype(np.int32)


def painted(paint, scale=1.0, size=(300, 160)):
    image = canvas(scale, size)
    painter = QPainter(image)
    try:
        paint(painter)
    finally:
        painter.end()
    return pixels(image)


def legend_painted(painter, frame, marks, samples, style, raster=True):
    """The box of the legend of marks and samples, painted."""
    where = arranged(frame.limits, frame.area.getRect(), frame.scales, tuple(marks), samples, style)
    return paint_legend(painter, where, style, raster)


def marks_alone(*marks, samples=None, raster=True, scale=1.0):
    return painted(lambda p: paint_marks(p, FRAME, marks, STYLE, samples, raster), scale)


def is_dark(rgb):
    return rgb.sum(axis=-1) < 300


def many_marks(value):
    xy = np.array([[1.0, 1.0], [value, 2.0], [3.0, value]])
    field = Field("value", np.array([0.0, value]), np.array([0.0, 1.0]), np.zeros((2, 2), np.uint8))
    return (
        field,
        Points("now", xy, size=np.array([1.0, value, 2.0])),
        Points("center", xy, rows=np.array([0, 5, -1])),
        Lines("curve", xy, label="curve"),
        Lines("margin", np.tile(xy, (200, 1)), label="margin"),
        Segments("residual", xy, xy[::-1], rows=np.array([0, 9, 1])),
        Polygons("square", (xy, np.empty((0, 2)))),
        Ellipses("class 1", xy, np.full((3, 2, 2), value)),
        Text("path", xy, ("a", "b", "c"), label="note"),
        Text("path", xy, ("a", "b", "c"), centered=True),
    )
