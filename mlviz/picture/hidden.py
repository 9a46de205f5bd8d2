"""The picture of a panel whose answer is to be predicted first: of the samples and of what was drawn, nothing else."""

from __future__ import annotations

from mlviz.draw.numbers import typographic
from mlviz.draw.plot import Plot, visible_limits
from mlviz.picture.attempts.marks import drawn_regions
from mlviz.picture.panel import PanelPicture
from mlviz.picture.viewport import Size
from mlviz.scene.canvas_axes import axes_of
from mlviz.scene.scene import Scene

HIDDEN = "the answer is hidden: draw your own, then reveal it"


def hidden_picture(scene: Scene, index: int, size: Size) -> PanelPicture:
    """The picture; nothing is fitted for it. Its regions are those of the newest boundary that was drawn."""
    axes, pipeline = axes_of(scene, index), scene.panels[index].pipeline
    limits = visible_limits(axes.limits, size[0], size[1], scene.view.equal)
    n = int(scene.dataset.training.sum())
    words = (pipeline.algorithm.caption(), f"n = {n}", HIDDEN)
    marks = tuple(drawn_regions(scene, index, limits))
    plot = Plot("data", pipeline.algorithm.label, *axes.names, marks, limits=limits, equal=scene.view.equal)
    return PanelPicture(
        0,
        index,
        scene.dataset.key,
        plot,
        caption=typographic("; ".join(words)),
        components_of=axes.components_of,
        preprocessing=pipeline.preprocessing,
        hidden=True,
    )
