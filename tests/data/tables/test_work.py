"""However a table is written, reading it takes work in proportion to its bytes; asked again, it is not begun anew."""

from collections import Counter
from contextlib import suppress
from cProfile import Profile

import pytest

from mlviz.data.tables import reading, splitting
from mlviz.data.tables.columns import Format
from mlviz.data.tables.decoding import BadTable
from mlviz.data.tables.reading import TableFile, parse_table

TINY, SMALL, LARGE = 500, 2_500, 10_000
MOST_CALLS = 8.0
"""Calls of a function for each byte, at most: a cell takes some ten, whatever is in it,"""
COLUMN_CALLS = 500
"""and a column so many besides,"""
TABLE_CALLS = 20_000
"""and a table: its first rows are looked at more closely."""


def rows(line, head="a,b,c\n"):
    """A table of as many equal lines as there is room for."""
    return lambda size: head + line * (size // len(line))


def wide(cell, head="c", n_rows=8):
    """A table of few rows and as many columns as there is room for."""
    return lambda size: "".join(
        ",".join([what] * min(4999, size // n_rows // (len(cell) + 1))) + "\n" for what in (head, *[cell] * n_rows)
    )


def filled(before, sign, after):
    """A table with one very long cell."""
    return lambda size: before + sign * (size // len(sign)) + after


WRITTEN = {
    "rows": rows("1.5,2e3,x\n"),
    "short lines": rows("1,2\n", "a,b\n"),
    "empty lines": rows("\n", "a,b\n1,2\n"),
    "decimal commas": rows("1,5;2,25;3,125\n", "a;b;c\n"),
    "both decimal signs": rows("1,5;2.25;3,125\n1.5;2,25;1.234\n", "a;b;c\n"),
    "thousands": rows("1.234,5;12.345;1.000.000\n", "a;b;c\n"),
    "units": rows("1.5 kg,2 m,3 °C\n"),
    "several units": rows("1.5 kg,2 m,3 °C\n1.5 lb,2 ft,3 K\n"),
    "signs": rows("1.5 %,$2,3 €\n"),
    "missing": rows("NA,2,?\n1,-,3\nn/a,#N/A,x\n"),
    "parentheses": rows("(1.5),2\n3,(4)\n", "a,b\n"),
    "ragged": rows("1,2\n1,2,3\n1\n", "a,b\n"),
    "quotes": rows('1,2,"x ""y"" z"\n'),
    "open quotes": rows('1,"2\n', "a,b\n"),
    "quoted lines": rows('"1,2"\n', ""),
    "line breaks in cells": rows('1,2,"x\ny"\n'),
    "ends of lines": rows("1,2\r\n3,4\r5,6\n", "a,b\n"),
    "zero bytes": rows("1,\0\n", "a,b\n1,2\n"),
    "comments": rows("# c\n", ""),
    "spellings": rows("1,2, x  y \n3,4,x y\n"),
    "numbers of columns": wide("1"),
    "columns of units": wide("1 kg"),
    "columns of words": wide("x"),
    "columns of nothing": wide("", "1"),
    "columns of one name": wide("1", "name"),
    "nameless columns": wide("1", "1"),
    "one line": filled("", "1,", "2"),
    "one cell": filled("a,b\n1,", "word ", "\n2,3\n"),
    "digits": filled("a,b\n1,2\n3,", "1", "x\n"),
    "one name": filled("a", "a", ",b\n1,2\n3,4\n"),
    "accents": filled("a,b,c\n1,2,e", "\u0323\u0301", "\n3,4,x\n5,6,x\n"),
    "apostrophes": filled("a,b,c\n1,2,", "'", "=\n3,4,x\n5,6,x\n"),
}


def work_of(content):
    """How often a function is called while a table is read, and its columns are chosen."""
    with suppress(BadTable), Profile() as profile:
        table = parse_table(content)
        assert table.notes is not None and table.select().notes is not None
    return sum(called.callcount for called in profile.getstats())


@pytest.mark.parametrize(
    ("written", "encoding"),
    [*((written, "utf-8") for written in WRITTEN), ("rows", "utf-16"), ("units", "utf-32"), ("open quotes", "utf-16")],
)
def test_work_grows_with_the_bytes_and_no_faster(written, encoding):
    tiny, small, large = (WRITTEN[written](size).encode(encoding) for size in (TINY, SMALL, LARGE))
    work_of(tiny)  # what is made once has been made
    calls = work_of(large)
    columns = min(5000, large.partition(b"\n")[0].count(b",") + 1)
    assert calls <= MOST_CALLS * len(large) + COLUMN_CALLS * columns + TABLE_CALLS
    assert calls <= 1.3 * len(large) / len(small) * work_of(small) + TABLE_CALLS


def test_a_megabyte_of_bytes_that_are_no_text_takes_no_more_work():
    for content in (b"a,b\n1,2\n" + b"\xff" * LARGE, b"a,b,c\n" + b"1,2,\xff\xfe\x81\n" * (LARGE // 8)):
        assert work_of(content) <= MOST_CALLS * len(content)


@pytest.fixture
def passes(monkeypatch):
    """How often the bytes were decoded, and the text was parted."""
    counted = Counter()
    for name in ("decode", "part"):
        kept = getattr(reading, name)

        def spy(*given, name=name, kept=kept):
            counted[name] += 1
            return kept(*given)

        monkeypatch.setattr(reading, name, spy)
    return counted


WISHES = [
    Format(),
    *(Format(comma=comma) for comma in (True, False)),
    *(Format(header=header) for header in (True, False)),
    Format(missing="usual,-9"),
    Format(missing_class=True),
    Format(by_value=True),
]
TABLE = "Länge;Breite;Art\n" + "".join(f"{i},5;{i % 3},25;{'rot' if i % 2 else 'grün'}\n" for i in range(9))


def test_bytes_are_decoded_and_parted_once_whatever_else_is_asked(passes):
    file = TableFile(TABLE.encode())
    read = [file.read(wanted) for wanted in WISHES]
    assert passes == {"decode": 1, "part": 1}
    file.read(Format(separator=";"))
    assert passes == {"decode": 1, "part": 2}
    file.read(Format("cp1252", ";"))
    assert passes == {"decode": 2, "part": 3}
    file.read(Format("cp1252", ";"))
    assert passes == {"decode": 2, "part": 3}
    # No question has changed what the next one is asked of.
    for table, wanted in zip(read, WISHES, strict=True):
        alone = parse_table(TABLE.encode(), wanted)
        assert (table.notes, table.columns, table.opening, table.format) == (
            (alone.notes, alone.columns, alone.opening, alone.format)
        )
        assert [f.words for f in table.fields] == [f.words for f in alone.fields]


def test_of_long_lines_fewer_are_looked_at():
    looked = [len(splitting.unwrapped(["1," * n + "1"] * 300, 0)[0]) for n in (1, 400, 40_000)]
    assert looked[0] == splitting.SAMPLE > looked[1] > looked[2] >= 10
