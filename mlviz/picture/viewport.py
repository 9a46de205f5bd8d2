"""The part of a panel that is seen, and the field of a model on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.plot import Limits, visible_limits
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.multiclass import CombinedModel, OneVsOne
from mlviz.scene.scene import Scene
from mlviz.scene.trace import Fit

Size = tuple[int, int]

FINEST_NODES = 400
"""Nodes along the longer side of the finest field: more are not seen."""


@dataclass(frozen=True, eq=False)
class Viewport:
    """The part of a panel that is seen, and the places in it where a model can be asked, in the user's axes.

    `grid` where the two inputs are the two axes, `line` (m,) where the one input is the horizontal axis and the target
    the vertical one; neither where the model can't be drawn on the samples. `plane` says which of the inputs the two
    axes are: with a grid, and where a decomposition has further inputs.
    """

    limits: Limits
    grid: Grid | None = None
    line: Array | None = None
    fine: bool = False
    """Whether it is as fine as it gets: the picture is meant to stay."""
    plane: tuple[int, int] | None = None


def viewport_of(scene: Scene, fit: Fit, size: Size, resolution: int) -> Viewport:
    """The ground of a plot area of `size` pixels, with `resolution` nodes along its longer side."""
    width, height = max(1, size[0]), max(1, size[1])
    limits = visible_limits(scene.view.limits, width, height, scene.view.equal)
    x, y = scene.axes
    if fit.roles.inputs == (x, y):
        longer = max(width, height)
        nx, ny = (max(2, round(resolution * side / longer)) for side in (width, height))
        return Viewport(
            limits, grid=Grid.over(limits, nx, ny), fine=resolution >= min(FINEST_NODES, longer), plane=(0, 1)
        )
    if fit.roles.inputs == (x,) and fit.roles.target == y:
        # A curve costs little, and steps in it show unless the nodes are dense.
        return Viewport(limits, line=np.linspace(limits[0], limits[1], 2 * resolution))
    if fit.roles.task == "decomposition" and {x, y} <= set(fit.roles.inputs):
        # Directions can be seen along further inputs; regions can't.
        return Viewport(limits, plane=(fit.roles.inputs.index(x), fit.roles.inputs.index(y)))
    return Viewport(limits)


@dataclass(frozen=True, eq=False)
class FieldSample:
    """A model's field on a ground's grid, for pixels, and `class_margins` and `vote_counts` of `Context`; None without any."""

    field: NDArray[Any] | None = None
    class_margins: NDArray[Any] | None = None
    vote_counts: NDArray[np.uint8] | None = None


def sample_field(model: PipelineModel, viewport: Viewport) -> FieldSample:
    """What is shaded on the ground's grid."""
    if viewport.grid is None or model.field is None:
        return FieldSample()
    inner = model.inner
    if isinstance(inner, CombinedModel):
        signed = inner.signed_on_grid(viewport.grid.scaled(model.scale, model.shift), np.float32)
        scores = inner.scores(signed)
        class_margins = inner.class_margins(signed, scores) if isinstance(inner, OneVsOne) else None
        return FieldSample(scores, class_margins, inner.vote_counts(signed))
    return FieldSample(model.on_grid(viewport.grid, np.float32))
