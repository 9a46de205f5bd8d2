"""From the lines of a table to cells: what stands between them, and quotes around them."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any

from mlviz.data.tables.cells import looks_numeric, unit_of_cell
from mlviz.data.tables.departures import Departure, departures

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blanks"}
"""What may stand between cells, in the order of preference, and what it is called; a blank is any run of blanks."""
SAMPLE = 200
"""So many lines are looked at where something is to be found out."""
_SAMPLE_SIGNS = 100_000
"""Of long lines only as many are looked at as have so many signs together."""
_FEWEST = 20
"""However long they are, so many are looked at."""
_LONGEST_CELL = 200
"""How many lines a quoted cell may span; beyond that the quote was not meant as one."""


def unwrapped(lines: list[str], start: int) -> tuple[list[str], list[Departure]]:
    """The first lines of the table; where each line as a whole is in quotes, they are taken off all lines."""
    first = _first(lines, start)
    sample = [line for line in first if line.strip()]
    wrapped: list[int] = []
    if all(len(line) > 2 and line[0] == line[-1] == '"' for line in sample):
        inner = [_single_cell(line) for line in sample]
        if all(cell is not None and any(s in cell for s in SEPARATORS if s != " ") for cell in inner):
            for index, line in enumerate(lines[start:], start=start):
                if cell := _single_cell(line):
                    lines[index] = cell
                    wrapped.append(index + 1)
    return lines[start : start + len(first)], departures("quoted lines", "line", "in quotes as a whole", wrapped)


def _first(lines: Sequence[str], start: int) -> list[str]:
    """The lines that are looked at: of long ones fewer, so that looking never takes longer than reading."""
    first, room = lines[start : start + SAMPLE], _SAMPLE_SIGNS
    for n, line in enumerate(first):
        room -= len(line)
        if room < 0:
            return list(first[: max(n, _FEWEST)])
    return list(first)


def _single_cell(line: str) -> str | None:
    """What is inside the quotes around a line; None where they are those of several cells."""
    inside = line.strip()[1:-1].replace('""', "\0")
    return None if '"' in inside else inside.replace("\0", '"')


def guess_separator(lines: Sequence[str]) -> str:
    """The separator under which most lines have the same number of cells, at least two, and most cells are numbers."""
    order = list(SEPARATORS)

    def merit(separator: str) -> tuple[float, float, int]:
        rows = [row for _, row in split(lines, separator, None, [])]
        width, count = common_width(rows)
        if width < 2:
            return 0.0, 0.0, -order.index(separator)
        # What looks like a unit may be the next cell.
        cells = Counter(chain.from_iterable(rows))
        likely = ((n, 1.0 if looks_numeric(c) else 0.7 * (unit_of_cell(c) is not None)) for c, n in cells.items())
        numeric = sum(n * share for n, share in likely) / cells.total()
        agreement = count / len(rows)
        # A stray ragged line or two must not outweigh that the cells make sense.
        return round(agreement, 1) + numeric, agreement, -order.index(separator)

    return max(SEPARATORS, key=merit)


def common_width(rows: Sequence[list[str]]) -> tuple[int, int]:
    """How many cells most rows have, and how many rows those are."""
    return Counter(map(len, rows)).most_common(1)[0]


def split(
    lines: Sequence[str], separator: str, width: int | None, quotes: list[int], start: int = 0
) -> Iterator[tuple[int, list[str]]]:
    """The records that are not empty, each with the index of its first line.

    The numbers of lines with a quote that is no more than a sign go into `quotes`.
    """
    index = start
    while index < len(lines):
        line, used = lines[index], 1
        if '"' in line:
            row, used, odd = _split_quoted(lines, index, separator, width)
            if odd:
                quotes.append(index + 1)
        else:
            row = line.split(None if separator == " " else separator)
        if len(row) > 1 or line.strip():
            yield index, row
        index += used


def _split_quoted(lines: Sequence[str], index: int, separator: str, width: int | None) -> tuple[list[str], int, bool]:
    """The record that starts in a line with a quote, how many lines it takes, and whether the quote is doubtful."""
    line = lines[index]
    literal = line.split(None if separator == " " else separator)
    if len(literal) == width and line.count('"') % 2 == 0 and all(map(_plain, literal)):
        # The usual case, without the machinery for quotes that span cells and lines; an odd quote is never one of it.
        return [cell.strip('"') for cell in literal], 1, False
    last = min(len(lines), index + _LONGEST_CELL)
    reader = csv.reader((lines[i] + "\n" for i in range(index, last)), _dialect(separator))
    try:
        row = next(reader)
    except (csv.Error, StopIteration):
        return literal, 1, True
    # A quote never closed swallows lines up to the next stray quote: the number of cells gives it away.
    odd = reader.line_num > 1 and len(row) != width
    swallowed = (line.split(None if separator == " " else separator) for line in lines[index : index + reader.line_num])
    if odd and any(len(cells) == width for cells in swallowed):
        return literal, 1, True
    return row, reader.line_num, odd


@cache
def _dialect(separator: str) -> Any:
    """How quotes are read between such separators; made once, for that takes longer than most lines."""
    return csv.reader((), delimiter=separator, skipinitialspace=True, strict=True).dialect


def _plain(cell: str) -> bool:
    """Whether a cell has no quote, or one at each end and none inside."""
    quotes = cell.count('"')
    return quotes == 0 or (quotes == 2 and len(cell) > 1 and cell[0] == cell[-1] == '"')
