"""Nothing of Qt is destroyed in the middle of one of its calls: garbage is collected from the event loop alone."""

import gc
import weakref

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from mlviz.ui.app import make_application
from mlviz.ui.widgets import garbage
from mlviz.ui.widgets.garbage import GarbageCollector, collect_due


class Ring:
    """Garbage that only a collection finds."""

    def __init__(self):
        self.widget, self.itself = QWidget(), self


@pytest.fixture
def collector(qapp):
    enabled, made = gc.isenabled(), GarbageCollector(qapp)
    yield made
    made.deleteLater()
    if enabled:
        gc.enable()


def many():
    """More new objects than Python lets be before it collects by itself."""
    return [[] for _ in range(10 * gc.get_threshold()[0])]


def test_garbage_stays_until_the_event_loop_comes_round(collector, qtbot):
    ring = weakref.ref(Ring())
    kept = many()
    assert ring() is not None and len(kept) > gc.get_threshold()[0]
    collector._timer.setInterval(1)
    qtbot.waitUntil(lambda: ring() is None)


def test_nothing_is_collected_while_a_button_is_held(collector, monkeypatch):
    ring, held = weakref.ref(Ring()), [Qt.MouseButton.LeftButton]
    kept = many()
    monkeypatch.setattr(garbage.QGuiApplication, "mouseButtons", lambda: held[0])
    collector._collect()
    assert ring() is not None
    held[0] = Qt.MouseButton.NoButton
    for _ in range(2):
        kept += many()
        collector._collect()
    assert ring() is None


def test_what_is_due_is_collected_generation_by_generation(collector):
    gc.collect()
    for _ in range(3 * gc.get_threshold()[1]):
        many()
        kept = many()
        collect_due()
        assert gc.get_count()[0] <= len(kept)
    assert gc.get_count()[1] <= gc.get_threshold()[1] + 1


def test_the_program_collects_so(qapp):
    gc.enable()
    for _ in range(2):
        make_application([])
        assert len(qapp.findChildren(GarbageCollector)) == 1
    gc.disable()
