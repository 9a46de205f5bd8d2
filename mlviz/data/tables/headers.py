"""The lines above the numbers of a table: which one names the columns, and which one gives their units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, groupby, pairwise

import numpy as np

from mlviz.data.tables.cells import is_missing, is_number, unit_of_cell
from mlviz.data.tables.departures import Departure, departures, spelled
from mlviz.data.tables.formulas import name_in
from mlviz.spec.outside import listed

_SAMPLE = 200
CLASS_WORDS = frozenset(
    {"class", "classes", "label", "labels", "target", "species", "category", "kind", "type", "group", "y"}
    | {"cluster", "outcome", "diagnosis", "variety", "klasse", "classe", "clase"}
)
"""How columns of classes are called."""
TARGET_WORDS = frozenset({"y", "target", "outcome", "label", "labels"})
"""Those of them by which columns of values to be predicted are called too."""
FRACTION_WORDS = CLASS_WORDS - TARGET_WORDS
"""Those that are said of nothing else, so that fractions below them name classes too."""
_YEARS = range(1500, 2201)


def is_header(rows: Sequence[list[str]], width: int) -> bool:
    """Whether the first row names the columns: no number in it stands over numbers, or the numbers only count."""
    below = [row for row in rows[1 : 1 + _SAMPLE] if len(row) == width]
    first = rows[0][:width]
    if len(first) < width - 1:
        return False
    over = [i for i, cell in enumerate(first) if _continues(cell, [row[i] for row in below])]
    return not over or (len(first) == width and (_counts(first, below, over) or _names_classes(first, below)))


def _names_classes(first: Sequence[str], below: Sequence[list[str]]) -> bool:
    """Whether the last cell of a row, of numbers otherwise, is what a column of classes is called, and no class."""
    last = first[-1].strip().lower()
    return len(last) > 1 and last in CLASS_WORDS and all(row[-1].strip().lower() != last for row in below)


def _continues(cell: str, below: Sequence[str]) -> bool:
    """Whether a cell is a number over numbers, in the same unit if they have one."""
    if is_number(cell):
        return sum(map(is_number, below)) * 2 >= len(below)
    own = unit_of_cell(cell)
    return own is not None and sum(unit_of_cell(other) == own for other in below) * 2 >= max(1, len(below))


def is_group(rows: Sequence[list[str]], width: int) -> bool:
    """Whether the first row stands over the names of the columns and names groups of them, of two or more on average.

    A row of units below the names looks alike, but then the first row names most of the columns one by one.
    """
    if len(rows) < 3 or len(rows[0]) != width or len(rows[1]) != width:
        return False
    first, second = ([cell.strip() for cell in row] for row in rows[:2])
    groups = [name for name, _ in groupby(name for name in first if name)]
    below = [row for row in rows[2 : 2 + _SAMPLE] if len(row) == width]
    return 0 < 2 * len(groups) <= width < 2 * sum(map(bool, second)) and is_units(second, below)


def are_row_names(rows: Sequence[list[str]], width: int) -> bool:
    """Whether the first column, of one that the header does not name, names the rows: all differ, none is a fraction.

    Where too few numbers would be left to draw, the name that the header lacks is the last one.
    """
    first = [row[0].strip() for row in rows]
    if len(set(first)) < len(first) or any(is_number(cell) and not cell.isdecimal() for cell in first[:_SAMPLE]):
        return False
    numbers = [i for i in range(width) if all(is_number(row[i]) or is_missing(row[i]) for row in rows[:_SAMPLE])]
    return not (0 in numbers and len(numbers) == 2)


def _counts(first: Sequence[str], below: Sequence[list[str]], over: Sequence[int]) -> bool:
    """Whether the numbers of a row are the years or the numbers of its columns, and no sample."""
    if len(over) < 2 or not below or not all(first[i].strip().isdecimal() for i in over):
        return False
    values = [int(first[i]) for i in over]
    if any(b - a != 1 for a, b in pairwise(values)):
        return False
    if all(value in _YEARS for value in values):
        return not any(below[0][i].strip().isdecimal() and int(below[0][i]) in _YEARS for i in over)
    # Programs that number columns leave the place above the row names empty.
    others = [i for i in range(len(first)) if i not in over]
    return any(not first[i].strip() and below[0][i].strip() for i in others)


def is_units(row: Sequence[str], below: Sequence[list[str]]) -> bool:
    """Whether a row has no number, but words where the rows below have numbers."""
    if not below or any(map(is_number, row)):  # before the rest, which looks at every cell below
        return False
    return any(not is_missing(cell) and all(is_number(other[i]) for other in below) for i, cell in enumerate(row))


def distinct(names: Sequence[str] | None, width: int) -> tuple[str, ...]:
    """Names that are not empty and differ from one another."""
    taken: dict[str, None] = {}
    copies: dict[str, Iterator[int]] = {}
    given = [name_in(name) for name in names or ()]
    given += [""] * (width - len(given))
    for number, name in enumerate(given[:width], start=1):
        name = name or f"column {number}"
        candidate, copy = name, copies.setdefault(name, count(2))
        while candidate in taken:
            candidate = f"{name} ({next(copy)})"
        taken[candidate] = None
    return tuple(taken)


def header_departures(
    names: Sequence[str], called: Sequence[str], some: Sequence[int], line: int, width: int
) -> list[Departure]:
    """Where the names of the columns are not what stands in the header, in that line."""
    nameless = [called[i] for i in some if not is_named(names, i)]
    again = [called[i] for i in some if is_named(names, i) and called[i] != name_in(names[i])]
    more = [name for name in names[width:] if name.strip()]
    named = [names[i] for i in some if is_named(names, i)]
    return [
        *departures("no name", "column", f"without a name, here {listed(nameless)}", [line] * len(nameless)),
        *departures("same name", "column", f"with the name of another, here {listed(again)}", [line] * len(again)),
        *departures("header cells", "name", f"without a column left out: {listed(more)}", [line] * len(more)),
        *spelled(named, np.arange(len(named)), np.full(len(named), line), "of a column"),
    ]


def is_named(names: Sequence[str], column: int) -> bool:
    """Whether a column has a name that can be read."""
    return column < len(names) and bool(name_in(names[column]))
