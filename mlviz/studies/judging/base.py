"""What the studies that judge predictions have in common: on which samples, and what is predicted for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.base import CannotFit
from mlviz.draw.layer import Names
from mlviz.numerics.arrays import Array
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec import choice
from mlviz.spec.brief import Brief
from mlviz.studies.base import Study
from mlviz.studies.question import Question


@dataclass(frozen=True, eq=False)
class Judged(Brief):
    """Samples and what a model says of them."""

    X: Array
    """(n, d)."""
    y: NDArray[Any]
    """(n,) their classes."""
    rows: NDArray[np.intp]
    """(n,) the row of each in the data set."""
    weights: Array | None
    predicted: NDArray[Any]
    """(n,) the classes predicted; -1, or what else stands for it, where the decision chooses none."""
    model: PipelineModel
    where: str
    """"training samples" or "held-out samples"."""
    names: Names

    @property
    def classes(self) -> NDArray[Any]:
        """All classes (k,) there are among the samples and in the model, sorted."""
        return np.union1d(np.unique(self.y), self.model.classes)


@dataclass(frozen=True)
class JudgingStudy(Study):
    """Base of the studies that judge what the pipeline's own model predicts, under the hand."""

    samples: str = choice(
        "held out if any",
        "held out",
        "training",
        help="which samples are judged: those that are held out, or those that the method learns from",
    )

    def applies(self, pipeline: Pipeline) -> bool:
        """Whether the method tells classes."""
        return "classification" in pipeline.algorithm.tasks

    def rests_on(self, pipeline: Pipeline) -> Pipeline:
        """All of the pipeline."""
        return pipeline

    @property
    def immediate(self) -> bool:
        """It is told by the pipeline's own model."""
        return True

    def judged(self, model: PipelineModel, question: Question) -> Judged:
        """The samples to be judged; raises `CannotFit` where there are none."""
        test = question.test
        if not model.training.is_classes or question.y is None:
            raise CannotFit(f"The {self.label} is about classes, and this method predicts values.")
        held_out = test is not None and len(test.X) > 0 and self.samples != "training"
        if held_out and test is not None and test.y is not None:
            X, y, rows = test.X, test.y, test.rows
            weights, where = None, "held-out samples"
        elif self.samples == "held out":
            raise CannotFit("No samples are held out: hold some out in the Data menu, or judge the training samples.")
        else:
            X, y, rows = question.X, question.y, question.rows
            weights, where = question.sample_weight, "training samples"
        predicted = np.asarray(model.predict(X))
        places = np.arange(len(X)) if rows is None else rows
        return Judged(X, y, places, weights, predicted, model, where, question.names)
