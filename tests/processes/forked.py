"""Processes that the program starts from nothing are, in tests, forked from one that has imported what they need.

Importing takes most of a second each time. The program itself always says "spawn"; a test that is about how a process
starts, or what it writes to standard error, takes the fixture `spawned`.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
from collections.abc import Iterator
from multiprocessing import forkserver
from typing import Any

import pytest

PRELOADED = "tests.processes.preloaded"
_plain = multiprocessing.get_context


def _surroundings() -> tuple[str, dict[str, str]]:
    """The folder and the environment, which a forked process has from the one it is forked from."""
    return os.getcwd(), {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}


@contextlib.contextmanager
def forked_processes() -> Iterator[None]:
    """Until its end processes are forked, where folder and environment are those of its beginning; then none is left.

    On Linux alone: elsewhere there is no forking, or libraries of the system do not take it well.
    """
    if sys.platform != "linux":
        yield
        return
    first = _surroundings()

    def context(method: str | None = None) -> Any:
        return _plain("forkserver" if method == "spawn" and _surroundings() == first else method)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(multiprocessing, "get_context", context)
        multiprocessing.set_forkserver_preload([PRELOADED])
        yield
    for process in multiprocessing.active_children():
        process.kill()
        process.join()
    forkserver._forkserver._stop()  # which waits for its end, and so for what it has counted of processor time


@contextlib.contextmanager
def spawned_processes() -> Iterator[None]:
    """Until its end processes start as they do in the program."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(multiprocessing, "get_context", _plain)
        yield
