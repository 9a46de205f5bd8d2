"""What is sent: of what was sent before nothing again, and what pictures begin with ahead of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from mlviz.data.dataset import Dataset
from mlviz.draw.plot import Plot
from mlviz.picture import PanelPicture
from mlviz.scene.recent import Recent
from mlviz.scene.scene import Panel
from mlviz.worker.jobs import Request
from mlviz.worker.messages import Completed, PlotBegun, SentRequest


class Asking:
    """Packs requests, and remembers what the other end has of them: so many data sets, and the panels."""

    def __init__(self, datasets: int) -> None:
        self._datasets = Recent[str, None](datasets)
        self._panels: tuple[Panel, ...] | None = None

    def knows(self, dataset: Dataset) -> bool:
        """Whether the data set has crossed, and is remembered there."""
        return dataset.key in self._datasets

    def packed(self, request: Request) -> SentRequest:
        """The request as it is sent."""
        scene = request.scene
        dataset = None if self.knows(scene.dataset) else scene.dataset
        panels = None if scene.panels is self._panels else scene.panels
        how = request.sizes, request.draft, request.refused, request.front
        what = panels, scene.seed, scene.view, scene.attempts, scene.hides_answer, scene.split
        return SentRequest(request.id, scene.dataset.key, dataset, *what, *how)

    def note(self, request: Request) -> None:
        """It was sent."""
        self._datasets.use(request.scene.dataset.key, None)
        self._panels = request.scene.panels


class Outgoing:
    """Sends pictures through a pipe and remembers what the other end has of each panel."""

    def __init__(self, send: Callable[[Any], None]) -> None:
        self._send = send
        self._begun: dict[int, Plot] = {}
        """The plot that was begun last."""
        self._sent: dict[int, PanelPicture] = {}

    def begin(self, panel: int, plot: Plot) -> None:
        """Send the marks with which the next picture of the panel begins: the window paints them while it is made."""
        known = _shared(self._begun.get(panel), plot)
        self._begun[panel] = plot
        self._send(PlotBegun(panel, replace(plot, marks=plot.marks[known:]) if known else plot, known))

    def send(self, picture: PanelPicture) -> None:
        """Send a picture, or what the one sent last for its panel lacks where the plot is the same."""
        former = self._sent.get(picture.panel)
        self._sent[picture.panel] = picture
        if former is not None and former.plot is picture.plot:
            self._send(Completed(picture.panel, picture.sides, picture.studies, picture.facts))
            return
        known = _shared(self._begun.pop(picture.panel, None), picture.plot)
        self._send(replace(picture, plot=replace(picture.plot, marks=picture.plot.marks[known:]), known=known))


def _shared(begun: Plot | None, plot: Plot) -> int:
    """How many marks a plot has in common with one that was begun: all of that one, or none."""
    if begun is None or len(begun.marks) > len(plot.marks):
        return 0
    same = all([own is known for own, known in zip(plot.marks, begun.marks, strict=False)])
    return len(begun.marks) if same else 0
