"""Answers drawn by hand as models: they predict at places (n, 2) of the canvas, and learn from samples what they mean.

What a hand has not drawn is found from the samples: which side of a boundary is which class. Nothing else is.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.drawn_lines import encloses, evenly_along, value_along
from mlviz.numerics.thin_plate import ThinPlate
from mlviz.spec.brief import Brief

_MOST_ON_LINES, _MOST_ON_LINE, _LEAST_ON_LINE = 80, 24, 4
"""A surface goes through so many places of its level lines at the most, of each of them, and of each at the least."""


@dataclass(frozen=True, eq=False)
class DrawnBoundary(Brief):
    """Lines that part the plane; `sides` says which class has each of the parts.

    A part is named by the sum of 2^j over the lines j on whose one side it is.
    """

    lines: tuple[Array, ...]
    sides: dict[int, Any]
    usual: Any
    """The class of a part without samples."""

    @classmethod
    def of(cls, lines: Sequence[Array], places: Array, y: AnyArray) -> DrawnBoundary:
        """With the classes that leave the fewest of the samples y (n,) at places (n, 2) wrong.

        One line has a class on either side, and not the same where there are two classes. Of several lines each part
        has the class that most of its samples have, and one without samples that of most of all.
        """
        classes, codes = np.unique(y, return_inverse=True)
        parts = _parts(lines, places)
        usual = int(np.argmax(np.bincount(codes)))
        if len(lines) == 1 and len(classes) > 1:
            counts = np.stack([np.bincount(codes[parts == side], minlength=len(classes)) for side in (0, 1)])
            pairs = itertools.permutations(range(len(classes)), 2)
            best = max(pairs, key=lambda pair: (counts[0, pair[0]] + counts[1, pair[1]], -pair[0], -pair[1]))
            return cls(tuple(lines), {side: classes[code] for side, code in enumerate(best)}, classes[usual])
        most = {part: int(np.argmax(np.bincount(codes[parts == part]))) for part in np.unique(parts).tolist()}
        return cls(tuple(lines), {part: classes[code] for part, code in most.items()}, classes[usual])

    def predict(self, places: Array) -> AnyArray:
        """The class (n,) of each place."""
        parts, which = np.unique(_parts(self.lines, places), return_inverse=True)
        return np.array([self.sides.get(part, self.usual) for part in parts.tolist()])[which]


def _parts(lines: Sequence[Array], places: Array) -> Labels:
    """The number (n,) of the part in which each place is."""
    found = np.zeros(len(places), dtype=np.intp)
    for j, line in enumerate(lines):
        found += encloses(places, line).astype(np.intp) << j
    return found


@dataclass(frozen=True, eq=False)
class DrawnCurve(Brief):
    """A curve over the horizontal axis."""

    line: Array

    def predict(self, places: Array) -> Array:
        """The height (n,) of the curve at the places."""
        return value_along(places[:, 0], self.line)


@dataclass(frozen=True, eq=False)
class DrawnSurface(Brief):
    """The smoothest surface over the plane through values at places, and through a choice of places of level lines."""

    spline: ThinPlate
    level: bool
    """Whether it has one value everywhere."""

    @classmethod
    def of(cls, lines: Sequence[Array], values: Sequence[float], levels: Sequence[float] = ()) -> DrawnSurface:
        """The surface through values (m,) at the places (m, 2) of the first line, and of a level along each other."""
        places, heights = [lines[0]], [np.asarray(values, dtype=np.float64)]
        count = int(np.clip(_MOST_ON_LINES // max(1, len(levels)), _LEAST_ON_LINE, _MOST_ON_LINE))
        for line, level in zip(lines[1:], levels, strict=True):
            places.append(evenly_along(line, count))
            heights.append(np.full(count, level))
        # Where lines meet a surface can have one value only.
        through, which, counts = np.unique(np.concatenate(places), axis=0, return_inverse=True, return_counts=True)
        mean = np.bincount(which.ravel(), weights=np.concatenate(heights)) / counts
        return cls(ThinPlate.through(through, mean), bool((mean == mean[0]).all()))

    def predict(self, places: Array) -> Array:
        """The height (n,) of the surface at the places."""
        return self.spline.values(places)
