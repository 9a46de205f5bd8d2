"""Fits within a study, which can be interrupted while they are made."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import islice
from typing import TypeVar

from mlviz.algorithms.base import CannotFit
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies.question import Question, Result

Waiting = TypeVar("Waiting", bound=Result)


def last_model(models: Iterator[PipelineModel], waiting: Waiting) -> Generator[Waiting, None, PipelineModel]:
    """The last of the models of a fit; while they are made the same result is yielded. Raises `CannotFit`."""
    last = None
    for last in models:  # noqa: B007
        yield waiting
    if last is None:
        raise CannotFit("The method gave no model.")
    return last


def fitted(
    pipeline: Pipeline, question: Question, waiting: Waiting, most: int | None = None
) -> Generator[Waiting, None, PipelineModel | str]:
    """The model of a pipeline, or why there is none, after `most` steps at the most.

    While it is fitted the same result is yielded.
    """
    steps = pipeline.steps(question.X, question.y, question.seed, question.sample_weight)
    try:
        return (yield from last_model(islice(steps, most), waiting))
    except CannotFit as error:
        return str(error)
