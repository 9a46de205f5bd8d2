"""The size that the window begins with."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStyle

from mlviz.ui.shell.window import MainWindow
from tests.ui.conftest import SilentLink

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("width", "height", "maximized"), [(1024, 768, True), (1366, 768, False), (1280, 1024, True), (1920, 1080, False)]
)
def test_on_a_small_screen_the_window_takes_all_of_it(qtbot, preferences, monkeypatch, width, height, maximized):
    class Screen:
        def size(self):
            return QSize(width, height)

        def availableSize(self):
            return QSize(width, height - 30)

    monkeypatch.setattr(MainWindow, "screen", lambda window: Screen())
    window = MainWindow(None, SilentLink(), preferences)
    qtbot.addWidget(window)
    title = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    assert window.height() + title <= height - 30 and window.width() <= width
    shown = []
    monkeypatch.setattr(window, "show", lambda: shown.append(False))
    monkeypatch.setattr(window, "showMaximized", lambda: shown.append(True))
    window.show_first()
    assert shown == [maximized]
