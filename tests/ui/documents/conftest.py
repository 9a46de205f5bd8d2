"""Windows with copies of unsaved work, and a hand that answers their questions."""

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from mlviz.ui.documents.recovery import RecoveryDialog
from mlviz.ui.shell.window import MainWindow
from tests.closing import close_without_asking
from tests.ui.conftest import SilentLink


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state" / "copies"


@pytest.fixture
def make(qtbot, preferences, folder, monkeypatch):
    # On a loaded machine a disk may take longer than the window waits for it.
    monkeypatch.setattr("mlviz.recovery.keeper.WAIT_SECONDS", 20.0)

    def make(live=False, copies=folder):
        window = MainWindow(None, None if live else SilentLink(), preferences, copies)
        qtbot.addWidget(window, before_close_func=close_without_asking)
        window.said, window.complained = [], []
        window.say, window.complain = window.said.append, window.complained.append
        window.show()
        return window

    return make


@pytest.fixture
def press(qtbot):
    """Press buttons of the dialogs that come up, one after the other, by the start of their names."""
    waiting = []

    def look():
        dialogs = [w for w in QApplication.topLevelWidgets() if isinstance(w, RecoveryDialog | QMessageBox)]
        # A question on top of another one comes first.
        shown = sorted((w for w in dialogs if w.isVisible()), key=lambda w: isinstance(w, RecoveryDialog))
        if shown and waiting:
            wanted = waiting.pop(0)
            buttons = [b for b in shown[0].findChildren(QPushButton) if b.text().replace("&", "").startswith(wanted)]
            # Not from in here: a timer rests until its last call is over, and what this opens is to be answered too.
            QTimer.singleShot(0, buttons[0], buttons[0].click)

    timer = QTimer(interval=10)
    timer.timeout.connect(look)
    timer.start()
    yield waiting.extend
    assert waiting == []
    timer.stop()
