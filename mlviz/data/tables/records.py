"""From the text of a table to records: separator, quotes, lines before the table, header, ragged rows."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from mlviz.data.tables.cells import looks_numeric, unit_of_cell
from mlviz.data.tables.decoding import BadTable
from mlviz.data.tables.headers import are_row_names, distinct, is_group, is_header, is_units

_MAX_COLUMNS = 5000
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blanks"}
"""What may stand between cells, in the order of preference, and what it is called; a blank is any run of blanks."""
_OPENING = 40
"""How many lines from the start are kept as they are, to be looked at."""
_SAMPLE = 200
_LONGEST_CELL = 200
"""How many lines a quoted cell may span; beyond that the quote was not meant as one."""

Role = Literal["above", "header", "units", "row", "ragged", "footer"]


@dataclass(frozen=True)
class TableLine:
    """A line from the start of a table: where it is in the file, its cells as they are there, and what it is."""

    number: int
    cells: tuple[str, ...]
    role: Role


@dataclass(frozen=True, eq=False)
class Records:
    """The cells of a table by columns, the header apart.

    `lines` (n,) says in which line of the file each record starts; `separator` is what stood between the cells.
    `above`, `units` and `ragged` are the lines of what is no record, `opening` the first lines of all; rows have
    `width` cells, of which the first is left out where `row_names`.
    """

    names: tuple[str, ...]
    columns: tuple[Sequence[str], ...]
    lines: Sequence[int]
    separator: str
    width: int
    header: bool
    row_names: bool
    above: int
    units: Sequence[int]
    ragged: Sequence[int]
    opening: tuple[TableLine, ...]


def read_records(text: str, separator: str | None = None, header: bool | None = None) -> Records:
    """The records of a text; what is not given is found out. Raises `BadTable`."""
    lines = text.split("\n")
    start, comment, declared = _beginning(lines)
    if start == len(lines):
        raise BadTable("The file is empty.")
    sample = _unwrapped(lines, start)
    separator = separator or declared or _separator(sample)
    width, _ = _common_width([row for _, row in _split(sample, separator, None)])
    if width > _MAX_COLUMNS:
        raise BadTable(f"The table has {width:,} columns; at most {_MAX_COLUMNS:,} can be read.")
    rows: list[list[str]] = []
    starts: list[int] = []
    for offset, row in _split(lines[start:], separator, width):
        rows.append(row)
        starts.append(start + offset + 1)
    # Separators at the end of the lines make columns of nothing.
    while width > 1 and not any(row[width - 1].strip() for row in rows if len(row) >= width):
        width -= 1
    above = [TableLine(i, (line,), "above") for i, line in enumerate(lines[:start], start=1) if line.strip()]
    return _shape(rows, starts, width, separator, header, comment, above)


def _beginning(lines: Sequence[str]) -> tuple[int, str, str | None]:
    """Where the table starts; the last comment before it; the separator that a line for a spreadsheet names."""
    comment, declared = "", None
    for index, line in enumerate(lines):
        if line.lower().startswith("sep=") and len(line) == 5:
            declared = line[4]
        elif line.strip() and not line.startswith("#"):
            return index, comment, declared
        else:
            comment = line.lstrip("#").strip()
    # Where every line begins with the sign for comments, it belongs to the cells: colours, say.
    return (0, "", declared) if len([line for line in lines if line.strip()]) > 2 else (len(lines), comment, declared)


def _unwrapped(lines: list[str], start: int) -> list[str]:
    """The first lines of the table; where each line as a whole is in quotes, they are taken off all lines."""
    sample = [line for line in lines[start : start + _SAMPLE] if line.strip()]
    if all(len(line) > 2 and line[0] == line[-1] == '"' for line in sample):
        inner = [_single_cell(line) for line in sample]
        if all(cell is not None and any(s in cell for s in SEPARATORS if s != " ") for cell in inner):
            lines[start:] = [_single_cell(line) or line for line in lines[start:]]
    return lines[start : start + _SAMPLE]


def _single_cell(line: str) -> str | None:
    """What is inside the quotes around a line; None where they are those of several cells."""
    inside = line.strip()[1:-1].replace('""', "\0")
    return None if '"' in inside else inside.replace("\0", '"')


def _separator(lines: Sequence[str]) -> str:
    """The separator under which most lines have the same number of cells, at least two, and most cells are numbers."""
    order = list(SEPARATORS)

    def merit(separator: str) -> tuple[float, float, int]:
        rows = [row for _, row in _split(lines, separator, None)]
        width, count = _common_width(rows)
        if width < 2:
            return 0.0, 0.0, -order.index(separator)
        cells = [cell for row in rows for cell in row]
        # What looks like a unit may be the next cell.
        numeric = sum(1.0 if looks_numeric(cell) else 0.7 * (unit_of_cell(cell) is not None) for cell in cells) / len(
            cells
        )
        agreement = count / len(rows)
        # A stray ragged line or two must not outweigh that the cells make sense.
        return round(agreement, 1) + numeric, agreement, -order.index(separator)

    return max(SEPARATORS, key=merit)


def _common_width(rows: Sequence[list[str]]) -> tuple[int, int]:
    """How many cells most rows have, and how many rows those are."""
    return Counter(map(len, rows)).most_common(1)[0]


def _split(lines: Sequence[str], separator: str, width: int | None) -> Iterator[tuple[int, list[str]]]:
    """The records that are not empty, each with the index of its first line."""
    index = 0
    while index < len(lines):
        line, used = lines[index], 1
        if '"' in line:
            row, used = _split_quoted(lines, index, separator, width)
        else:
            row = line.split(None if separator == " " else separator)
        if len(row) > 1 or line.strip():
            yield index, row
        index += used


def _split_quoted(lines: Sequence[str], index: int, separator: str, width: int | None) -> tuple[list[str], int]:
    """The record that starts in a line with a quote, and how many lines it takes."""
    line = lines[index]
    literal = line.split(None if separator == " " else separator)
    if len(literal) == width and all(_plain(cell) for cell in literal):
        # The usual case, without the machinery for quotes that span cells and lines.
        return [cell.strip('"') for cell in literal], 1
    last = min(len(lines), index + _LONGEST_CELL)
    reader = csv.reader(
        (lines[i] + "\n" for i in range(index, last)), delimiter=separator, skipinitialspace=True, strict=True
    )
    try:
        row = next(reader)
    except (csv.Error, StopIteration):
        return literal, 1
    # A quote never closed swallows lines up to the next stray quote: the number of cells gives it away.
    swallowed = reader.line_num > 1 and len(row) != width and len(literal) == width
    return (literal, 1) if swallowed else (row, reader.line_num)


def _plain(cell: str) -> bool:
    """Whether a cell has no quote, or one at each end and none inside."""
    quotes = cell.count('"')
    return quotes == 0 or (quotes == 2 and len(cell) > 1 and cell[0] == cell[-1] == '"')


def _shape(
    rows: list[list[str]],
    starts: list[int],
    width: int,
    separator: str,
    header: bool | None,
    comment: str,
    above: Sequence[TableLine],
) -> Records:
    begin = list(zip(starts[:_OPENING], rows[:_OPENING], strict=True))
    first = next((i for i, row in enumerate(rows) if _begins(row, rows[i + 1 : i + 2], width)), 0)
    first += header is not False and is_group(rows[first : first + _SAMPLE], width)
    left_out = starts[:first]
    del rows[:first], starts[:first]
    names, from_row = _names(rows, width, separator, header, comment)
    head = starts[: int(from_row)]
    del rows[: len(head)], starts[: len(head)]
    units: list[int] = []
    if names and rows and len(rows[0]) == width and is_units(rows[0], [r for r in rows[1:_SAMPLE] if len(r) == width]):
        units = starts[:1]
        del rows[0], starts[0]
    kept, kept_lines, ragged = _even(rows, starts, width)
    columns: list[Sequence[str]] = list(zip(*kept, strict=True)) if kept else [() for _ in range(width)]
    # Columns left empty between others are for the eye.
    named = {i for i, name in enumerate(names or ()) if name.strip()}
    some = [i for i, c in enumerate(columns) if i in named or not kept or any(map(str.strip, c))] or [0]
    row_names = names is not None and len(names) == width - 1 > 1 and are_row_names(kept, width)
    if names and row_names:
        names = ["", *names]
        some = some[1:] if some[0] == 0 else some
    groups: dict[Role, Sequence[int]] = {"above": left_out, "ragged": ragged, "units": units, "header": head}
    roles = {number: role for role, numbers in groups.items() for number in numbers}
    shown = ((number, [row[i] for i in some] if len(row) >= width else row) for number, row in begin)
    opening = (TableLine(number, tuple(cells), roles.get(number, "row")) for number, cells in shown)
    all_names = distinct(names, width)
    return Records(
        names=tuple(all_names[i] for i in some),
        columns=tuple(columns[i] for i in some),
        lines=kept_lines,
        separator=separator,
        width=width,
        header=names is not None,
        row_names=row_names,
        above=first,
        units=units,
        ragged=ragged,
        opening=(*above, *opening)[:_OPENING],
    )


def _begins(row: list[str], following: Sequence[list[str]], width: int) -> bool:
    """Whether a table can begin with that row: header lines may lack the cell above the row names."""
    lacks_one = len(row) == width - 1 > 1
    return len(row) >= width or (lacks_one and any(len(other) >= width for other in following))


def _names(
    rows: Sequence[list[str]], width: int, separator: str, header: bool | None, comment: str
) -> tuple[Sequence[str] | None, bool]:
    """The names of the columns, if they have any, and whether these are the first row."""
    if rows and (is_header(rows, width) if header is None else header):
        return rows[0], True
    above = comment.split(None if separator == " " else separator)
    return (above if header is None and len(above) == width > 1 else None), False


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
