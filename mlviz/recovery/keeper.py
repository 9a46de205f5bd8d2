"""Keeps the copy of this program's unsaved work, in a thread."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor, wait

from mlviz.recovery.copies import Copy
from mlviz.recovery.slots import CopySlot

WAIT_SECONDS = 0.02
"""How many seconds the caller waits for a copy: by far enough for the usual disk, and nothing that anybody sees."""
TOO_LONG_SECONDS = 10.0
"""After how many seconds of writing something is wrong: a disk may sleep, a folder may be on a network."""


class CopyKeeper:
    """Writes the newest copy into a slot.

    A caller who is killed after `keep` has lost nothing, unless the disk takes longer than `WAIT_SECONDS`; in the
    middle of a gesture nothing is awaited.
    """

    def __init__(self, slot: CopySlot) -> None:
        self._slot = slot
        self._thread = ThreadPoolExecutor(1, "mlviz copies")
        self._newest: Future[None] = Future()
        self._problem = ""
        self._since: float | None = None
        """When the writing began that is under way."""

    def keep(self, copy: Copy | None, awaited: bool = True) -> str:
        """Have this copy written, or the one there removed; returns why there is none, "" when all is well."""
        self._newest.cancel()
        self._newest = self._thread.submit(self._write, self._slot, copy)
        if awaited:
            wait([self._newest], WAIT_SECONDS)
        since = self._since
        return "writing it takes too long" if since and time.monotonic() - since > TOO_LONG_SECONDS else self._problem

    def adopt(self, slot: CopySlot) -> None:
        """Go on with this slot and the copy in it; the present one is given up."""
        self._newest.cancel()
        self._thread.submit(self._slot.remove)
        self._slot = slot

    def close(self) -> None:
        """The program ends in good order: no copy is left."""
        self._newest.cancel()
        self._thread.shutdown()
        self._slot.remove()

    def _write(self, slot: CopySlot, copy: Copy | None) -> None:
        self._since = time.monotonic()
        self._problem = slot.write(copy)
        self._since = None
