"""One measure of an answer drawn by hand beside the same of the method's."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Compared:
    """What was drawn and the method's own answer by one measure, and how both numbers are told."""

    name: str
    drawn: float
    own: float
    words: tuple[str, str]
