"""Freed memory stays with the process, where the C library can be told so."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

from mlviz.worker.memory import keep_freed_memory

FAULTS = """
import resource
import numpy as np
from mlviz.worker.memory import keep_freed_memory
if {kept}:
    keep_freed_memory()
def work():
    return [np.ones(1_000_000) for _ in range(4)]
work()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    work()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library decides by itself")
def test_pages_are_not_fetched_again_for_every_array():
    fetched = [
        int(subprocess.run([sys.executable, "-c", FAULTS.format(kept=kept)], capture_output=True, check=True).stdout)
        for kept in (False, True)
    ]
    assert fetched[1] < fetched[0] / 5


def test_where_it_cannot_be_told_nothing_happens(monkeypatch):
    monkeypatch.setattr("ctypes.CDLL", lambda name: object())
    keep_freed_memory()
