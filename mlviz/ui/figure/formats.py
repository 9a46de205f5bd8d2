"""Painted figures as files: PNG, SVG and PDF. The same painting gives the same bytes, whenever it is written."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSize, QSizeF, QUuid
from PySide6.QtGui import QImage, QImageWriter, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

_MAX_PIXELS = 20_000
"""The longest side of a PNG."""
_PDF_RESOLUTION = 1200
"""Dots per inch on which the PDF's coordinates are rounded."""
Size = tuple[float, float]
"""Width and height in 96ths of an inch."""
Paint = Callable[[QPainter], None]
# The epoch stands for no date at all: readers want one, and the day of writing would make every file another one.
_DATES = (
    (re.compile(rb"\(D:\d{14}Z\)"), b"(D:19700101000000Z)"),
    (re.compile(rb'Date="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00"'), b'Date="1970-01-01T00:00:00+00:00"'),
)


_NO_XML = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
"""Signs, in UTF-8, that may not be in XML: names of columns and classes can have them."""


def _png(size: Size, dpi: int, title: str, description: str, paint: Paint) -> bytes:
    scale = dpi / 96
    width, height = round(size[0] * scale), round(size[1] * scale)
    if max(width, height) > _MAX_PIXELS:
        raise OSError(f"{width} x {height} pixels are too many; the longest side may have {_MAX_PIXELS}")
    image = QImage(width, height, QImage.Format.Format_RGB32)
    if image.isNull():
        raise OSError(f"there is not enough memory for {width} x {height} pixels")
    image.setDotsPerMeterX(round(dpi / 0.0254))
    image.setDotsPerMeterY(round(dpi / 0.0254))
    image.setText("Title", title)
    image.setText("Description", description)
    image.setText("Software", "mlviz")
    with QPainter(image) as painter:
        painter.scale(scale, scale)
        paint(painter)
    buffer = QBuffer()
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(buffer.data().data())


def _svg(size: Size, dpi: int, title: str, description: str, paint: Paint) -> bytes:
    # The default, SVG Tiny, can't clip.
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    buffer = QBuffer()
    generator.setOutputDevice(buffer)
    generator.setSize(QSize(round(size[0]), round(size[1])))
    generator.setViewBox(QRectF(0, 0, *size))
    generator.setResolution(96)
    generator.setTitle(title)
    generator.setDescription(description)
    with QPainter(generator) as painter:
        paint(painter)
    return _NO_XML.sub(b"", buffer.data().data())


def _pdf(size: Size, dpi: int, title: str, description: str, paint: Paint) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    points = QSizeF(size[0] * 0.75, size[1] * 0.75)
    writer.setPageSize(QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0), QPageLayout.Unit.Point)
    writer.setResolution(_PDF_RESOLUTION)
    writer.setTitle(title)
    writer.setCreator("mlviz")
    writer.setDocumentId(QUuid.createUuidV5(QUuid(), f"{title}\n{description}".encode()))
    with QPainter(writer) as painter:
        # Without it the field is stored as a JPEG.
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        painter.scale(_PDF_RESOLUTION / 96, _PDF_RESOLUTION / 96)
        paint(painter)
    content = bytes(buffer.data().data())
    for date, none in _DATES:
        content = date.sub(none, content)
    return content


WRITERS = {".png": _png, ".svg": _svg, ".pdf": _pdf}
"""The content of a file by its kind; only pixels heed the dots per inch. They raise `OSError`."""
