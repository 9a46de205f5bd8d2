"""From the text of a table to records: lines before the table, header, ragged rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from mlviz.data.tables.decoding import BadTable
from mlviz.data.tables.departures import Departure, departures
from mlviz.data.tables.headers import (
    are_row_names,
    distinct,
    header_departures,
    is_group,
    is_header,
    is_named,
    is_units,
)
from mlviz.data.tables.splitting import SAMPLE, common_width, guess_separator, split, unwrapped
from mlviz.draw.numbers import counted
from mlviz.spec.brief import Brief

_MAX_COLUMNS = 5000
_OPENING = 40
"""How many lines from the start are kept as they are, to be looked at."""

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
    `opening` are the first lines of all, `departures` what of the lines is not in the columns.
    """

    names: tuple[str, ...]
    columns: tuple[Sequence[str], ...]
    lines: Sequence[int]
    separator: str
    header: bool
    departures: list[Departure]
    opening: tuple[TableLine, ...]


@dataclass(frozen=True, eq=False)
class Lines(Brief):
    """The cells of a table line by line, before it is asked which lines are which.

    `starts` says in which line of the file each row begins; most rows are so `wide`. `comment` is the last one before
    them, `above` are the lines before them, `departures` how the lines are not what stands in the file.
    """

    rows: Sequence[list[str]]
    starts: Sequence[int]
    wide: int
    separator: str
    comment: str
    above: Sequence[TableLine]
    departures: Sequence[Departure]


def part(text: str, separator: str | None = None) -> Lines:
    """The lines of a text parted into cells; the separator is found out unless it is given. Raises `BadTable`."""
    lines = text.split("\n")
    start, comment, declared = _beginning(lines)
    if start == len(lines):
        raise BadTable("The file is empty.")
    sample, odd = unwrapped(lines, start)
    separator = separator or declared or guess_separator(sample)
    width, _ = common_width([row for _, row in split(sample, separator, None, [])])
    if width > _MAX_COLUMNS:
        raise BadTable(f"The table has {width:,} columns; at most {_MAX_COLUMNS:,} can be read.")
    rows: list[list[str]] = []
    starts: list[int] = []
    quotes: list[int] = []
    for index, row in split(lines, separator, width, quotes, start):
        rows.append(row)
        starts.append(index + 1)
    odd += departures("quote", "line", "with a quote that is never closed or not around a cell, taken as text", quotes)
    above = [TableLine(i, (line,), "above") for i, line in enumerate(lines[:start], start=1) if line.strip()]
    return Lines(rows, starts, width, separator, comment, above, odd)


def _beginning(lines: Sequence[str]) -> tuple[int, str, str | None]:
    """Where the table starts; the last comment before it; the separator that a line for a spreadsheet names."""
    comment, declared = "", None
    for index, line in enumerate(lines):
        if _is_declaration(line):
            declared = line[4]
        elif line.strip() and not line.startswith("#"):
            return index, comment, declared
        else:
            comment = line.lstrip("#").strip()
    # Where every line begins with the sign for comments, it belongs to the cells: colours, say.
    return (0, "", declared) if len([line for line in lines if line.strip()]) > 2 else (len(lines), comment, declared)


def records_of(lines: Lines, header: bool | None = None) -> Records:
    """The records among lines; whether they have a header is found out unless it is given."""
    rows, starts, wide, separator = list(lines.rows), list(lines.starts), lines.wide, lines.separator
    odd = list(lines.departures)
    begin = list(zip(starts[:_OPENING], rows[:_OPENING], strict=True))
    width = _filled(rows, wide)
    names, groups = _take_top(rows, starts, width, separator, header, lines.comment)
    kept, kept_lines, groups["ragged"], long = _even(rows, starts, width, wide)
    columns: list[Sequence[str]] = list(zip(*kept, strict=True)) if kept else [() for _ in range(width)]
    row_names = names is not None and len(names) == width - 1 > 1 and are_row_names(kept, width)
    given = [*([""] * row_names), *(names or ())]
    # Columns left empty between others are for the eye.
    some = [i for i, c in enumerate(columns) if is_named(given, i) or not kept or any(map(str.strip, c))] or [0]
    some = [i for i in some if i or not row_names]
    roles = {number: role for role, numbers in groups.items() for number in numbers}
    shown = ((number, [row[i] for i in some] if len(row) >= width else row) for number, row in begin)
    opening = (TableLine(number, tuple(cells), roles.get(number, "row")) for number, cells in shown)
    called = distinct(given, width)
    before = [line.number for line in lines.above if not _is_declaration(line.cells[0])]
    if names:
        head = (groups["header"] or [before.pop()])[0]
        odd += header_departures(given, called, some, head, width)
        long = [head, *long] if len(given) > wide and not any(map(str.strip, given[width:])) else long
    groups["above"] = [*before, *groups["above"]]
    return Records(
        names=tuple(called[i] for i in some),
        columns=tuple(columns[i] for i in some),
        lines=kept_lines,
        separator=separator,
        header=names is not None,
        departures=[*odd, *_left_out(groups, long, width, wide - len(some) - row_names, row_names)],
        opening=(*lines.above, *opening)[:_OPENING],
    )


def _filled(rows: Sequence[list[str]], width: int) -> int:
    """The width without the columns of nothing that separators at the end of the lines make."""
    while width > 1 and not any(row[width - 1].strip() for row in rows if len(row) >= width):
        width -= 1
    return width


def _take_top(
    rows: list[list[str]], starts: list[int], width: int, separator: str, header: bool | None, comment: str
) -> tuple[Sequence[str] | None, dict[Role, list[int]]]:
    """Take off what stands above the rows: the names of the columns, if they have any, and which lines were what."""
    groups: dict[Role, list[int]] = {}

    def take(role: Role, n: int) -> None:
        groups[role] = starts[:n]
        del rows[:n], starts[:n]

    first = next((i for i, row in enumerate(rows) if _begins(row, rows[i + 1 : i + 2], width)), 0)
    take("above", first + (header is not False and is_group(rows[first : first + SAMPLE], width)))
    names, from_row = _names(rows, width, separator, header, comment)
    take("header", int(from_row))
    below = [row for row in rows[1:SAMPLE] if len(row) == width]
    take("units", int(bool(names and rows and len(rows[0]) == width and is_units(rows[0], below))))
    return names, groups


def _left_out(
    groups: Mapping[Role, list[int]], long: list[int], width: int, empty: int, row_names: bool
) -> Iterator[Departure]:
    """What of the lines is in no column: whole lines, cells of `long` rows, so many `empty` columns."""
    yield from departures("lines above", "line", "before the table left out", groups["above"])
    yield from departures("units row", "row", "skipped for naming the units of the columns", groups["units"])
    cells = counted(width, "cell")
    yield from departures("ragged row", "row", f"skipped for having more or fewer than {cells}", groups["ragged"])
    yield from departures("empty cells", "row", "with empty cells beyond the last column, left out", long)
    if empty:
        yield Departure("empty column", empty, "column", "without a name and values left out")
    if row_names:
        yield Departure("row names", 1, "column", "without a name left out: it names the rows")


def _is_declaration(line: str) -> bool:
    """Whether a line names the separator, for a spreadsheet."""
    return len(line) == 5 and line.lower().startswith("sep=")


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


def _even(
    rows: list[list[str]], starts: list[int], width: int, wide: int
) -> tuple[list[list[str]], list[int], list[int], list[int]]:
    """The rows of the common width and their lines; the lines of those that are not, and of those cut to it.

    Before empty columns at the end were taken off, rows were so `wide`.
    """
    if set(map(len, rows)) == {width}:
        return rows, starts, [], []
    kept: list[list[str]] = []
    lines: list[int] = []
    ragged: list[int] = []
    cut: list[int] = []
    for row, line in zip(rows, starts, strict=True):
        if len(row) != width:
            if len(row) < width or any(map(str.strip, row[width:])):
                ragged.append(line)
                continue
            if len(row) > wide:
                cut.append(line)
            row = row[:width]
        kept.append(row)
        lines.append(line)
    return kept, lines, ragged, cut
