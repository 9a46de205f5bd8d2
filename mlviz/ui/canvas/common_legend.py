"""The legend that several canvases have in common, beside or below them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from mlviz.draw.legend import Arranged
from mlviz.ui.canvas.panel_view import PanelView
from mlviz.ui.paint.axes import Style, pixels_within
from mlviz.ui.paint.legend import NOTHING, common, entries_of, paint_legend


class CommonLegend(QWidget):
    """Names what the canvases show, so that their own legends need not: these keep what has no room here."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, accessibleName="Legend of all canvases")
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


def legend_told(view: PanelView) -> tuple[int, bool]:
    """How many rows the legend of a canvas has, opened, and whether it covers samples; none where there is none."""
    box, (marks, samples) = view.legend_box(), view.named()
    if box.isEmpty() or samples is None:
        return 0, False
    covers = pixels_within(view.frame().to_pixels(samples.places), box, 0.0).any()
    return len(entries_of(marks, samples, False, view.named_elsewhere)), bool(covers)
