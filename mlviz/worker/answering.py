"""A process that answers one call of a function. Never imports Qt, which would take a third of its start."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from mlviz.files.quiet import warnings_to_log
from mlviz.worker.processors import keep_off_window


def send(end: Connection[Any, Any], work: object) -> None:
    """Hand over a function and its arguments, or, where they can't be pickled, what fails with that sentence."""
    _send_or_tell(end, work, lambda error: (_fail, (str(error),)))


def answer(end: Connection[Any, Any]) -> None:
    """What the process runs: it sends (True, answer), or (False, sentence of what was raised)."""
    warnings_to_log()
    keep_off_window()
    try:
        function, arguments = end.recv()
        said = True, function(*arguments)
    except Exception as error:  # whatever goes wrong here is told over there
        said = False, str(error)
    _send_or_tell(end, said, lambda error: (False, str(error)))


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
