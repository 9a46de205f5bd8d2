"""The window's link to the worker process: asks, hands on the pictures, and replaces a worker that died or hangs."""

from __future__ import annotations

import contextlib
import dataclasses
from collections import Counter, deque
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier, QTimer, Signal

from mlviz.draw.plot import Plot
from mlviz.picture import PanelPicture, Size
from mlviz.scene.scene import Scene
from mlviz.scene.study_run import asked_studies
from mlviz.scene.trace import FitKey, fit_key, fit_of
from mlviz.ui.widgets.after_paint import AfterPaint
from mlviz.worker import Request
from mlviz.worker.messages import Completed, PlotBegun, RequestDone, WorkerReady
from mlviz.worker.pipe import NEVER_WAITS
from mlviz.worker.process import Worker

PULSE_MS = 250
"""Milliseconds between two looks at the worker's pulse. Silence is counted in ticks: a sleeping computer has none."""
_HUNG_TICKS = 40
"""A machine that is busy with something else is no hang."""
_IDLE_TICKS = 8
"""How long a worker that has answered is listened to: its studies begin when the hand rests, and may hang too."""
_START_TICKS = 240
"""How long a process may take to start: a cold disk and a virus scanner are slow."""
MOST_FAILED_STARTS = 3
"""How often in a row a process may die while it starts."""


class WorkerLink(QObject):
    """Asks the worker for pictures; never waits for it."""

    pictured = Signal(object)
    """A PanelPicture. It answers the newest request or one before it; later ones replace it."""
    begun = Signal(int, object)
    """A panel, and what is known of the plot of its next picture, which may yet begin otherwise or never come."""
    status = Signal(str)
    """One sentence about the worker, when it had to be replaced."""
    _heard = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ids = 0
        self._latest: Request | None = None
        self._answered: Request | None = None
        """The newest one that was answered: its studies go on."""
        self._pictures: dict[int, PanelPicture] = {}
        """The newest picture of each panel."""
        self._begun: dict[int, Plot] = {}
        """What the next picture of each panel begins with."""
        self._closed = False
        self._refused: deque[FitKey] = deque(maxlen=32)
        self._deaths: Counter[FitKey] = Counter()
        self._starts = 0
        self._ready = False
        self._beats = -1
        self._silence = 0
        self._heard.connect(self._hear)
        self._taken: list[tuple[Worker, int]] = []
        """Whose pictures of which panels are still to be painted."""
        self._painted = AfterPaint(self)
        self._painted.due.connect(self._tell_taken)
        self._timer = QTimer(self, interval=PULSE_MS)
        self._timer.timeout.connect(self._watch)
        self._worker: Worker | None = None
        self._notifier: QSocketNotifier | None = None
        """Says when there is something to read, where no thread has to wait for it."""
        self._start()

    @property
    def busy(self) -> bool:
        """Whether the newest request has not been answered yet."""
        return self._latest is not None and (self._answered is None or self._answered.id != self._latest.id)

    @property
    def newest(self) -> int:
        """The id of the newest request."""
        return self._ids

    def request(
        self, scene: Scene, sizes: Sequence[Size], draft: bool = False, front: tuple[int, str] | None = None
    ) -> int:
        """Ask for pictures of the scene; returns the id that they will carry. Older requests are forgotten.

        Drafts have no charts but the one that is in `front`: a panel and the id of its chart; None for all.
        """
        self._ids += 1
        if self._closed:
            return self._ids  # a timer of the window that rings once more must not start another process
        self._latest = Request(self._ids, scene, tuple(sizes), draft, frozenset(self._refused), front)
        if self._worker is None:
            self._starts = 0
            self._start()
        else:
            self._worker.send(self._latest)
        self._listen_to_pulse()
        return self._ids

    def close(self) -> None:
        """End the worker; no process and no thread is left."""
        self._closed = True
        self._timer.stop()
        worker, self._worker = self._worker, None
        self._latest = None
        if worker is not None:
            self._stop(worker, 0.5)

    def _start(self) -> None:
        self._ready = False
        worker = self._worker = Worker(self._tell, reading=not NEVER_WAITS)
        if NEVER_WAITS:
            self._notifier = QSocketNotifier(worker.fileno(), QSocketNotifier.Type.Read, self)
            self._notifier.activated.connect(lambda: worker.read())
        if self._latest is not None and self.busy:
            worker.send(self._latest)
        self._listen_to_pulse()

    def _stop(self, worker: Worker, patience: float = 0.0) -> None:
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            self._notifier.deleteLater()
            self._notifier = None
        worker.stop(patience)

    def _listen_to_pulse(self) -> None:
        if not self._timer.isActive():
            self._silence = 0
            self._timer.start()

    def _tell(self, worker: Worker, answer: Any) -> None:
        # It may be a thread's call. When the program ends, this object may be gone before the thread is.
        with contextlib.suppress(RuntimeError):
            self._heard.emit(worker, answer)

    def _hear(self, worker: Worker, answer: Any) -> None:
        if worker is not self._worker:
            return
        self._silence = 0
        match answer:
            case PlotBegun(panel, plot, known):
                self._begun[panel] = plot = self._joined(panel, known, plot)
                if self._latest is not None and panel < len(self._latest.scene.panels):
                    self.begun.emit(panel, plot)
            case PanelPicture() as picture:
                plot = self._joined(picture.panel, picture.known, picture.plot)
                self._take(worker, dataclasses.replace(picture, plot=plot, known=0))
            case Completed(panel, sides, studies, facts):
                former = self._pictures[panel]
                self._take(worker, dataclasses.replace(former, sides=sides, studies=studies, facts=facts))
            case RequestDone(request) if self._latest is not None and request == self._latest.id:
                self._answered = self._latest
                for panel in range(len(self._latest.sizes)):
                    self._deaths.pop(fit_key(self._latest.scene, panel), None)
            case WorkerReady():
                self._ready, self._starts = True, 0
            case None:
                self._died(worker)

    def _joined(self, panel: int, known: int, plot: Plot) -> Plot:
        """The plot with the marks before its own, of which so many are known."""
        if not known:
            return plot
        return dataclasses.replace(plot, marks=(*self._begun[panel].marks[:known], *plot.marks))

    def _take(self, worker: Worker, picture: PanelPicture) -> None:
        # Once it is painted: what comes next would be read while the window paints, and delay it.
        self._taken.append((worker, picture.panel))
        self._painted.start()
        self._pictures[picture.panel] = picture
        if self._latest is not None and picture.panel < len(self._latest.scene.panels):
            self.pictured.emit(picture)

    def _tell_taken(self) -> None:
        taken, self._taken = self._taken, []
        for worker, panel in taken:
            if worker is self._worker:
                worker.shown(panel)

    def _watch(self) -> None:
        worker = self._worker
        if worker is None:
            self._timer.stop()
            return
        beats = worker.beats
        self._silence = self._silence + 1 if beats == self._beats else 0
        self._beats = beats
        if self._ready and not self.busy and worker.working_on[0] < 0:
            if self._silence >= _IDLE_TICKS:
                self._timer.stop()
        elif self._silence >= (_HUNG_TICKS if self._ready else _START_TICKS):
            key = self._at_work(worker)
            if key is not None:
                self._refuse(key)
            self.status.emit("A fit gave no sign of life; it was stopped and the worker process was started anew.")
            self._replace(worker)

    def _died(self, worker: Worker) -> None:
        key = self._at_work(worker)
        if key is not None:
            self._deaths[key] += 1
            if self._deaths[key] > 1:
                self._refuse(key)
        if not self._ready:
            self._starts += 1
        if self._starts >= MOST_FAILED_STARTS:
            self._worker = None
            self._stop(worker)
            self.status.emit("The worker process can't be started, so nothing is fitted; the points are safe.")
            return
        self.status.emit("The worker process had died and was started anew.")
        self._replace(worker)

    def _at_work(self, worker: Worker) -> FitKey | None:
        """The fit or study that the worker is at; None if it is at none, or at one of a request that was left."""
        panel, fit, number = worker.working_on
        for request in (self._latest, self._answered):
            if request is not None and request.id == number and panel >= 0:
                own = fit_of(request.scene, panel)
                runs = [one.key for one in asked_studies(request.scene, panel, own) if not one.study.immediate]
                return (own.key, *runs)[fit]
        return None

    def _refuse(self, key: FitKey) -> None:
        self._refused.append(key)
        if self._latest is not None:
            self._latest = dataclasses.replace(self._latest, refused=frozenset(self._refused))

    def _replace(self, worker: Worker) -> None:
        self._stop(worker)
        self._start()
