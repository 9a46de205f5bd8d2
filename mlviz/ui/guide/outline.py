"""A dashed frame around a control that is spoken of: the whole one is that of the current canvas."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QWidget

_LINE, _GAP = 3, 1
"""Width of the frame, and how far from the control it is, pixels."""
_MOVES = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide)


class Outline(QWidget):
    """Around a part of a widget, or all of it, while that is in sight; it follows it, and lets the mouse through."""

    def __init__(self, around: QWidget, part: QRect) -> None:
        """An empty part is all of the widget."""
        super().__init__(around.window())
        self._around, self._part = around, part
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        within: QWidget | None = around
        while within is not None and not within.isWindow():
            within.installEventFilter(self)
            within = within.parentWidget()
        self._follow()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Dashes in a colour that no other frame has."""
        half = _LINE // 2
        with QPainter(self) as painter:
            painter.setPen(QPen(self.palette().linkVisited(), _LINE, Qt.PenStyle.DashLine, Qt.PenCapStyle.FlatCap))
            painter.drawRect(self.rect().adjusted(half, half, -half - 1, -half - 1))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Go with the control, and with what it stands in."""
        if event.type() in _MOVES:
            self._follow()
        return False

    def _follow(self) -> None:
        # A control of another method's form may be gone already.
        there = shiboken6.isValid(self._around) and self._around.isVisible()
        seen = self._around.visibleRegion().boundingRect() if there else QRect()
        seen = seen & self._part if self._part.isValid() else seen
        self.setVisible(not seen.isEmpty())
        if not seen.isEmpty():
            edge = _LINE + _GAP
            corner = self._around.mapTo(self.window(), QPoint())
            box = seen.translated(corner).adjusted(-edge, -edge, edge, edge) & self.window().rect()
            self.setGeometry(box)
            self.setMask(QRegion(self.rect()) - QRegion(self.rect().adjusted(_LINE, _LINE, -_LINE, -_LINE)))
