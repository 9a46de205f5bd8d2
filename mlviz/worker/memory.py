"""How the process gets its memory."""

from __future__ import annotations

import contextlib
import ctypes

_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3
"""What glibc's `mallopt` calls its settings."""
_KEPT = 64 << 20
"""Bytes of freed memory that the process keeps at the most."""


def keep_freed_memory() -> None:
    """Use freed memory again, where the C library can be told so: fields and images come and go with every frame.

    By default an array of 128 kB or more is fetched from the system page by page each time, which takes longer than
    most of what is done with it.
    """
    with contextlib.suppress(OSError, TypeError, AttributeError):  # another system, or another C library
        mallopt = ctypes.CDLL(None).mallopt
        for setting in (_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD):
            mallopt(setting, _KEPT if setting != _MMAP_THRESHOLD else _KEPT // 2)
