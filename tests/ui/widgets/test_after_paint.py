"""What waits for the window to be painted comes after it, wherever it is asked for."""

import socket

import pytest
from PySide6.QtCore import QSocketNotifier, QTimer
from PySide6.QtWidgets import QWidget

from mlviz.ui.widgets.after_paint import AfterPaint


class Recorder(QWidget):
    """Notes in what order it is painted and its `after` is due."""

    def __init__(self):
        super().__init__()
        self.events = []
        self.after = AfterPaint(self)
        self.after.due.connect(lambda: self.events.append("due"))

    def paintEvent(self, event):
        self.events.append("painted")

    def change(self):
        self.events.clear()
        self.after.start()
        self.update()
        self.after.start()


@pytest.fixture
def recorder(qtbot):
    widget = Recorder()
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitUntil(lambda: "painted" in widget.events)
    return widget


@pytest.mark.parametrize("way", ["pipe", "timer", "call"])
def test_it_is_due_once_and_after_the_painting(recorder, qtbot, way):
    near, far = socket.socketpair()
    notifier = QSocketNotifier(near.fileno(), QSocketNotifier.Type.Read, recorder)
    notifier.activated.connect(lambda: (near.recv(1), recorder.change()))
    if way == "pipe":
        far.send(b"x")
    elif way == "timer":
        QTimer.singleShot(0, recorder.change)
    else:
        recorder.change()
    qtbot.waitUntil(lambda: "due" in recorder.events)
    qtbot.wait(20)
    notifier.setEnabled(False)
    near.close()
    far.close()
    assert recorder.events == ["painted", "due"] and not recorder.after.waiting
