"""The window's end of the pipe, where pipes are sockets: it writes and reads what goes without waiting."""

from __future__ import annotations

import contextlib
import os
import socket
import struct
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any

NEVER_WAITS = hasattr(socket, "MSG_DONTWAIT")
"""Whether there is such an end on this system: Windows has other pipes, and threads that wait for them."""
_LENGTH = struct.Struct("!i")
"""What `multiprocessing` writes before a message: how long it is."""
_MOST_READ = 1 << 18
"""Bytes read in one go."""


class SwiftEnd(socket.socket):
    """Speaks to a `Connection`, as another one would, and shares the pipe with the one that it is made of."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(fileno=os.dup(connection.fileno()))
        self._came = bytearray()

    def write(self, message: Any) -> bytes:
        """Write a message; returns what is left of it where nobody reads."""
        pickled = bytes(ForkingPickler.dumps(message))
        written = _LENGTH.pack(len(pickled)) + pickled
        with contextlib.suppress(BlockingIOError):
            written = written[self.send(written, socket.MSG_DONTWAIT) :]
        return written

    def read(self) -> list[Any]:
        """The messages that what has come completes; raises EOFError when the other end is gone.

        It waits only where nothing has come at all.
        """
        came = self.recv(_MOST_READ)
        if not came:
            raise EOFError
        self._came += came
        found = []
        while len(self._came) >= _LENGTH.size:
            end = _LENGTH.size + _LENGTH.unpack_from(self._came)[0]
            if len(self._came) < end:
                break
            found.append(ForkingPickler.loads(self._came[_LENGTH.size : end]))
            del self._came[:end]
        return found
