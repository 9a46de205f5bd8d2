"""Marks: the things a picture is made of, as arrays in data coordinates.

A mark names a `role` ("boundary", "support vector", "class 3"), never a colour: `mlviz.draw.palette` turns roles into
ink. Marks with the same `label` share one entry of the legend; an empty label has none. Marks that sit on samples carry
`rows`: the painter looks the samples' places up in the current data set, so that they follow the hand before the next
fit arrives.

`Mark` is the union of all kinds. Each kind says for itself whatever one must know of it but how it is painted: a new
kind is a class here, and a case in `mlviz.ui.paint.painter`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlviz.draw.marks.base import NOWHERE, Anchors, BaseMark, Swatch
from mlviz.numerics.arrays import Array
from mlviz.numerics.sampling import subsample

_ALONG_A_LINE = 100
"""So many anchors stand for a line: straight lines have few corners, contours many."""
OUTLINE_ANCHORS = 24
"""So many stand for the outline of a polygon or an ellipse."""
MOST_LINES = 3000
"""More lines tied to samples are not told apart, and take long to draw."""
_SYMBOL_WEIGHT = 5.0
"""What hiding a symbol, a word or a number counts, against one of the anchors along a line."""


@dataclass(frozen=True, eq=False)
class Points(BaseMark):
    """Symbols at xy (m, 2). `size` (m,) scales each symbol.

    `mix` (m, k) fills each symbol with the colours of classes 0 to k - 1, mixed by these shares; `strength` (m,) uint8
    with the scale of a `Field` without classes.
    """

    xy: Array
    size: Array | None = None
    mix: NDArray[np.float32] | None = None
    strength: NDArray[np.uint8] | None = None

    in_data, shape, over_samples, readable = ("xy",), "symbol", True, True

    def swatch(self) -> Swatch:
        """A symbol of the usual size among these, or the whole scale of their fills."""
        if self.strength is not None:
            return Swatch("scale", self.role)
        size = 1.0 if self.size is None or not len(self.size) else round(float(np.median(self.size)), 2)
        return Swatch(self.shape, self.role, size)

    def anchors(self) -> Anchors:
        """The symbols."""
        return Anchors(self.xy, _SYMBOL_WEIGHT, self.sizes())

    def sizes(self) -> Array:
        """How many times its usual size each symbol (m,) is, within what can be drawn and seen."""
        if self.size is None:
            return np.ones(len(self.xy))
        return np.nan_to_num(np.asarray(self.size, dtype=np.float64), nan=1.0).clip(0.05, 20)


@dataclass(frozen=True, eq=False)
class Lines(BaseMark):
    """One or several polylines: xy (m, 2), rows of NaN lift the pen."""

    xy: Array

    in_data, readable = ("xy",), True

    def anchors(self) -> Anchors:
        """Places along the line."""
        return Anchors(_along(self.xy, _ALONG_A_LINE))


@dataclass(frozen=True, eq=False)
class Segments(BaseMark):
    """m segments from start (m, 2) to end (m, 2)."""

    start: Array
    end: Array

    in_data = ("start", "end")

    def thinned(self, share: int) -> Self:
        """The segments, or where they are tied 1 in `share` of them, spread like all of them."""
        if self.rows is None:
            return self
        order = np.lexsort((self.start[:, 1], self.start[:, 0]))
        chosen = subsample(order, -(-len(order) // share))
        return replace(self, start=self.start[chosen], end=self.end[chosen], rows=self.rows[chosen])


@dataclass(frozen=True, eq=False)
class Arrows(BaseMark):
    """m arrows from start (m, 2) to their tips end (m, 2)."""

    start: Array
    end: Array

    in_data, shape, over_samples = ("start", "end"), "arrow", True


@dataclass(frozen=True, eq=False)
class Polygons(BaseMark):
    """Closed polygons, each (m, 2): bars, bands, squares."""

    vertices: tuple[Array, ...]

    shape = "patch"

    def places(self) -> Array:
        """All corners."""
        return np.concatenate((NOWHERE, *self.vertices))

    def mapped(self, place: Callable[[Array], Array]) -> Self:
        """The polygons with their corners elsewhere."""
        return replace(self, vertices=tuple(place(corners) for corners in self.vertices))

    def anchors(self) -> Anchors:
        """Places along the rims."""
        # Bars come in dozens, with as many corners each.
        sizes = sorted({len(v) for v in self.vertices} - {0})
        rims = [_around(np.stack([v for v in self.vertices if len(v) == size])) for size in sizes]
        return Anchors(np.concatenate((NOWHERE, *rims)))


@dataclass(frozen=True, eq=False)
class Ellipses(BaseMark):
    """Ellipses about center (m, 2); the columns of axes (m, 2, 2) are the two half-axes."""

    center: Array
    axes: Array

    def places(self) -> Array:
        """Opposite corners of boxes around them."""
        reach = np.linalg.norm(self.axes, axis=2)
        return np.concatenate((self.center - reach, self.center + reach))

    def moved(self, scale: ArrayLike, shift: ArrayLike) -> Self:
        """The ellipses with their outlines moved."""
        a, b = np.asarray(scale, dtype=np.float64), np.asarray(shift, dtype=np.float64)
        matrix = np.diag(a) if a.ndim == 1 else a
        return replace(self, center=self.center @ matrix.T + b, axes=matrix @ self.axes)

    def anchors(self) -> Anchors:
        """Places along the outlines."""
        return Anchors(np.concatenate((NOWHERE, *self.outlines(OUTLINE_ANCHORS))))

    def outlines(self, count: int) -> list[Array]:
        """Places (count, 2) around each ellipse that is finite."""
        circle = _circle(count)
        finite = np.isfinite(self.center).all(axis=1) & np.isfinite(self.axes).all(axis=(1, 2))
        return [center + circle @ axes.T for center, axes in zip(self.center[finite], self.axes[finite], strict=True)]


@dataclass(frozen=True, eq=False)
class Field(BaseMark):
    """A shaded regular grid, nodes x (nx,) and y (ny,).

    `strength` (ny, nx) uint8 is how strong the ink is, 0 to 255. `classes` (ny, nx) uint8 gives each node the tint of
    its class; without it the strength is a diverging scale with its neutral at 128. With `cover` it is the opacity of
    the role's fill, laid over the field below. `cells` (ny, nx) are the values of nodes between which there is nothing:
    each is one even cell, called by `cell_name` with its place x and y, as "k({x:g}, {y:g})".
    """

    x: Array
    y: Array
    strength: NDArray[np.uint8]
    classes: NDArray[np.uint8] | None = None
    cover: bool = False
    cells: Array | None = None
    cell_name: str = ""
    extremes: tuple[int, int] | None = None
    """Which nodes, row by row, have the smallest and the largest value, where the scale ends before them."""

    shape, fills = "patch", True

    def places(self) -> Array:
        """The first and the last node."""
        return np.column_stack((self.x[[0, -1]], self.y[[0, -1]])) if self.strength.size else NOWHERE

    def moved(self, scale: ArrayLike, shift: ArrayLike) -> Self:
        """The grid moved, with the strengths as they are."""
        if np.ndim(scale) == 2:
            return self
        (a, c), (b, d) = np.asarray(scale, dtype=np.float64), np.asarray(shift, dtype=np.float64)
        return replace(self, x=self.x * a + b, y=self.y * c + d)

    def swatch(self) -> Swatch:
        """A patch of the role's ink, or the whole scale."""
        return Swatch("patch" if self.cover or self.classes is not None else "scale", self.role)

    def anchors(self) -> Anchors:
        """None: it is everywhere."""
        return Anchors(NOWHERE)


@dataclass(frozen=True, eq=False)
class Text(BaseMark):
    """Words beside xy (m, 2), one string each; `centered` puts them on the very place, as numbers on contours.

    With `above` they stand over it, as over bars, where there is room; otherwise to its upper right.
    `others` (m, k, 2) are places where each may stand as well, as elsewhere on its contour. Where there is none of
    these, k = 0, words stand in the middle of their place or nowhere: those of a cell would be read as another's.
    """

    xy: Array
    words: tuple[str, ...]
    centered: bool = False
    others: Array | None = None
    above: bool = False

    in_data, over_samples, margin = ("xy",), True, 0.12

    def mapped(self, place: Callable[[Array], Array]) -> Self:
        """The words with all their places elsewhere."""
        others = self.others
        moved = None if others is None else place(others.reshape(-1, 2)).reshape(others.shape)
        return replace(self, xy=place(self.xy), others=moved)

    def anchors(self) -> Anchors:
        """The places of the words."""
        return Anchors(self.xy, _SYMBOL_WEIGHT)


@lru_cache(maxsize=8)
def _circle(count: int) -> Array:
    """Places (count, 2) around the unit circle; not to be changed."""
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.column_stack((np.cos(angle), np.sin(angle)))


Mark: TypeAlias = Points | Lines | Segments | Arrows | Polygons | Ellipses | Field | Text
"""Any mark. Who must treat each kind in its own way ends with `assert_never`, so that the type checker misses none."""


def cell_words(role: str, xy: Array, words: Sequence[str]) -> Text:
    """Words in the middles of cells (m, 2), or nowhere."""
    return Text(role, xy, tuple(words), centered=True, others=np.empty((len(xy), 0, 2)))


def thin_marks(marks: Sequence[Mark]) -> tuple[tuple[Mark, ...], str]:
    """The marks with at most so many lines tied to samples, and a remark for the caption, empty where all are there.

    Of very many lines, which would be a black sheet, some stand for all.
    """
    share = -(
        -sum(len(mark.rows) for mark in marks if isinstance(mark, Segments) and mark.rows is not None) // MOST_LINES
    )
    if share <= 1:
        return tuple(marks), ""
    thinned = (mark.thinned(share) if isinstance(mark, Segments) else mark for mark in marks)
    return tuple(thinned), f"lines drawn for 1 in {share} samples"


def _around(polygons: Array) -> Array:
    """Places along the rims of polygons (m, k, 2), evenly by their corners."""
    k = polygons.shape[1]
    at = np.linspace(0, k, OUTLINE_ANCHORS)
    before = np.minimum(at.astype(np.intp), k - 1)
    share = (at - before)[:, None]
    with np.errstate(invalid="ignore"):  # a corner may be infinitely far away
        return np.reshape((1 - share) * polygons[:, before] + share * polygons[:, (before + 1) % k], (-1, 2))


def _along(xy: Array, count: int) -> Array:
    """Places (count, 2) along a polyline (m, 2), evenly by its corners; none where it has none."""
    if not len(xy):
        return NOWHERE
    at = np.linspace(0, len(xy) - 1, count)
    return np.stack([np.interp(at, np.arange(len(xy)), part) for part in xy.T], axis=1)


def ways(start: Array, end: Array, label: str = "") -> tuple[Mark, ...]:
    """Segments between places (m, 2), or (2,) where all begin or end alike; none where places have no two numbers."""
    start, end = np.broadcast_arrays(np.atleast_2d(start), end)
    return (Segments("neighbour", start, end, label=label),) if start.shape[1] == 2 else ()
