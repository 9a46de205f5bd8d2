"""The legend that several canvases have in common, beside or below them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from mlviz.ui.canvas.panel_view import PanelView
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.legend import NOTHING, Arranged, common, paint_legend


class CommonLegend(QWidget):
    """Names what the canvases show, so that their own legends need not: these keep what has no room here."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("Legend of all canvases")
        self.arranged: Arranged | None = None
        self._style = Style()
        self._known: object = None

    def settle(self, canvases: Sequence[PanelView], style: Style) -> None:
        """Name what the canvases show now; a single one has a legend of its own."""
        shown = [canvas.named() for canvas in canvases] if len(canvases) > 1 else []
        if (shown, style, self.size()) == self._known:
            return
        self._known, self._style = (shown, style, self.size()), style
        self.arranged = common(shown, QRectF(self.rect()), style)
        for canvas in canvases:
            canvas.named_elsewhere = frozenset(self.arranged[0]) if self.arranged else NOTHING
            canvas.update()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the words with their signs."""
        with QPainter(self) as painter:
            paint_legend(painter, self.arranged, self._style)
