"""The engine: one request at a time, its panels in turn."""

from __future__ import annotations

import dataclasses
import time
from functools import partial

from mlviz.algorithms.base import Algorithm, CannotFit
from mlviz.picture import FINEST_NODES, Drawing, PanelPicture, Viewport
from mlviz.scene.study_run import StudyRun, asked_studies
from mlviz.scene.trace import Fit, FitKey, Trace, TraceStep, fit_of, trace_cache
from mlviz.worker.beside import Beside
from mlviz.worker.fields import Fields
from mlviz.worker.jobs import DRAFT_NODES, GIVEN_UP, REST_SECONDS, Begun, Job, PanelFollower, Request, Watch, nobody
from mlviz.worker.studies import Studies

_CHUNK = 0.008
"""Seconds of work on one panel before the next has its turn."""
_COARSE_NODES = 100
"""Nodes along the longer side of a field that is seen for a moment only: the first of a click, the least of a draft."""
_FINE_NODES = 200
"""Nodes of the first picture of a fit that is done; one of up to `FINEST_NODES` follows where that is quick."""
_DRAFT_SECONDS = 0.012
"""Drafts that take longer get a coarser grid."""
_PARTIAL_SECONDS = 0.05
"""How long a fit goes on, at the least, between two pictures of it."""
_REFINE_SECONDS = 0.25
"""A refinement to the finest that would take longer is left out."""
_SLOW_SECONDS = 0.004
"""Where fit and first field took longer before, a draft by the method's follower comes ahead of them."""


class Engine:
    """Answers the newest request, the panels in turn. Without threads: it works inside `advance` only."""

    def __init__(self, watch: Watch = nobody, begun: Begun = nobody) -> None:
        """`watch` is called before and in each piece of work with the panel it is for, and after it with -1.

        Its second argument says which of the panel's fits is at work: 0 for its own, from 1 on those of its studies.
        `begun` is called with a panel and what is known of its plot while the picture that answers a request is made.
        """
        self._watch = watch
        self._traces = trace_cache()
        self._jobs: list[Job] = []
        self._studies = Studies()
        self._ready: list[PanelPicture] = []
        """Of the panels of the present request that no work is to be done for: nothing can be, or all is hidden."""
        self._turn = 0
        self._followed: dict[int, PanelFollower] = {}
        self._took: dict[int, tuple[type[Algorithm], float]] = {}
        """Kind of algorithm and seconds of fit and field of the last exact picture of each panel."""
        self._fields = Fields()
        self._beside = Beside(begun)
        self._asked = 0.0

    def submit(self, request: Request) -> None:
        """Answer this request from now on, and no older one."""
        running = {job.fit.key: job for job in self._jobs if job.trace is not None}
        former = {job.index: job for job in self._jobs} if request.draft else {}
        jobs, self._ready = list[Job](), request.hidden()
        for index in range(0 if self._ready else len(request.sizes)):
            try:
                job = self._job(request, index, running)
                jobs.append(job.after(former.get(index)))
            except Exception as error:
                self._ready.append(request.failed(index, error))
        self._jobs = jobs
        if not request.draft:
            self._studies.keep(run for job in jobs for run in job.studies)
        self._followed = {i: kept for i, kept in self._followed.items() if i < len(request.sizes)}
        self._asked = time.perf_counter()
        if not request.draft:
            for kept in self._followed.values():
                kept.resolution, kept.late = DRAFT_NODES, 0

    @property
    def busy(self) -> bool:
        """Whether a panel has not been answered, or its picture is still to be refined."""
        return not self.answered or any(job.awaits_rest for job in self._jobs)

    @property
    def answered(self) -> bool:
        """Whether every panel has the picture that answers the request; it may still be refined."""
        for job in self._jobs:  # asked so often that a generator would tell
            if not job.done:
                return False
        return not self._ready

    def seconds_until_work(self) -> float | None:
        """Seconds until there is work: 0 for now, None for none before the next request."""
        if not self.answered:
            return 0.0
        pauses = [job.pause for job in self._jobs if job.awaits_rest]
        return max(0.0, self._asked + min(pauses) - time.perf_counter()) if pauses else None

    def advance(self, seconds: float) -> list[PanelPicture]:
        """Work for about so long, by at least one piece of work; returns the pictures that got ready."""
        end = time.perf_counter() + seconds
        pictures, self._ready = self._ready, []
        while (job := self._next()) is not None:
            self._watch(job.index, 0)
            try:
                picture = self._work(job, time.perf_counter() + _CHUNK)
            except Exception as error:
                job.done, job.finer, job.drawing = True, 0, None
                picture = job.request.failed(job.index, error)
            self._watch(-1, 0)
            if picture is not None:
                pictures.append(picture)
            if job.done and job.successor is not None:
                self._jobs[self._jobs.index(job)] = job.successor
            if time.perf_counter() >= end:
                break
        return pictures

    def _next(self) -> Job | None:
        """The job whose turn it is: those not answered first, then those to be refined, once nothing new has come."""
        waiting = [job for job in self._jobs if not job.done]
        if not waiting:
            rested = time.perf_counter() - self._asked
            waiting = [job for job in self._jobs if job.awaits_rest and job.pause <= rested]
        if not waiting:
            return None
        job = min(waiting, key=lambda job: (job.index - self._turn) % len(self._jobs))
        self._turn = (job.index + 1) % len(self._jobs)
        return job

    def _job(self, request: Request, index: int, running: dict[FitKey, Job]) -> Job:
        fit = fit_of(request.scene, index)
        job = Job(request, index, fit, asked=asked_studies(request.scene, index, fit))
        former = running.get(job.fit.key)
        if former is not None:
            job.trace, job.shown, job.cost = former.trace, former.shown, former.cost
        job.trace = self._known(job.fit, request, job.trace)
        if job.trace is None:
            kind, seconds = self._took.get(index, (None, 0.0))
            job.ahead = not request.draft and kind is job.kind and seconds > _SLOW_SECONDS and self._follow(job)
            if job.ahead or not (request.draft and self._follow(job)):
                job.trace = Trace(job.fit)
        job.studies = self._studies.of(job)
        return job

    def _known(self, fit: Fit, request: Request, under_way: Trace | None) -> Trace | None:
        """The trace of a fit that need not begin: one that is not to be tried, is under way or is remembered."""
        if fit.key not in request.refused:
            return under_way or self._traces.used(fit.key)
        trace = Trace(fit)
        trace.fail(GIVEN_UP)
        return trace

    def _follow(self, job: Job) -> bool:
        """Make sure of a follower for the panel, if its method has one: other methods start anew for every draft."""
        pipeline, kind = job.fit.pipeline, job.kind
        if job.request.scene.view.step is not None and pipeline.algorithm.traits.follower_differs:
            return False  # it would not show that step, but another end
        kept = self._followed.get(job.index)
        if kept is None or kept.kind is not kind:
            if job.fit.problem or pipeline.algorithm.follower() is None:
                return False
            kept = self._followed[job.index] = PanelFollower(kind, pipeline.follower(job.fit.seed))
        former = next((former for former in self._jobs if former.index == job.index), None)
        if former is not None and former.trace is not None and former.trace.n_steps:
            shown = former.trace.model(former.trace.n_steps - 1)
            if shown is not None and type(former.fit.pipeline.algorithm) is kind:
                kept.follower.start_from(pipeline.algorithm, shown)
        return True

    def _work(self, job: Job, deadline: float) -> PanelPicture | None:
        if job.drawing is not None:
            return self._completed(job)
        if job.trace is None:
            job.done = True
            return self._draft(job, deadline)
        if job.ahead:
            job.ahead = False
            return self._draft(job, deadline)
        if job.done:
            if (run := job.unfinished) is not None:
                return self._study(job, run, job.trace, deadline)
            nodes = job.finer
            if (picture := self._exact(job, job.trace, nodes, deadline)) is not None:
                job.finer = 0
                # By now it is known better how long one takes: the first field may have had something to prepare.
                self._plan_finer(job, nodes)
            return picture
        draft, trace = job.request.draft, job.trace
        if not trace.finished:
            trace.advance(deadline)
            self._watch(job.index, 0)
        if not trace.finished:
            pause = max(_PARTIAL_SECONDS, 4 * job.cost)
            early = trace.n_steps == 0 or time.perf_counter() - job.shown < pause
            return None if early else self._exact(job, trace, DRAFT_NODES, deadline)
        try:
            return self._exact(job, trace, DRAFT_NODES if draft else _COARSE_NODES, deadline)
        finally:  # the picture does not wait for the cache, which asks how large all its traces are
            if not draft:
                self._traces.use(job.fit.key, trace)

    def _study(self, job: Job, run: StudyRun, trace: Trace, deadline: float) -> PanelPicture | None:
        """Go on with a study, and show now and then how far it has come; its answer comes with the last picture."""
        self._watch(job.index, 1 + job.studies.index(run))
        if not job.behind and not self._studies.tell_more(job, run, deadline):
            return None
        picture = self._exact(job, trace, _COARSE_NODES, deadline)
        job.behind = picture is None
        return picture

    def _draft(self, job: Job, deadline: float) -> PanelPicture | None:
        kept, fit, scene = self._followed[job.index], job.fit, job.request.scene
        start = time.perf_counter()
        try:
            model = kept.follower.update(fit.pipeline, fit.X, fit.y, None, deadline, fit.test)
        except CannotFit as error:
            return self._finish(job, job.empty(str(error))) if job.done else None
        except Exception:
            # What it kept may be spoilt. The exact fit, which follows when the gesture ends, does without it.
            del self._followed[job.index]
            raise
        fitted = time.perf_counter() - start
        # Ahead of an exact picture it is seen for a moment only.
        nodes = kept.resolution if job.request.draft else _COARSE_NODES
        self._studies.look_in(job, self._watch)
        viewport, sampled = self._fields.at_once(job, model, nodes)
        studies = self._fields.studied(job, viewport, self._watch)
        self._fields.ready(job, studies, model, viewport, None)
        drawing = Drawing(scene, job.index, fit, TraceStep(model), viewport, sampled, studies)
        picture, late = self._beside.drafted(job, drawing, start)
        # Two in a row: the first draft of a gesture has everything to prepare.
        kept.late = kept.late + 1 if time.perf_counter() - start > _DRAFT_SECONDS else 0
        if kept.late >= 2:
            kept.resolution, kept.late = max(_COARSE_NODES, int(0.8 * kept.resolution)), 0
        picture = self._finish(job, dataclasses.replace(picture, fit_ms=1e3 * fitted))
        job.drawing = (picture, drawing) if late else None
        return picture

    def _exact(self, job: Job, trace: Trace, resolution: int, deadline: float) -> PanelPicture | None:
        """The picture of the trace as far as it has come; None if its step, field or studies take longer."""
        start = time.perf_counter()
        if trace.error is not None:
            job.done = True
            return self._finish(job, job.empty(trace.error))
        state = trace.state(job.request.scene.view.step, deadline)
        if state is None:
            return None
        self._studies.look_in(job, self._watch)
        if (on_viewport := self._fields.on_viewport(job, state, resolution, deadline)) is None:
            return None
        viewport, sampled = on_viewport
        studied = self._fields.studied(job, viewport, self._watch)
        self._watch(job.index, 0)
        if not self._fields.ready(job, studied, state.model, viewport, None if job.request.draft else deadline):
            return None
        beat = partial(self._watch, job.index, 0)
        drawing = Drawing(job.request.scene, job.index, job.fit, state, viewport, sampled, studied, beat)
        answers = trace.finished and not job.done
        late, later = False, answers and not job.request.draft
        if job.request.draft:
            picture, late = self._beside.drafted(job, drawing, start)
        elif later:
            picture = self._beside.answered(job, drawing)
        else:
            picture = drawing.whole()
        picture = self._finish(job, dataclasses.replace(picture, fit_ms=1e3 * trace.seconds))
        job.cost = time.perf_counter() - start
        if answers:
            job.done, job.drawing = not later, (picture, drawing) if later or late else None
            self._plan_next(job, trace, viewport)
        return picture

    def _completed(self, job: Job) -> PanelPicture:
        """The picture shown last, with what stands beside the canvas: that took its time after it was seen."""
        assert job.drawing is not None
        (picture, drawing), job.drawing, job.done = job.drawing, None, True
        return self._beside.completed(job, picture, drawing)

    def _plan_next(self, job: Job, trace: Trace, viewport: Viewport) -> None:
        """Plan what follows the picture that answers the request; remember for the next one how long that took."""
        if job.request.draft:
            return
        self._took[job.index] = job.kind, trace.seconds + self._fields.seconds(job, DRAFT_NODES)
        if job.unfinished is not None:
            job.finer, job.pause = _FINE_NODES, REST_SECONDS
        if viewport.grid is not None:
            self._plan_finer(job, max(viewport.grid.shape))

    def _plan_finer(self, job: Job, there: int) -> None:
        """Plan a picture that is finer than the one `there` with so many nodes, if it comes soon."""
        for nodes in (FINEST_NODES, _FINE_NODES):
            wanted = min(nodes, max(job.size))
            seconds = self._fields.seconds(job, wanted)
            if wanted > there and (nodes == _FINE_NODES or seconds < _REFINE_SECONDS):
                job.finer, job.pause = wanted, REST_SECONDS + 3 * seconds
                return

    def _finish(self, job: Job, picture: PanelPicture) -> PanelPicture:
        job.shown = time.perf_counter()
        return dataclasses.replace(picture, request=job.request.id)
