"""What a click sets in motion in the window, and what it leaves alone."""

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt

from mlviz.scene import edits
from tests.ui.samples import with_points


@pytest.fixture
def window(make_window):
    """One of its own for each test: how it looks outlives a scene."""
    return make_window()


def test_a_click_asks_once(window, qtbot):
    with_points(window)
    qtbot.wait(50)
    n, before = len(window.store.scene.dataset), len(window.link.requests)
    qtbot.mousePress(window.canvas, Qt.MouseButton.LeftButton, pos=QPoint(300, 200))
    assert len(window.link.requests) == before + 1 and window.store.gesturing
    qtbot.mouseRelease(window.canvas, Qt.MouseButton.LeftButton, pos=QPoint(300, 200))
    assert len(window.link.requests) == before + 1 and not window.store.gesturing
    scene, _, draft = window.link.requests[-1]
    assert scene is window.store.scene and len(scene.dataset) == n + 1 and not draft


def test_words_in_the_status_line_have_nothing_else_laid_out(window, qtbot):
    class Count(QObject):
        seen = 0

        def eventFilter(self, watched, event):
            self.seen += event.type() == QEvent.Type.LayoutRequest
            return False

    # The pictures of tables on the empty canvas come a little later than the window.
    qtbot.waitUntil(lambda: not window.presets.rows.buttons["iris"].icon().isNull())
    qtbot.wait(50)
    count = Count()
    window.installEventFilter(count)
    for number in (1, 22, 333):
        window.status.count.setText(f"{number} points")
        window.status.here.setText("here: " + "because " * number)
        qtbot.wait(20)
    assert count.seen == 0
    assert window.status.here.width() > 300 and window.status.count.text() == "333 points"


def test_a_change_of_the_threshold_keeps_the_step_of_the_playback(window):
    with_points(window)
    window.sidebar.chooser.choose("perceptron")
    window.store.look(window.store.scene.with_view(step=2))
    window.store.push(edits.with_value(window.store.scene, 0, "decision.rule", "threshold"), "rule")
    window.store.push(edits.with_value(window.store.scene, 0, "decision.threshold", 0.3), "threshold")
    assert window.store.scene.view.step == 2
