"""A function that takes long, in a process of its own: the window stays usable, and it can be given up."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from mlviz.worker.answering import answer, send

_POLL_MS = 30


class Background(QObject):
    """Runs one function at a time; `done` carries its answer, `failed` the sentence of what it raised.

    `without_answer` is the sentence for a process that ends without one, as it does where memory runs out.
    """

    done = Signal(object)
    failed = Signal(str)

    def __init__(self, without_answer: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._without_answer = without_answer
        self._process: BaseProcess | None = None
        self._answers: Connection[Any, Any] | None = None
        self._sender = Thread()
        self._timer = QTimer(self, interval=_POLL_MS)
        self._timer.timeout.connect(self._look)

    @property
    def busy(self) -> bool:
        """Whether the function is running."""
        return self._process is not None

    def start(self, function: Callable[..., object], *arguments: object) -> None:
        """Run a function of a module; what is running already is given up."""
        self.stop()
        context = multiprocessing.get_context("spawn")
        self._answers, end = context.Pipe()
        self._process = context.Process(target=answer, args=(end,), daemon=True)
        self._process.start()
        end.close()
        # What is handed over may be large, and the process reads it only when it stands.
        self._sender = Thread(target=send, args=(self._answers, (function, arguments)), daemon=True)
        self._sender.start()
        self._timer.start()

    def stop(self) -> None:
        """Give up; nothing is left running."""
        self._timer.stop()
        process, self._process = self._process, None
        answers, self._answers = self._answers, None
        if process is not None and answers is not None:
            process.kill()
            process.join()
            self._sender.join()
            answers.close()

    def _look(self) -> None:
        if self._answers is None or not self._answers.poll():
            return
        try:
            good, what = self._answers.recv()
        except (EOFError, ConnectionError):  # the process has ended without an answer
            good, what = False, ""
        except Exception as error:  # an answer that can't be read here
            good, what = False, str(error)
        self.stop()
        if good:
            self.done.emit(what)
        else:
            self.failed.emit(what or self._without_answer)
