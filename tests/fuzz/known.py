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


_NUMBERS = "RuntimeWarning|OverflowError|ZeroDivisionError|LinAlgError|ValueError"
KNOWN: tuple[Known, ...] = (
    Known("Qt says: OpenType support missing.*", "Qt tells on standard error of each font that has no such signs."),
    Known(
        rf"[a-z0-9-]+: (({_NUMBERS}) in .*|hang: .*|[a-z_]+ is not finite)",
        "Inputs, targets and weights at the ends of floating point overflow in Python.",
    ),
)


def is_known(fault: Fault) -> bool:
    """Whether a fault's cause is in the table."""
    return any(re.fullmatch(known.cause, fault.cause) for known in KNOWN)
