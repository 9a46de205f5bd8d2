"""The studies that a panel asks, under the keys that name their answers, and what they have found out so far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mlviz.algorithms.base import CannotFit
from mlviz.data.generators.base import Generator
from mlviz.draw.layer import Names
from mlviz.pipeline.decisions import NATURAL_DECISION
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.model_size import size_of
from mlviz.scene.scene import Panel, Scene
from mlviz.scene.stepping import Stepping
from mlviz.scene.trace import Fit, FitKey, fit_of, key_of
from mlviz.spec.brief import Brief
from mlviz.studies import Question, Result, Study
from mlviz.studies.question import Samples, Source


@dataclass(frozen=True, eq=False)
class AskedStudy(Brief):
    """A study that a panel asks beside its own fit."""

    key: FitKey
    """Names the answer: two studies of the same key have the same one."""
    study: Study
    question: Question
    fit: Fit
    """The panel's own."""


def asked_studies(scene: Scene, index: int, fit: Fit | None = None) -> tuple[AskedStudy, ...]:
    """The studies that panel `index` asks, beside its own `fit` if that is known already."""
    studies = scene.panels[index].asked_studies
    if not studies:
        return ()
    own = fit_of(scene, index) if fit is None else fit
    question = _question(scene, index, own)
    return tuple(_asked(scene, scene.panels[index], study, question, own) for study in studies)


def _asked(scene: Scene, panel: Panel, study: Study, question: Question, fit: Fit) -> AskedStudy:
    key = (*key_of(scene, study.rests_on(panel.pipeline), fit.roles), question.rival, study)
    pipeline = study.rests_on(question.pipeline).replace(decision=NATURAL_DECISION)
    return AskedStudy(key, study, question.replace(pipeline=pipeline), fit)


def _question(scene: Scene, index: int, fit: Fit) -> Question:
    dataset = scene.dataset
    return Question(
        fit.pipeline,
        fit.X,
        fit.y,
        fit.seed,
        rows=fit.rows,
        test=None if fit.test is None else Samples(*fit.test),
        source=_source(scene, fit),
        rival=_rival(scene, index),
        names=Names(dataset.names(), fit.roles.inputs),
        target=fit.roles.target or "",
        classes=dataset.labels[fit.rows],
    )


def _source(scene: Scene, fit: Fit) -> Source | None:
    """Where more samples like those of the fit come from; None where the samples are no longer the generator's."""
    dataset, role = scene.dataset, fit.roles
    if not isinstance(dataset.source, Generator) or fit.problem:
        return None
    inputs = tuple(dataset.column(name) for name in role.inputs)
    target = dataset.column(role.target) if role.task == "regression" and role.target else None
    return Source(dataset.source, inputs, target)


def _rival(scene: Scene, index: int) -> Pipeline | None:
    """The pipeline of the next canvas; None where there is one canvas only."""
    panels = scene.panels
    return None if len(panels) < 2 else panels[(index + 1) % len(panels)].pipeline


class StudyRun(Stepping[Result]):
    """A study under way: its results come as far as time allows."""

    doing = "This study"

    def __init__(self, asked: AskedStudy) -> None:
        super().__init__()
        self.asked = asked
        self.result: Result | None = None
        """What is known so far."""

    @property
    def nbytes(self) -> int:
        """About how much memory the result takes."""
        return size_of(self.result)

    @property
    def progress(self) -> str:
        """How far the study has come, in some words."""
        share = 0.0 if self.result is None else self.result.done / self.result.total
        return f"{self.asked.study.label}: {100 * share:.0f} %"

    def fail(self, sentence: str) -> None:
        """Give the study up, and say why."""
        super().fail(sentence)
        self.result = None

    def _beginning(self) -> Iterator[Result]:
        if self.asked.fit.problem:
            raise CannotFit(self.asked.fit.problem)
        return self.asked.study.steps(self.asked.question)

    def _take(self, step: Result) -> None:
        self.result = step

    def _check(self) -> None:
        if self.result is None:
            raise CannotFit("The study gave no answer.")
