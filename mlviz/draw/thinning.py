"""What belongs to samples, where there are so many that it would be a black sheet: some of it stands for all."""

from __future__ import annotations

from collections.abc import Sequence

from mlviz.draw.marks import Mark

MOST_LINES = 3000
"""More lines tied to samples are not told apart, and take long to draw."""


def thin_marks(marks: Sequence[Mark]) -> tuple[tuple[Mark, ...], str]:
    """The marks with at most so many lines tied to samples, and a remark for the caption, empty where all are there."""
    share = -(-sum(mark.tied_lines for mark in marks) // MOST_LINES)
    if share <= 1:
        return tuple(marks), ""
    return tuple(mark.thinned(share) for mark in marks), f"lines drawn for 1 in {share} samples"
