"""What stands beside the canvases: with them, after them, or when the hand rests."""

from __future__ import annotations

import dataclasses
import time
from functools import partial

from mlviz.picture import Drawing, PanelPicture
from mlviz.worker.jobs import Begun, Job

_FRAME_SECONDS = 0.025
"""A draft that would take longer with its chart goes without: what is left of 33 ms is for sending and painting."""
_QUICK_SECONDS = 0.008
"""A chart that takes no longer comes with every draft, however long the fit takes."""


class Beside:
    """Completes pictures of canvases, and remembers how long the charts of each panel took."""

    def __init__(self, begun: Begun) -> None:
        self._begun = begun
        self._seconds: dict[int, dict[str, float]] = {}
        """By the ids of the charts, those of studies among them."""

    def drafted(self, job: Job, drawing: Drawing, start: float) -> tuple[PanelPicture, bool]:
        """The draft that was begun at `start`, and whether its chart, known to be slow, is left for later."""
        if not job.request.draft:
            return self.answered(job, drawing, draft=True), False  # all else comes with the exact picture after it
        picture = drawing.canvas(draft=True)
        left = start + _FRAME_SECONDS - time.perf_counter()
        if self._expected(job) > max(_QUICK_SECONDS, left):
            return dataclasses.replace(picture, facts=drawing.facts()), True
        return self.completed(job, picture, drawing), False

    def answered(self, job: Job, drawing: Drawing, draft: bool = False) -> PanelPicture:
        """The picture of the canvas, told of while it is made: the hand rests, and the window has time."""
        return drawing.canvas(draft, partial(self._begun, job.index))

    def completed(self, job: Job, picture: PanelPicture, drawing: Drawing) -> PanelPicture:
        """The picture of the canvas with what stands beside it: of a draft the one chart that is in front."""
        wanted = job.in_front if job.request.draft else None
        beside = drawing.beside(wanted)
        if wanted == ():
            beside |= {"sides": None, "studies": ()}
        self._seconds.setdefault(job.index, {}).update(drawing.chart_seconds)
        return dataclasses.replace(picture, **beside)

    def _expected(self, job: Job) -> float:
        """Seconds the charts of a draft would take, by what they took last; 0 for those that were never drawn."""
        took = self._seconds.get(job.index, {})
        return sum(took.get(chart, 0.0) for chart in (took if job.in_front is None else job.in_front))
