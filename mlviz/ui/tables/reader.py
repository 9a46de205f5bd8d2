"""Reading a table without holding up the window: a short one at once, a long one in a process of its own."""

from __future__ import annotations

import multiprocessing
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from PySide6.QtCore import QObject, QTimer, Signal

from mlviz.data.tables.reading import BadTable, Format, Table, parse_table

POLL_MS = 40
AT_ONCE = 2**20
"""Bytes that are read in less time than a process needs to start."""
_TOO_MUCH = "The table could not be read; most likely it is too large for the memory of this machine."


class Reader(QObject):
    """Reads one table; `read` carries it, `failed` a sentence."""

    read = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: BaseProcess | None = None
        self._answers: Connection | None = None
        self._timer = QTimer(self, interval=POLL_MS)
        self._timer.timeout.connect(self._look)

    @property
    def busy(self) -> bool:
        """Whether a table is being read."""
        return self._process is not None

    def start(self, content: bytes, wanted: Format) -> None:
        """Read a table; what is being read already is given up."""
        self.stop()
        if len(content) <= AT_ONCE:
            self._tell(_parsed(content, wanted))
            return
        context = multiprocessing.get_context("spawn")
        self._answers, end = context.Pipe(duplex=False)
        self._process = context.Process(target=_answer, args=(end, content, wanted), daemon=True)
        self._process.start()
        end.close()
        self._timer.start()

    def stop(self) -> None:
        """Give up; nothing is left running."""
        self._timer.stop()
        process, self._process = self._process, None
        answers, self._answers = self._answers, None
        if process is not None and answers is not None:
            process.kill()
            process.join()
            answers.close()

    def _look(self) -> None:
        if self._answers is None or not self._answers.poll():
            return
        try:
            answer = self._answers.recv()
        except EOFError:  # the process has ended without an answer
            answer = _TOO_MUCH
        self.stop()
        self._tell(answer)

    def _tell(self, answer: Table | str) -> None:
        if isinstance(answer, str):
            self.failed.emit(answer)
        else:
            self.read.emit(answer)


def _parsed(content: bytes, wanted: Format) -> Table | str:
    """The table, or a sentence on why there is none."""
    try:
        return parse_table(content, wanted)
    except BadTable as problem:
        return str(problem)
    except MemoryError:
        return _TOO_MUCH


def _answer(end: Connection, content: bytes, wanted: Format) -> None:
    end.send(_parsed(content, wanted))
    end.close()
