"""Side plots as a figure of their own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from mlviz.draw.plot import Plot, full_limits
from mlviz.files.atomic import write_atomically
from mlviz.ui.figure.formats import WRITERS, Size
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.stack import paint_plot
from mlviz.ui.paint.strokes import colour


def export_plots(path: Path, plots: Sequence[Plot], size: Size, style: Style, dpi: int = 96) -> None:
    """Write plots one below the other, each of `size` in 96ths of an inch, as the name of the file says.

    Raises `OSError` where the file can't be written.
    """
    width, height = size[0], size[1] * len(plots)

    def paint(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(QRectF(0, 0, width, height), colour(style.colors.paper))
        for row, plot in enumerate(plots):
            room = QRectF(0, row * size[1], width, size[1])
            paint_plot(painter, room, plot, full_limits(plot), style, raster=False)

    title = "; ".join(plot.title for plot in plots)
    write = WRITERS[path.suffix.lower()]
    write_atomically(path, write((width, height), dpi, title, title, paint))
