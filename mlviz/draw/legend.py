"""The legend: one entry a label, made from the marks themselves, placed where it hides least."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mlviz.draw.marks import Mark
from mlviz.draw.marks.base import NOWHERE, Swatch
from mlviz.draw.palette import class_in_grey, grey_code, ink
from mlviz.numerics.arrays import Array, Labels, Mask
from mlviz.spec.brief import Brief
from mlviz.spec.outside import shortened

SAMPLES = "samples"
"""What samples without classes are called."""


@dataclass(frozen=True)
class Entry:
    """A word, and what stands before it, drawn over each other."""

    label: str
    swatches: tuple[Swatch, ...]


def entries(
    marks: Iterable[Mark],
    labels: Labels | None = None,
    class_names: Sequence[str] = (),
    held_out: Mask | None = None,
    active: Mask | None = None,
) -> tuple[Entry, ...]:
    """One entry a class that is present, one for samples held out, one for those off, one a label of the marks.

    `labels` (n,) are the class codes of the samples, or a `grey_code` of them, `held_out` (n,) marks the test samples,
    and `active` (n,) those that are switched on.
    """
    found: list[Entry] = []
    codes = sorted(np.unique(labels).tolist(), key=lambda c: max(c, grey_code(c))) if labels is not None else []
    for code in codes:
        known = code if code >= 0 else grey_code(code)
        name = class_names[known] if known < len(class_names) else f"class {known + 1}"
        if len(codes) == 1 and name == f"class {known + 1}":
            name = SAMPLES  # where nobody spoke of classes
        found.append(Entry(shortened(name), (Swatch("sample", f"class {code}"),)))
    return (*found, *(_apart(f"class {codes[0]}", held_out, active) if codes else ()), *_of_marks(marks))


def entries_of_values(
    marks: Iterable[Mark],
    words: str,
    held_out: Mask | None = None,
    active: Mask | None = None,
) -> tuple[Entry, ...]:
    """The same of samples that have values: their scale, in such words, where no field of the marks has it already."""
    marks = tuple(marks)
    told = any(mark.role == "value" and mark.label and mark.swatch().shape == "scale" for mark in marks)
    scale = () if told else (Entry(words, (Swatch("scale", "value"),)),)
    return (*scale, *_apart("value", held_out, active), *_of_marks(marks))


def choices(found: tuple[Entry, ...]) -> Iterator[tuple[Entry, ...]]:
    """The entries, and fewer of them where there is less room: at last the classes.

    That samples are samples is seen without a word; what an area means is not, and then what its curve is.
    """
    yield found
    samples = tuple([entry for entry in found if entry.swatches[0].shape in ("sample", "hollow", "off")])
    if any([entry.label == SAMPLES for entry in samples]):
        yield tuple([entry for entry in found if entry.label != SAMPLES])
        areas = [entry for entry in found if entry.swatches[0].shape in ("patch", "scale")]
        if areas:
            yield tuple([entry for entry in found if entry in areas or entry.swatches[0].role == "curve"])
        yield tuple(areas)
    yield samples


def _apart(role: str, held_out: Mask | None, active: Mask | None) -> Iterator[Entry]:
    """An entry for samples held out and one for those off, where there are such; in that role."""
    if held_out is not None and held_out.any():
        yield Entry("held out", (Swatch("hollow", role),))
    if active is not None and not active.all():
        yield Entry("switched off", (Swatch("off", role),))


def _of_marks(marks: Iterable[Mark]) -> Iterator[Entry]:
    by_label: dict[str, dict[Swatch, None]] = {}
    for mark in marks:
        if mark.label:
            by_label.setdefault(mark.label, {})[mark.swatch()] = None  # equal ones once, in their order
    for label, swatches in by_label.items():
        yield Entry(label, _of_any_class(swatches))


def _of_any_class(swatches: Iterable[Swatch]) -> tuple[Swatch, ...]:
    """The swatches, a grey one for those that differ by their class alone: over each other, one would hide all."""
    by_kind: dict[Swatch, list[Swatch]] = {}
    for swatch in swatches:
        grey = class_in_grey(swatch.role)
        by_kind.setdefault(replace(swatch, role=grey) if grey else swatch, []).append(swatch)
    return tuple([kind if len(own) > 1 else own[0] for kind, own in by_kind.items()])


@dataclass(frozen=True, eq=False)
class Obstacles(Brief):
    """What a legend should rather not hide: something around each of places (m, 2), as far as `reach` (m,).

    `weight` (m,) is what hiding it counts. The places are data or pixels, the reach is pixels.
    """

    places: Array
    reach: Array
    weight: Array

    def some(self, most: int) -> Obstacles:
        """Not many more than `most` of them."""
        chosen = slice(None, None, max(1, len(self.places) // most))
        return Obstacles(self.places[chosen], self.reach[chosen], self.weight[chosen])

    def at(self, to_pixels: Callable[[Array], Array]) -> Obstacles:
        """The same, of data, in pixels."""
        return Obstacles(to_pixels(self.places), self.reach, self.weight)

    def hidden(self, corners: Sequence[tuple[float, float]], size: tuple[float, float]) -> list[float]:
        """What boxes of that size with their top left at some corners hide of them, in pixels."""
        (x, y), reach, (width, height) = self.places.T, self.reach, size
        left, right, top, bottom = x - reach, x + reach, y - reach, y + reach
        return [
            float(self.weight[(right > x0) & (left < x0 + width) & (bottom > y0) & (top < y0 + height)].sum())
            for x0, y0 in corners
        ]


def obstacles(marks: Iterable[Mark], scale: float = 1.0) -> Obstacles:
    """The anchors of the marks, with symbols `scale` times their usual size."""
    places, reaches, weights = [NOWHERE], [np.empty(0)], [np.empty(0)]
    for mark in marks:
        at, weight, size = mark.anchors()
        n = len(at)
        places.append(at)
        # The ink is alike in all themes.
        reaches.append(np.zeros(n) if size is None else ink(mark.role, "light").size * scale / 2 * size)
        weights.append(np.full(n, weight))
    return Obstacles(np.concatenate(places), np.concatenate(reaches), np.concatenate(weights))


def corner(
    size: tuple[float, float], area: tuple[float, float, float, float], samples: Obstacles, others: Obstacles
) -> tuple[float, float]:
    """Where the top left of a box of that size (w, h) goes in area (left, top, w, h), all in pixels.

    It is the corner that hides the fewest samples, and of several such ones that which hides least of the others. Of
    equal ones the order is top right, top left, bottom right, bottom left.
    """
    places = corners(size, area)
    hidden = list(zip(samples.hidden(places, size), others.hidden(places, size), strict=True))
    return places[hidden.index(min(hidden))]


def corners(size: tuple[float, float], area: tuple[float, float, float, float]) -> list[tuple[float, float]]:
    """Where the top left of a box of that size goes in the four corners of an area, in the order of preference."""
    left, top, width, height = area
    right, bottom = left + width - size[0], top + height - size[1]
    return [(right, top), (left, top), (right, bottom), (left, bottom)]


@dataclass(frozen=True)
class Layout:
    """Entries stand in columns of the given widths, `rows` in each."""

    rows: int
    widths: tuple[float, ...]


LaidOut = tuple[float, Layout, tuple[str, ...]]
"""The size of the words as a share of the style's text, the layout, and the words."""
Arranged = tuple[tuple[Entry, ...], LaidOut, tuple[float, float]]
"""The entries, how they are laid out, and where the top left of their box is."""


def has_scales(held: Arranged) -> bool:
    """Whether some of a legend's words are those of scales, which alone are told anew while it is held."""
    return any([entry.swatches[0].shape == "scale" for entry in held[0]])


def retold(held: Arranged, now: tuple[Entry, ...]) -> Arranged:
    """A legend that keeps its place and its size under the hand, with the words that its scales have by now."""
    found, (factor, made, words), at = held
    scales = {entry.swatches: entry for entry in now if entry.swatches[0].shape == "scale"}
    told = tuple([scales.get(entry.swatches, entry) for entry in found])
    changed = zip(found, told, words, strict=True)
    return told, (factor, made, tuple([word if a == b else b.label for a, b, word in changed])), at


def layout(widths: Sequence[float], row_height: float, room: tuple[float, float]) -> Layout | None:
    """How entries of those widths fit in room (w, h): in one column, else in several; None where they don't."""
    n = len(widths)
    deep = int((room[1] + 1e-6) // row_height)  # a room made for so many rows has them
    for columns in range(1, n + 1):
        rows = -(-n // columns)
        made = tuple(max(widths[k : k + rows]) for k in range(0, n, rows))
        if rows <= deep and sum(made) <= room[0] + 1e-6:
            return Layout(rows, made)
    return None
