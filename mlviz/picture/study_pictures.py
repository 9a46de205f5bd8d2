"""What the window is shown of the studies that a panel asks."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from mlviz.algorithms.base import CannotFit
from mlviz.draw.facts import Fact
from mlviz.draw.layer import Context
from mlviz.draw.numbers import typographic
from mlviz.draw.plot import Plot
from mlviz.picture.context import context_of, probe_of
from mlviz.picture.viewport import Viewport, sample_field
from mlviz.pipeline.field_sample import FieldSample
from mlviz.pipeline.model import PipelineModel
from mlviz.scene.scene import Scene
from mlviz.scene.study_run import AskedStudy, StudyRun
from mlviz.scene.trace import TraceStep
from mlviz.spec.brief import Brief
from mlviz.studies import Offer, Result, Study, Table


@dataclass(frozen=True, eq=False)
class StudyPicture(Brief):
    """What there is to see of one study beside the canvas."""

    study: Study
    plots: tuple[Plot, ...] = ()
    table: Table = field(default_factory=lambda: Table((), ()))
    facts: dict[str, Fact] = field(default_factory=dict)
    offers: tuple[Offer, ...] = ()
    done: int = 0
    total: int = 1
    message: str = ""
    """Why there is no answer, in one sentence."""


_BY_ITSELF = Fact(
    "the method's own",
    help="The fits of this study decide by themselves: threshold and costs of the canvas do not count in its numbers.",
)


def picture_of(study: Study, result: Result) -> StudyPicture:
    """What a result shows."""
    decided = study.decides or result.question.pipeline.decision.natural
    facts = result.facts() | ({} if decided else {"decision": _BY_ITSELF})
    return StudyPicture(study, result.plots(), result.table(), facts, result.offers(), result.done, result.total)


def field_of_result(result: Result | None, viewport: Viewport) -> FieldSample | None:
    """The field of the model that a result is about; None where it is about none."""
    return None if result is None or result.model is None else sample_field(result.model, viewport)


class StudiesOfPanel:
    """The studies of a panel as they are drawn: the immediate ones by its model, the others by what they know."""

    def __init__(self, asked: Sequence[AskedStudy], runs: Sequence[tuple[StudyRun, FieldSample | None]]) -> None:
        """`runs` are those under way or finished of the studies that are `asked`, with the field of their model."""
        self._asked = asked
        self.late = False
        """Whether what is drawn on the canvas would take too long now."""
        self._runs = {run.asked.key: (run, field_sample) for run, field_sample in runs}

    def beside(self, model: PipelineModel, wanted: Collection[str] | None) -> Iterator[StudyPicture]:
        """What stands beside the canvas, or what of it has a plot that is `wanted`, None for all."""
        for asked in self._asked:
            study = asked.study
            if study.by_layer or not (wanted is None or any(name.partition(" ")[0] == study.id for name in wanted)):
                continue
            try:
                if (result := self._result(asked, model)) is not None:
                    yield picture_of(study, result)
                elif (found := self._runs.get(asked.key)) is not None:
                    yield StudyPicture(study, message=typographic(found[0].error or ""))
            except CannotFit as error:
                yield StudyPicture(study, message=typographic(str(error)))

    def on_canvas(
        self, scene: Scene, model: PipelineModel, viewport: Viewport
    ) -> Iterator[tuple[Study, Result, Context]]:
        """Each study that has overlays and is answered, with its result and the context that they are drawn in."""
        for asked, run, result, field_sample in () if self.late else self._answered():
            if result.model is None:
                yield asked.study, result, _on_canvas(scene, asked, model, viewport)
                continue
            if not run.finished:
                continue  # a model on the way is no answer
            answer = result.model.deciding(asked.fit.pipeline.decision)
            context = context_of(scene, asked.fit, TraceStep(answer), viewport, field_sample or FieldSample())
            yield asked.study, dataclasses.replace(result, model=answer), context

    def before_overlays(self, scene: Scene, index: int, model: PipelineModel, viewport: Viewport) -> Iterator[None]:
        """Work out ahead, with pauses, what takes long of the overlays that panel `index` shows."""
        panel = scene.panels[index]
        for asked, _, result, _ in self._answered():
            if result.model is None and not all(panel.hides(overlay.id) for overlay in asked.study.overlays):
                yield from result.before_overlays(_on_canvas(scene, asked, model, viewport))

    def _answered(self) -> Iterator[tuple[AskedStudy, StudyRun, Result, FieldSample | None]]:
        """The studies that have overlays, with what they know."""
        for asked in self._asked:
            run, field_sample = self._runs.get(asked.key, (None, None))
            if asked.study.overlays and run is not None and run.result is not None:
                yield asked, run, run.result.of_panel(asked.fit.pipeline), field_sample

    def _result(self, asked: AskedStudy, model: PipelineModel) -> Result | None:
        if asked.study.immediate:
            return asked.study.judge(model, asked.question.replace(pipeline=asked.fit.pipeline))
        run, _ = self._runs.get(asked.key, (None, None))
        return None if run is None or run.result is None else run.result.of_panel(asked.fit.pipeline)


def _on_canvas(scene: Scene, asked: AskedStudy, model: PipelineModel, viewport: Viewport) -> Context:
    """A context in the user's coordinates."""
    question: Any = asked.question
    return Context(
        X=question.X,
        y=question.y,
        rows=question.rows,
        algorithm=asked.fit.pipeline.algorithm,
        task=asked.fit.roles.task,
        grid=viewport.grid,
        line=viewport.line,
        fine=viewport.fine,
        names=question.names,
        plane=viewport.plane,
        probe=probe_of(scene, viewport),
    )
