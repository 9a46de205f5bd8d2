"""Very many symbols in a file of vectors: one image among them, for a path each would make it huge."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

MOST_VECTORS = 5000
"""More symbols than this are written as pixels."""
_SCALE = 3.0
"""Pixels of the image a logical pixel: 288 an inch, enough for print."""


def paint_embedded(painter: QPainter, area: QRectF, paint: Callable[[QPainter], None]) -> None:
    """What `paint` paints inside the area, as pixels: straight onto an image, as one image into a file of vectors."""
    if isinstance(painter.device(), QImage):
        paint(painter)
        return
    size = (area.size() * _SCALE).toSize()
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(_SCALE)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as brush:
        brush.setRenderHint(QPainter.RenderHint.Antialiasing)
        brush.translate(-area.topLeft())
        paint(brush)
    painter.drawImage(QRectF(area.topLeft(), size.toSizeF() / _SCALE), image)
