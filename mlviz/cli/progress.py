"""How far a command has come, on a terminal, where it takes long."""

from __future__ import annotations

import sys
import time

from mlviz.cli.scene_options import complain

_FIRST, _NEXT = 2.0, 5.0
"""Seconds until the first line, and between two."""


class Progress:
    """Told how far the work has come, says so now and then; only where a person reads it: nothing goes into a file."""

    def __init__(self) -> None:
        self._due = time.monotonic() + _FIRST

    def __call__(self, words: str) -> None:
        """Say it, if that is due."""
        if time.monotonic() >= self._due and sys.stderr is not None and sys.stderr.isatty():
            complain(f"{words} (Ctrl+C gives up)")
            self._due = time.monotonic() + _NEXT
