"""From the cells of a column to its numbers, or to the words that may name classes."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.data.tables import cells
from mlviz.data.tables.departures import Departure, Kind, departures, spelled
from mlviz.data.tables.formulas import name_in
from mlviz.numerics.arrays import Array, Labels
from mlviz.spec.brief import Brief
from mlviz.spec.outside import listed, told
from mlviz.spec.parameter import MAX_CLASSES

_INDEX_WORDS = frozenset(
    {"", "id", "index", "idx", "no", "no.", "nr", "nr.", "row", "rownames", "unnamed: 0", "#", "n°"}
)

_WHOLE = 2.0**53
"""Whole numbers up to here are held with every digit."""


@dataclass(frozen=True, eq=False)
class Column(Brief):
    """One column: `values` (n,), NaN where there is no number, and as text `codes` (n,) into `words`, -1 = missing.

    A column has codes only where it may serve as class column: few different words or numbers; `fractions` says whether
    these are not all whole, so that nobody takes them for classes who is not told.
    """

    name: str
    numeric: bool
    values: Array
    codes: Labels | None
    words: tuple[str, ...]
    departures: tuple[Departure, ...] = ()
    """Where the values are not what stands in the cells."""
    as_class: tuple[Departure, ...] = ()
    """Where the words are not."""
    fractions: bool = False

    @property
    def counts(self) -> bool:
        """Whether the column only numbers the rows: its values rise by one, under no name or that of an index."""
        named = self.name.lower() in _INDEX_WORDS or self.name == "column 1"
        return named and self.numeric and len(self.values) > 1 and bool((self.values[1:] == self.values[:-1] + 1).all())


@dataclass(frozen=True)
class Format:
    """How a table is written; what is None in a wish is to be found out. `header`: names in a line above the rows.

    `missing` are the codes of missing values beside empty cells, separated by commas, `USUAL` for the usual ones; with
    `missing_class` such a code is a class by its own name instead of costing the row. Numbers that name classes are
    told apart as they are spelled, 1 and 01, or `by_value`.
    """

    encoding: str | None = None
    separator: str | None = None
    comma: bool | None = None
    header: bool | None = None
    missing: str = cells.USUAL
    missing_class: bool = False
    by_value: bool = False

    @cached_property
    def codes(self) -> frozenset[str]:
        """What counts as missing, in small letters."""
        return cells.codes_of(self.missing)


AS_FOUND = Format()
"""The wish to find everything out."""


def read_column(name: str, raw: Sequence[str], written: Format, lines: Labels) -> Column:
    """A column from its cells, which stand in those lines of the file."""
    comma, codes = bool(written.comma), written.codes
    values, bare, sign = cells.numbers(raw, comma, codes), raw, ""
    if not _mostly_numbers(raw, values, codes):
        signed = cells.without_sign(raw, codes)
        if signed is None:
            return _text_column(name, raw, written, lines)
        sign, bare = signed
        values = cells.numbers(bare, comma, codes)
        if not _mostly_numbers(bare, values, codes):
            return _text_column(name, raw, written, lines)
    gaps = np.flatnonzero(np.isnan(values)).tolist()
    odd, missing = _gaps(name, raw, bare, gaps, written, lines)
    kind = "unit" if sign.isalpha() or len(sign) > 1 else "sign"
    negative = np.flatnonzero(values < 0).tolist()
    ways: dict[Kind, tuple[str, list[int]]] = {
        "unit": (f"without the {kind} {told(sign)}", np.flatnonzero(np.isfinite(values)).tolist() if sign else []),
        "thousands": ("with marks between thousands", cells.with_thousands(bare, comma)),
        "parentheses": ("in parentheses read as negative", [i for i in negative if "(" in bare[i]]),
        "digits": ("with more digits than numbers here have", _cut(bare, values)),
    }
    for way, (what, places) in ways.items():
        if places:  # as in few of what may be thousands of columns
            odd += departures(way, "cell", f"of {told(name)} {what}", lines[places])
    gone = [] if written.missing_class else missing
    as_class = _as_missing(name, raw, gone, lines)
    more = sorted(set(gaps) - set(gone))
    named = _number_words(values, raw, more, written.by_value)
    if named is None:
        return Column(name, True, values, None, (), tuple(odd))
    codes_of_class, words, other, fractions = named
    places = [i for i, cell in enumerate(raw) if cell in other] if other else []
    what = f"of {told(name)} spelled otherwise than the class they are of"
    as_class += departures("number names", "cell", what, lines[places])
    return Column(name, True, values, codes_of_class, words, tuple(odd), tuple(as_class), fractions)


def _gaps(
    name: str, raw: Sequence[str], bare: Sequence[str], gaps: list[int], written: Format, lines: Labels
) -> tuple[list[Departure], list[int]]:
    """What is said of the cells without a number, and where those are that count as missing without being empty."""
    if not gaps:
        return [], []
    by_value = np.isfinite(cells.numbers([bare[i] for i in gaps], bool(written.comma), frozenset())).tolist()
    filled = [
        (i, by or cells.is_missing(raw[i], written.codes))
        for i, by in zip(gaps, by_value, strict=True)
        if raw[i].strip()
    ]
    missing = [i for i, so in filled if so]
    text = [i for i, so in filled if not so]
    return [
        *_as_missing(name, raw, missing, lines),
        *departures("no number", "cell", f"of {told(name)} without a number, read as missing", lines[text]),
    ], missing


def _as_missing(name: str, raw: Sequence[str], places: list[int], lines: Labels) -> list[Departure]:
    """What is said of the codes of missing values in those places, where there are any."""
    if not places:
        return []
    some = listed(dict.fromkeys(name_in(raw[i]) for i in places))
    return departures("missing", "cell", f"of {told(name)} read as missing ({some})", lines[places])


def _cut(bare: Sequence[str], values: Array) -> list[int]:
    """The places of whole numbers that have more digits than a number holds."""
    large = np.flatnonzero(np.abs(values) > _WHOLE)
    found = [i for i in large.tolist() if bare[i].strip().lstrip("+-").isdecimal()]
    return [i for i in found if str(int(abs(values[i]))) != bare[i].strip().lstrip("+-0")]


def _mostly_numbers(raw: Sequence[str], values: Array, codes: Set[str]) -> bool:
    """Whether a column is one of numbers: a slip of the pen or a remark does not make text of it."""
    present = np.isfinite(values)
    numbers = int(present.sum())
    if numbers in (0, len(raw)):
        return numbers > 0
    filled = sum(not cells.is_missing(cell, codes) for cell in raw)
    return numbers >= 0.75 * filled or numbers == filled - 1 > 1


def _text_column(name: str, raw: Sequence[str], written: Format, lines: Labels) -> Column:
    index: dict[str, int] = {}
    codes = np.array([index.setdefault(cell, len(index)) for cell in raw], dtype=np.intp)
    words: dict[str, int] = {}
    renumbered = np.full(len(index), -1, dtype=np.intp)
    gone = np.zeros(len(index), dtype=bool)
    for cell, code in index.items():
        word = name_in(cell)
        missing = cells.is_missing(word, written.codes)
        gone[code] = missing and bool(word)
        if word and (written.missing_class or not missing):
            renumbered[code] = words.setdefault(word, len(words))
        if len(words) > MAX_CLASSES:
            return Column(name, False, np.full(len(raw), np.nan), None, ())
    where = np.flatnonzero(gone[codes] & (renumbered[codes] < 0)).tolist()
    odd = _as_missing(name, raw, where, lines)
    spellings = spelled(list(index), codes, lines, f"in {told(name)}")
    nothing = np.full(len(raw), np.nan)
    return Column(name, False, nothing, renumbered[codes], tuple(words), (), (*odd, *spellings))


def _number_words(
    values: Array, raw: Sequence[str], more: Sequence[int], by_value: bool
) -> tuple[Labels, tuple[str, ...], set[str], bool] | None:
    """Numbers as classes, in ascending order and spelled as in their cells, and then the cells that hold `more` words.

    A number that is spelled in several ways is several classes, if that is not too many; or one `by_value`, whose cells
    with other spellings are the third part of the answer. The last is whether not all are whole. None where there are
    too many.
    """
    present = np.isfinite(values)
    some = values[present]
    first = some[: 50 * MAX_CLASSES]
    if len(first) < len(some) and len(np.unique(first)) > MAX_CLASSES:  # most columns of measurements show at once
        return None
    found, inverse = np.unique(some, return_inverse=True)
    if len(found) > MAX_CLASSES:
        return None
    codes = np.full(len(values), -1, dtype=np.intp)
    codes[present] = inverse
    cells_of = {cell: code for cell, code in zip(raw, codes.tolist(), strict=True) if code >= 0}
    spellings: list[set[str]] = [set() for _ in found]
    for cell, code in cells_of.items():
        spellings[code].add(name_in(cell))
    other: set[str] = set()
    if by_value or sum(map(len, spellings)) > MAX_CLASSES:
        pairs = zip(found.tolist(), spellings, strict=True)
        named = [min(some) if len(some) == 1 else f"{value:.17g}" for value, some in pairs]
        other = {cell for cell, code in cells_of.items() if name_in(cell) != named[code]}
    else:
        named = [word for some in spellings for word in sorted(some, key=lambda word: (len(word), word))]
    index = {word: code for code, word in enumerate(named)}
    if len(named) > len(found):
        codes[present] = [index[name_in(cell)] for cell, so in zip(raw, present.tolist(), strict=True) if so]
    for i in more:
        if word := name_in(raw[i]):
            codes[i] = index.setdefault(word, len(index))
    fractions = bool((found % 1 != 0).any())
    return (codes, tuple(index), other, fractions) if len(index) <= MAX_CLASSES else None
