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
    Known(
        "(standard error|BadTable): longer than 700 characters",
        "A sentence that lists the columns lists thousands of them.",
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
    Known(
        "hang: Hang in data/tables/cells.py:.*", "A cell of many digits and a letter takes quadratic time to be read."
    ),
    Known("hang: Hang in data/tables/table.py:.*", "Pasting a table takes time in the square of its columns' number."),
    Known(
        "ValueError in data/generators/(classes.py:_draw_class|base.py:_draw)",
        "Noise of -0 is taken for a negative deviation.",
    ),
    Known("Qt says: OpenType support missing.*", "Qt tells on standard error of each font that has no such signs."),
    Known("IndexError in ui/sidebar/sidebar.py:panel", "A canvas that is hidden hands the focus to one that is gone."),
)


def is_known(fault: Fault) -> bool:
    """Whether a fault's cause is in the table."""
    return any(re.fullmatch(known.cause, fault.cause) for known in KNOWN)
