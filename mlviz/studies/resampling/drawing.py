"""Other samples of the same kind: drawn out of those there are, or anew from where they came."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import CannotFit
from mlviz.numerics.scoring.folds import bootstrap
from mlviz.pipeline.model import PipelineModel
from mlviz.studies.fitting import Waiting, last_model
from mlviz.studies.question import Question, Samples

_STREAM = 97
"""Sets the seeds of fresh samples apart from that of the samples there are."""


def resamples(question: Question, fresh: bool, count: int) -> Iterator[Samples]:
    """So many other samples, the same ones each time; raises `CannotFit` where there is nowhere to draw them from."""
    if fresh:
        if question.source is None:
            raise CannotFit("Fresh samples need a source: draw the points with a generator and leave them as they are.")
        for seed in fresh_seeds(question.seed, count):
            yield question.source.draw(seed, len(question.X))
        return
    try:
        folds = bootstrap(question.X, question.y, np.random.default_rng(question.seed), count)
    except ValueError as error:
        raise CannotFit(str(error)) from None
    for rows, _ in folds:
        yield Samples(question.X[rows], None if question.y is None else question.y[rows], rows)


def fresh_seeds(seed: int, count: int) -> list[int]:
    """The seeds of so many fresh samples."""
    found: NDArray[np.int64] = np.random.default_rng([seed, _STREAM]).integers(2**31, size=count)
    return [int(one) for one in found]


def fitted_to(question: Question, samples: Samples, waiting: Waiting) -> Generator[Waiting, None, PipelineModel]:
    """The model of the question's pipeline for some samples; while it is fitted the same result is yielded."""
    weights = None
    if question.sample_weight is not None and samples.rows is not None:
        weights = question.sample_weight[samples.rows]
    models = question.pipeline.steps(samples.X, samples.y, question.seed, weights)
    return (yield from last_model(models, waiting))
