"""Makes a failing input smaller, as long as it fails for the same reason."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable

from tests.fuzz.given.mutations import paths, without


def smaller(content: bytes, fails: Callable[[bytes], bool], seconds: float) -> bytes:
    """The smallest input that was found in that time."""
    end = time.monotonic() + seconds
    with contextlib.suppress(ValueError, UnicodeDecodeError, RecursionError):
        content = _fewer_values(content, fails, end)
    step = len(content) // 2
    while step and time.monotonic() < end:
        at = 0
        while at < len(content) and time.monotonic() < end:
            shorter = content[:at] + content[at + step :]
            if fails(shorter):
                content = shorter
            else:
                at += step
        step //= 2
    return content


def _fewer_values(content: bytes, fails: Callable[[bytes], bool], end: float) -> bytes:
    """Leave out values of a JSON text, the outer ones first."""
    document = json.loads(content)
    again = True
    while again:
        again = False
        for at in sorted(paths(document), key=len):
            if at and time.monotonic() < end:
                fewer = without(document, at)
                if fails(json.dumps(fewer).encode()):
                    document, again = fewer, True
                    content = json.dumps(fewer).encode()
                    break
    return content
