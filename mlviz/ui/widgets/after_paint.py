"""What is to be done once the window has been painted."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal

_BELOW_PAINTING = Qt.EventPriority.LowEventPriority.value - 1
"""Qt paints what has changed by an event of low priority: what is below it is done after that."""


class AfterPaint(QObject):
    """Emits `due` once for any number of calls of `start`, after what waits to be painted then.

    A timer without delay would not do: one that begins while Qt reads from a pipe rings before the next painting.
    """

    due = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.waiting = False
        """Whether it is still to be emitted."""

    def start(self) -> None:
        """Emit the signal after the next painting."""
        if not self.waiting:
            self.waiting = True
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.User), _BELOW_PAINTING)

    def customEvent(self, event: QEvent) -> None:
        """Now it has been painted."""
        self.waiting = False
        self.due.emit()
