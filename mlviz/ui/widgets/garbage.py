"""Python's collection of garbage, at moments when no call of Qt is under way.

Qt holds a lock while it looks for a method that Python overrides. Were garbage collected just then, another of Qt's
objects might be destroyed, which waits for the same lock for ever. In another thread it must not be destroyed at all.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

_PAUSE_MS = 1000


class GarbageCollector(QObject):
    """Collects from the event loop what Python would have collected anywhere, but not under a hand that holds a button.

    All objects of a window take some 70 ms.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=_PAUSE_MS)
        self._timer.timeout.connect(self._collect)
        self._timer.start()

    def _collect(self) -> None:
        if QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton:
            collect_due()


def collect_due() -> None:
    """Collect the oldest generation of objects that there are enough new ones for."""
    counts, thresholds = gc.get_count(), gc.get_threshold()
    for generation in (2, 1, 0):
        if counts[generation] > thresholds[generation] > 0:
            gc.collect(generation)
            return
