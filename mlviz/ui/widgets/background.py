"""A function that takes long, in a process of its own: the window stays usable, and it can be given up."""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from mlviz.files.quiet import warnings_to_log
from mlviz.worker.processors import keep_off_window

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
        self._process = context.Process(target=_answer, args=(end,), daemon=True)
        self._process.start()
        end.close()
        # What is handed over may be large, and the process reads it only when it stands.
        self._sender = Thread(target=_send, args=(self._answers, (function, arguments)), daemon=True)
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
            good, answer = self._answers.recv()
        except (EOFError, ConnectionError):  # the process has ended without an answer
            good, answer = False, ""
        except Exception as error:  # an answer that can't be read here
            good, answer = False, str(error)
        self.stop()
        if good:
            self.done.emit(answer)
        else:
            self.failed.emit(answer or self._without_answer)


def _send(end: Connection[Any, Any], work: object) -> None:
    _send_or_tell(end, work, lambda error: (_fail, (str(error),)))


def _send_or_tell(end: Connection[Any, Any], message: object, told: Callable[[Exception], object]) -> None:
    """Send a message, or, where it can't be sent to another process, what is to be told instead."""
    with contextlib.suppress(OSError):  # whoever was to read it has given up, or has ended
        try:
            end.send(message)
        except OSError:
            raise
        except Exception as error:  # pickling raises whatever it likes, before anything is sent
            end.send(told(error))


def _fail(sentence: str) -> None:
    raise ValueError(sentence)


def _answer(end: Connection[Any, Any]) -> None:
    warnings_to_log()
    keep_off_window()
    try:
        function, arguments = end.recv()
        answer = True, function(*arguments)
    except Exception as error:  # whatever goes wrong here is told over there
        answer = False, str(error)
    _send_or_tell(end, answer, lambda error: (False, str(error)))
