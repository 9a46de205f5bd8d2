"""Locks of the operating system on a file: gone with the process that holds them, however it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 2**31 - 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock(path: Path) -> int:
    """Lock a file, which is made where there is none, until the descriptor that is returned is closed.

    Raises OSError at once where somebody else holds it, or where nothing can be locked at all.
    """
    # Not every system has the flag; a link that somebody put there is not followed where it does.
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        _lock(descriptor)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
