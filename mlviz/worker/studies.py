"""The studies under way, and the answers that are remembered."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from mlviz.scene.recent import Recent
from mlviz.scene.study_run import AskedStudy, StudyRun
from mlviz.scene.trace import FitKey
from mlviz.worker.jobs import GIVEN_UP, Job

_MOST, _MEMORY = 24, 64 * 2**20
"""How many answers are remembered, and how many bytes of them."""
_LIVE_SECONDS = 0.03
"""How long a picture waits for a study that is drawn under the hand."""
_PICTURE_SECONDS = 0.08
"""How long a study goes on, at the least, between two pictures of it."""


class Studies:
    """Carried from request to request: what takes long goes on while others are asked for."""

    def __init__(self) -> None:
        self._answers = Recent[FitKey, StudyRun](_MOST, _MEMORY, lambda run: run.nbytes)
        self._under_way: dict[FitKey, StudyRun] = {}
        """Those of the last request that was no draft."""

    def of(self, job: Job) -> list[StudyRun]:
        """The studies of a job that take fits of their own; of a draft those that are drawn under the hand."""
        draft = job.request.draft
        asked = [one for one in job.asked if not one.study.immediate and (one.study.live or not draft)]
        return [self._run(one, job.request.refused) for one in asked]

    def keep(self, runs: Iterable[StudyRun]) -> None:
        """Go on with these, and with no others."""
        self._under_way = {run.asked.key: run for run in runs}

    def remember(self, run: StudyRun) -> None:
        """Remember an answer, if it is one."""
        if run.finished:
            self._answers.use(run.asked.key, run)

    def look_in(self, job: Job, watch: Callable[[int, int], None]) -> None:
        """Go on for a moment with the studies of a job that are drawn under the hand."""
        live = [(number, run) for number, run in enumerate(job.studies, start=1) if run.asked.study.live]
        for number, run in live:
            watch(job.index, number)
            run.advance(time.perf_counter() + _LIVE_SECONDS)
            self.remember(run)
        if live:
            watch(job.index, 0)

    def tell_more(self, job: Job, run: StudyRun, deadline: float) -> bool:
        """Go on with a study of a job; whether what it tells now and did not tell before is to be shown."""
        before = run.result
        run.advance(deadline)
        self.remember(run)
        early = time.perf_counter() - job.shown < _PICTURE_SECONDS
        return not (early or run.asked.study.by_layer or run.result is before or job.unfinished is None)

    def _run(self, asked: AskedStudy, refused: frozenset[FitKey]) -> StudyRun:
        """The study under way: one that is not to be tried, goes on, is remembered, or begins."""
        if asked.key in refused:
            run = StudyRun(asked)
            run.fail(GIVEN_UP)
            return run
        return self._under_way.get(asked.key) or self._answers.used(asked.key) or StudyRun(asked)
