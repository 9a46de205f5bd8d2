"""Which processors window and worker run on, in a virtual machine."""

from __future__ import annotations

import os
from pathlib import Path

_VARIABLE = "MLVIZ_WORKER_PROCESSORS"
"""The environment variable by which the processes that the window starts know theirs: numbers with commas between."""
_CPUINFO = Path("/proc/cpuinfo")


def shared_out(processors: set[int]) -> tuple[set[int], set[int]]:
    """Those for the window and those for the worker: every second one each, the same where there is but one.

    Neighbours in number are of a kind, on processors that have slow cores and fast ones.
    """
    numbers = sorted(processors)
    return (set(numbers[::2]), set(numbers[1::2])) if len(numbers) > 1 else (processors, processors)


def keep_window_apart() -> None:
    """Keep the window off the processors of the processes that it starts; called before there are threads.

    In a virtual machine, and there alone: Linux takes an idle virtual processor for one that is taken away, and so
    wakes the worker on the processor of the window, where each waits for the other while the second one idles.
    """
    if hasattr(os, "sched_setaffinity") and _virtual():
        window, worker = shared_out(os.sched_getaffinity(0))
        os.environ[_VARIABLE] = ",".join(str(number) for number in sorted(worker))
        os.sched_setaffinity(0, window)


def keep_off_window() -> None:
    """In a process that the window has started: run on the processors that are left to it."""
    if numbers := os.environ.get(_VARIABLE):
        os.sched_setaffinity(0, {int(number) for number in numbers.split(",")})


def _virtual() -> bool:
    try:
        flags = next(line for line in _CPUINFO.read_text().splitlines() if line.startswith("flags"))
    except (OSError, StopIteration):
        return False
    return "hypervisor" in flags.split()
