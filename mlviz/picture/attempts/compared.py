"""One measure of an answer drawn by hand beside the same of the method's."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Compared:
    """What was drawn and the method's own answer by one measure, and how both numbers are told.

    Of most measures the smaller is the better; of some the `larger`.
    """

    name: str
    drawn: float
    own: float
    words: tuple[str, str]
    larger: bool = False
    units: str = ""
    """Of which inputs the units are, such as "of the standardized inputs"; "" for those of the axes, and for none."""

    @property
    def in_words(self) -> str:
        """The measure with both numbers."""
        which = " (larger is better)" if self.larger else ""
        units = f" in units {self.units}" if self.units else ""
        return f"{self.name}{which} {self.words[0]} against {self.words[1]}{units}"
