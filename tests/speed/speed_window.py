"""The window, end to end, offscreen: click to repaint, click to new field, frame, first paint."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QEventLoop, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.state.scene import Panel
from tests.speed.table import measured

CLICKS = 40
FIRST_PAINT = """
import time; start = time.perf_counter()
from mlviz.ui.app import make_application
app = make_application([])
from mlviz.ui.window import MainWindow
window = MainWindow()
window.resize(1200, 800)
window.show()
window.grab()
print(time.perf_counter() - start, flush=True)
window.close()
"""


def _points(n: int) -> Dataset:
    rng = np.random.default_rng(1)
    labels = np.arange(n) % 2
    return Dataset(np.where(labels[:, None] == 0, -1.0, 1.0) + rng.normal(0, 1, (n, 2)), labels)


@pytest.fixture
def window(qtbot: Any) -> Any:
    from mlviz.ui.window import MainWindow

    window = MainWindow()
    qtbot.addWidget(window, before_close_func=MainWindow.close_without_asking)
    window.resize(1200, 800)
    window.show()
    return window


def _click(canvas: Any, place: QPointF) -> None:
    target = canvas.mapToGlobal(place)
    for kind, buttons in (
        (QEvent.Type.MouseButtonPress, Qt.MouseButton.LeftButton),
        (QEvent.Type.MouseButtonRelease, Qt.MouseButton.NoButton),
    ):
        event = QMouseEvent(kind, place, target, Qt.MouseButton.LeftButton, buttons, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(canvas, event)


@pytest.mark.parametrize("method", list(registry()))
def test_click_to_new_field(window: Any, qtbot: Any, method: str) -> None:
    scene = window.store.scene.replace(dataset=_points(500))
    pipeline = replace(scene.panels[0].pipeline, algorithm=registry()[method]())
    window.store.push(scene.with_panel(0, Panel(pipeline)), "measure")
    canvas = window.canvases[0]
    qtbot.waitUntil(
        lambda: canvas.picture is not None and not canvas.picture.draft and canvas.picture.finished, timeout=20000
    )
    qtbot.wait(600)
    rng = np.random.default_rng(2)
    repaint, field = [], []
    for _ in range(CLICKS):
        before = canvas.picture
        place = QPointF(*(rng.uniform(0.3, 0.7, 2) * (canvas.width(), canvas.height())))
        start = time.perf_counter()
        _click(canvas, place)
        canvas.repaint()
        repaint.append(time.perf_counter() - start)
        while canvas.picture is before and time.perf_counter() < start + 5:
            # As an event loop does: asleep until something comes, so that the worker has its core.
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 5)
        canvas.repaint()
        field.append(time.perf_counter() - start)
        qtbot.wait(30)
    measured.window[f"click to repainted points, `{method}`"] = float(np.median(repaint)) * 1e3
    measured.window[f"click to new field, `{method}`"] = float(np.median(field)) * 1e3


def test_frame(window: Any, qtbot: Any) -> None:
    window.store.push(window.store.scene.replace(dataset=_points(2000)), "measure")
    canvas = window.canvases[0]
    qtbot.waitUntil(lambda: canvas.picture is not None and not canvas.picture.draft, timeout=20000)
    qtbot.wait(1500)
    times = []
    for _ in range(CLICKS):
        canvas.set_picture(canvas.picture)  # a new picture each frame: nothing of the last one can be used again
        start = time.perf_counter()
        canvas.repaint()
        times.append(time.perf_counter() - start)
    measured.window["frame with field, contours and 2,000 points"] = float(np.median(times)) * 1e3


def test_first_paint() -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    times = [
        float(
            subprocess.run(
                [sys.executable, "-c", FIRST_PAINT], env=environment, capture_output=True, text=True, check=True
            ).stdout.split()[0]
        )
        for _ in range(7)
    ]
    measured.window["first paint, warm (process start excluded)"] = float(np.median(times)) * 1e3
