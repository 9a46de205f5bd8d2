"""Fits within a study, which can be interrupted while they are made."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TypeVar

from mlviz.algorithms.base import CannotFit
from mlviz.pipeline.model import PipelineModel
from mlviz.studies.question import Result

Waiting = TypeVar("Waiting", bound=Result)


def last_model(models: Iterator[PipelineModel], waiting: Waiting) -> Generator[Waiting, None, PipelineModel]:
    """The last of the models of a fit; while they are made the same result is yielded. Raises `CannotFit`."""
    last = None
    for last in models:  # noqa: B007
        yield waiting
    if last is None:
        raise CannotFit("The method gave no model.")
    return last
