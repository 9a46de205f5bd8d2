"""What standardization changes: the same fit on the inputs as they are."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from mlviz.draw.layer import Context, Overlay
from mlviz.draw.marks import Mark
from mlviz.draw.overlays import regions
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies.base import Study
from mlviz.studies.question import Question, Result

_HELP = "the boundary or curve of the same method on the inputs as they are; it comes when the hand rests"


def plain_fit(id: str, label: str, legend: str) -> Overlay:
    """The overlay of a fit on the inputs as they are: its boundary, or its curve."""

    def draw(model: object, context: Context) -> Sequence[Mark]:
        plain = dataclasses.replace(context, reject_band=None)
        marks = [*regions.boundary.draw(model, plain), *regions.curve.draw(model, plain)]
        return [dataclasses.replace(mark, role="unstandardized", label=legend) for mark in marks]

    return Overlay(id, label, draw, _HELP, shown=False, tasks=("classification", "regression"))


@dataclass(frozen=True)
class Unstandardized(Study):
    """The same method on the inputs as they are, where the pipeline standardizes them."""

    id = "unstandardized"
    label = "fit without standardization"
    help = _HELP
    overlays = (plain_fit(id, label, "without standardization"),)
    by_layer = True
    preprocessing: ClassVar[str] = "standardize"

    def lack(self, pipeline: Pipeline) -> str:
        """A preprocessing to be left out."""
        own, other = self.preprocessing, pipeline.preprocessing
        return "" if other == own else f"needs the preprocessing {own!r}, to leave it out; this one is {other!r}"

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield the models of the pipeline without its preprocessing."""
        pipeline = question.pipeline.replace(preprocessing="none")
        for model in pipeline.steps(question.X, question.y, question.seed, question.sample_weight):
            yield Result(question, model=model)
