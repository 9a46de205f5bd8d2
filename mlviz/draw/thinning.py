"""What belongs to samples, where there are so many that it would be a black sheet: some of it stands for all."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.marks import Mark, Segments

MOST_LINES = 3000
"""More lines tied to samples are not told apart, and take long to draw."""


def subsample(order: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """At most so many of the rows that stand in an order (n,), evenly along it: their numbers alone mean nothing."""
    return order[np.linspace(0, len(order) - 1, min(len(order), most)).astype(np.intp)]


def thin_marks(marks: Sequence[Mark]) -> tuple[tuple[Mark, ...], str]:
    """The marks with at most so many lines tied to samples, and a remark for the caption, empty where all are there."""
    count = sum(len(mark.start) for mark in marks if isinstance(mark, Segments) and mark.rows is not None)
    share = -(-count // MOST_LINES)
    if share <= 1:
        return tuple(marks), ""
    return tuple(_every(mark, share) for mark in marks), f"lines drawn for 1 in {share} samples"


def _every(mark: Mark, share: int) -> Mark:
    if not isinstance(mark, Segments) or mark.rows is None:
        return mark
    order = np.lexsort((mark.start[:, 1], mark.start[:, 0]))
    chosen = subsample(order, -(-len(order) // share))
    return dataclasses.replace(mark, start=mark.start[chosen], end=mark.end[chosen], rows=mark.rows[chosen])
