"""The fields of models on what is seen: remembered, so that a moved probe computes none, and how long one takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from mlviz.picture import FINEST_NODES, FieldSample, Viewport, sample_field, viewport_of
from mlviz.picture.study_pictures import StudiesOfPanel
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.recent import Recent
from mlviz.scene.study_run import StudyRun
from mlviz.scene.trace import TraceStep
from mlviz.worker.jobs import Job
from mlviz.worker.pieces import FieldInPieces

_MOST = 16
"""How many fields are remembered."""
_DRAFT_SECONDS = 0.1
"""The field of a draft takes no longer."""
_OVERLAYS_SECONDS = 0.25
"""What studies draw on the canvas of a draft takes no longer."""
_FEWEST = 24
"""Nodes along the longer side of a draft's field, however long it takes."""


class Fields:
    """The fields that were sampled last."""

    def __init__(self) -> None:
        self._known = Recent[Any, FieldSample](_MOST)
        self._pace: dict[int, tuple[Pipeline, int, float]] = {}
        """Of the last field of each panel: its pipeline, about how many samples, seconds by a square of nodes."""
        self._under_way: dict[int, FieldInPieces] = {}

    def seconds(self, job: Job, nodes: int) -> float:
        """How long a field with that many nodes along its longer side would take, by the last one of the panel."""
        return (self._pace_of(job) or 0.0) * nodes**2

    def _pace_of(self, job: Job) -> float | None:
        """The seconds by a square of nodes; None where the last field of the panel was another method's."""
        former = self._pace.get(job.index)
        return former[2] if former is not None and type(former[0].algorithm) is job.kind else None

    def at_once(self, job: Job, model: PipelineModel, nodes: int) -> tuple[Viewport, FieldSample]:
        """A viewport with so many nodes, or as many as there is time for where it is soon replaced, and its field."""
        if self._pace_of(job) is None:
            self._sampled(job, model, _FEWEST)
        if (seconds := self.seconds(job, nodes)) > _DRAFT_SECONDS:
            nodes = max(_FEWEST, int(nodes * (_DRAFT_SECONDS / seconds) ** 0.5))
        return self._sampled(job, model, nodes)

    def _sampled(self, job: Job, model: PipelineModel, nodes: int) -> tuple[Viewport, FieldSample]:
        viewport = viewport_of(job.request.scene, job.fit, job.size, nodes)
        start = time.perf_counter()
        field_sample = sample_field(model, viewport)
        self._remember(job, (time.perf_counter() - start) / nodes**2)
        return viewport, field_sample

    def on_viewport(
        self, job: Job, state: TraceStep, resolution: int, deadline: float
    ) -> tuple[Viewport, FieldSample] | None:
        """The viewport and the field on it, the finest one remembered if there is one.

        None where that takes longer than to the deadline: asked again, it goes on. A draft and the field of a fit under
        way are made at once, as there is another one the next time.
        """
        finest = min(FINEST_NODES, max(job.size))
        for nodes in (finest, min(resolution, finest)):
            viewport = viewport_of(job.request.scene, job.fit, job.size, nodes)
            if viewport.grid is None:
                return viewport, FieldSample()
            key = (job.fit.key, state.step, viewport.limits, viewport.grid.shape)
            if state.finished and (known := self._known.used(key)) is not None:
                return viewport, known
        if job.request.draft or not state.finished:
            return self.at_once(job, state.model, nodes)
        under_way = self._under_way.get(job.index)
        if under_way is None or under_way.key != key:
            alike = self._pace.get(job.index, ())[:2] == _paced_by(job)
            assert viewport.grid is not None
            under_way = FieldInPieces(key, state.model, viewport.grid, self.seconds(job, nodes) if alike else None)
            self._under_way[job.index] = under_way
        finished = under_way.advance(deadline)
        if finished is None:
            return None
        del self._under_way[job.index]
        self._remember(job, under_way.seconds / nodes**2)
        self._known.use(key, finished)
        return viewport, finished

    def _remember(self, job: Job, pace: float) -> None:
        self._pace[job.index] = (*_paced_by(job), pace)

    def studied(self, job: Job, viewport: Viewport, watch: Callable[[int, int], None]) -> StudiesOfPanel | None:
        """The studies of a panel as far as they have come, with the fields of their models."""
        if not job.asked:
            return None
        found: list[tuple[StudyRun, FieldSample | None]] = []
        for number, run in enumerate(job.studies, start=1):
            field_sample = None
            # A model on the way is not worth a field.
            if run.finished and run.result is not None and run.result.model is not None:
                watch(job.index, number)
                key = run.asked.key, viewport.limits, None if viewport.grid is None else viewport.grid.shape
                field_sample = self._known.used(key) or sample_field(run.result.model, viewport)
                self._known.use(key, field_sample)
            found.append((run, field_sample))
        return StudiesOfPanel(job.asked, found)

    def ready(
        self, job: Job, studied: StudiesOfPanel | None, model: PipelineModel, viewport: Viewport, deadline: float | None
    ) -> bool:
        """Work out what the studies draw on the canvas until the deadline; whether the picture can be made now.

        A draft, which has no deadline, does not wait: what would take it too long is not drawn.
        """
        if studied is not None:
            end = time.perf_counter() + _OVERLAYS_SECONDS if deadline is None else deadline
            for _ in studied.before_overlays(job.request.scene, job.index, model, viewport):
                if time.perf_counter() >= end:
                    studied.late = deadline is None
                    return studied.late
        return True


def _paced_by(job: Job) -> tuple[Pipeline, int]:
    """What says how long a field takes: the pipeline, and about how many samples there are."""
    return job.fit.pipeline, len(job.fit.rows).bit_length()
