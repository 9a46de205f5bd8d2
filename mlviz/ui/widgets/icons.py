"""The program's own icons: lines in the colour of the text, so that they show on light and on dark."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QImage, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

from mlviz.assets import asset

_SIZES = (16, 22, 24, 26)
"""Logical pixels of the icons in menus and buttons, in the toolbar, in dialogs, and below a presentation."""
_APP_SIZES = (16, 20, 24, 32, 48, 64, 128, 256)


def icon(name: str) -> QIcon:
    """The icon of that name in the colours of the present theme."""
    palette, ink = QGuiApplication.palette(), QPalette.ColorRole.ButtonText
    groups = QPalette.ColorGroup.Active, QPalette.ColorGroup.Disabled
    return _inked(name, _pixels(), *(palette.color(group, ink).rgba() for group in groups))


@cache
def _inked(name: str, sizes: tuple[int, ...], enabled: int, disabled: int) -> QIcon:
    """The icon in two colours: made once for all windows and changes of the theme."""
    made = QIcon()
    for drawn in _drawn(name, sizes):
        made.addPixmap(_tinted(drawn, QColor.fromRgba(enabled)), QIcon.Mode.Normal)
        made.addPixmap(_tinted(drawn, QColor.fromRgba(disabled)), QIcon.Mode.Disabled)
    return made


def _pixels() -> tuple[int, ...]:
    """The sizes in pixels on the screens there are, so that no picture is made from another one, and blurred."""
    scales = {1.0, *(screen.devicePixelRatio() for screen in QGuiApplication.screens())}
    return tuple(sorted({round(size * scale) for size in _SIZES for scale in scales}))


@cache
def app_icon() -> QIcon:
    """The program's icon."""
    made = QIcon()
    for drawn in _drawn("mlviz", _APP_SIZES):
        made.addPixmap(QPixmap.fromImage(drawn))
    return made


@cache
def _drawn(name: str, sizes: tuple[int, ...]) -> tuple[QImage, ...]:
    """The drawing of that name in all sizes; read and drawn once, whatever the colours it will have."""
    renderer = QSvgRenderer(QByteArray(asset("icons", f"{name}.svg").read_bytes().replace(b"currentColor", b"#000")))
    images = []
    for size in sizes:
        image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        with QPainter(image) as painter:
            renderer.render(painter, QRectF(0, 0, size, size))
        images.append(image)
    return tuple(images)


def _tinted(drawn: QImage, ink: QColor) -> QPixmap:
    image = drawn.copy()
    with QPainter(image) as painter:
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
        painter.fillRect(image.rect(), ink)
    return QPixmap.fromImage(image)
