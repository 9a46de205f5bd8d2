"""Answers that a person has drawn by hand, before or after the method's own is seen: values of the scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from mlviz.numerics.arrays import Array
from mlviz.pipeline.drawn import DrawnSurface
from mlviz.spec.brief import Brief

Kind = Literal["boundary", "curve", "surface", "centres", "axis", "level"]
MAX_ATTEMPTS = 50
"""So many are kept, the newest ones."""
MAX_LINES, MAX_PLACES = 20, 2000
"""So many lines has an attempt at the most, and so many places a line."""
ASKED_SHARE = 0.9
"""The share of the samples that a level curve is to go around."""

Line = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Attempt(Brief):
    """What was drawn on axes of that `CanvasAxes.key`, each line a list of places.

    A "boundary" is made of lines, a "curve" and a "level" are one line, which is closed where it ends in its first
    place. An "axis" is a line of two places, "centres" are the places of one line. A "surface" is known by its values
    at the places of its first line, which may have none, and by its level along each further line; the name of the
    column that these are of follows those of its axes. A line of one place has been begun.
    """

    kind: Kind
    axes: tuple[str, ...]
    lines: tuple[Line, ...]
    values: tuple[float, ...] = ()
    """Of a surface, one for each place of its first line."""
    levels: tuple[float, ...] = ()
    """Of a surface, one for each line after the first."""

    @cached_property
    def arrays(self) -> tuple[Array, ...]:
        """The lines, each (m, 2)."""
        return tuple(np.array(line, dtype=np.float64).reshape(-1, 2) for line in self.lines)

    @property
    def level_lines(self) -> tuple[tuple[Array, float], ...]:
        """The lines (m, 2) along which a surface has one value, with these."""
        return tuple(zip(self.arrays[1:], self.levels, strict=True)) if self.levels else ()

    @cached_property
    def surface(self) -> DrawnSurface:
        """The surface that is meant."""
        return DrawnSurface.of(self.arrays, self.values, self.levels)

    @property
    def unfinished(self) -> bool:
        """Whether its last line has only one place so far, and none to go on to."""
        return self.kind not in ("centres", "surface") and len(self.lines[-1]) == 1


def plain_line(places: ArrayLike) -> Line:
    """Places (m, 2) as an attempt keeps them."""
    return tuple((x, y) for x, y in np.asarray(places, dtype=np.float64).reshape(-1, 2).tolist())


def attempt_of(kind: Kind, axes: tuple[str, ...], places: ArrayLike, values: Sequence[float] = ()) -> Attempt:
    """An attempt of one line."""
    return Attempt(kind, axes, (plain_line(places),), tuple(values))


def with_attempt(attempts: Sequence[Attempt], attempt: Attempt) -> tuple[Attempt, ...]:
    """The attempts and one more, the oldest ones left out where that would be too many."""
    return (*attempts, attempt)[-MAX_ATTEMPTS:]
