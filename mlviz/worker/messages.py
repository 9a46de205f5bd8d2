"""What the window and the worker process send each other."""

from __future__ import annotations

from dataclasses import dataclass

from mlviz.data.dataset import Dataset
from mlviz.draw.facts import Fact
from mlviz.draw.plot import Plot
from mlviz.picture import Size
from mlviz.picture.study_pictures import StudyPicture
from mlviz.scene.attempts import Attempt
from mlviz.scene.scene import Panel, View
from mlviz.scene.splits import Recipe
from mlviz.scene.trace import FitKey
from mlviz.spec.brief import Brief


@dataclass(frozen=True)
class WorkerReady:
    """The process has started and listens."""


@dataclass(frozen=True)
class RequestDone:
    """Every panel of the request has been answered and the pictures are sent."""

    request: int


@dataclass(frozen=True)
class PictureTaken:
    """The window has taken the picture of that panel and can take another."""

    panel: int


@dataclass(frozen=True, eq=False)
class SentRequest(Brief):
    """A request on its way; a data set crosses once and is named by its key from then on.

    The panels are None where they are those of the request before: what the process has found out about them stays.
    """

    id: int
    key: str
    dataset: Dataset | None
    panels: tuple[Panel, ...] | None
    seed: int
    view: View
    attempts: tuple[Attempt, ...]
    hides_answer: bool
    split: Recipe | None
    sizes: tuple[Size, ...]
    draft: bool
    refused: frozenset[FitKey]
    front: tuple[int, str] | None


@dataclass(frozen=True, eq=False)
class PlotBegun:
    """What the next picture of that panel begins with: the first `known` marks of those sent last, and then these."""

    panel: int
    plot: Plot
    known: int


@dataclass(frozen=True, eq=False)
class Completed:
    """What was still to come of the picture of that panel which was sent last."""

    panel: int
    sides: tuple[Plot, ...] | None
    studies: tuple[StudyPicture, ...]
    facts: dict[str, Fact]
