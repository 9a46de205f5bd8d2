"""Where the samples are not what stands in the file: each way is one object, told wherever the table is opened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from mlviz.data.tables.formulas import name_in
from mlviz.draw.numbers import counted
from mlviz.numerics.arrays import Labels
from mlviz.spec.brief import Brief
from mlviz.spec.outside import composed, has_hidden_marks, readable_name

Kind = Literal[
    # the bytes
    "encoding", "unreadable", "byte order mark", "zero bytes", "line ends",
    # lines and cells
    "lines above", "quoted lines", "quote", "empty cells", "empty column", "header cells", "row names",
    "units row", "ragged row", "text below",
    # names of columns and classes
    "no name", "same name", "spaces", "line breaks", "hidden marks", "accents", "apostrophe", "capitals",
    "look-alike",    "number names",
    # numbers
    "missing", "no number", "unit", "thousands", "parentheses", "digits",
    # what becomes a sample
    "no class", "column", "gap",
]  # fmt: skip
SKIPPED: frozenset[Kind] = frozenset({"units row", "ragged row", "text below", "gap"})
"""The kinds that cost a row."""


@dataclass(frozen=True, eq=False)
class Departure(Brief):
    """One way in which the samples are not what stands in the file.

    So many of `noun` are `what`; `lines` are the lines of the file where they begin, none where that is no question.
    """

    kind: Kind
    count: int
    noun: str
    what: str
    lines: Labels = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    plural: str = ""

    @property
    def line(self) -> int | None:
        """The first line of the file in which it is so."""
        return int(self.lines[0]) if len(self.lines) else None

    @property
    def sentence(self) -> str:
        """How many, what, and where."""
        where = "" if self.line is None else f", {'the first ' if self.count > 1 else ''}in line {self.line:,}"
        return f"{counted(self.count, self.noun, self.plural)} {self.what}{where}."

    def to_json(self) -> dict[str, Any]:
        """Everything that a program wants to know of it."""
        return {"kind": self.kind, "count": self.count, "line": self.line, "sentence": self.sentence}


def departures(kind: Kind, noun: str, what: str, lines: Sequence[int] | Labels, count: int = 0) -> list[Departure]:
    """One departure in those lines, none where there are no such lines; `count` is asked where it is not theirs."""
    where = np.asarray(lines, dtype=np.intp)
    return [Departure(kind, count or len(where), noun, what, where)] if len(where) else []


def sentences(some: Iterable[Departure]) -> tuple[str, ...]:
    """What they say to a person."""
    return tuple(departure.sentence for departure in some)


_SPELLINGS: Mapping[Kind, str] = {
    "line breaks": "with line breaks read as spaces",
    "spaces": "with spaces at the ends or several in a row left out",
    "hidden marks": "with marks that can't be seen left out",
    "accents": "with letters and accents put together",
    "apostrophe": "with the apostrophe before a formula left out",
}


def spelled(cells: Sequence[str], codes: Labels, lines: Labels, where: str) -> list[Departure]:
    """How the names in cells, by their codes (n,) in lines (n,), differ from those cells; `where` says whose names."""
    ways = [_ways(cell) for cell in cells]
    found: list[Departure] = []
    for kind, what in _SPELLINGS.items():
        so = np.array([kind in way for way in ways], dtype=bool)
        found += departures(kind, "name", f"{where} {what}", lines[so[codes]])
    return found


def _ways(cell: str) -> list[Kind]:
    """In which ways a name that is read differs from its cell."""
    if name_in(cell) in ("", cell):
        return []
    ways: Mapping[Kind, bool] = {
        "line breaks": "\n" in cell.strip(),
        "spaces": " ".join(cell.split()) != " ".join(cell.strip("\n").split("\n")),
        "hidden marks": has_hidden_marks(cell),
        "accents": composed(cell) != cell,
        "apostrophe": name_in(cell) != readable_name(cell),
    }
    return [kind for kind, so in ways.items() if so]
