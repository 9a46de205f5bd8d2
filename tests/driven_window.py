"""The real window with its real worker, driven by Qt events and watched from outside, for the tools that measure.

Every name of the product that these tools need stands in this file. Not for the worker process, which has no Qt: tools
import it inside `main`.
"""

from __future__ import annotations

import pickle
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.reduction import ForkingPickler
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QEventLoop, QObject, QPointF, QSettings, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.ui.app import make_application
from mlviz.ui.shell.window import MainWindow
from mlviz.worker.processors import keep_window_apart

REQUEST, PICTURE = "SentRequest", "PanelPicture"
"""Names of the classes of the messages between window and worker that ask for pictures, and that bring one."""
SIZE = 1280, 800
APART = 12.0
"""Pixels between a click and the nearest sample: nearer ones would be taken hold of."""
PATIENCE_MS = 20_000
LOOK_MS = 40


@dataclass(frozen=True)
class Message:
    """Something that went through a pipe, named by its class: when it was about to be sent, or had been received."""

    kind: str
    sent: bool
    at: float


class Wire:
    """Notes every message that this process sends to another one, or receives: pickled, and no longer so."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        pickler: Any = ForkingPickler
        dumps, loads = pickler.dumps, pickle.loads

        def note_and_dump(thing: Any, *how: Any) -> Any:
            pickled = dumps(thing, *how)
            self.messages.append(Message(type(thing).__name__, True, time.perf_counter()))
            return pickled

        def load_and_note(pickled: Any, **how: Any) -> Any:
            thing = loads(pickled, **how)
            self.messages.append(Message(type(thing).__name__, False, time.perf_counter()))
            return thing

        pickler.dumps, pickler.loads = note_and_dump, load_and_note

    def times(self, kind: str) -> list[float]:
        """When messages of that class were sent or received."""
        return [message.at for message in self.messages if message.kind == kind]


@dataclass(frozen=True)
class Paint:
    """One painting of the window in which the canvas took part: seconds, and the picture that was shown."""

    start: float
    end: float
    picture: object


class Watch(QObject):
    """Notes when the canvas is painted. It delivers the events itself, so that it sees their end as well."""

    def __init__(self, window: Any, painted: Callable[[Paint], None]) -> None:
        super().__init__(window)
        self._window, self._canvas, self._painted = window, window.canvas, painted
        self._within = self._took_part = False
        for widget in (window, self._canvas):
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Deliver what paints: one canvas, or all of the window that has changed."""
        if watched is self._canvas and event.type() == QEvent.Type.Paint:
            self._took_part = True
        elif watched is not self._window or event.type() != QEvent.Type.UpdateRequest:
            return False
        if self._within:
            return False
        self._within, start = True, time.perf_counter()
        watched.event(event)
        end, self._within = time.perf_counter(), False
        if self._took_part:
            self._took_part = False
            self._painted(Paint(start, end, self._canvas.picture))
        return True


class DrivenWindow:
    """A window on n samples of two classes and one method, and the hand that clicks there."""

    def __init__(self, method: str, n: int) -> None:
        keep_window_apart()
        self._app = make_application([])
        self._folder = tempfile.TemporaryDirectory()
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, self._folder.name)
        self.wire = Wire()
        self.paints: list[Paint] = []
        self._rng = np.random.default_rng(2)
        self._loop: QEventLoop | None = None
        self._before: object = None
        self._window: Any = MainWindow()
        self._window.resize(*SIZE)
        scene = self._window.store.scene.replace(dataset=_samples(n))
        pipeline = replace(scene.panels[0].pipeline, algorithm=registry()[method]())
        self._window.store.push(scene.with_panel(0, type(scene.panels[0])(pipeline)), "measure")
        self._window.show()
        self._window.activateWindow()
        self._watch = Watch(self._window, self._painted)

    def close(self) -> None:
        """End window and worker."""
        self._window.documents.may_discard = lambda: True
        self._window.close()
        self._folder.cleanup()

    def settle(self, activity: Callable[[], object], seconds: float) -> None:
        """Let the program run until the `activity` has been the same for some seconds."""
        last, since = activity(), time.perf_counter()
        while time.perf_counter() - since < seconds:
            self._sleep(LOOK_MS)
            now = activity()
            if now != last:
                last, since = now, time.perf_counter()

    def free_place(self) -> QPointF:
        """A place among the samples, and on none of them."""
        canvas, scene = self._window.canvas, self._window.store.scene
        taken = canvas.frame().to_pixels(scene.dataset.X[:, list(scene.axis_columns)])
        while True:
            place = np.rint(self._rng.uniform(0.3, 0.7, 2) * (canvas.width(), canvas.height()))
            if np.hypot(*(taken - place).T).min() > APART:
                return QPointF(*place.tolist())

    def click(self, place: QPointF) -> None:
        """Press and release: one sample more."""
        self._begin()
        n = len(self._window.store.scene.dataset)
        left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
        self._mouse(QEvent.Type.MouseButtonPress, place, left)
        self._mouse(QEvent.Type.MouseButtonRelease, place, none)
        assert len(self._window.store.scene.dataset) == n + 1

    def tick(self, up: bool) -> None:
        """One step of the main hyperparameter, by the key for it."""
        self._begin()
        before = self._window.store.scene
        QTest.keyClick(self._window.canvas, Qt.Key.Key_Up if up else Qt.Key.Key_Down)
        if self._window.store.scene is before:
            raise SystemExit("The key changed nothing: the method has no main hyperparameter, or is at its end.")

    def wait_for_answer(self) -> None:
        """Sleep, as a program does, until a newer picture than before the last click or tick has been painted."""
        if not self._answered():
            self._sleep(PATIENCE_MS, for_answer=True)
        assert self._answered(), "No picture came."

    def _begin(self) -> None:
        self.paints.clear()
        self._before = self._window.canvas.picture

    def _answered(self) -> bool:
        return bool(self.paints) and self.paints[-1].picture is not self._before

    def _painted(self, paint: Paint) -> None:
        self.paints.append(paint)
        if self._loop is not None and self._answered():
            self._loop.quit()

    def _sleep(self, milliseconds: int, for_answer: bool = False) -> None:
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop, loop.quit)
        self._loop = loop if for_answer else None
        loop.exec()
        self._loop = None

    def _mouse(self, kind: QEvent.Type, place: QPointF, held: Qt.MouseButton) -> None:
        canvas, plain = self._window.canvas, Qt.KeyboardModifier.NoModifier
        event = QMouseEvent(kind, place, canvas.mapToGlobal(place), Qt.MouseButton.LeftButton, held, plain)
        QApplication.sendEvent(canvas, event)


def _samples(n: int) -> Dataset:
    rng = np.random.default_rng(1)
    labels = np.arange(n) % 2
    return Dataset(np.where(labels[:, None] == 0, -1.0, 1.0) + rng.normal(0, 1, (n, 2)), labels)
