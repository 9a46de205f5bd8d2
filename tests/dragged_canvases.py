"""Several canvases of the real window while a sample is dragged in one of them: how often each is painted anew."""

from __future__ import annotations

import math
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QEventLoop, QObject, QPointF, QSettings, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel
from mlviz.ui.app import make_application
from mlviz.ui.shell.window import MainWindow

SIZE = 1280, 800
_TICKS = os.sysconf("SC_CLK_TCK")


class PictureCount(QObject):
    """Counts the pictures of a canvas that were painted: the same one twice is one."""

    def __init__(self, canvas: Any) -> None:
        super().__init__(canvas)
        self._canvas, self._last = canvas, canvas.picture
        self.count = 0
        canvas.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """See the canvas being painted."""
        if event.type() == QEvent.Type.Paint and self._canvas.picture is not self._last:
            self._last = self._canvas.picture
            self.count += 1
        return False


class DraggedCanvases:
    """A window with a canvas for each method on n samples of two classes, and the hand that drags one of them."""

    def __init__(self, methods: Sequence[str], n: int, table: bool = False) -> None:
        self._app = make_application([])
        self._folder = tempfile.TemporaryDirectory()
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, self._folder.name)
        self._window: Any = MainWindow()
        self._window.resize(*SIZE)
        rng = np.random.default_rng(1)
        labels = np.arange(n) % 2
        data = Dataset(np.where(labels[:, None] == 0, -1.0, 1.0) + rng.normal(0, 1, (n, 2)), labels)
        panels = tuple(Panel(Pipeline(registry()[method]())) for method in methods)
        self._window.store.push(self._window.store.scene.replace(dataset=data, panels=panels), "measure")
        self._window.show()
        if table:
            self._window.comparison.toggle()
        self._window.hand.tool = "move"
        self._sleep(4000)

    def measure(self, seconds: float, frame_ms: int, reach: float) -> tuple[list[float], dict[str, float]]:
        """Pictures a second of each canvas while a sample goes round; shares of a core of window and worker."""
        canvas, scene = self._window.canvas, self._window.store.scene
        places = canvas.frame().to_pixels(scene.dataset.X)
        middle = canvas.frame().area.center()
        start = places[np.argmin(np.hypot(*(places - (middle.x(), middle.y())).T))]
        self._mouse(QEvent.Type.MouseButtonPress, start, Qt.MouseButton.LeftButton)
        began = time.perf_counter()

        def move() -> None:
            turn = 2 * math.pi * 0.5 * (time.perf_counter() - began)
            at = start + reach * np.array([math.sin(turn), 0.6 * math.sin(1.7 * turn)])
            self._mouse(QEvent.Type.MouseMove, at, Qt.MouseButton.LeftButton)

        timer = QTimer(interval=frame_ms, timerType=Qt.TimerType.PreciseTimer)
        timer.timeout.connect(move)
        timer.start()
        self._sleep(1000)
        counts = [PictureCount(canvas) for canvas in self._window.panels.canvases]
        before, since = self._spent(), time.perf_counter()
        self._sleep(round(1000 * seconds))
        lasted, after = time.perf_counter() - since, self._spent()
        rates = [count.count / lasted for count in counts]
        timer.stop()
        self._mouse(QEvent.Type.MouseButtonRelease, start, Qt.MouseButton.NoButton)
        return rates, {who: (after[who] - before[who]) / lasted for who in after}

    def close(self) -> None:
        """End window and worker."""
        self._window.documents.may_discard = lambda: True
        self._window.close()
        self._folder.cleanup()

    def _spent(self) -> dict[str, float]:
        """Seconds of processor time of both processes so far."""
        fields = Path(f"/proc/{self._window.link._worker.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return {"window": time.process_time(), "worker": (int(fields[11]) + int(fields[12])) / _TICKS}

    def _sleep(self, milliseconds: int) -> None:
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop, loop.quit)
        loop.exec()

    def _mouse(self, kind: QEvent.Type, place: Any, held: Qt.MouseButton) -> None:
        canvas, plain, at = self._window.canvas, Qt.KeyboardModifier.NoModifier, QPointF(*np.asarray(place).tolist())
        event = QMouseEvent(kind, at, canvas.mapToGlobal(at), Qt.MouseButton.LeftButton, held, plain)
        QApplication.sendEvent(canvas, event)
