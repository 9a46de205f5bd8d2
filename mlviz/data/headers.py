"""The lines above the numbers of a table: which one names the columns, and which one gives their units."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from mlviz.data.cells import is_missing, is_number

_SAMPLE = 200
_YEARS = range(1500, 2201)


def is_header(rows: Sequence[list[str]], width: int) -> bool:
    """Whether the first row names the columns: no number in it stands over numbers, or the numbers only count."""
    below = [row for row in rows[1 : 1 + _SAMPLE] if len(row) == width]
    first = rows[0][:width]
    if len(first) < width - 1:
        return False
    over = [i for i, cell in enumerate(first) if is_number(cell) and _mostly_numbers([row[i] for row in below])]
    return not over or (len(first) == width and _counts(first, below, over))


def _mostly_numbers(cells: Sequence[str]) -> bool:
    return sum(map(is_number, cells)) * 2 >= len(cells)


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
    numeric = [i for i in range(len(row)) if below and all(is_number(other[i]) for other in below)]
    return bool(numeric) and not any(map(is_number, row)) and any(not is_missing(row[i]) for i in numeric)


def distinct(names: Sequence[str] | None, width: int) -> tuple[str, ...]:
    """Names that are not empty and differ from one another."""
    result: list[str] = []
    taken: set[str] = set()
    given = [" ".join(name.split()) for name in names or ()]
    given += [""] * (width - len(given))
    for number, name in enumerate(given[:width], start=1):
        name = name or f"column {number}"
        candidate, copy = name, 2
        while candidate in taken:
            candidate, copy = f"{name} ({copy})", copy + 1
        taken.add(candidate)
        result.append(candidate)
    return tuple(result)
