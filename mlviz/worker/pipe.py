"""The ends of the pipe where pipes are sockets: the window's writes and reads what goes without waiting."""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import socket
import struct
from collections import deque
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
        self._buffer = memoryview(bytearray(_MOST_READ))  # a new one for each message would take longer than to read it

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
        n = self.recv_into(self._buffer)
        if not n:
            raise EOFError
        self._came += self._buffer[:n]
        found = []
        while len(self._came) >= _LENGTH.size:
            end = _LENGTH.size + _LENGTH.unpack_from(self._came)[0]
            if len(self._came) < end:
                break
            found.append(ForkingPickler.loads(self._came[_LENGTH.size : end]))
            del self._came[:end]
        return found


class SwiftListener:
    """Listens to a `Connection` as that does itself, and sends as it does, with far fewer calls of the system."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._end = SwiftEnd(connection)
        self._poll = select.poll()
        self._poll.register(self._end, select.POLLIN)
        self._came = deque[Any]()

    def send(self, message: Any) -> None:
        """Send a message, pickled at once: `multiprocessing` looks up in Python how each of its parts is pickled."""
        self._connection.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))

    def poll(self, timeout: float | None = 0.0) -> bool:
        """Whether there is something to receive, within so many seconds; None means for ever."""
        return bool(self._came) or bool(self._poll.poll(None if timeout is None else 1e3 * timeout))

    def recv(self) -> Any:
        """The next message, waiting for it; raises EOFError when the other end is gone."""
        while not self._came:
            self._came.extend(self._end.read())
        return self._came.popleft()
