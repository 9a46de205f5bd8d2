"""What the engine is asked, and what it keeps of each panel while it answers."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from mlviz.algorithms.base import Algorithm
from mlviz.draw.plot import Plot
from mlviz.picture import (
    Drawing,
    PanelPicture,
    Size,
    empty_picture,
    failed_picture,
    hidden_picture,
)
from mlviz.pipeline.pipeline import PipelineFollower
from mlviz.scene.scene import Scene
from mlviz.scene.study_run import AskedStudy, StudyRun
from mlviz.scene.trace import Fit, FitKey, Trace

GIVEN_UP = "This fit gave no sign of life and was stopped; the points are safe. Change the data or the method to go on."
DRAFT_NODES = 150
"""Nodes of what is soon replaced: a draft, and the picture of a fit that is still going on."""
REST_SECONDS = 0.06
"""How long nothing new has to come, at the least, before a picture is refined: that can't be interrupted."""
Watch = Callable[[int, int], None]
"""Told of the panel that is worked on, -1 for none, and of which of its fits."""
Begun = Callable[[int, Plot], None]
"""Told of a panel and what is known of its plot."""
_DRAFT_SECONDS = 0.1
"""A draft that has begun is finished before a newer one begins, if it takes no longer than that."""


def nobody(*told: object) -> None:
    """Listen to what is told, and do nothing."""


@dataclass(frozen=True, eq=False)
class Request:
    """Show me this scene: `sizes` are the plot areas in logical pixels, one a panel; `draft` while a gesture is on.

    Fits whose keys are in `refused` are not tried: they took the worker down before.
    """

    id: int
    scene: Scene
    sizes: tuple[Size, ...]
    draft: bool = False
    refused: frozenset[FitKey] = frozenset()
    front: tuple[int, str] | None = None
    """The panel and the id of its chart in front, "" for none: a draft has no others. None for all of all panels."""

    def __post_init__(self) -> None:
        if len(self.sizes) != len(self.scene.panels):
            raise ValueError(f"{len(self.sizes)} sizes for {len(self.scene.panels)} panels")

    def failed(self, index: int, error: Exception) -> PanelPicture:
        """The answer for a panel whose picture could not be made."""
        picture = failed_picture(self.scene, index, self.sizes[index], error)
        return dataclasses.replace(picture, request=self.id, draft=self.draft)

    def hidden(self) -> list[PanelPicture]:
        """The pictures of a scene that is not to show what its methods answer; [] of any other one."""
        return [self._hidden(index) for index in range(len(self.sizes))] if self.scene.hides_answer else []

    def _hidden(self, index: int) -> PanelPicture:
        try:
            picture = hidden_picture(self.scene, index, self.sizes[index])
        except Exception as error:
            return self.failed(index, error)
        return dataclasses.replace(picture, request=self.id, draft=self.draft)


@dataclass(eq=False)
class Job:
    """What is being done for one panel of the present request."""

    request: Request
    index: int
    fit: Fit
    trace: Trace | None = None
    """None for a draft that a follower makes."""
    asked: tuple[AskedStudy, ...] = ()
    """The studies that the panel asks."""
    studies: list[StudyRun] = field(default_factory=list)
    """Those of them that take fits of their own, one after the other when its own answer is there and the hand rests.
    """
    ahead: bool = False
    """Whether a draft comes before the exact picture, which takes longer."""
    drawing: tuple[PanelPicture, Drawing] | None = None
    """The picture of the canvas that was shown, and what makes the rest: at once, or of a draft when the hand rests.
    """
    done: bool = False
    """The picture that answers the request is made (a refined one may follow)."""
    finer: int = 0
    """Nodes of the refined picture that is still to be made; 0 for none."""
    behind: bool = False
    """Whether a picture of a study under way is not finished: it comes before the study goes on."""
    pause: float = REST_SECONDS
    """Seconds without a new request before it is made: longer where it takes longer."""
    shown: float = field(default_factory=time.perf_counter)
    cost: float = 0.0
    """Seconds the last picture took."""

    since: float = field(default_factory=time.perf_counter)
    successor: Job | None = None
    """What is to be done for the panel when this is done."""

    def after(self, former: Job | None) -> Job:
        """What is to be done first, this or the former work on the panel, with this as its successor.

        A draft whose fit takes several turns would never be seen if each move of the hand began it anew.
        """
        if former is None or former.done or not (former.request.draft and self.request.draft):
            return self
        fitting = former.trace is not None and former.trace.seconds > 0
        if not fitting or former.kind is not self.kind or time.perf_counter() - former.since > _DRAFT_SECONDS:
            return self
        former.successor = self
        return former

    @property
    def awaits_rest(self) -> bool:
        """Whether it is answered, and a chart or a finer picture follows when the hand rests."""
        return self.done and (self.finer > 0 or self.drawing is not None)

    @property
    def unfinished(self) -> StudyRun | None:
        """A study that is still to be answered."""
        return next((run for run in self.studies if not run.finished), None)

    def empty(self, message: str) -> PanelPicture:
        """The picture of the panel without a model, and why."""
        picture = empty_picture(self.request.scene, self.index, self.fit, self.size, message)
        return dataclasses.replace(picture, draft=self.request.draft)

    @property
    def size(self) -> Size:
        """The panel's plot area."""
        return self.request.sizes[self.index]

    @property
    def kind(self) -> type[Algorithm]:
        """The kind of algorithm that is fitted."""
        return type(self.fit.pipeline.algorithm)

    @property
    def in_front(self) -> tuple[str, ...] | None:
        """The ids of the charts that a draft has; None for all."""
        if self.request.front is None:
            return None
        panel, chart = self.request.front
        return (chart,) if chart and panel == self.index else ()


@dataclass(eq=False)
class PanelFollower:
    """The follower of one panel, for one kind of algorithm, and how fine its drafts are."""

    kind: type[Algorithm]
    follower: PipelineFollower
    resolution: int = DRAFT_NODES
    late: int = 0
