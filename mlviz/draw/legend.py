"""The legend: one entry a label, made from the marks themselves, placed where it hides least."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlviz.draw.marks import Arrows, Field, Lines, Mark, Points, Polygons, Segments, Text
from mlviz.draw.palette import grey_code

SAMPLE = 3
"""What hiding a sample counts, against a place on a mark."""
WORD = 5
"""What hiding a word or number counts."""
ON_A_LINE = 100
"""So many places stand for a line."""
Shape = Literal["sample", "hollow", "symbol", "line", "arrow", "patch"]


@dataclass(frozen=True)
class Swatch:
    """A small picture before a word: a shape in the ink of a role, a symbol `size` times its usual size."""

    shape: Shape
    role: str
    size: float = 1.0


@dataclass(frozen=True)
class Entry:
    """A word, and what stands before it, drawn over each other."""

    label: str
    swatches: tuple[Swatch, ...]


def entries(
    marks: Iterable[Mark],
    labels: NDArray[np.intp] | None = None,
    class_names: Sequence[str] = (),
    held_out: NDArray[np.bool_] | None = None,
) -> tuple[Entry, ...]:
    """One entry a class that is present, one for held-out samples, one a label of the marks, in paint order.

    `labels` (n,) are the class codes of the samples, or `palette.plain` ones, `held_out` (n,) marks the test samples.
    """
    found: list[Entry] = []
    codes = sorted(np.unique(labels).tolist(), key=lambda c: max(c, grey_code(c))) if labels is not None else []
    for code in codes:
        known = code if code >= 0 else grey_code(code)
        name = class_names[known] if known < len(class_names) else f"class {known + 1}"
        if len(codes) == 1 and name == f"class {known + 1}":
            name = "samples"  # where nobody spoke of classes
        found.append(Entry(name, (Swatch("sample", f"class {code}"),)))
    if codes and held_out is not None and held_out.any():
        found.append(Entry("held out", (Swatch("hollow", f"class {codes[0]}"),)))
    by_label: dict[str, list[Swatch]] = {}
    for mark in marks:
        if mark.label:
            swatches = by_label.setdefault(mark.label, [])
            swatch = _swatch(mark)
            if swatch not in swatches:
                swatches.append(swatch)
    return (*found, *(Entry(label, tuple(swatches)) for label, swatches in by_label.items()))


def _swatch(mark: Mark) -> Swatch:
    match mark:
        case Points():
            some = mark.size is not None and len(mark.size)
            return Swatch("symbol", mark.role, round(float(np.median(mark.size)), 2) if some else 1.0)  # type: ignore[arg-type]
        case Polygons() | Field():
            return Swatch("patch", mark.role)
        case Arrows():
            return Swatch("arrow", mark.role)
    return Swatch("line", mark.role)


def anchors(marks: Iterable[Mark]) -> NDArray[np.float64]:
    """Some places (m, 2) on the marks that a legend should rather not hide."""
    found = [np.empty((0, 2))]
    for mark in marks:
        match mark:
            case Points():
                found.append(mark.xy)
            case Text():
                found.append(np.repeat(mark.xy, WORD, axis=0))
            case Lines() if len(mark.xy):
                # Straight lines have few corners, contours many.
                along = np.linspace(0, len(mark.xy) - 1, ON_A_LINE)
                found.append(np.stack([np.interp(along, np.arange(len(mark.xy)), part) for part in mark.xy.T], axis=1))
            case Segments() | Arrows():
                found.append(mark.end)
    return np.concatenate(found)


def corner(
    size: tuple[float, float], area: tuple[float, float, float, float], places: ArrayLike, others: ArrayLike = ()
) -> tuple[float, float]:
    """Where the top left of a box of that size (w, h) goes in area (left, top, w, h).

    It is the corner that hides least of the samples' places (n, 2), `SAMPLE` times, and of the others (m, 2), all in
    pixels. Of equal ones the order is top right, top left, bottom right, bottom left.
    """
    left, top, width, height = area
    right, bottom = left + width - size[0], top + height - size[1]

    def hidden(at: tuple[float, float], xy: NDArray[np.float64]) -> int:
        return int(((xy >= at) & (xy <= (at[0] + size[0], at[1] + size[1]))).all(axis=1).sum())

    first, then = (np.asarray(xy, dtype=np.float64).reshape(-1, 2) for xy in (places, others))
    corners = ((right, top), (left, top), (right, bottom), (left, bottom))
    return min(corners, key=lambda at: SAMPLE * hidden(at, first) + hidden(at, then))


@dataclass(frozen=True)
class Layout:
    """Entries stand in columns of the given widths, `rows` in each."""

    rows: int
    widths: tuple[float, ...]


def layout(widths: Sequence[float], row_height: float, room: tuple[float, float]) -> Layout | None:
    """How entries of those widths fit in room (w, h): in one column, else in several; None where they don't."""
    n = len(widths)
    deep = int(room[1] // row_height)
    for columns in range(1, n + 1):
        rows = -(-n // columns)
        made = tuple(max(widths[k : k + rows]) for k in range(0, n, rows))
        if rows <= deep and sum(made) <= room[0]:
            return Layout(rows, made)
    return None
