"""Windows with copies of unsaved work, and a hand that answers their questions."""

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from mlviz.scene.defaults import first_scene
from mlviz.ui.documents.recovery import Recovery, RecoveryDialog
from mlviz.ui.shell.window import MainWindow
from tests.closing import close_without_asking
from tests.ui.conftest import SilentLink


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state" / "copies"


@pytest.fixture
def used(_kept, preferences):
    """The kept window as a new one, with preferences of this test: another takes a fifth of a second."""
    own = _kept.preferences._settings
    _kept.preferences._settings = preferences._settings
    _kept.documents._take(first_scene(), None, "")
    vars(_kept.documents).pop("may_discard", None)
    _kept.documents._noticed = ""
    yield _kept
    close_without_asking(_kept)
    _kept.recovery._keeper, _kept.preferences._settings = None, own
    for name in ("say", "complain"):
        vars(_kept).pop(name, None)


@pytest.fixture
def make(qtbot, preferences, folder, monkeypatch, request):
    """Makes windows with copies of unsaved work; the first of a test is the kept one, unless it has a worker."""
    # On a loaded machine a disk may take longer than the window waits for it.
    monkeypatch.setattr("mlviz.recovery.keeper.WAIT_SECONDS", 20.0)
    made = []

    def make(live=False, copies=folder):
        if live or made:
            window = MainWindow(None, None if live else SilentLink(), preferences, copies)
            qtbot.addWidget(window, before_close_func=close_without_asking)
        else:
            window = request.getfixturevalue("used")
            window.recovery = Recovery(window.desk, window.documents, copies)
        made.append(window)
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
