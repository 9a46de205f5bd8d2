"""The window, end to end, offscreen: click to repaint, click to new field, frame, first paint."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QEventLoop, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Points
from mlviz.scene.scene import Panel
from tests.closing import close_without_asking
from tests.speed.table import measured

CLICKS = 40
FIRST_PAINT = """
import time; start = time.perf_counter()
from mlviz.ui.app import make_application
app = make_application([])
from mlviz.ui.shell.window import MainWindow
window = MainWindow()
window.resize(1200, 800)
window.show()
window.grab()
print(time.perf_counter() - start, flush=True)
window.close()
"""


def _points(n: int, apart: float = 1.0) -> Dataset:
    rng = np.random.default_rng(1)
    labels = np.arange(n) % 2
    return Dataset(np.where(labels[:, None] == 0, -apart, apart) + rng.normal(0, 1, (n, 2)), labels)


@pytest.fixture
def window(qtbot: Any) -> Any:
    from mlviz.ui.shell.window import MainWindow

    window = MainWindow()
    qtbot.addWidget(window, before_close_func=close_without_asking)
    window.resize(1200, 800)
    window.show()
    return window


def _sleep_until_pictured(window: Any, milliseconds: int = 5000) -> None:
    """Asleep until something comes, as a program is, so that the worker has its core."""
    loop = QEventLoop()
    ended = window.link.pictured.connect(loop.quit)
    QTimer.singleShot(milliseconds, loop, loop.quit)
    loop.exec()
    window.link.pictured.disconnect(ended)


def _mouse(canvas: Any, kind: QEvent.Type, place: QPointF, button: Qt.MouseButton, held: Qt.MouseButton) -> None:
    plain = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(canvas, QMouseEvent(kind, place, canvas.mapToGlobal(place), button, held, plain))


def _wheel(canvas: Any, place: QPointF, turn: int) -> None:
    none, plain, phase = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(place, canvas.mapToGlobal(place), QPoint(), QPoint(0, turn), none, plain, phase, False)
    QApplication.sendEvent(canvas, event)


def _click(canvas: Any, place: QPointF) -> None:
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    _mouse(canvas, QEvent.Type.MouseButtonPress, place, left, left)
    _mouse(canvas, QEvent.Type.MouseButtonRelease, place, left, none)


@pytest.mark.parametrize("method", list(registry()))
def test_click_to_new_field(window: Any, qtbot: Any, method: str) -> None:
    scene = window.store.scene.replace(dataset=_points(500))
    pipeline = replace(scene.panels[0].pipeline, algorithm=registry()[method]())
    window.store.push(scene.with_panel(0, Panel(pipeline)), "measure")
    canvas = window.panels.canvases[0]
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
        _sleep_until_pictured(window)
        assert canvas.picture is not before
        canvas.repaint()
        field.append(time.perf_counter() - start)
        qtbot.wait(30)
    measured.window[f"click to repainted points, `{method}`"] = float(np.median(repaint)) * 1e3
    measured.window[f"click to new field, `{method}`"] = float(np.median(field)) * 1e3


def _values(n: int, inputs: int) -> Dataset:
    """A noisy sine over a line, or a sum of two over the plane."""
    rng = np.random.default_rng(1)
    X = rng.uniform(-4, 4, (n, inputs))
    y = np.sin(X).sum(axis=1) + rng.normal(0, 0.3, n)
    return Dataset(
        np.column_stack((X, y)), np.zeros(n, dtype=np.intp), ("x1", "y") if inputs == 1 else ("x1", "x2", "y")
    )


@pytest.mark.parametrize(("n", "inputs"), [(500, 1), (200, 2)], ids=["curve", "plane"])
@pytest.mark.parametrize("method", [key for key, one in registry().items() if "regression" in one.tasks])
def test_drag_of_a_regression(window: Any, qtbot: Any, method: str, n: int, inputs: int) -> None:
    """From a move of the hand until the picture that it leads to is painted, all bands and deviations with it."""
    data = _values(n, inputs)
    pipeline = replace(window.store.scene.panels[0].pipeline, algorithm=registry()[method]())
    panel = Panel(pipeline, data.columns[:inputs], "y")
    hidden = (one.id for one in panel.possible_overlays if not one.shown and one.id != "standard deviation")
    panel = replace(panel, hidden=tuple(hidden))
    window.store.push(window.store.scene.replace(dataset=data, panels=(panel,)), "measure")
    window.hand.tool = "move"
    canvas = window.panels.canvases[0]
    qtbot.waitUntil(
        lambda: canvas.picture is not None and not canvas.picture.draft and canvas.picture.finished, timeout=20000
    )
    qtbot.wait(600)
    places = canvas.frame().to_pixels(data.X[:, list(window.store.scene.axis_columns)])
    middle = canvas.frame().area.center()
    start = places[np.argmin(np.hypot(*(places - (middle.x(), middle.y())).T))]
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    _mouse(canvas, QEvent.Type.MouseButtonPress, QPointF(*start), left, left)
    times, rng = [], np.random.default_rng(2)
    for _ in range(CLICKS):
        before, place = canvas.picture, QPointF(*(start + rng.uniform(-40, 40, 2)))
        began = time.perf_counter()
        _mouse(canvas, QEvent.Type.MouseMove, place, none, left)
        _sleep_until_pictured(window)
        assert canvas.picture is not before
        canvas.repaint()
        times.append(time.perf_counter() - began)
        qtbot.wait(5)
    _mouse(canvas, QEvent.Type.MouseButtonRelease, place, left, none)
    where = "a curve" if inputs == 1 else "the plane"
    measured.window[f"move to new picture, `{method}` on {where}, n = {n}"] = float(np.median(times)) * 1e3


@pytest.mark.parametrize("apart", [1.0, 0.7])
def test_frame(window: Any, qtbot: Any, apart: float) -> None:
    """Classes that overlap more have more support vectors, each with a ring."""
    scene = window.store.scene.replace(dataset=_points(2000, apart))
    pipeline = replace(scene.panels[0].pipeline, algorithm=registry()["svm"]())
    window.store.push(scene.with_panel(0, Panel(pipeline)), "measure")
    canvas = window.panels.canvases[0]
    qtbot.waitUntil(lambda: canvas.picture is not None and not canvas.picture.draft)
    qtbot.wait(1500)
    rings = sum(len(m.xy) for m in canvas.picture.plot.marks if isinstance(m, Points) and "vector" in m.role)
    times = []
    for _ in range(CLICKS):
        canvas.set_picture(canvas.picture)  # a new picture each frame: nothing of the last one can be used again
        times.append(_seconds(canvas.repaint))
    measured.window[f"frame with field, contours, 2,000 points and {rings} rings"] = float(np.median(times)) * 1e3


def _seconds(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


@pytest.mark.parametrize(
    ("method", "theme"), [("svm", "light"), ("svm", "dark"), ("kmeans", "light"), ("linear-regression", "light")]
)
def test_a_hundred_thousand_points(window: Any, qtbot: Any, method: str, theme: str) -> None:
    window.appearance.set_theme(theme)
    scene = window.store.scene.replace(dataset=_points(100_000))
    pipeline = replace(scene.panels[0].pipeline, algorithm=registry()[method]())
    canvas = window.panels.canvases[0]
    start = time.perf_counter()
    window.store.push(scene.with_panel(0, Panel(pipeline)), "measure")
    opened = _seconds(canvas.repaint)
    key = window.store.scene.dataset.key
    qtbot.waitUntil(
        lambda: canvas.picture is not None and canvas.picture.key == key and canvas.picture.finished, timeout=60000
    )
    answered = time.perf_counter() - start
    qtbot.wait(1500)
    middle, none = Qt.MouseButton.MiddleButton, Qt.MouseButton.NoButton
    place = QPointF(300, 250)
    times: dict[str, list[float]] = {"pan": [], "zoom": [], "click": []}

    def frame(what: str, act: Callable[[], object]) -> None:
        times[what].append(_seconds(lambda: (act(), canvas.repaint())))
        qtbot.wait(5)

    _mouse(canvas, QEvent.Type.MouseButtonPress, place, middle, middle)
    for k in range(CLICKS):
        at = place + QPointF(3 * k, 2 * k)
        frame("pan", lambda at=at: _mouse(canvas, QEvent.Type.MouseMove, at, none, middle))
    _mouse(canvas, QEvent.Type.MouseButtonRelease, place, middle, none)
    for k in range(CLICKS):
        frame("zoom", lambda k=k: _wheel(canvas, place, 30 if k % 16 < 8 else -30))
    for k in range(8):
        frame("click", lambda k=k: _click(canvas, QPointF(120 + 20 * k, 60)))
    name = f"100,000 points, `{method}`, {theme}"
    measured.window[f"{name}: samples painted after opening"] = opened * 1e3
    measured.window[f"{name}: first answer"] = answered * 1e3
    for what, spent in times.items():
        measured.window[f"{name}: frame, {what}"] = float(np.mean(spent)) * 1e3


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
