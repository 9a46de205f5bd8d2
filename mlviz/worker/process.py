"""The process that fits and makes pictures, and the handle by which the window holds it. Never imports Qt."""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, MutableSequence
from multiprocessing.connection import Connection
from typing import Any

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.plot import Plot
from mlviz.files.quiet import warnings_to_log
from mlviz.picture import PanelPicture
from mlviz.scene.recent import Recent
from mlviz.scene.scene import Panel, Scene
from mlviz.worker import Engine, Request
from mlviz.worker.memory import keep_freed_memory
from mlviz.worker.messages import PictureTaken, RequestDone, SentRequest, WorkerReady
from mlviz.worker.outgoing import Asking, Outgoing
from mlviz.worker.pipe import NEVER_WAITS, SwiftEnd, SwiftListener
from mlviz.worker.processors import keep_off_window

DATASETS = 8
"""How many data sets the process remembers, the ones used last. Both ends do, so that each knows what the other has."""
_FEW_SAMPLES = 5000
"""A new data set of more samples is left to the thread, which has time to pack it."""
_PRELOADED = ("scipy.linalg.lapack", "scipy.spatial", "scipy.cluster.hierarchy", "scipy.sparse.linalg")
"""What methods import when first used, and takes long."""


class _Server:
    """The loop of the process: read all that has come, do a piece of work, send what is ready."""

    def __init__(self, connection: Connection | SwiftListener, pulse: MutableSequence[int]) -> None:
        self._connection = connection
        self._send = connection.send
        self._outgoing = Outgoing(connection.send)
        self._pulse = pulse
        self._engine = Engine(self._watched, self._begin)
        self._datasets = Recent[str, Dataset](DATASETS)
        self._panels: tuple[Panel, ...] = ()
        self._ready: dict[int, tuple[PanelPicture, bool]] = {}
        """The pictures that are still to be sent, and whether all was answered before they were made."""
        self._unseen: set[int] = set()
        """The panels whose picture was sent and is still to be taken."""
        self._refined: set[int] = set()
        """The same of pictures that were made when all was answered: they do not hold back what comes after them."""
        self._request = self._done = 0
        self._preloads = list(_PRELOADED)

    def run(self) -> None:
        """Serve until the window says so or is gone."""
        self._send(WorkerReady())
        while self._listen(self._patience()):
            if self._engine.seconds_until_work() is None and self._preloads:
                importlib.import_module(self._preloads.pop(0))
            refining = self._engine.answered
            for picture in self._engine.advance(0.0):
                self._ready[picture.panel] = picture, refining
            self._pulse[0] += 1
            # What came while a picture was refined makes it out of date before it is sent.
            if refining and not self._listen(0.0):
                return
            self._send_ready()
            if self._engine.answered and not self._ready and self._done != self._request:
                self._done = self._request
                self._send(RequestDone(self._done))

    def _send_ready(self) -> None:
        for panel, (picture, refined) in list(self._ready.items()):
            if panel not in self._unseen and not (refined and panel in self._refined):
                del self._ready[panel]
                self._outgoing.send(picture)
                (self._refined if refined else self._unseen).add(panel)

    def _patience(self) -> float | None:
        """How long there is nothing to do but to listen, in seconds; None means for ever."""
        rest = self._engine.seconds_until_work()
        if rest is None and self._preloads:
            return 0.0
        # A picture that waits to be taken is work in hand: the pulse has to go on.
        return 0.5 if rest is None and self._ready else rest

    def _listen(self, timeout: float | None) -> bool:
        """Read what has come; of several requests the newest counts. False when it is time to go."""
        newest: SentRequest | None = None
        while self._connection.poll(timeout):
            timeout = 0.0
            match self._connection.recv():
                case SentRequest() as sent:
                    newest = sent
                    # Not `or`: a data set without samples counts as false.
                    dataset = self._datasets[sent.key] if sent.dataset is None else sent.dataset
                    self._datasets.use(sent.key, dataset)
                    self._panels = sent.panels or self._panels
                case PictureTaken(panel):
                    (self._refined if panel in self._refined else self._unseen).discard(panel)
                case _:
                    return False
        if newest is not None:
            self._submit(newest)
        return True

    def _submit(self, sent: SentRequest) -> None:
        self._request = sent.id
        self._ready = {panel: ready for panel, ready in self._ready.items() if not ready[1]}
        dataset = self._datasets[sent.key]
        others: dict[str, Any] = {"attempts": sent.attempts, "hides_answer": sent.hides_answer, "split": sent.split}
        scene = Scene(dataset, self._panels, sent.seed, sent.view, **others)
        self._engine.submit(Request(sent.id, scene, sent.sizes, sent.draft, sent.refused, sent.front))

    def _begin(self, panel: int, plot: Plot) -> None:
        if panel not in self._unseen:  # or else the window has other things to paint
            self._outgoing.begin(panel, plot)

    def _watched(self, panel: int, fit: int) -> None:
        self._pulse[0] += 1
        self._pulse[1:] = [panel, fit, self._request]


def serve(connection: Connection, pulse: MutableSequence[int]) -> None:
    """What the process runs. `pulse` (4,) is shared memory: beats, and what `Worker.working_on` says."""
    # Ctrl+C in a terminal reaches the whole group; the window decides when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    keep_freed_memory()
    keep_off_window()
    warnings_to_log()
    try:
        registry()
        _Server(SwiftListener(connection) if NEVER_WAITS else connection, pulse).run()
    except (EOFError, OSError):
        pass  # the window is gone


def _leave_with_parent() -> None:
    # A closed pipe ends the loop, but not a solver that never comes back to it.
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Worker:
    """A running process. Nothing here waits for it: of requests that it does not read the newest is kept.

    What the pipe takes is written at once, where there are such pipes, and by a thread otherwise. `heard(worker,
    answer)` is called with a `PlotBegun`, PanelPicture, `Completed`, `WorkerReady`, `RequestDone`, or None when the
    process is gone: in a thread that reads, or else in `read`.
    """

    def __init__(self, heard: Callable[[Worker, Any], None], reading: bool = True) -> None:
        """Without a thread for `reading` whoever holds it calls `read` when there is something at `fileno`."""
        context = multiprocessing.get_context("spawn")
        self._connection, far = context.Pipe()
        self._pulse = context.RawArray("q", [0, -1, 0, 0])
        self._heard = heard
        self._process = context.Process(target=serve, args=(far, self._pulse), name="mlviz worker", daemon=True)
        self._process.start()
        far.close()
        self._swift = SwiftEnd(self._connection) if NEVER_WAITS else None
        self._wake = threading.Condition()
        self._asking = Asking(DATASETS)
        """What the process remembers of requests; whoever writes just now changes it."""
        self._request: Request | None = None
        self._shown: list[int] = []
        self._rest = b""
        """What of a message is still to be written."""
        self._resting = self._closing = False
        """Whether the writing thread has nothing in hand, and whether it is to end."""
        self._threads = [threading.Thread(target=self._write, name="mlviz writer", daemon=True)]
        if reading:
            self._threads.append(threading.Thread(target=self._read_on, name="mlviz reader", daemon=True))
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int | None:
        """The id of the process."""
        return self._process.pid

    @property
    def beats(self) -> int:
        """A number that changes as long as the process works."""
        return int(self._pulse[0])

    @property
    def working_on(self) -> tuple[int, int, int]:
        """The panel it is working on or -1, which of its fits (0 for its own, then its studies), id of the request."""
        return int(self._pulse[1]), int(self._pulse[2]), int(self._pulse[3])

    def fileno(self) -> int:
        """Where to look whether there is something to `read`."""
        assert self._swift is not None
        return self._swift.fileno()

    def send(self, request: Request) -> None:
        """Ask for this, and for nothing asked before that is not on its way yet."""
        with self._wake:
            self._request = request
            dataset = request.scene.dataset
            light = len(dataset) <= _FEW_SAMPLES or self._asking.knows(dataset)
            if light and self._write_at_once(lambda: self._asking.packed(request)):
                self._request = None
                self._asking.note(request)
            else:
                self._wake.notify()

    def shown(self, panel: int) -> None:
        """Say that the picture of this panel was taken; until then no other one is sent."""
        with self._wake:
            if not self._write_at_once(lambda: PictureTaken(panel)):
                self._shown.append(panel)
                self._wake.notify()

    def stop(self, patience: float = 0.5) -> None:
        """End process and threads; a process that does not end by itself in `patience` seconds is killed."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._process.join(patience)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        for thread in self._threads:
            thread.join()
        if self._swift is not None:
            self._swift.close()
        self._connection.close()
        self._process.close()

    def read(self) -> None:
        """Hear what has come."""
        assert self._swift is not None
        try:
            answers = self._swift.read()
        except (EOFError, OSError):
            answers = [None]
        for answer in answers:
            self._heard(self, answer)

    def _write_at_once(self, message: Callable[[], Any]) -> bool:
        """Write it, if nothing is in the way; what does not go through, or can't be pickled, is left to the thread."""
        if self._swift is None or not self._resting or self._rest:
            return False
        with contextlib.suppress(Exception):
            self._rest = self._swift.write(message())
            if self._rest:
                self._wake.notify()
            return True
        return False

    def _write(self) -> None:
        try:
            while not self._closing:
                with self._wake:
                    self._resting = True
                    self._wake.wait_for(lambda: self._closing or self._rest or self._shown or self._request is not None)
                    self._resting = False
                    rest, shown, request = self._rest, self._shown, self._request
                    self._rest, self._shown, self._request = b"", [], None
                if self._swift is not None:
                    self._swift.sendall(rest)
                for panel in shown:
                    self._connection.send(PictureTaken(panel))
                if request is not None:
                    self._send_packed(request)
            self._connection.send(None)
        except OSError:
            return  # the process is gone, as the reader says

    def _send_packed(self, request: Request) -> None:
        try:
            self._connection.send(self._asking.packed(request))
            self._asking.note(request)
        except OSError:
            raise
        except Exception as error:  # it can't be pickled: what comes after it can be
            for panel in range(len(request.sizes)):
                self._heard(self, request.failed(panel, error))
            self._heard(self, RequestDone(request.id))

    def _read_on(self) -> None:
        try:
            while True:
                self._heard(self, self._connection.recv())
        except (EOFError, OSError):
            self._heard(self, None)
