"""Locks that a file's opener holds until it is closed, or its program ends in whatever way."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import msvcrt

    def lock(descriptor: int, wait: bool = False) -> None:
        """Lock an open file; raises OSError where another opener holds it, or where nothing can be locked."""
        msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 2**31 - 1)

else:
    import fcntl

    def lock(descriptor: int, wait: bool = False) -> None:
        """Lock an open file; raises OSError where another opener holds it, or where nothing can be locked."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
