"""Samples edited as a table: one cell typed, a block pasted, a row added. Columns, then class, then the two marks."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np

from mlviz.data.dataset import Dataset, class_codes
from mlviz.data.tables import cells
from mlviz.data.tables.table import FLAG_COLUMNS
from mlviz.draw.numbers import counted
from mlviz.spec.outside import readable_name
from mlviz.spec.parameter import MAX_CLASSES
from mlviz.spec.sentences import sentence

_YES = frozenset({"yes", "true", "1", "x", "on"})
_NO = frozenset({"no", "false", "0", "", "off"})


class BadCell(Exception):
    """A cell can't hold what was typed or pasted; the message is one sentence for a person."""


def column_headers(dataset: Dataset) -> tuple[str, ...]:
    """The names of all columns of the table."""
    return (*dataset.columns, dataset.class_column, *FLAG_COLUMNS)


def with_cell(dataset: Dataset, row: int, column: int, text: str) -> Dataset:
    """With one cell changed; the same data set where that changes nothing. Raises `BadCell`."""
    return _filled(dataset, row, column, [[text]], "")


def with_pasted_cells(dataset: Dataset, row: int, column: int, text: str, code: int = 0) -> tuple[Dataset, int]:
    """With a block from a spreadsheet, its first cell at `row` and `column`, and how many rows it has.

    Rows beyond the last sample become samples: of class `code`, at the mean of the columns that the block leaves out.
    Raises `BadCell`, and then nothing is changed.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    block = [line.split("\t") for line in lines.split("\n")]
    names = column_headers(dataset)
    width = max(map(len, block))
    if width > len(names) - column:
        room = len(names) - column
        raise BadCell(f"The block has {counted(width, 'column')}; from {names[column]} on there is room for {room}.")
    short = next((i for i, line in enumerate(block) if len(line) != width), None)
    if short is not None:
        raise BadCell(f"Line {short + 1} of the block has {len(block[short])} of {width} cells; fill it up.")
    if len(block) > 1 and _names(block[0], block[1], len(dataset.columns) - column):
        del block[0]
    extended = with_more_rows(dataset, row + len(block) - len(dataset), code)
    return _filled(extended, row, column, block, "Line {line} of the block: "), len(block)


def copy_cells(dataset: Dataset, rows: slice, columns: range) -> str:
    """A block of cells as a spreadsheet takes it, every digit of the numbers; `with_pasted_cells` reads it back."""
    return "".join("\t".join(line) + "\n" for line in zip(*(_texts(dataset, rows, j) for j in columns), strict=True))


def text(dataset: Dataset, row: int, column: int) -> str:
    """A cell as text, every digit of a number."""
    return _texts(dataset, slice(row, row + 1), column)[0]


def _texts(dataset: Dataset, rows: slice, column: int) -> list[str]:
    d = len(dataset.columns)
    if column < d:
        return [repr(value).removesuffix(".0") for value in dataset.X[rows, column].tolist()]
    if column == d:
        names = dataset.names()
        return [names[code] for code in dataset.labels[rows].tolist()]
    mask = dataset.held_out if column == d + 1 else ~dataset.active
    return ["yes" if marked else "no" for marked in mask[rows].tolist()]


def with_more_rows(dataset: Dataset, n: int, code: int) -> Dataset:
    """With n more samples at the mean of the others; the same data set for none."""
    return dataset.add(np.empty((n, 0)), code, axes=()) if n > 0 else dataset


def _names(first: Sequence[str], second: Sequence[str], numeric: int) -> bool:
    """Whether the first line of a block names its columns: words over numbers."""
    over = [(a, b) for a, b in zip(first[:numeric], second[:numeric], strict=True) if cells.is_number(b)]
    return bool(over) and not any(cells.is_number(a) or cells.is_missing(a) for a, _ in over)


def _filled(dataset: Dataset, row: int, column: int, block: Sequence[Sequence[str]], where: str) -> Dataset:
    """With a block of cells; `where` names a line of it in complaints."""
    rows = slice(row, row + len(block))
    X, labels, names = dataset.X.copy(), dataset.labels.copy(), list(dataset.names())
    masks = {FLAG_COLUMNS[0]: dataset.held_out.copy(), FLAG_COLUMNS[1]: ~dataset.active}
    numeric = [list(line[: len(dataset.columns) - column]) for line in block]
    comma = cells.decimal_comma(list(zip(*numeric, strict=True)), "\t")
    for offset, texts in enumerate(zip(*block, strict=True)):
        name = column_headers(dataset)[column + offset]
        if column + offset < len(dataset.columns):
            X[rows, column + offset] = _numbers(texts, comma, name, where)
        elif column + offset == len(dataset.columns):
            labels[rows] = _codes(texts, names, where)
        else:
            masks[name][rows] = _marks(texts, name, where)
    changed: dict[str, Any] = {
        "X": X,
        "labels": labels,
        "held_out": masks[FLAG_COLUMNS[0]],
        "active": ~masks[FLAG_COLUMNS[1]],
    }
    if all(np.array_equal(new, getattr(dataset, key)) for key, new in changed.items()):
        return dataset
    kept = dataset.class_names if len(names) == len(dataset.names()) else tuple(names)
    same = np.array_equal(X, dataset.X) and np.array_equal(labels, dataset.labels)
    source = dataset.source if same else None  # marks alone leave the samples as they were drawn
    return dataclasses.replace(dataset, class_names=kept, source=source, key=secrets.token_hex(8), **changed)


def _numbers(texts: Sequence[str], comma: bool, name: str, where: str) -> Any:
    values = cells.numbers(texts, comma)
    bad = np.flatnonzero(np.isnan(values))
    if len(bad):
        line, text = int(bad[0]), texts[bad[0]].strip()
        what = f"“{text}” is no number" if text else "there is no number"
        raise BadCell(sentence(f"{where.format(line=line + 1)}the column {name} has numbers, and {what}"))
    return values


def _codes(texts: Sequence[str], names: list[str], where: str) -> list[int]:
    """The codes of classes by their names; new names are added to `names`."""
    classes = [readable_name(text) for text in texts]
    if "" in classes:
        place = where.format(line=classes.index("") + 1)
        raise BadCell(sentence(f"{place}every sample has a class; type its name"))
    known = len(names)
    codes = class_codes(classes, names)
    if len(names) > max(known, MAX_CLASSES):
        name = names[max(known, MAX_CLASSES)]
        place = where.format(line=classes.index(name) + 1)
        raise BadCell(sentence(f"{place}there are {MAX_CLASSES} classes already, and {name} is none"))
    return codes


def _marks(texts: Sequence[str], name: str, where: str) -> list[bool]:
    words = [text.strip().lower() for text in texts]
    for line, word in enumerate(words, start=1):
        if word not in _YES | _NO:
            raise BadCell(sentence(f"{where.format(line=line)}{name} is yes or no, not “{word}”"))
    return [word in _YES for word in words]
