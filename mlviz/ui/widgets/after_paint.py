"""What is to be done before the window is painted, or once it has been."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal

_BELOW_PAINTING = Qt.EventPriority.LowEventPriority.value - 1
"""Qt paints what has changed by an event of low priority: what is below it is done after that."""


class AfterPaint(QObject):
    """Emits `due` once for any number of calls of `start`, after what waits to be painted then.

    A timer without delay would not do: one that begins while Qt reads from a pipe rings before the next painting.
    """

    due = Signal()
    priority = _BELOW_PAINTING

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.waiting = False
        """Whether it is still to be emitted."""

    def start(self) -> None:
        """Emit the signal when it is time."""
        if not self.waiting:
            self.waiting = True
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.User), self.priority)

    def customEvent(self, event: QEvent) -> None:
        """Now it is time."""
        self.waiting = False
        self.due.emit()


class BeforePaint(AfterPaint):
    """Emits `due` once for any number of calls of `start`, before what waits to be painted then."""

    priority = Qt.EventPriority.NormalEventPriority.value
