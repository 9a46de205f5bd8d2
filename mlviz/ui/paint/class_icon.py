"""The symbol of a class as an icon, for buttons and lists."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap

from mlviz.ui.paint.samples import paint_sample

ICON_PX = 24
SYMBOL_PX = 14.0


def class_icon(code: int, theme: str) -> QIcon:
    """The symbol of a class as an icon."""
    icon = QIcon()
    for scale in (1, 2):
        pixmap = QPixmap(ICON_PX * scale, ICON_PX * scale)
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_sample(painter, QPointF(ICON_PX / 2, ICON_PX / 2), code, theme, SYMBOL_PX)
        painter.end()
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
            icon.addPixmap(pixmap, mode)  # the style would tint it where it is selected in a list
    return icon
