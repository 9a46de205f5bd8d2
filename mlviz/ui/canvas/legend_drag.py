"""The legend under the mouse: a drag moves it, a double click folds it.

What is pressed on it meets no tool but those that work in a circle, whose strokes may begin anywhere.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

_LEFT, _RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


class LegendDrag(QObject):
    """Where the legend of a view was put, and whether it is folded: neither is part of the scene."""

    clicked = Signal()
    """It was clicked once and not dragged: whoever wanted a sample there sees none come."""

    def __init__(self, view: QWidget, box: Callable[[], QRectF], area: Callable[[], QRectF]) -> None:
        """`box` answers where the legend is now, `area` where it may be."""
        super().__init__(view)
        self._view, self._box, self._area = view, box, area
        self.place: tuple[float, float] | None = None
        """How far it is to the right and down, as shares of the room it has; None: where it hides least."""
        self.folded = False
        self.lets_by: Callable[[], bool] = lambda: False
        """Whether the tool in the hand is not kept from what is under the legend."""
        self._grip: QPointF | None = None
        self._button = _LEFT
        self._answered = False
        """Whether the press has moved the legend, or folded it."""
        self._once = QTimer(self, singleShot=True, interval=QApplication.doubleClickInterval())
        self._once.timeout.connect(self.clicked)
        view.installEventFilter(self)

    def reset(self) -> None:
        """Put it where it hides least, opened."""
        self.place, self.folded, self._grip = None, False, None
        self._once.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep presses on the legend, and the drags they begin, from the canvas."""
        if not isinstance(event, QMouseEvent):
            return False
        match event.type():
            case QEvent.Type.MouseButtonPress | QEvent.Type.MouseButtonDblClick:
                return self._press(event)
            case QEvent.Type.MouseMove if self._grip is not None:
                self._move(event.position() - self._grip)
                return True
            case QEvent.Type.MouseButtonRelease if self._grip is not None and event.button() == self._button:
                self._grip = None
                if not self._answered:
                    self._once.start()
                return True
        return False

    def _press(self, event: QMouseEvent) -> bool:
        box, button = self._box(), event.button()
        alone = event.buttons() == button and not event.modifiers() & Qt.KeyboardModifier.AltModifier
        if self.lets_by() or button not in (_LEFT, _RIGHT) or not alone or not box.contains(event.position()):
            return False
        self._grip, self._button, self._answered = event.position() - box.topLeft(), button, False
        self._once.stop()
        if event.type() == QEvent.Type.MouseButtonDblClick:
            self._answered = True
            self.folded = not self.folded
            self._view.update()
        return True

    def _move(self, corner: QPointF) -> None:
        box, area = self._box(), self._area()
        if box.topLeft() != corner:
            self._answered = True
            way = corner - area.topLeft()
            room = (area.size() - box.size()).expandedTo(QSizeF(1, 1))
            self.place = min(max(way.x() / room.width(), 0.0), 1.0), min(max(way.y() / room.height(), 0.0), 1.0)
            self._view.update()
