"""The table of a comparison: one row per canvas, with its name, the errors, the time of the fit and facts."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mlviz.data.tables.formulas import cell_of
from mlviz.draw.facts import Fact, Range
from mlviz.draw.numbers import plain, typographic
from mlviz.picture.panel import PanelPicture
from mlviz.pipeline.facts import ERROR, LOG_LIKELIHOOD, MEAN_COST, REJECTED, RMSE, Samples
from mlviz.scene.comparing import differing
from mlviz.scene.scene import Scene
from mlviz.spec.brief import Brief

_SAMPLES: tuple[Samples, ...] = ("training", "test")
RESULTS = tuple(
    fact.called(samples) for fact in (ERROR, RMSE, LOG_LIKELIHOOD, REJECTED, MEAN_COST) for samples in _SAMPLES
)
"""The facts that come first, wherever a canvas tells them."""
FIT_TIME, HERE = "fit time", "at the cursor"
_TIME_HELP = "How long the fit took, in milliseconds, the preprocessing included."
_HERE_HELP = "What the method says at the place under the cursor, or at the pinned one."
_OF_ITS_OWN = 2
"""So many facts are shown of those that a canvas shares with no other."""


@dataclass(frozen=True)
class Column(Brief):
    """A column of the table, and what it means."""

    name: str
    help: str


@dataclass(frozen=True, eq=False)
class Row(Brief):
    """What is told of one canvas: a fact in each column, None where it has none."""

    panel: int
    name: str
    cells: tuple[Fact | None, ...]


@dataclass(frozen=True, eq=False)
class Comparison(Brief):
    """The table: one row per canvas, in the order of the canvases."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    def ordered(self, column: int | None, falling: bool = False) -> list[Row]:
        """The rows by a column, numbers before words and what is missing last; in the order of the canvases by None."""
        if column is None:
            return list(self.rows)
        told = [(row, _key(row.cells[column])) for row in self.rows]
        there = [(row, key) for row, key in told if key is not None]
        by_kind = [[(row, key) for row, key in there if key[0] == kind] for kind in (0, 1)]
        ordered = [row for part in by_kind for row, _ in sorted(part, key=lambda pair: pair[1][1:], reverse=falling)]
        return [*ordered, *(row for row, key in told if key is None)]

    def text(self, rows: Iterable[Row] | None = None, separator: str = ",") -> str:
        """The table as separated values with a line of names: numbers with all their digits, no empty columns."""
        filled = [k for k in range(len(self.columns)) if any(row.cells[k] is not None for row in self.rows)]
        buffer = io.StringIO()
        writer = csv.writer(buffer, delimiter=separator, lineterminator="\n")
        writer.writerow(["canvas", "method", *(_headed(self.columns[k].name) for k in filled)])
        for row in self.rows if rows is None else rows:
            writer.writerow([row.panel + 1, plain(row.name), *(_value(row.cells[k]) for k in filled)])
        return buffer.getvalue()


def compared(scene: Scene, pictures: Mapping[int, PanelPicture]) -> Comparison:
    """The table of the scene's canvases, from the newest picture there is of each."""
    pipelines = [panel.pipeline for panel in scene.panels]
    apart = [differing(pipelines, pipeline) for pipeline in pipelines]
    found: list[dict[str, Fact]] = []
    names = []
    for index, pipeline in enumerate(pipelines):
        settings = {p.label: Fact(getattr(pipeline.algorithm, p.name), help=p.help) for p in apart[index]}
        names.append(typographic(pipeline.algorithm.caption(first=[p.name for p in apart[index]])))
        picture = pictures.get(index)
        found.append(settings | (_told(picture) if picture is not None else {}))
    columns = list(_columns(found, [{p.label for p in own} for own in apart]))
    rows = (
        Row(index, name, tuple(told.get(column.name) for column in columns))
        for index, (name, told) in enumerate(zip(names, found, strict=True))
    )
    return Comparison(tuple(columns), tuple(rows))


def _told(picture: PanelPicture) -> dict[str, Fact]:
    """The facts of a picture that a table has room for; none where there is no model."""
    if picture.message is not None:
        return {}
    told = {name: fact for name, fact in picture.facts.items() if fact.level == "lesson" or name in RESULTS}
    if picture.fit_ms > 0:  # nothing was fitted where the answer is hidden
        told[FIT_TIME] = Fact(picture.fit_ms, " ms", _TIME_HELP)
    if picture.here is not None:
        told[HERE] = replace(picture.here, help=_HERE_HELP)
    return told


def _columns(found: Sequence[Mapping[str, Fact]], settings: Sequence[set[str]]) -> Iterator[Column]:
    """The columns in their order: what differs, results, time, the place, facts in common, then some of each canvas."""
    helps = {name: fact.help for told in reversed(found) for name, fact in told.items()}
    known = list(dict.fromkeys(name for told in found for name in told))
    counts = {name: sum(name in told for told in found) for name in known}
    first = [name for own in settings for name in own]
    common = [name for name in known if counts[name] > 1 and name not in (*RESULTS, FIT_TIME, HERE)]
    own = [
        name
        for told in found
        for name in [name for name in told if counts[name] == 1 and name not in (*RESULTS, FIT_TIME, HERE)][
            :_OF_ITS_OWN
        ]
    ]
    results = [name for name in RESULTS if name in known]
    fixed = {FIT_TIME: _TIME_HELP, HERE: _HERE_HELP}
    for name in dict.fromkeys((*first, *results, *fixed, *common, *own)):
        yield Column(name, helps.get(name) or fixed.get(name, ""))


def _key(fact: Fact | None) -> tuple[int, float, str] | None:
    """What rows are ordered by: the number, or else the word; None where there is nothing."""
    match fact and fact.value:
        case None:
            return None
        case Range() as ends:
            return 0, ends.low, ""
        case int() | float() as value:
            return None if math.isnan(value) else (0, float(value), "")
        case value:
            return 1, 0.0, str(value)


def _headed(name: str) -> str:
    return f"{name} / ms" if name == FIT_TIME else name


def _value(fact: Fact | None) -> str:
    """A value as a program reads it, which runs no name of a class as a formula."""
    if fact is None:
        return ""
    return cell_of(plain(str(fact)), quoted=True) if isinstance(fact.value, bool | str) else str(fact.value)
