"""Marks: the things a picture is made of, as arrays in data coordinates.

A mark names a `role` ("boundary", "support vector", "class 3"), never a colour: `mlviz.draw.palette` turns roles into
ink. Marks with the same `label` share one entry of the legend; an empty label has none. Marks that sit on samples carry
`rows`: the painter looks the samples' places up in the current data set, so that they follow the hand before the next
fit arrives.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlviz.numerics.arrays import Array

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Mark:
    """What all marks have in common."""

    role: str
    label: str = dataclasses.field(default="", kw_only=True)


@dataclass(frozen=True, eq=False)
class Points(Mark):
    """Symbols at xy (m, 2). `size` (m,) scales each symbol; `rows` (m,) ties them to samples.

    `mix` (m, k) fills each symbol with the colours of classes 0 to k - 1, mixed by these shares.
    """

    xy: Array
    size: Array | None = None
    rows: Rows | None = None
    mix: NDArray[np.float32] | None = None


@dataclass(frozen=True, eq=False)
class Lines(Mark):
    """One or several polylines: xy (m, 2), rows of NaN lift the pen."""

    xy: Array


@dataclass(frozen=True, eq=False)
class Segments(Mark):
    """m segments from start (m, 2) to end (m, 2). `rows` (m,) ties the starts to samples."""

    start: Array
    end: Array
    rows: Rows | None = None


@dataclass(frozen=True, eq=False)
class Arrows(Mark):
    """m arrows from start (m, 2) to their tips end (m, 2)."""

    start: Array
    end: Array


@dataclass(frozen=True, eq=False)
class Polygons(Mark):
    """Closed polygons, each (m, 2): bars, bands, squares."""

    vertices: tuple[Array, ...]


@dataclass(frozen=True, eq=False)
class Ellipses(Mark):
    """Ellipses about center (m, 2); the columns of axes (m, 2, 2) are the two half-axes."""

    center: Array
    axes: Array


@dataclass(frozen=True, eq=False)
class Field(Mark):
    """A shaded regular grid, nodes x (nx,) and y (ny,).

    `strength` (ny, nx) uint8 is how strong the ink is, 0 to 255. `classes` (ny, nx) uint8 gives each node the tint of
    its class; without it the strength is a diverging scale with its neutral at 128. With `cover` it is the opacity of
    the role's fill, laid over the field below. `cells` (ny, nx) are the values of nodes between which there is nothing:
    each is one even cell.
    """

    x: Array
    y: Array
    strength: NDArray[np.uint8]
    classes: NDArray[np.uint8] | None = None
    cover: bool = False
    cells: Array | None = None


@dataclass(frozen=True, eq=False)
class Text(Mark):
    """Words beside xy (m, 2), one string each; `centered` puts them on the very place, as numbers on contours."""

    xy: Array
    words: tuple[str, ...]
    centered: bool = False


AnyMark = TypeVar("AnyMark", bound=Mark)


def affine(mark: AnyMark, scale: ArrayLike, shift: ArrayLike) -> AnyMark:
    """The mark after every place p became ``scale * p + shift``; scale and shift are (2,), scale not 0."""
    a, b = np.asarray(scale, dtype=np.float64), np.asarray(shift, dtype=np.float64)

    def place(xy: Array) -> Array:
        return xy * a + b

    match mark:
        case Points() | Lines() | Text():
            return dataclasses.replace(mark, xy=place(mark.xy))
        case Segments() | Arrows():
            return dataclasses.replace(mark, start=place(mark.start), end=place(mark.end))
        case Polygons():
            return dataclasses.replace(mark, vertices=tuple(place(v) for v in mark.vertices))
        case Ellipses():
            return dataclasses.replace(mark, center=place(mark.center), axes=mark.axes * a[:, None])
        case Field():
            return dataclasses.replace(mark, x=a[0] * mark.x + b[0], y=a[1] * mark.y + b[1])
    raise TypeError(f"not a mark: {mark!r}")
