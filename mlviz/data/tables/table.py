"""A table in memory, and the choice of what of it becomes samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlviz.data.dataset import Dataset
from mlviz.data.tables.cells import numbers
from mlviz.data.tables.columns import AS_FOUND, Column, Format
from mlviz.data.tables.decoding import BadTable
from mlviz.data.tables.departures import SKIPPED, Departure, Kind, departures, sentences
from mlviz.data.tables.headers import CLASS_WORDS, FRACTION_WORDS, TARGET_WORDS
from mlviz.data.tables.records import TableLine
from mlviz.numerics.arrays import Labels, Mask, occurring
from mlviz.spec.brief import Brief
from mlviz.spec.outside import listed, looks, told
from mlviz.spec.parameter import MAX_CLASSES

_MAX_KEPT = 1000
"""How many columns samples may have."""
FLAG_COLUMNS = ("held out", "switched off")
"""The columns by which samples that are for testing only, or switched off, are marked, with yes."""
_MOST_GAPS = 0.5
"""A column with a larger share of gaps is left aside unless it is asked for."""
_FEW = 20
"""A text column with at most so many different values may be the class column without being named."""


@dataclass(frozen=True, eq=False)
class Selection(Brief):
    """The samples chosen from a table, and where they are not what stands in the file."""

    dataset: Dataset
    departures: tuple[Departure, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said of it."""
        return sentences(self.departures)

    @property
    def skipped(self) -> tuple[Departure, ...]:
        """Those that cost a row for a gap."""
        return tuple(some for some in self.departures if some.kind == "gap")


@dataclass(frozen=True, eq=False)
class Table(Brief):
    """A table in memory. `lines` (n,) is the line of each row in the file; `departures` are those of the file as such.

    `format` is how it was written, `opening` its first lines as they are in the file; columns have departures too.
    """

    fields: tuple[Column, ...]
    lines: Labels
    departures: tuple[Departure, ...] = ()
    format: Format = AS_FOUND
    opening: tuple[TableLine, ...] = ()

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def skipped(self) -> tuple[Departure, ...]:
        """Those that cost a row."""
        return tuple(some for some in self.departures if some.kind in SKIPPED)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said of the file and of all its columns."""
        of_columns = (some for f in self.fields for some in (f.departures if f.numeric else f.as_class))
        return sentences((*self.departures, *of_columns))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns."""
        return tuple(field.name for field in self.fields)

    @cached_property
    def numeric(self) -> tuple[str, ...]:
        """The names of the columns of numbers."""
        return tuple(field.name for field in self.fields if field.numeric)

    @property
    def class_columns(self) -> tuple[str, ...]:
        """The names of the columns that can serve as class column."""
        possible = [f for f in self.fields if f.codes is not None and f.words and f.name not in FLAG_COLUMNS]
        return tuple(f.name for f in possible if not f.fractions or f.name.lower() in FRACTION_WORDS)

    def column(self, name: str) -> Column:
        """The column of that name; raises `BadTable` naming the ones there are."""
        if name not in self._by_name:
            raise BadTable(f"There is no column {told(name)!r}; the columns are {listed(self.columns)}.")
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {field.name: field for field in self.fields}

    def guess_class(self) -> str | None:
        """The class column by its name or, failing that, the last text column with few values; None without one.

        One that is more than half empty is taken for its name only, and not where there is another; one that leaves a
        single class only where no other leaves several.
        """
        possible = [self.column(name) for name in self.class_columns]
        # A column called "y" is a class only where two columns of numbers are left to draw.
        spare = len(self.numeric) > 2
        few = min(_FEW, max(3, len(self) // 2))
        called = [f for f in possible if f.name.lower() in CLASS_WORDS and (spare or not f.numeric)]
        # Where every row has a fraction of its own, that is a measurement.
        named = [f for f in called if not f.fractions or len(f.words) < len(self)]
        text = [f for f in possible if not f.numeric and len(f.words) <= few]
        last = [f for f in possible if spare and f is self.fields[-1] and self._looks_like_classes(f)]
        wanted = [f for group in (named, text, last) for f in reversed(group)]
        filled = [f for f in wanted if f.codes is not None and np.mean(f.codes < 0) <= _MOST_GAPS]
        several = [f for f in filled if len(_used(f, self._complete)[1]) > 1]
        return next((f.name for f in (*several, *filled, *reversed(named))), None)

    @cached_property
    def _complete(self) -> Mask:
        """(n,) which rows have a number in every column of numbers that is worth keeping."""
        kept = self._half_filled([f for f in self.fields if f.numeric])
        return np.all([~np.isnan(f.values) for f in kept], axis=0) if kept else np.ones(len(self), dtype=bool)

    def _looks_like_classes(self, field: Column) -> bool:
        """Whether a column without a name holds few whole numbers beside columns of real ones."""
        others = [f for f in self.fields if f.numeric and f is not field]
        few = 2 <= len(field.words) <= min(_FEW, len(self) // 3)
        return few and self.format.header is False and all(f.codes is None or f.fractions for f in others)

    def guess_axes(self, class_column: str | None) -> tuple[str, ...]:
        """The first two columns of numbers that neither name classes nor only number the rows; fewer without them.

        The vertical axis, which is predicted where nothing else is said, is that of values called as a target.
        """
        usual = self.usual_columns(class_column)
        target = next((name for name in usual if name.lower() in TARGET_WORDS), None)
        others = [name for name in usual if name != target]
        return usual[:2] if target is None else (*others[:1], target)

    def usual_columns(self, class_column: str | None) -> tuple[str, ...]:
        """The columns of numbers that are worth keeping: neither sparse nor a count of the rows."""
        usual = self._half_filled([f for f in self.fields if f.numeric and f.name != class_column])
        telling = [f for f in usual if not f.counts]
        return tuple(f.name for f in (telling if len(telling) > 1 else usual))

    @staticmethod
    def _half_filled(fields: list[Column]) -> list[Column]:
        """Those with more numbers than gaps; all of them where that would be less than two."""
        filled = [f for f in fields if np.isnan(f.values).mean() <= _MOST_GAPS]
        return filled if len(filled) > 1 else fields

    def dataset(self, inputs: Sequence[str] | None = None, class_column: str | None = None) -> Dataset:
        """The samples, as `select` chooses them."""
        return self.select(inputs, class_column).dataset

    def select(
        self,
        inputs: Sequence[str] | None = None,
        class_column: str | None = None,
        alone: bool = False,
        shown: Sequence[str] = (),
    ) -> Selection:
        """The rows that have a number in every input and a class, with all columns of numbers that cost no further row.

        `inputs` None means every column of numbers that is at least half filled; `class_column` None means a guess,
        "" no classes. With `alone` only the inputs become columns. Those to be `shown` are inputs too, and kept where
        there are too many columns. Raises `BadTable`.
        """
        chosen = self.guess_class() if class_column is None else class_column or None
        if class_column is None and chosen in (*(inputs or ()), *shown):
            chosen = None
        classes = self._class_field(chosen) if chosen else None
        needed = self._needed(inputs, chosen, shown)
        keep = np.ones(len(self), dtype=bool)
        skipped = self._without(keep, needed, classes)
        more = () if alone else self.fields
        free = {f.name for f in more if f.numeric and f.name != chosen and not np.isnan(f.values[keep]).any()}
        free |= {f.name for f in needed}
        kept = [f for f in self.fields if f.name in free]
        if not keep.any():
            with_class = f" and a class in {told(classes.name)}" if classes else ""
            raise BadTable(f"No row of the table has numbers in {listed(f.name for f in needed)}{with_class}.")
        if len(kept) > _MAX_KEPT:
            first = {f.name: None for f in (*map(self.column, shown), *needed, *kept)}
            kept = [self.column(name) for name in list(first)[:_MAX_KEPT]]
        codes, names = _used(classes, keep) if classes else (np.zeros(int(keep.sum()), dtype=np.intp), ())
        name = classes.name if classes else next(n for n in ("class", "no class") if n not in {f.name for f in kept})
        X = np.column_stack([f.values[keep] for f in kept])
        held_out, off = (self._flag(flag, keep) for flag in FLAG_COLUMNS)
        active = None if off is None else ~off
        data = Dataset(X, codes, tuple(f.name for f in kept), name, names, held_out, active)  # type: ignore[arg-type]
        left = [f for f in self.fields if f not in kept and f is not classes and not self._is_flag(f)]
        odd = [*self.departures, *(some for field in kept for some in field.departures)]
        odd += [] if classes is None else classes.as_class
        return Selection(
            data, (*odd, *self._left_out(left, classes, keep, alone), *_alike(names, bool(self.format.comma)), *skipped)
        )

    def _left_out(self, left: Sequence[Column], classes: Column | None, keep: Mask, alone: bool) -> Iterator[Departure]:
        """The columns that were not chosen for what they are."""
        possible = [f.name for f in left if not f.numeric and f.words]
        if classes is None and possible:
            what = f"for all samples, since no column was chosen for the classes; could be: {listed(possible)}"
            yield Departure("no class", 1, "class", what)
        gaps = [f for f in left if f.numeric and np.isnan(f.values[keep]).any()]
        sparse = [f for f in gaps if np.isnan(f.values).mean() > _MOST_GAPS]
        for reason, fields in (
            ("holding text", [f for f in left if not f.numeric]),
            ("having more gaps than numbers", sparse),
            ("having gaps", [f for f in gaps if f not in sparse]),
            (f"being more than {_MAX_KEPT:,}", [f for f in left if f.numeric and f not in gaps and not alone]),
        ):
            if fields:
                yield Departure(
                    "column", len(fields), "column", f"left out for {reason}: {listed(f.name for f in fields)}"
                )

    def _class_field(self, name: str) -> Column:
        field = self.column(name)
        if field.codes is None:
            raise BadTable(
                f"The column {told(name)!r} has too many different values for classes;"
                f" at most {MAX_CLASSES} are possible."
            )
        return field

    def _needed(self, inputs: Sequence[str] | None, class_column: str | None, shown: Sequence[str]) -> list[Column]:
        numeric = [f for f in self.fields if f.numeric and f.name != class_column]
        needed = self._half_filled(numeric) if inputs is None else [self.column(name) for name in inputs]
        if len(set(inputs or ())) < len(inputs or ()):
            raise BadTable(f"A column is named twice among the inputs: {listed(inputs or ())}.")
        needed += [field for field in map(self.column, shown) if field not in needed]
        text = next((field.name for field in needed if not field.numeric), None)
        if text is not None:
            raise BadTable(f"The column {told(text)!r} holds text, not numbers.")
        if len(needed) < 2 and len(self.numeric) - (class_column in self.numeric) < 2:
            have = listed(self.numeric) or "none"
            raise BadTable(f"The table needs two columns of numbers to be drawn; columns of numbers here: {have}.")
        return needed

    def _without(self, keep: Mask, needed: Sequence[Column], classes: Column | None) -> list[Departure]:
        """Take the rows with gaps out of `keep`, and say for each column which they were."""
        skipped = []
        gaps = [(f.name, "number", np.isnan(f.values)) for f in needed]
        if classes is not None and classes.codes is not None:
            gaps.append((classes.name, "class", classes.codes < 0))
        for name, what, missing in gaps:
            lost = np.flatnonzero(keep & missing)
            skipped += departures("gap", "row", f"skipped without a {what} in {told(name)}", self.lines[lost])
            keep[lost] = False
        return skipped

    def _flag(self, name: str, keep: Mask) -> Mask | None:
        """The rows that a column of flags marks with yes; None where there is no such column."""
        field = next((f for f in self.fields if f.name.startswith(name) and self._is_flag(f)), None)
        return None if field is None or field.codes is None else field.codes[keep] == 0

    @staticmethod
    def _is_flag(field: Column) -> bool:
        # Where a column of numbers has the name of a flag, the flag comes after it and is the second one.
        return field.name.removesuffix(" (2)") in FLAG_COLUMNS and field.words == ("yes",)


def _alike(names: Sequence[str], comma: bool) -> Iterator[Departure]:
    """Classes whose names may be taken for one another."""
    values = numbers(names, comma, frozenset())
    found, counts = np.unique(values[np.isfinite(values)], return_counts=True)
    if some := [name for name, value in zip(names, values.tolist(), strict=True) if value in found[counts > 1]]:
        what = f"told apart by the spelling of a number: {listed(some)}"
        yield Departure("number names", len(some), "class", what, plural="classes")
    alike: dict[str, list[str]] = {}
    for name in names:
        alike.setdefault(looks(name), []).append(name)
    for some in alike.values():
        if some[1:]:
            capitals = len({name.lower() for name in some}) == 1
            kind: Kind = "capitals" if capitals else "look-alike"
            by = "capitals only" if capitals else "letters that look alike"
            yield Departure(kind, len(some), "class", f"told apart by {by}: {listed(some)}", plural="classes")


def _used(classes: Column, keep: Mask) -> tuple[Labels, tuple[str, ...]]:
    """Codes and names of the classes that the kept rows have, in the column's own order."""
    assert classes.codes is not None
    codes = classes.codes[keep].astype(np.intp)
    present = occurring(codes[codes >= 0])
    return np.searchsorted(present, codes), tuple(classes.words[code] for code in present)
