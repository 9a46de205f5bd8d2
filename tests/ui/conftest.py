"""A whole window for tests: with preferences of its own, and with or without a worker."""

import pytest
from PySide6.QtCore import QEvent, QObject, QSettings, Signal
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from mlviz.scene.defaults import default_scene, first_scene
from mlviz.scene.notes import INKS
from mlviz.ui.shell.window import MainWindow
from mlviz.ui.shell.worker_link import WorkerLink
from mlviz.ui.widgets.preferences import Preferences
from tests.closing import close_without_asking

# On a loaded machine what is awaited may take far longer than the five seconds that are usual; else it comes at once.
for _wait in (QtBot.waitUntil, QtBot.waitSignal):
    _wait.__kwdefaults__["timeout"] = 60_000


class SilentLink(QObject):
    """Keeps what is asked for and answers nothing."""

    pictured = Signal(object)
    begun = Signal(int, object)
    status = Signal(str)

    def __init__(self):
        super().__init__()
        self.requests = []

    @property
    def newest(self):
        return len(self.requests)

    def request(self, scene, sizes, draft=False, front=None):
        self.requests.append((scene, sizes, draft))
        return len(self.requests)

    def close(self):
        pass


class SharedLink(WorkerLink):
    """A link that outlives its window: its worker answers the next one too, for a worker takes long to start.

    What hangs or ends the worker leaves the one that takes its place. What is still on its way for the window before is
    not shown in the next.
    """

    def __init__(self):
        super().__init__()
        self._before = 0

    def close(self):
        self._closed, self._latest, self._before = True, None, self._ids
        for signal in (self.pictured, self.begun, self.status):
            signal.disconnect()

    def reopen(self):
        self._closed = False
        return self

    def end(self):
        super().close()

    def _take(self, worker, picture):
        if picture.request > self._before:
            super()._take(worker, picture)
        else:
            self._pictures[picture.panel] = picture
            worker.shown(picture.panel)


@pytest.fixture(scope="session")
def _shared(qapp):
    made = []

    def link():
        if not made:
            made.append(SharedLink())
        return made[0].reopen()

    yield link
    for one in made:
        one.end()


@pytest.fixture(autouse=True)
def nothing_left_behind():
    """What a test has closed is gone before the next: it would live until some event loop runs, and slow down all."""
    yield
    if QApplication.instance() is not None:
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def preferences(tmp_path):
    return Preferences(QSettings(str(tmp_path / "preferences.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def make_window(qtbot, preferences, _shared):
    """Makes windows; `make_window(live=True)` has a worker, the same for all: no two of them at a time."""

    def make(scene=None, live=False, link=None):
        window = MainWindow(scene, link or (_shared() if live else SilentLink()), preferences)
        qtbot.addWidget(window, before_close_func=close_without_asking)
        window.resize(1100, 740)
        window.show()
        return window

    return make


@pytest.fixture(scope="module")
def _kept(qapp, tmp_path_factory):
    file = tmp_path_factory.mktemp("kept") / "preferences.ini"
    window = MainWindow(None, SilentLink(), Preferences(QSettings(str(file), QSettings.Format.IniFormat)))
    yield window
    close_without_asking(window)
    # Its parts hold each other: as long as they live, a change of theme dresses them too.
    window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def staged(_kept):
    """Puts a scene on the kept window, which is else as a new one begins: another takes a quarter of a second.

    What neither a scene nor a hand holds may be left by the test before: what is about a new window, about pins,
    themes, sizes or what listens to the store, takes one of its own from `make_window`.
    """

    def stage(scene=None):
        if _kept.appearance.presenting:
            _kept.presentation.show(False)
        _kept.activateWindow()
        _kept.show_help(False)
        _kept.hand.tool, _kept.hand.code, _kept.hand.ink = "pen", 0, INKS[0]
        _kept.link.requests.clear()
        _kept.resize(1100, 740)
        _kept.show()
        _kept.documents._take(scene or first_scene(), None, "")
        QApplication.processEvents()
        return _kept

    return stage


@pytest.fixture
def window(staged):
    """The kept window on an empty canvas."""
    return staged()


@pytest.fixture
def kept_window(staged):
    """The kept window on a scene of samples: for what is looked at in every method."""
    return staged(default_scene())
