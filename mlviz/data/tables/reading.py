"""Tables as people bring them: reading one from a file or a clipboard, and writing samples as one."""

from __future__ import annotations

import csv
import gc
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mlviz.data.dataset import MAX_CLASSES, Dataset
from mlviz.data.tables import cells, records
from mlviz.data.tables.decoding import ENCODINGS, BadTable, decode
from mlviz.data.tables.records import Records
from mlviz.data.tables.table import FLAG_COLUMNS, Column, Format, Selection, Skipped, Table
from mlviz.files.atomic import read_file, write_atomically
from mlviz.numerics.arrays import Array, Labels, Mask
from mlviz.spec.outside import readable_name, told

__all__ = ["BadTable", "Column", "Format", "Selection", "Table", "parse_table", "read_table", "write_table"]

MAX_BYTES = 512 * 2**20
FORMAT_CHOICES: dict[str, dict[Any, str]] = {
    "encoding": ENCODINGS,
    "separator": records.SEPARATORS,
    "comma": {False: "point", True: "comma"},
    "header": {True: "names", False: "sample"},
}
"""What each field of a `Format` can be, and what that is called: in the window and on the command line."""
AS_FOUND = Format()
"""The wish to find everything out."""


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
    with _no_collections():
        text, encoding, odd = decode(content, wanted.encoding)
        found = records.read_records(text, wanted.separator, wanted.header)
        if not found.lines:
            raise BadTable("The table has a header but no rows." if found.header else "The table has no rows.")
        comma = cells.decimal_comma(found.columns, found.separator) if wanted.comma is None else wanted.comma
        found, footer = _without_footer(found)
        notes = list(odd)
        fields = [_column(name, column, comma, notes) for name, column in zip(found.names, found.columns, strict=True)]
    skipped = _skipped(found, footer)
    if found.row_names:
        notes.append("The first column left out: the header does not name it, so that it names the rows.")
    if found.above:
        notes.append(f"{found.above:,} line{'s' if found.above > 1 else ''} before the table left out.")
    return Table(
        tuple(fields),
        np.array(found.lines, dtype=np.intp),
        (*notes, *(some.sentence() for some in skipped)),
        Format(encoding, found.separator, comma, found.header),
        found.opening,
        skipped,
    )


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
    if not any(map(_ends_in_text, found.columns)):
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
    units = {cells.unit_of_cell(cell) for cell in above}
    numbers = len(units) == 1 and (units != {None} or all(map(cells.is_number, above)))
    return len(above) > 1 and numbers and cells.unit_of_cell(last) not in units - {None} and not cells.is_number(last)


def _skipped(found: Records, footer: Sequence[int]) -> tuple[Skipped, ...]:
    width = found.width
    reasons = (
        ("for naming the units of the columns", found.units),
        (f"for having more or less than {width} cell{'s' if width > 1 else ''}", found.ragged),
        ("for having text below numbers at the end of the table", footer),
    )
    return tuple(Skipped(reason, np.array(lines, dtype=np.intp)) for reason, lines in reasons if len(lines))


def _column(name: str, raw: Sequence[str], comma: bool, notes: list[str]) -> Column:
    """A column from its cells; what is odd about it goes into the notes."""
    values = cells.numbers(raw, comma)
    if not _mostly_numbers(raw, values):
        signed = cells.without_sign(raw)
        values = cells.numbers(signed[1], comma) if signed else values
        if not signed or not _mostly_numbers(signed[1], values):
            return _text_column(name, raw)
        kind = "unit" if signed[0][-1].isalpha() or len(signed[0]) > 1 else "sign"
        notes.append(f"The {kind} {told(signed[0])} in {name} left out.")
    if comma and cells.has_thousands(raw):
        notes.append(f"Points in {name} read as marks between thousands.")
    if (values < 0).any() and any("(" in cell for cell in raw):
        notes.append(f"Numbers in parentheses in {name} read as negative.")
    codes, words = _number_words(values, np.isfinite(values))
    return Column(name, True, values, codes, words)


def _mostly_numbers(raw: Sequence[str], values: Array) -> bool:
    """Whether a column is one of numbers: a slip of the pen or a remark does not make text of it."""
    present = np.isfinite(values)
    filled = len(raw) if present.all() else sum(not cells.is_missing(cell) for cell in raw)
    numbers = int(present.sum())
    return numbers > 0 and (numbers >= 0.75 * filled or numbers == filled - 1 > 1)


def _text_column(name: str, raw: Sequence[str]) -> Column:
    index: dict[str, int] = {}
    codes = np.array([index.setdefault(cell, len(index)) for cell in raw], dtype=np.intp)
    words: dict[str, int] = {}
    renumbered = np.full(len(index), -1, dtype=np.intp)
    for cell, code in index.items():
        word = readable_name(cell)
        if word.lower() not in cells.MISSING:
            renumbered[code] = words.setdefault(word, len(words))
        if len(words) > MAX_CLASSES:
            return Column(name, False, np.full(len(raw), np.nan), None, ())
    return Column(name, False, np.full(len(raw), np.nan), renumbered[codes], tuple(words))


def _number_words(values: Array, present: Mask) -> tuple[Labels | None, tuple[str, ...]]:
    """Numbers as classes, in ascending order; no codes where there are too many of them or they are not whole."""
    for some in (values[present][: 50 * MAX_CLASSES], values[present]):
        found, inverse = np.unique(some, return_inverse=True)
        if len(found) > MAX_CLASSES or (found % 1 != 0).any():
            return None, ()
    codes = np.full(len(values), -1, dtype=np.intp)
    codes[present] = inverse
    return codes, tuple(str(int(value)) for value in found)


def write_table(dataset: Dataset, path: Path | str) -> None:
    """Save the samples as CSV, their class in the last column; raises OSError.

    Samples that are held out or switched off are marked in columns of their own, where there are any.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    flags = [(FLAG_COLUMNS[0], dataset.held_out), (FLAG_COLUMNS[1], ~dataset.active)]
    flags = [(name, mask) for name, mask in flags if mask.any()]
    writer.writerow([*dataset.columns, *(name for name, _ in flags), dataset.class_column])
    names = dataset.names()
    marks = [["yes" if marked else "" for marked in mask] for _, mask in flags]
    labels = [names[label] for label in dataset.labels.tolist()]
    writer.writerows([*row, *rest] for row, *rest in zip(dataset.X.tolist(), *marks, labels, strict=True))
    write_atomically(Path(path), buffer.getvalue().encode("utf-8"))
