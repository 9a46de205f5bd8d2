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
    Known(
        "(a copy's problem|a message box): words of a programmer",
        "A copy of unsaved work that is forged or of another version is refused in words of Python's.",
    ),
    Known(
        "(standard error|BadTable|a message box|the table dialog|a note): control characters",
        "Names of columns and of files come into sentences as they are, control characters included.",
    ),
    Known(
        "standard error: a line that no sentence begins", "A file's name with a line feed breaks its sentence in two."
    ),
    Known("the SVG is no well-formed XML", "Control characters of names are written into an SVG."),
    Known("markup in a .*", "Names of columns and classes are shown as markup in labels, tooltips and message boxes."),
    Known(
        "hang: Hang in (data/tables/reading.py:read_bytes|scene/files/scene_file.py:load)",
        "In Python, reading a table or a scene from a pipe waits for ever.",
    ),
    Known(
        "RuntimeError in files/atomic.py:write_atomically", "A loop of links in the place of a figure is a traceback."
    ),
    Known("Qt says: OpenType support missing.*", "Qt tells on standard error of each font that has no such signs."),
    Known("IndexError in ui/sidebar/sidebar.py:panel", "A canvas that is hidden hands the focus to one that is gone."),
    Known(
        rf"[a-z0-9-]+: (({_NUMBERS}) in .*|hang: .*|[a-z_]+ is not finite)",
        "Inputs, targets and weights at the ends of floating point overflow in Python.",
    ),
)


def is_known(fault: Fault) -> bool:
    """Whether a fault's cause is in the table."""
    return any(re.fullmatch(known.cause, fault.cause) for known in KNOWN)
