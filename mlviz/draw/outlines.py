"""What is left of a picture when only its outline is kept: lines and centres as plain arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

import numpy as np

from mlviz.draw.marks import Arrows, Ellipses, Field, Lines, Mark, Points, Polygons, Segments, Text
from mlviz.draw.marks.base import NOWHERE
from mlviz.numerics.arrays import Array

_LIFT = np.full((1, 2), np.nan)
_AROUND_AN_ELLIPSE = 72


def outline(marks: Iterable[Mark]) -> tuple[Array, Array]:
    """The lines of marks (m, 2), rows of NaN between them, and the places of their symbols (k, 2)."""
    pieces: list[Array] = []
    symbols = [NOWHERE]
    for mark in marks:
        match mark:
            case Points():
                symbols.append(mark.xy)
            case Lines():
                pieces.append(mark.xy)
            case Segments() | Arrows():
                pieces.extend(np.stack((mark.start, mark.end), axis=1))
            case Polygons():
                pieces += [np.concatenate((corners, corners[:1])) for corners in mark.vertices]
            case Ellipses():
                pieces += [np.concatenate((line, line[:1])) for line in mark.outlines(_AROUND_AN_ELLIPSE)]
            case Field() | Text():
                pass
            case _:
                assert_never(mark)
    return joined(pieces), np.concatenate(symbols)


def polylines(lines: Array) -> list[Array]:
    """The lines (m, 2) one by one, without those that have no two places."""
    lifted = np.flatnonzero(~np.isfinite(lines).all(axis=1))
    parts = np.split(lines, lifted)
    return [part for part in (part[np.isfinite(part).all(axis=1)] for part in parts) if len(part) > 1]


def joined(pieces: Iterable[Array]) -> Array:
    """Lines as one array (m, 2), rows of NaN between them."""
    parted = [part for piece in pieces for part in (piece, _LIFT)][:-1]
    return np.concatenate((NOWHERE, *parted))
