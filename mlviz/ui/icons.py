"""The program's own icons: lines in the colour of the text, so that they show on light and on dark."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from mlviz.assets import asset

SIZES = (16, 20, 24, 32, 48, 64, 128, 256)
"""Pixels of the pictures in an icon: the nearest one is used for each size and scale."""


def icon(name: str, colour: QColor, disabled: QColor | None = None) -> QIcon:
    """The icon of that name in one colour, and in another while it can't be used."""
    made = QIcon()
    drawing = asset("icons", f"{name}.svg").read_text(encoding="utf-8")
    modes = [(QIcon.Mode.Normal, colour)]
    if disabled is not None:
        modes.append((QIcon.Mode.Disabled, disabled))
    for mode, ink in modes:
        tinted = drawing.replace("currentColor", ink.name())
        for size in SIZES[:-2]:
            made.addPixmap(_pixmap(tinted, size), mode)
    return made


@cache
def app_icon() -> QIcon:
    """The program's icon."""
    made = QIcon()
    drawing = asset("icons", "mlviz.svg").read_text(encoding="utf-8")
    for size in SIZES:
        made.addPixmap(_pixmap(drawing, size))
    return made


def _pixmap(drawing: str, size: int) -> QPixmap:
    pixmap = QPixmap(QSize(size, size))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(drawing.encode())).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap
