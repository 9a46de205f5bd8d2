"""Both ends of the pipe through which the worker is told to keep a copy of unsaved work.

A pipe and threads of their own, so that neither a long fit nor a large request is in the way: what the window sends is
in the worker within milliseconds, and is written although the window, or the fit, comes to a bad end.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from mlviz.recovery.copies import WriteCopy, lock_of
from mlviz.recovery.locks import Lock


@dataclass(frozen=True)
class CopyWritten:
    """An order was carried out; `problem` says why it could not be, "" when it was."""

    number: int
    problem: str


class CopyWriter(threading.Thread):
    """The worker's end: carries out the newest order. It ends with the pipe, after the last order."""

    def __init__(self, connection: Connection[Any, Any], answer: Callable[[CopyWritten], None]) -> None:
        super().__init__(name="mlviz scribe", daemon=True)
        self._connection = connection
        self._answer = answer
        self._open = True
        self._lock: Lock | None = None

    def run(self) -> None:
        """Carry out orders until the pipe is closed."""
        while (order := self._newest()) is not None:
            kept = CopyWritten(order.number, self._carry_out(order))
            # Where the window is gone, nobody hears it; there may be one more order in the pipe.
            with contextlib.suppress(OSError):
                self._answer(kept)

    def _newest(self) -> WriteCopy | None:
        order: WriteCopy | None = None
        try:
            while self._open and (order is None or self._connection.poll()):
                order = self._connection.recv()
        except (EOFError, OSError):
            self._open = False
        return order

    def _carry_out(self, order: WriteCopy) -> str:
        # The worker holds the lock too: it may live a little longer than the window, and write.
        try:
            self._lock = self._lock or Lock(lock_of(order.path), shared=True)
        except OSError as error:
            return error.strerror or str(error)
        return order.carry_out()


class CopySender:
    """The window's end: sends the newest order; nobody waits for it."""

    def __init__(self, connection: Connection[Any, Any]) -> None:
        self._connection = connection
        self._wake = threading.Condition()
        self._order: WriteCopy | None = None
        self._closing = False
        self._thread = threading.Thread(target=self._send, name="mlviz dictation", daemon=True)
        self._thread.start()

    def send(self, order: WriteCopy) -> None:
        """Have this carried out, and nothing that is not on its way yet."""
        with self._wake:
            self._order = order
            self._wake.notify()

    def close(self) -> None:
        """End it; orders on their way are carried out."""
        with self._wake:
            self._closing = True
            self._wake.notify()

    def join(self) -> None:
        """Wait for the end, after `close`; the worker has to be gone, or at its end of the pipe."""
        self._thread.join()

    def _send(self) -> None:
        try:
            while True:
                with self._wake:
                    self._wake.wait_for(lambda: self._closing or self._order is not None)
                    order, self._order = self._order, None
                if order is None:
                    break
                self._connection.send(order)
        except OSError:
            pass  # the process is gone, as its reader says
        finally:
            self._connection.close()
