"""Some releases of PySide6 lose a reference of None or True with every call, and crash after some thousands of them."""

import sys

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

CALLS = 200


class Sender(QObject):
    sent = Signal(int)


def counts():
    return [sys.getrefcount(thing) for thing in (None, True, False)]


def test_calls_into_qt_keep_the_reference_counts(qtbot):
    widget, sender = QWidget(), Sender()
    qtbot.addWidget(widget)
    heard = []
    sender.sent.connect(heard.append)
    widget.resize(20, 20)  # it is the calls that count, not what they paint
    widget.show()
    before = counts()
    for number in range(CALLS):
        widget.setEnabled(True)
        widget.repaint()
        sender.sent.emit(number)
    after = counts()
    # Other things may take a few references meanwhile; a loss is one for every call.
    assert all(now - then > -CALLS // 2 for now, then in zip(after, before, strict=True))
    assert len(heard) == CALLS
