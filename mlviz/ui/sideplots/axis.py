"""An axis of a side plot: pyqtgraph's, with the ticks and the style of a figure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from mlviz.draw.ticks import Ticks
from mlviz.ui.paint.axes import TICK_GAPS, TICK_PX, TICK_TEXT_SIZE, Style, metrics
from mlviz.ui.paint.strokes import colour, pen

_BEYOND_PX = 1000
"""So far beyond the ends of the axis labels may reach: pyqtgraph leaves out those that reach farther."""


class ChartAxis(pg.AxisItem):
    """Shows ticks that are given. Dragged it moves the plot along itself, and the wheel over it zooms along it."""

    def __init__(self, upright: bool) -> None:
        super().__init__("left" if upright else "bottom", maxTickLength=TICK_PX)
        self._ticks = Ticks()
        self._lower = 0.0
        """How much lower than pyqtgraph would write words they stand, pixels."""
        self.enableAutoSIPrefix(False)
        # The line of the axis belongs to the frame, which is painted with the marks.
        self.setPen(None)

    def set_style(self, style: Style) -> None:
        """Paint in that style."""
        self.setTickPen(pen(style.colors.faint, style.lines))
        self.setTextPen(colour(style.colors.text))
        if self.orientation == "left":
            # The middle of a capital is at the tick, not that of the line.
            fm = metrics(style, TICK_TEXT_SIZE)
            self._lower = (fm.capHeight() - fm.ascent() + fm.descent()) / 2
        self.setStyle(
            tickFont=style.font(TICK_TEXT_SIZE),
            tickTextOffset=TICK_GAPS[self.orientation == "left"],
            autoExpandTextSpace=False,
            hideOverlappingLabels=_BEYOND_PX,
        )

    def show_ticks(self, ticks: Ticks) -> None:
        """Show these ticks."""
        if ticks != self._ticks:
            self._ticks, self.picture = ticks, None
            self.update()

    def place(self, room: QRectF) -> None:
        """Fill a room."""
        if room != self.geometry():
            # pyqtgraph would rather have sizes of its own.
            self.setWidth(room.width()) if self.orientation == "left" else self.setHeight(room.height())
            self.setGeometry(room)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Where the ticks are, on one level: logarithms on a log axis."""
        values = np.array(self._ticks.values)
        # A tick at the very end is not to be lost to rounding.
        return [(1.0, np.clip(np.log10(values) if self.logMode else values, low, high).tolist())]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """What is written at them."""
        return list(self._ticks.labels)

    def drawPicture(self, painter: QPainter, line: Any, ticks: Any, words: Any) -> None:
        """Paint ticks and words, these where figures have them."""
        lower = [(rect.translated(0.0, self._lower), flags, word) for rect, flags, word in words]
        super().drawPicture(painter, line, ticks, lower)
