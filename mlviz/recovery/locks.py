"""Locks of the operating system on a file: gone with the process that holds them, however it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int, shared: bool) -> None:
        # Windows has no shared ones here: a byte of its own for each process, and all of them for an exclusive one.
        os.lseek(descriptor, 1 + os.getpid() % 2**30 if shared else 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1 if shared else 2**31 - 1)

else:
    import fcntl

    def _lock(descriptor: int, shared: bool) -> None:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


class Lock:
    """A lock on a file, which is made where there is none. Several may share one, an exclusive one is alone.

    Raises OSError at once where another one is in the way, or where nothing can be locked at all.
    """

    def __init__(self, path: Path, shared: bool = False) -> None:
        self._descriptor = -1
        while self._descriptor < 0:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                _lock(descriptor, shared)
                # A lock on a file that was removed between the two calls would be seen by nobody.
                if _is_at(descriptor, path):
                    self._descriptor = descriptor
            finally:
                if self._descriptor < 0:
                    os.close(descriptor)

    def release(self) -> None:
        """Let go; a second time does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False
