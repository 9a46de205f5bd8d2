"""Tables as people bring them: reading one from a file or a clipboard, and writing samples as one."""

from __future__ import annotations

import csv
import gc
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from mlviz.data.dataset import Dataset
from mlviz.data.tables import cells
from mlviz.data.tables.columns import AS_FOUND, Format, read_column
from mlviz.data.tables.decoding import ENCODINGS, BadTable, Decoded, decode
from mlviz.data.tables.departures import departures
from mlviz.data.tables.formulas import cell_of
from mlviz.data.tables.records import Lines, Records, part, records_of
from mlviz.data.tables.splitting import SEPARATORS
from mlviz.data.tables.table import FLAG_COLUMNS, Selection, Table
from mlviz.files.atomic import read_file, write_atomically

__all__ = ["AS_FOUND", "BadTable", "Format", "Selection", "Table", "parse_table", "read_table", "write_table"]

MAX_BYTES = 512 * 2**20
FORMAT_CHOICES: dict[str, dict[Any, str]] = {
    "encoding": ENCODINGS,
    "separator": SEPARATORS,
    "comma": {False: "point", True: "comma"},
    "header": {True: "names", False: "sample"},
    "missing": {cells.USUAL: "usual", "": "empty"},
    "missing_class": {False: "skipped", True: "class"},
    "by_value": {False: "spelling", True: "value"},
}
"""What each field of a `Format` can be, and what that is called: in the window and on the command line.

What counts as missing can be any codes besides, parted by commas.
"""


def read_table(path: Path | str, wanted: Format = AS_FOUND) -> Table:
    """The table in a file; raises `BadTable` or OSError."""
    return parse_table(read_bytes(path), wanted)


def read_bytes(path: Path | str) -> bytes:
    """What is in a file that may be a table; raises `BadTable` or OSError."""
    content = read_file(path, MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise BadTable(f"The file is larger than {MAX_BYTES // 2**20} megabytes.")
    return content


def parse_table(content: bytes, wanted: Format = AS_FOUND) -> Table:
    """The table in bytes, from a file or from a spreadsheet's clipboard; raises `BadTable`."""
    return TableFile(content, again=False).read(wanted)


class TableFile:
    """A table that may be read `again`: its bytes are decoded and parted anew only where these are wanted otherwise."""

    def __init__(self, content: bytes, again: bool = True) -> None:
        # No bound methods: in a circle of references a large table would outlive its reader.
        decoded = lru_cache(again)(partial(decode, content))
        parted = lru_cache(again)(partial(_parted, decoded))
        self.content = content
        self.read: Callable[[Format], Table] = lru_cache(again)(partial(_table, parted))
        """The table as it is wanted; raises `BadTable`."""


def _parted(decoded: Callable[..., Decoded], encoding: str | None, separator: str | None) -> tuple[Lines, Decoded]:
    text, found, odd = decoded(encoding)
    return part(text, separator), ("", found, odd)


def _table(parted: Callable[..., tuple[Lines, Decoded]], wanted: Format) -> Table:
    with _no_collections():
        lines_of_file, (_, encoding, odd) = parted(wanted.encoding, wanted.separator)
        found = records_of(lines_of_file, wanted.header)
        del lines_of_file  # much memory
        if not found.lines:
            raise BadTable("The table has a header but no rows." if found.header else "The table has no rows.")
        comma = cells.decimal_comma(found.columns, found.separator) if wanted.comma is None else wanted.comma
        found, footer = _without_footer(found)
        written = replace(wanted, encoding=encoding, separator=found.separator, comma=comma, header=found.header)
        lines = np.array(found.lines, dtype=np.intp)
        pairs = zip(found.names, found.columns, strict=True)
        fields = [read_column(name, column, written, lines) for name, column in pairs]
    below = departures("text below", "row", "skipped for having text below numbers at the end of the table", footer)
    return Table(tuple(fields), lines, (*odd, *found.departures, *below), written, found.opening)


@contextmanager
def _no_collections() -> Iterator[None]:
    # The garbage collector would look through a million young lists again and again: near half of the time of reading.
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _without_footer(found: Records) -> tuple[Records, Sequence[int]]:
    """A table without its last row, and the line of that, where it alone has text in a column of numbers."""
    # The last column may name classes, and ends in a word then, where the sums stand below numbers.
    if not any(map(_ends_in_text, found.columns[:-1])):
        return found, ()
    line = found.lines[-1]
    opening = tuple(replace(some, role="footer") if some.number == line else some for some in found.opening)
    columns = tuple(column[:-1] for column in found.columns)
    return replace(found, columns=columns, lines=found.lines[:-1], opening=opening), (line,)


def _ends_in_text(column: Sequence[str]) -> bool:
    """Whether the last cell of a column is a text below nothing but numbers, at least two, in one unit if any."""
    last = column[-1]
    if len(column) < 3 or cells.is_missing(last) or not last.strip()[0].isalpha():
        return False
    above = [cell for cell in column[-201:-1] if not cells.is_missing(cell)]
    if len(above) < 2 or cells.is_number(last):
        return False
    unit = cells.unit_of_cell(above[0])
    if unit is None:
        return all(map(cells.is_number, above))
    return cells.unit_of_cell(last) != unit and all(cells.unit_of_cell(cell) == unit for cell in above)


def write_table(dataset: Dataset, path: Path | str, quoted: bool = False) -> None:
    """Save the samples as CSV, their class in the last column; raises OSError.

    Samples that are held out or switched off are marked in columns of their own, where there are any. Where `quoted`,
    an apostrophe stands before names that a spreadsheet would run as formulas; `read_table` leaves it out.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    flags = [(FLAG_COLUMNS[0], dataset.held_out), (FLAG_COLUMNS[1], ~dataset.active)]
    flags = [(name, mask) for name, mask in flags if mask.any()]
    header = [*dataset.columns, *(name for name, _ in flags), dataset.class_column]
    # A line that begins with # is a comment, unless its first cell is quoted.
    style: Any = csv.QUOTE_ALL if header[0].startswith("#") else csv.QUOTE_MINIMAL
    csv.writer(buffer, lineterminator="\n", quoting=style).writerow([cell_of(name, quoted) for name in header])
    names = [cell_of(name, quoted) for name in dataset.names()]
    marks = [["yes" if marked else "" for marked in mask] for _, mask in flags]
    labels = [names[label] for label in dataset.labels.tolist()]
    writer.writerows([*row, *rest] for row, *rest in zip(dataset.X.tolist(), *marks, labels, strict=True))
    write_atomically(Path(path), buffer.getvalue().encode("utf-8"))
