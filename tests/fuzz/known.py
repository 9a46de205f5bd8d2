"""Faults that are known and stand, each with a sentence; this table is to become empty."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.fuzz.oracle import Fault


@dataclass(frozen=True)
class Known:
    """A cause as a pattern for the whole of it, and what is wrong."""

    cause: str
    sentence: str


KNOWN: tuple[Known, ...] = ()


def is_known(fault: Fault) -> bool:
    """Whether a fault's cause is in the table."""
    return any(re.fullmatch(known.cause, fault.cause) for known in KNOWN)
