"""Tables as people bring them: reading one, choosing what of it becomes samples, and writing samples as a table."""

from __future__ import annotations

import csv
import gc
import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mlviz.data import cells, records
from mlviz.data.atomic import write_atomically
from mlviz.data.dataset import Array, Dataset
from mlviz.data.decoding import BadTable, decode

__all__ = ["BadTable", "Column", "Selection", "Table", "parse_table", "read_table", "write_table"]

MAX_BYTES = 512 * 2**20
MAX_CLASSES = 100
"""How many classes a class column may name; colours and symbols repeat long before."""
_FEW = 20
"""A text column with at most so many different values may be the class column without being named."""
_CLASS_WORDS = frozenset({"class", "label", "labels", "target", "species", "category", "kind", "type", "group", "y"})


@dataclass(frozen=True, eq=False)
class Column:
    """One column: `values` (n,), NaN where there is no number, and as text `codes` (n,) into `words`, -1 = missing.

    A column of numbers keeps words only where it may serve as class column: whole numbers, few of them.
    """

    name: str
    numeric: bool
    values: Array
    codes: NDArray[np.intp] | None
    words: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Selection:
    """The samples chosen from a table, and what was left out and why, a sentence each."""

    dataset: Dataset
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Table:
    """A table in memory. `lines` (n,) is the line of each row in the file; `notes` says what reading left out."""

    fields: tuple[Column, ...]
    lines: NDArray[np.intp]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns."""
        return tuple(field.name for field in self.fields)

    @property
    def numeric(self) -> tuple[str, ...]:
        """The names of the columns of numbers."""
        return tuple(field.name for field in self.fields if field.numeric)

    @property
    def class_columns(self) -> tuple[str, ...]:
        """The names of the columns that can serve as class column."""
        return tuple(f.name for f in self.fields if f.codes is not None and 1 <= len(f.words) <= MAX_CLASSES)

    def column(self, name: str) -> Column:
        """The column of that name; raises `BadTable` naming the ones there are."""
        for field in self.fields:
            if field.name == name:
                return field
        raise BadTable(f"There is no column {name!r}; the columns are {', '.join(self.columns)}.")

    def guess_class(self) -> str | None:
        """The class column by its name or, failing that, the last text column with few values; None without one."""
        possible = [self.column(name) for name in self.class_columns]
        # A column called "y" is a class only where two columns of numbers are left to draw.
        spare = len(self.numeric) > 2
        named = [f.name for f in possible if f.name.lower() in _CLASS_WORDS and (spare or not f.numeric)]
        few = min(_FEW, max(3, len(self) // 2))
        text = [f.name for f in possible if not f.numeric and len(f.words) <= few]
        return next(reversed(named or text), None)

    def dataset(self, inputs: Sequence[str] | None = None, class_column: str | None = None) -> Dataset:
        """The samples, as `select` chooses them."""
        return self.select(inputs, class_column).dataset

    def select(self, inputs: Sequence[str] | None = None, class_column: str | None = None) -> Selection:
        """The rows that have a number in every input and a class, with all columns of numbers that cost no further row.

        `inputs` None means every column of numbers that is at least half filled; `class_column` None means a guess,
        "" no classes. Raises `BadTable`.
        """
        chosen = self.guess_class() if class_column is None else class_column or None
        if inputs is not None and class_column is None and chosen in inputs:
            chosen = None
        classes = self._class_field(chosen) if chosen else None
        needed, notes = self._needed(inputs, chosen)
        keep = np.ones(len(self), dtype=bool)
        notes += self._without(keep, needed, classes)
        kept = [f for f in self.fields if f in needed or self._costs_nothing(f, keep, chosen)]
        if not keep.any():
            raise BadTable(f"No row of the table has numbers in {_listed(f.name for f in needed)}.")
        codes, names = _used(classes, keep) if classes else (np.zeros(int(keep.sum()), dtype=np.intp), ())
        name = classes.name if classes else next(n for n in ("class", "no class") if n not in {f.name for f in kept})
        X = np.column_stack([f.values[keep] for f in kept])
        return Selection(Dataset(X, codes, tuple(f.name for f in kept), name, names), (*self.notes, *notes))

    def _class_field(self, name: str) -> Column:
        field = self.column(name)
        if field.codes is None or len(field.words) > MAX_CLASSES:
            raise BadTable(
                f"The column {name!r} has too many different values for classes; at most {MAX_CLASSES} are possible."
            )
        return field

    def _needed(self, inputs: Sequence[str] | None, class_column: str | None) -> tuple[list[Column], list[str]]:
        notes: list[str] = []
        if inputs is not None:
            needed = [self.column(name) for name in inputs]
            for field in needed:
                if not field.numeric:
                    raise BadTable(f"The column {field.name!r} holds text, not numbers.")
        else:
            numeric = [f for f in self.fields if f.numeric and f.name != class_column]
            needed = [f for f in numeric if np.isnan(f.values).mean() <= 0.5]
            if len(needed) < len(numeric):
                sparse = _listed(f.name for f in numeric if f not in needed)
                notes.append(f"Left out for having more gaps than numbers: {sparse}.")
        if len(needed) < 2 and len(self.numeric) - (class_column in self.numeric) < 2:
            have = _listed(self.numeric) or "none"
            raise BadTable(f"The table needs two columns of numbers to be drawn; columns of numbers here: {have}.")
        return needed, notes

    def _without(self, keep: NDArray[np.bool_], needed: Sequence[Column], classes: Column | None) -> list[str]:
        """Take the rows with gaps out of `keep`, and say for each column how many it cost."""
        notes = []
        gaps = [(f.name, "number", np.isnan(f.values)) for f in needed]
        if classes is not None and classes.codes is not None:
            gaps.append((classes.name, "class", classes.codes < 0))
        for name, what, missing in gaps:
            lost = np.flatnonzero(keep & missing)
            if len(lost):
                rows = f"{len(lost):,} row{'s' if len(lost) > 1 else ''}"
                notes.append(f"{rows} skipped without a {what} in {name}, the first in line {self.lines[lost[0]]}.")
                keep[lost] = False
        return notes

    @staticmethod
    def _costs_nothing(field: Column, keep: NDArray[np.bool_], class_column: str | None) -> bool:
        return field.numeric and field.name != class_column and not np.isnan(field.values[keep]).any()


def read_table(path: Path | str) -> Table:
    """The table in a file; raises `BadTable` or OSError."""
    with Path(path).open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise BadTable(f"The file is larger than {MAX_BYTES // 2**20} megabytes.")
    return parse_table(content)


def parse_table(content: bytes) -> Table:
    """The table in bytes, from a file or from a spreadsheet's clipboard; raises `BadTable`."""
    with _no_collections():
        text, notes = decode(content)
        found = records.read_records(text)
        if not found.lines:
            raise BadTable("The table has a header but no rows.")
        comma = cells.decimal_comma(found.columns, found.separator)
        fields = [_column(name, column, comma) for name, column in zip(found.names, found.columns, strict=True)]
    return Table(tuple(fields), np.array(found.lines, dtype=np.intp), (*notes, *found.notes))


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


def _column(name: str, raw: Sequence[str], comma: bool) -> Column:
    values = cells.numbers(raw, comma)
    present = np.isfinite(values)
    filled = len(raw) if present.all() else sum(not cells.is_missing(cell) for cell in raw)
    # One row of units or a slip of the pen does not make text of a column.
    if present.any() and present.sum() >= 0.75 * filled:
        codes, words = _number_words(values, present)
        return Column(name, True, values, codes, words)
    index: dict[str, int] = {}
    codes = np.array([index.setdefault(_clean(cell), len(index)) for cell in raw], dtype=np.intp)
    order = [i for word, i in index.items() if word.lower() not in cells.MISSING]
    renumbered = np.full(len(index), -1, dtype=np.intp)
    renumbered[order] = np.arange(len(order))
    words = tuple(word for word in index if word.lower() not in cells.MISSING)
    return Column(name, False, np.full(len(raw), np.nan), renumbered[codes], words)


def _number_words(values: Array, present: NDArray[np.bool_]) -> tuple[NDArray[np.intp] | None, tuple[str, ...]]:
    """Numbers as classes, in ascending order; no codes where there are too many of them or they are not whole."""
    some = np.unique(values[present][: 50 * MAX_CLASSES])
    if len(some) > MAX_CLASSES or (some % 1 != 0).any():
        return None, ()
    found, inverse = np.unique(values[present], return_inverse=True)
    if len(found) > MAX_CLASSES or (found % 1 != 0).any():
        return None, ()
    codes = np.full(len(values), -1, dtype=np.intp)
    codes[present] = inverse
    return codes, tuple(str(int(value)) for value in found)


def _clean(cell: str) -> str:
    """A word on one line and without control characters."""
    cell = cell.strip()
    return cell if cell.isprintable() else "".join(c for c in " ".join(cell.split()) if c.isprintable())


def _used(classes: Column, keep: NDArray[np.bool_]) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Codes and names of the classes that the kept rows have, in the column's own order."""
    assert classes.codes is not None
    present, codes = np.unique(classes.codes[keep], return_inverse=True)
    return codes.astype(np.intp), tuple(classes.words[code] for code in present)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def write_table(dataset: Dataset, path: Path | str) -> None:
    """Save the samples as CSV, their class in the last column; raises OSError."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([*dataset.columns, dataset.class_column])
    names = dataset.names()
    writer.writerows(
        [*row, names[label]] for row, label in zip(dataset.X.tolist(), dataset.labels.tolist(), strict=True)
    )
    write_atomically(Path(path), buffer.getvalue().encode("utf-8"))
