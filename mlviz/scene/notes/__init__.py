"""Words and pen strokes that a person has put over the picture: values of the scene, which no fit knows of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from mlviz.draw.marks import Lines, Points
from mlviz.numerics.arrays import Array
from mlviz.numerics.drawn_lines import smoothed
from mlviz.spec.brief import Brief
from mlviz.spec.outside import readable_name

Ink = Literal["red", "blue", "plain"]
INKS: tuple[Ink, ...] = get_args(Ink)
"""All are legible on light and on dark; the plain one is that of words: black on light, white on dark."""
MAX_NOTES, MAX_LETTERS = 200, 500
"""So many texts has a scene at the most, and so many characters a text."""
MAX_STROKES, MAX_PLACES = 500, 2000
"""So many lines of the pen, and so many places each."""

Place = tuple[float, float]


@dataclass(frozen=True)
class Note(Brief):
    """Words that begin at a place, on axes of that `CanvasAxes.key`: one line, and nothing but words."""

    axes: tuple[str, ...]
    place: Place
    words: str
    ink: Ink = "red"


@dataclass(frozen=True)
class Stroke(Brief):
    """A line of the pen on axes of that `CanvasAxes.key`; one of a single place is a dot."""

    axes: tuple[str, ...]
    places: tuple[Place, ...]
    ink: Ink = "red"

    @cached_property
    def curve(self) -> Array:
        """The line (m, 2) as it is drawn."""
        return smoothed(np.array(self.places, dtype=np.float64).reshape(-1, 2))

    @property
    def mark(self) -> Lines | Points:
        """The line, or the dot, in its ink."""
        return (Lines if len(self.places) > 1 else Points)(f"{self.ink} ink", self.curve)


@dataclass(frozen=True, eq=False)
class Noted(Brief):
    """What has been put over one canvas."""

    notes: tuple[Note, ...]
    strokes: tuple[Stroke, ...]


def plain_place(place: ArrayLike) -> Place:
    """A place (2,) as notes keep it."""
    x, y = np.asarray(place, dtype=np.float64).tolist()
    return x, y


def written(words: str) -> str:
    """Words as a note keeps them: on one line, without what nobody sees, and not too long."""
    return readable_name(words)[:MAX_LETTERS].strip()
