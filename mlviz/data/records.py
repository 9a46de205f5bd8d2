"""From the text of a table to records: separator, quotes, lines before the table, header, ragged rows."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mlviz.data.cells import is_number, looks_numeric
from mlviz.data.decoding import BadTable

MAX_COLUMNS = 1000
_SEPARATORS = (",", ";", "\t", "|", " ")
"""In the order of preference; a blank stands for any run of blanks."""
_SAMPLE = 200
_LONGEST_CELL = 200
"""How many lines a quoted cell may span; beyond that the quote was not meant as one."""


@dataclass(frozen=True, eq=False)
class Records:
    """The cells of a table by columns, the header apart.

    `lines` (n,) says in which line of the file each record starts; `separator` is what stood between the cells.
    """

    names: tuple[str, ...]
    columns: tuple[Sequence[str], ...]
    lines: Sequence[int]
    separator: str
    notes: tuple[str, ...]


def read_records(text: str) -> Records:
    """The records of a text; raises `BadTable`."""
    lines = text.split("\n")
    start, comment = _comments(lines)
    if start == len(lines):
        raise BadTable("The file is empty.")
    separator = _separator(lines[start : start + _SAMPLE])
    width = _common_width(list(_split(lines[start : start + _SAMPLE], separator, None)))
    if width > MAX_COLUMNS:
        raise BadTable(f"The table has {width} columns; at most {MAX_COLUMNS} can be read.")
    rows: list[list[str]] = []
    starts: list[int] = []
    for offset, row in _split(lines[start:], separator, width):
        rows.append(row)
        starts.append(start + offset + 1)
    # Separators at the end of the lines make columns of nothing.
    while width > 1 and not any(row[width - 1].strip() for row in rows if len(row) >= width):
        width -= 1
    return _shape(rows, starts, width, separator, comment)


def _comments(lines: Sequence[str]) -> tuple[int, str]:
    """Where the table starts after empty lines and comments, and the last comment right before it."""
    comment = ""
    for index, line in enumerate(lines):
        if line.strip() and not line.startswith("#"):
            return index, comment
        comment = line.lstrip("#").strip()
    return len(lines), comment


def _separator(lines: Sequence[str]) -> str:
    """The separator under which most lines have the same number of cells, at least two, and most cells are numbers."""

    def merit(separator: str) -> tuple[float, float, int]:
        rows = [row for _, row in _split(lines, separator, None)]
        width, count = Counter(map(len, rows)).most_common(1)[0]
        if width < 2:
            return 0.0, 0.0, 0
        cells = [cell for row in rows for cell in row]
        numeric = sum(map(looks_numeric, cells)) / len(cells)
        agreement = count / len(rows)
        # A stray ragged line or two must not outweigh that the cells make sense.
        return round(agreement, 1) + numeric, agreement, -_SEPARATORS.index(separator)

    return max(_SEPARATORS, key=merit)


def _common_width(rows: Sequence[tuple[int, list[str]]]) -> int:
    return Counter(len(row) for _, row in rows).most_common(1)[0][0]


def _split(lines: Sequence[str], separator: str, width: int | None) -> Iterator[tuple[int, list[str]]]:
    """The records that are not empty, each with the index of its first line."""
    index = 0
    while index < len(lines):
        line, used = lines[index], 1
        if '"' in line:
            row, used = _split_quoted(lines, index, separator, width)
        else:
            row = line.split() if separator == " " else line.split(separator)
        if len(row) > 1 or line.strip():
            yield index, row
        index += used


def _split_quoted(lines: Sequence[str], index: int, separator: str, width: int | None) -> tuple[list[str], int]:
    """The record that starts in a line with a quote, and how many lines it takes."""
    line = lines[index]
    literal = line.split(None if separator == " " else separator)
    last = min(len(lines), index + _LONGEST_CELL)
    reader = csv.reader(
        (lines[i] + "\n" for i in range(index, last)), delimiter=separator, skipinitialspace=True, strict=True
    )
    try:
        row = next(reader)
        # A quote never closed swallows lines up to the next stray quote: the number of cells gives it away.
        swallowed = reader.line_num > 1 and len(row) != width and len(literal) == width
        if not swallowed:
            return row, reader.line_num
    except (csv.Error, StopIteration):
        pass
    return literal, 1


def _shape(rows: list[list[str]], starts: list[int], width: int, separator: str, comment: str) -> Records:
    notes: list[str] = []
    names: list[str] | None = None
    least = width - 1 if width > 2 else width
    first = next((i for i, row in enumerate(rows) if len(row) >= least), 0)
    if first:
        notes.append(f"{_count(first, 'line')} before the table left out.")
        del rows[:first], starts[:first]
    if _is_header(rows, width):
        names = rows[0]
        del rows[0], starts[0]
    elif len(_cells_of(comment, separator)) == width:
        names = _cells_of(comment, separator)
    kept, kept_lines, ragged = _even(rows, starts, width)
    if ragged:
        notes.append(
            f"{_count(len(ragged), 'row')} skipped for having more or less than {width} cells, "
            f"the first in line {ragged[0]}."
        )
    columns: list[Sequence[str]] = list(zip(*kept, strict=True)) if kept else [() for _ in range(width)]
    if names and len(names) == width - 1:
        names = ["row", *names]  # statistics programs leave the column of row names without a header
    return Records(_distinct(names, width), tuple(columns), kept_lines, separator, tuple(notes))


def _cells_of(line: str, separator: str) -> list[str]:
    return line.split() if separator == " " else line.split(separator)


def _is_header(rows: Sequence[list[str]], width: int) -> bool:
    """Whether the first row names the columns: no number in it stands over numbers."""
    below = [row for row in rows[1 : 1 + _SAMPLE] if len(row) == width]
    if len(rows[0]) < width - 1:
        return False
    return not any(
        is_number(cell) and sum(is_number(row[i]) for row in below) * 2 >= len(below)
        for i, cell in enumerate(rows[0][:width])
    )


def _even(rows: list[list[str]], starts: list[int], width: int) -> tuple[list[list[str]], list[int], list[int]]:
    """The rows of the common width and their lines, and the lines of those that are not."""
    kept: list[list[str]] = []
    lines: list[int] = []
    ragged: list[int] = []
    for row, line in zip(rows, starts, strict=True):
        if len(row) != width:
            if len(row) < width or any(map(str.strip, row[width:])):
                ragged.append(line)
                continue
            row = row[:width]
        kept.append(row)
        lines.append(line)
    return kept, lines, ragged


def _distinct(names: Sequence[str] | None, width: int) -> tuple[str, ...]:
    """Names that are not empty and differ from one another."""
    result: list[str] = []
    given = [" ".join(name.split()) for name in names or ()]
    given += [""] * (width - len(given))
    for number, name in enumerate(given[:width], start=1):
        name = name or f"column {number}"
        candidate, copy = name, 2
        while candidate in result:
            candidate, copy = f"{name} ({copy})", copy + 1
        result.append(candidate)
    return tuple(result)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' if number != 1 else ''}"
