"""What the studies that judge predictions have in common: on which samples, and what is predicted for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.numbers import counted
from mlviz.numerics.arrays import AnyArray, Labels, Rows
from mlviz.numerics.scoring.folds import v_fold
from mlviz.pipeline.decisions import ScoreThreshold, natural_threshold, rejected_of
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.rating import Rating, rated
from mlviz.spec import choice, integer
from mlviz.spec.outside import shortened
from mlviz.studies.base import Study, needs_method
from mlviz.studies.fitting import last_model
from mlviz.studies.judging.scored import Scored
from mlviz.studies.question import Question, Result, Samples

_HELD_OUT = "held-out samples"
_TRAINING = "training samples"
_FEW, _SHORT = 5, 12
"""With more classes than that, names have so many characters in the legend."""


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgingResult(Result):
    """What a model says of samples, under the decision of the question's pipeline."""

    study: Any
    """The study with its settings."""
    scored: Scored
    rows: Rows
    """(q,) the row of each sample in the data set."""
    where: str
    """What the samples are: "training samples"."""
    judge: PipelineModel
    """The model, or one of several that judged some of the samples each."""

    @cached_property
    def rule(self) -> ScoreThreshold | None:
        """The decision in the units of the score; None where the method decides by itself."""
        return self.judge.deciding(self.question.pipeline.decision).score_threshold

    @property
    def threshold(self) -> float:
        """Where the score parts two classes."""
        return natural_threshold(self.scored.unit) if self.rule is None else self.rule.threshold

    @cached_property
    def predicted(self) -> AnyArray:
        """(q,) the classes decided for; `rejected_of` all classes where none is."""
        scored, rule = self.scored, self.rule
        if rule is None:
            return scored.natural
        if rule.reject_band is None:
            return rule.decide(scored.scores, scored.classes)
        found = rule.decide(scored.scores, scored.classes).astype(scored.y.dtype)
        return np.where(np.isin(found, scored.classes), found, rejected_of(scored.all_classes))

    def check(self) -> None:
        """Raise `CannotFit` where the samples say nothing."""

    def name(self, code: Any) -> str:
        """What a class is called."""
        return self.question.names.of_class(code)

    def short_name(self, code: Any) -> str:
        """What a class is called in the legend: of many classes there is room for short names only."""
        return self.name(code) if len(self.scored.all_classes) <= _FEW else shortened(self.name(code), _SHORT)

    def against(self, code: Any) -> str:
        """A class that has a curve, and of two what it is told from."""
        both = self.scored.binary
        return f"{self.name(code)} against {self.name(self.scored.classes[0])}" if both else self.short_name(code)

    def axis(self, words: str) -> str:
        """The words for an axis, with what curves of several classes are about."""
        return words if self.scored.binary else f"{words} (each class against the rest)"

    def facts(self) -> dict[str, Fact]:
        """Which samples they are, then what is told of them."""
        judged = Fact(f"{len(self.rows):,} {self.where}", help="Which samples all of this is about.")
        return {"judged on": judged} | self.told()

    def loss_facts(self) -> dict[str, Fact]:
        """The log loss and the Brier score, where there are probabilities."""
        if self.scored.losses is None:
            return {}
        log_loss, brier = self.scored.losses
        added = "" if len(self.scored.all_classes) == 2 else ", added up over the classes"
        told = f"The mean squared difference between the probability of a class and what is true, 1 or 0{added}."
        return {
            "log loss": Fact(log_loss, "", "The mean of −ln of the probability of the sample's own class."),
            "Brier score": Fact(brier, "", told),
        }

    def told(self) -> dict[str, Fact]:
        """What is told of the samples."""
        return {}


@dataclass(frozen=True)
class JudgingStudy(Study):
    """Base of the studies that judge what the pipeline's own model predicts, under the hand."""

    decides = True
    answer: ClassVar[type[JudgingResult]]
    """What it answers."""

    samples: str = choice(
        "held out if any",
        "held out",
        "training",
        "cross-validation",
        help="which samples are judged: those that are held out; those that the method learns from; or these, each by "
        "a model that has not seen it",
    )
    folds: int = integer(
        10,
        soft=(2, 20),
        valid=(2, None),
        help="how many parts the samples are dealt into, each to be judged by a model of the others",
        when=("samples", ("cross-validation",)),
    )

    def lack(self, pipeline: Pipeline) -> str:
        """A method that predicts classes."""
        return "" if "classification" in pipeline.algorithm.tasks else needs_method(pipeline, "predicts classes")

    @property
    def immediate(self) -> bool:
        """Whether it is told by the pipeline's own model."""
        return self.samples != "cross-validation"

    @property
    def random(self) -> bool:  # type: ignore[override]
        """Whether the samples are dealt into folds."""
        return self.samples == "cross-validation"

    def judge(self, model: PipelineModel, question: Question) -> JudgingResult:
        """What is said of a model by the samples that are to be judged."""
        test = question.test
        self.check(model, question)
        if self.samples != "training" and test is not None and len(test.X) and test.y is not None:
            rating = model.test_rating or rated(model, test.X, test.y)
            return self._told(model, question, rating, _HELD_OUT, _rows(test))
        if self.samples == "held out":
            raise CannotFit("No samples are held out: hold some out in the Data menu, or judge the training samples.")
        given = _rows(Samples(question.X, None, question.rows))[model.training.rows]
        return self._told(model, question, model.rating, _TRAINING, given)

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield the answer, after the progress where there are several models to be fitted."""
        if self.immediate:
            yield from super().steps(question)
        else:
            yield from self._cross_validated(question)

    def check(self, model: PipelineModel, question: Question) -> None:
        """Raise `CannotFit` where the model has nothing that can be judged."""
        if not model.training.is_classes or question.y is None:
            raise CannotFit(f"The {self.label} is about classes, and here {question.target} is predicted.")
        if len(model.parts) < len(model.training.problems):
            raise CannotFit("The models of some classes are still being fitted.")
        if len(model.classes) < 2:
            raise CannotFit("All samples are of one class: there is nothing to be told apart.")

    def _told(self, model: PipelineModel, question: Question, rating: Rating, where: str, rows: Rows) -> JudgingResult:
        if rating.rows is not None:
            rows, where = rows[rating.rows], f"of {rating.count:,} {where}, drawn at random"
        found = self.answer(question, study=self, scored=Scored.of(rating), rows=rows, where=where, judge=model)
        found.check()
        return found

    def _cross_validated(self, question: Question) -> Iterator[Result]:
        pipeline, X, y, weights = question.pipeline, question.X, question.y, question.sample_weight
        if y is None or y.dtype.kind == "f" or np.unique(y, return_counts=True)[1].min() < 2:
            raise CannotFit("Cross-validation needs at least two samples of each class.")
        try:
            folds = v_fold(X, y, np.random.default_rng(question.seed), self.folds)
        except ValueError as error:
            raise CannotFit(str(error)) from None
        parts: list[Scored] = []
        rows: list[Labels] = []
        for train, test in folds:
            waiting = Result(question, done=len(parts), total=len(folds))
            train_weights, test_weights = (None if weights is None else weights[part] for part in (train, test))
            model = yield from last_model(pipeline.steps(X[train], y[train], question.seed, train_weights), waiting)
            self.check(model, question)
            rating = rated(model, X[test], y[test], test_weights)
            parts.append(Scored.of(rating))
            rows.append(test if rating.rows is None else test[rating.rows])
            if not np.array_equal(parts[0].classes, parts[-1].classes):
                raise CannotFit("One class has too few samples to be both learned from and judged.")
        found = self.answer(
            question,
            len(folds),
            len(folds),
            study=self,
            scored=Scored.joined(parts),
            rows=_rows(Samples(X, None, question.rows))[np.concatenate(rows)],
            where=f"training samples, by {counted(len(folds), 'model')} that have not seen them",
            judge=model,
        )
        found.check()
        yield found


def _rows(samples: Samples) -> Rows:
    """The row of each sample in the data set."""
    return np.arange(len(samples.X)) if samples.rows is None else samples.rows
