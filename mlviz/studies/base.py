"""What a study is: a question asked of a pipeline, answered beside the pipeline's own answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.checking import checked
from mlviz.data.generators.base import Generator
from mlviz.draw.layer import Overlay
from mlviz.draw.tasks import what_it_does
from mlviz.numerics.arrays import AnyArray
from mlviz.pipeline.decisions import NATURAL_DECISION
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec import Declared
from mlviz.studies.question import Question, Result, Source

HOW_GOOD, HOW_MANY, WHICH_VALUES, CHANCE, TRUTH = GROUPS = (
    "How good is it?",
    "How many clusters?",
    "Which values, how many samples?",
    "How much is chance?",
    "What is true?",
)
"""What studies are asked for, in the order of their menu."""


@dataclass(frozen=True)
class Study(Declared):
    """Base of every study; its declared parameters are its settings, its file is named after its id.

    It is asked by name, or, where it is `by_layer`, by switching one of its overlays on. It works only while the
    pipeline's own answer is there and the hand rests.
    """

    id: ClassVar[str]
    label: ClassVar[str]
    help: ClassVar[str] = ""
    group: ClassVar[str] = HOW_GOOD
    """Which of `GROUPS` it belongs to."""
    of_source: ClassVar[bool] = False
    """Whether it can only be answered where the generator of the samples is known."""
    overlays: ClassVar[tuple[Overlay, ...]] = ()
    """What it draws on the canvas.

    For a result that has a model they are drawn for that, in a context of its own; for others they are given the result
    and a context in the user's coordinates.
    """
    by_layer: ClassVar[bool] = False
    plotted: ClassVar[bool] = True
    """Whether it has plots beside what it draws on the canvas."""
    decides: ClassVar[bool] = False
    """Whether its answer follows threshold and costs of the pipeline; of others the method decides by itself."""
    live: ClassVar[bool] = False
    """Whether it is drawn under the hand too, as far as it comes in a moment."""
    random: ClassVar[bool] = False
    """Whether it draws something at random, by the seed of the question, whatever the method does."""

    def lack(self, pipeline: Pipeline) -> str:
        """What it needs and that pipeline has not, as a sentence without its subject: "needs this; there is that".

        "" where the question makes sense.
        """
        return ""

    def applies(self, pipeline: Pipeline) -> bool:
        """Whether the question makes sense for that pipeline."""
        return not self.lack(pipeline)

    def rests_on(self, pipeline: Pipeline) -> Pipeline:
        """The pipeline without what makes no difference to the answer: a curve over C does not rest on C."""
        return pipeline

    def choices(self, pipeline: Pipeline) -> dict[str, tuple[str, ...]]:
        """Settings that are texts, by their names, and what may be chosen for that pipeline, the usual one first."""
        return {}

    @property
    def immediate(self) -> bool:
        """Whether it is told by the pipeline's own model alone, at each of its steps and under the hand."""
        return False

    def judge(self, model: PipelineModel, question: Question) -> Result:
        """What an immediate study says of a model; raises `CannotFit` with the reason where it says nothing."""
        raise NotImplementedError

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield results, at least one every 20 ms, the last of which is complete; raises `CannotFit`.

        The same object again is only a chance to interrupt the work.
        """
        yield self.judge(question.pipeline.fit(question.X, question.y, question.seed, question.sample_weight), question)

    def run(
        self, pipeline: Pipeline, X: ArrayLike, y: ArrayLike | None = None, seed: int = 0, **more: Any
    ) -> Iterator[Result]:
        """Yield results for these samples, the last of which is complete; raises `CannotFit`.

        X is (n, d), y (n,) as in `Pipeline.fit`; `more` are other fields of `Question`, `source` may be a generator.
        """
        if lack := self.lack(pipeline):
            raise CannotFit(f"The study \u201c{self.label}\u201d {lack}.")
        pipeline = pipeline if self.decides else pipeline.replace(decision=NATURAL_DECISION)
        inputs, target, weights = checked(pipeline.algorithm, X, y, more.pop("sample_weight", None))
        if isinstance(source := more.get("source"), Generator):
            more["source"] = Source.usual(source)
        more.setdefault("classes", None if y is None else np.asarray(y))
        yield from self.steps(Question(pipeline, inputs, target, seed, weights, **more))


def needs_method(pipeline: Pipeline, that: str, instead: str = "") -> str:
    """What is lacked by a study of methods of another kind, and what the pipeline's own one does instead."""
    algorithm = pipeline.algorithm
    return f"needs a method that {that}; this one, {algorithm.label}, {instead or what_it_does(algorithm.tasks)}"


def needs_axes(pipeline: Pipeline) -> str:
    """What is lacked by a study that is drawn over the inputs; "" where they are on the axes."""
    made = pipeline.preprocessor
    return f"needs the inputs themselves on the axes; {made.label} project them" if made.projects else ""


def classes_of(y: AnyArray | None) -> bool:
    """Whether a target, as a pipeline checks it, names classes."""
    return y is not None and y.dtype.kind != "f"
