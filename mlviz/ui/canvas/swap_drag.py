"""The line under a canvas is its handle: dragged onto another canvas, the two are swapped."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication


class SwapDrag:
    """Follows a drag that began on the line under a canvas; Escape gives it up.

    `below` answers which canvas has its line at a place of the grid, and `at` which canvas is there, None for none;
    `mark` shows on which one it would be dropped, and `swap` is what happens then.
    """

    def __init__(
        self,
        below: Callable[[QPoint], int | None],
        at: Callable[[QPoint], int | None],
        mark: Callable[[int | None], None],
        swap: Callable[[int, int], None],
    ) -> None:
        self._below, self._at, self._mark, self._swap = below, at, mark, swap
        self._start: tuple[int, QPoint] | None = None
        self._dragging = False

    def see(self, event: QEvent, place: QPoint) -> bool:
        """Follow an event at that place of the grid; whether it is nobody else's."""
        match event:
            case QMouseEvent() if event.type() == QEvent.Type.MouseButtonPress:
                index = self._below(place) if event.button() == Qt.MouseButton.LeftButton else None
                self._start = None if index is None else (index, place)
            case QMouseEvent() if event.type() == QEvent.Type.MouseMove and self._start is not None:
                return self._drag(place)
            case QMouseEvent() if event.type() == QEvent.Type.MouseButtonRelease and self._start is not None:
                index, dragged = self._start[0], self._dragging
                self._end()
                target = self._at(place)
                if dragged and target not in (None, index):
                    self._swap(index, target)
                return dragged
            case QKeyEvent() if self._dragging and event.key() == Qt.Key.Key_Escape:
                self._end()
                return True
        return False

    def _drag(self, place: QPoint) -> bool:
        assert self._start is not None
        index, start = self._start
        if not self._dragging and (place - start).manhattanLength() >= QApplication.startDragDistance():
            self._dragging = True
            QApplication.setOverrideCursor(Qt.CursorShape.ClosedHandCursor)
        if self._dragging:
            target = self._at(place)
            self._mark(None if target == index else target)
        return self._dragging

    def _end(self) -> None:
        if self._dragging:
            QApplication.restoreOverrideCursor()
            self._mark(None)
        self._start, self._dragging = None, False
