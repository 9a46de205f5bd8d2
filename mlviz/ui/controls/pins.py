"""Which hyperparameters stay at hand in a presentation, and the small pin beside each control that says so."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton

from mlviz.ui.widgets.parts import named
from mlviz.ui.widgets.preferences import Preferences

PINNABLE = ("integer", "real", "choice", "flag")
"""The kinds of parameters whose controls are one line high."""
_KEPT = "pinned"
"""The name under which they are kept."""
_SIZE = QSize(16, 16)


class Pins(QObject):
    """Names of hyperparameters, in the order in which they were pinned; whatever the method, they mean the same."""

    changed = Signal()

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self._preferences = preferences
        self.names: tuple[str, ...] = tuple(filter(None, preferences.kept(_KEPT).split(" ")))
        """Those that are pinned."""

    def toggle(self, name: str) -> None:
        """Pin a hyperparameter, or let it go."""
        others = tuple(other for other in self.names if other != name)
        self.names = others if name in self.names else (*others, name)
        self._preferences.keep(_KEPT, " ".join(self.names))
        self.changed.emit()


class PinButton(QAbstractButton):
    """A small pin: faint while nothing is pinned, full when the hyperparameter is.

    Tab goes by it, since it would stop twice at each control; a command of the window pins by key.
    """

    def __init__(self, pins: Pins, name: str, label: str) -> None:
        super().__init__(checkable=True)
        self._pins, self._name = pins, name
        named(self, f"Pin {label}", f"Pin {label}\nIt stays at hand in a presentation, in a bar below the canvases.")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedSize(_SIZE)
        self.clicked.connect(partial(pins.toggle, name))
        pins.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        self.setChecked(self._name in self._pins.names)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint head and needle."""
        colours = self.palette()
        ink = (colours.link() if self.isChecked() else colours.placeholderText()).color()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(ink, 1.5))
            if self.isChecked():
                painter.setBrush(ink)
            painter.drawLine(QPointF(8, 9), QPointF(8, 15))
            painter.drawEllipse(QPointF(8, 5), 3.5, 3.5)
