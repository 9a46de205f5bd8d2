"""A circle of light around the cursor, all else dimmed: what is spoken of can be seen from the last row."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QColor, QCursor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QWidget

_DIM = QColor(0, 0, 0, 165)
_SHARE = 0.17
"""The radius of the circle, as a share of the shorter side of what is dimmed."""
_FOLLOW_MS = 16
"""The cursor is looked at so often: over what it stands does not matter then, and it may be hidden."""


class Spotlight(QWidget):
    """Lies over its parent and lets all clicks through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._under = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._centre = QPoint()
        self._clock = QTimer(self, interval=_FOLLOW_MS)
        self._clock.timeout.connect(self.follow)
        self.hide()

    @property
    def on(self) -> bool:
        """Whether it is lit."""
        return self._clock.isActive()

    @property
    def lit(self) -> QRect:
        """The square around the circle."""
        radius = round(_SHARE * min(self.width(), self.height()))
        return QRect(self._centre - QPoint(radius, radius), self._centre + QPoint(radius, radius))

    def switch(self, on: bool) -> None:
        """Light it, or put it out."""
        if on:
            self._under.installEventFilter(self)
            self._cover()
            self._clock.start()
            self.follow()
        else:
            self._under.removeEventFilter(self)
            self._clock.stop()
        self.setVisible(on)

    def follow(self) -> None:
        """Go where the cursor is; only what was lit and what is lit now is painted anew."""
        centre = self.mapFromGlobal(QCursor.pos())
        if centre != self._centre:
            before = self.lit
            self._centre = centre
            for part in (before, self.lit):
                self.update(part.adjusted(-2, -2, 2, 2))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as large as what lies under it."""
        if event.type() == QEvent.Type.Resize:
            self._cover()
        return False

    def _cover(self) -> None:
        self.setGeometry(self._under.rect())
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Dim all but the circle."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dimmed, circle = QPainterPath(), QPainterPath()
        dimmed.addRect(QRect(event.rect()).adjusted(-1, -1, 1, 1))
        circle.addEllipse(QPointF(self._centre), self.lit.width() / 2, self.lit.height() / 2)
        painter.fillPath(dimmed - circle, _DIM)
        painter.end()
