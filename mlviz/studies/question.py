"""What a study is asked, and what it answers: numbers in a table, plots, and how far it has come."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from mlviz.data.generators.base import Generator, RegressionGenerator
from mlviz.draw.facts import Fact
from mlviz.draw.layer import UNNAMED, Context, Names
from mlviz.draw.plot import Plot
from mlviz.numerics.arrays import AnyArray, Array, Rows
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec.brief import Brief


class Samples(NamedTuple):
    """Some samples: X (n, d), y (n,) or None, and the row of each in the data set, or None where there is none."""

    X: Array
    y: AnyArray | None
    rows: Rows | None = None


class Source(NamedTuple):
    """Where the samples came from: a generator that knows the truth, and which of its columns are read."""

    generator: Generator
    inputs: tuple[int, ...] = (0, 1)
    target: int | None = None
    """The column of the values to be predicted; None for classes."""

    @classmethod
    def usual(cls, generator: Generator) -> Source:
        """The roles that its samples are drawn for."""
        if isinstance(generator, RegressionGenerator):
            return cls(generator, generator.inputs, generator.target)
        return cls(generator)

    @property
    def values(self) -> RegressionGenerator | None:
        """The generator, where its values are predicted as it draws them: the true function is known then."""
        made = self.generator
        return made if isinstance(made, RegressionGenerator) and self[1:] == (made.inputs, made.target) else None

    def draw(self, seed: int, size: int) -> Samples:
        """So many fresh samples of the same truth."""
        drawn = self.generator.replace(n_samples=size).further(seed)
        y = drawn.labels if self.target is None else drawn.X[:, self.target]
        return Samples(drawn.X[:, list(self.inputs)], y)


@dataclass(frozen=True, eq=False)
class Question(Brief):
    """A pipeline and the samples it is about."""

    pipeline: Pipeline
    X: Array
    """(n, d) the training samples."""
    y: AnyArray | None = None
    """(n,) class codes or values; None for methods without a target."""
    seed: int = 0
    sample_weight: Array | None = None
    """(n,) or None for all ones."""
    rows: Rows | None = None
    """(n,) the row of each sample in the data set; None where there is no data set."""
    test: Samples | None = None
    """The samples that are held out; None where there are none."""
    source: Source | None = None
    """Where the samples came from; None where that is not known."""
    rival: Pipeline | None = None
    """Another pipeline, to which this one is compared: that of the next canvas."""
    names: Names = UNNAMED
    """Of the classes and of the inputs."""
    target: str = "y"
    """What the target is called."""
    classes: AnyArray | None = None
    """(n,) the class of each sample, which methods without a target are not told; None where there are none."""

    def replace(self, **changes: Any) -> Self:
        """The same with some values changed."""
        return replace(self, **changes)


class Table(NamedTuple):
    """Numbers and words in columns: names (k,), and as many columns of equal length, each a tuple of plain values."""

    names: tuple[str, ...]
    columns: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, **columns: Sequence[Any] | AnyArray) -> Table:
        """The table of columns by name."""
        return cls.from_columns(columns)

    @classmethod
    def from_columns(cls, columns: dict[str, Any]) -> Table:
        """The table of columns by name, the values made plain Python's."""
        return cls(tuple(columns), tuple(tuple(np.asarray(c).tolist()) for c in columns.values()))

    def to_csv(self) -> str:
        """The rows as comma-separated values, below the names."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.names)
        columns = [["" if value != value else value for value in column] for column in self.columns]  # NaN is nothing
        writer.writerows(zip(*columns, strict=True))
        return text.getvalue()

    def to_json(self) -> dict[str, list[Any]]:
        """Name -> values, where NaN and infinities are None."""
        return {
            name: [None if isinstance(value, float) and not np.isfinite(value) else value for value in column]
            for name, column in zip(self.names, self.columns, strict=True)
        }


class Offer(NamedTuple):
    """What the answer lets one adopt by a click: words, and the values to be set, each at a path of the panel."""

    label: str
    settings: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, eq=False)
class Result(Brief):
    """What a study has found out so far; its last result is complete. A kind of study has its own kind of results."""

    question: Question
    done: int = 1
    """How much of the work is done, out of `total`."""
    total: int = 1
    model: PipelineModel | None = None
    """A model whose overlays the study draws on the canvas, where it is about one."""

    def table(self) -> Table:
        """The numbers."""
        return Table((), ())

    def plots(self) -> tuple[Plot, ...]:
        """The plots; their ids begin with that of the study."""
        return ()

    def facts(self) -> dict[str, Fact]:
        """What stands beside the plots, by name."""
        return {}

    def offers(self) -> tuple[Offer, ...]:
        """What can be adopted."""
        return ()

    def before_overlays(self, context: Context) -> Iterator[None]:
        """Work out ahead what the overlays need that takes long, with pauses; here that is nothing."""
        yield from ()

    def of_panel(self, pipeline: Pipeline) -> Self:
        """The same for the pipeline as it is now: what the study does not rest on may have changed since."""
        return replace(self, question=self.question.replace(pipeline=pipeline))

    @property
    def complete(self) -> bool:
        """Whether all of the work is done."""
        return self.done >= self.total
