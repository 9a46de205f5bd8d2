"""The fields of models on what is seen: remembered, so that a moved probe computes none, and how long one takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from mlviz.algorithms.base import Algorithm
from mlviz.picture import FINEST_NODES, FieldSample, Viewport, sample_field, viewport_of
from mlviz.picture.study_pictures import StudiesOfPanel
from mlviz.scene.recent import Recent
from mlviz.scene.study_run import StudyRun
from mlviz.scene.trace import TraceStep
from mlviz.worker.jobs import Job

_MOST = 16
"""How many fields are remembered."""


class Fields:
    """The fields that were sampled last."""

    def __init__(self) -> None:
        self._known = Recent[Any, FieldSample](_MOST)
        self._pace: dict[int, tuple[type[Algorithm], float]] = {}

    def seconds(self, job: Job, nodes: int) -> float:
        """How long a field with that many nodes along its longer side would take, by the last one of the panel."""
        kind, pace = self._pace.get(job.index, (None, 0.0))
        return pace * nodes**2 if kind is job.kind else 0.0

    def on_viewport(self, job: Job, state: TraceStep, resolution: int) -> tuple[Viewport, FieldSample]:
        """The viewport and the field on it, the finest one remembered if there is one."""
        finest = min(FINEST_NODES, max(job.size))
        key = None
        for nodes in (finest, min(resolution, finest)):
            viewport = viewport_of(job.request.scene, job.fit, job.size, nodes)
            if viewport.grid is None:
                return viewport, FieldSample()
            key = (job.fit.key, state.step, viewport.limits, viewport.grid.shape)
            if state.finished and (known := self._known.used(key)) is not None:
                return viewport, known
        start = time.perf_counter()
        field_sample = sample_field(state.model, viewport)
        self._pace[job.index] = job.kind, (time.perf_counter() - start) / nodes**2
        if state.finished:
            self._known.use(key, field_sample)
        return viewport, field_sample

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
