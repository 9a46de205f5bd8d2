"""The part of a panel that is seen, and the field of a model on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.plot import Limits, visible_limits
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid, far_away
from mlviz.pipeline.decisions import signed_scores
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.multiclass import CombinedModel
from mlviz.scene.canvas_axes import CanvasAxes
from mlviz.scene.scene import Scene
from mlviz.scene.trace import Fit
from mlviz.spec.brief import Brief

Size = tuple[int, int]

FINEST_NODES = 400
"""Nodes along the longer side of the finest field: more are not seen."""
_MOST_EXACT = 2_000_000
"""With how many numbers, about, a model is asked place by place where single precision tells nothing."""


@dataclass(frozen=True, eq=False)
class Viewport(Brief):
    """The part of a panel that is seen, and the places in it where a model can be asked, on the canvas.

    `grid` where the two inputs are the two axes, or the axes are made of the inputs; `line` (m,) where the one input is
    the horizontal axis and the target the vertical one; neither where the model can't be drawn on the samples. `plane`
    says which of the inputs the two axes are: with a grid, and where a decomposition has further inputs.
    """

    limits: Limits
    axes: CanvasAxes
    grid: Grid | None = None
    line: Array | None = None
    fine: bool = False
    """Whether it is as fine as it gets: the picture is meant to stay."""
    plane: tuple[int, int] | None = None


def viewport_of(scene: Scene, fit: Fit, size: Size, resolution: int) -> Viewport:
    """The viewport of a plot area of `size` pixels, with `resolution` nodes along its longer side."""
    width, height = max(1, size[0]), max(1, size[1])
    axes = fit.axes
    limits = visible_limits(axes.limits, width, height, scene.view.equal)
    x, y = scene.axes
    if fit.roles.inputs == (x, y) or axes.projection is not None:
        longer = max(width, height)
        nx, ny = (max(2, round(resolution * side / longer)) for side in (width, height))
        return Viewport(
            limits, axes, grid=Grid.over(limits, nx, ny), fine=resolution >= min(FINEST_NODES, longer), plane=(0, 1)
        )
    if fit.roles.inputs == (x,) and fit.roles.target == y:
        # A curve costs little, and steps in it show unless the nodes are dense.
        return Viewport(limits, axes, line=np.linspace(limits[0], limits[1], 2 * resolution))
    aligned = fit.pipeline.preprocessor.aligned
    if fit.roles.task == "decomposition" and aligned and {x, y} <= set(fit.roles.inputs):
        # Directions can be seen along further inputs; regions can't.
        return Viewport(limits, axes, plane=(fit.roles.inputs.index(x), fit.roles.inputs.index(y)))
    return Viewport(limits, axes)


@dataclass(frozen=True, eq=False)
class FieldSample(Brief):
    """A model's field at the nodes of a viewport, with `class_margins` and `vote_counts` as in `Context`."""

    field: NDArray[Any] | None = None
    class_margins: NDArray[Any] | None = None
    vote_counts: NDArray[np.uint8] | None = None


@far_away
def sample_field(model: PipelineModel, viewport: Viewport) -> FieldSample:
    """What is shaded on the viewport's grid."""
    if viewport.grid is None or model.field is None:
        return FieldSample()
    inner = model.inner
    if isinstance(inner, CombinedModel):
        signed = inner.signed_on_grid(model.training.transform.grid(viewport.grid), np.float32)
        scores = inner.scores(signed)
        margins = inner.class_margins(signed, scores)
        if len(inner.classes) > 1 and not inner.jumps:
            _tell_apart(margins, inner, model.training.transform.grid(viewport.grid))
        return FieldSample(scores, margins, inner.vote_counts(signed))
    field = model.on_grid(viewport.grid, np.float32)
    if inner.field == "predict" and model.training.is_classes:
        return FieldSample(field, class_margins=np.where(field[..., None] == model.classes, 1.0, -1.0))
    return FieldSample(field)


def _tell_apart(margins: NDArray[np.float32], model: CombinedModel, grid: Grid) -> None:
    """Let a class lead a little at the nodes (ny, nx, k) where it leads by less than single precision tells."""
    least = 2 * np.finfo(np.float32).tiny
    unsure = np.nonzero(margins.max(axis=-1) < least)
    n = len(unsure[0])
    if not n:
        return
    if n * model.cost <= _MOST_EXACT:
        places = grid.points()[np.ravel_multi_index(unsure, grid.shape)]
        signed = [signed_scores(part.model, places) for part in model.parts]
    else:
        signed = [scores[unsure] for scores in model.signed_on_grid(grid)]
    exact = model.class_margins(signed, model.scores(signed))
    lead = exact.max(axis=-1) > np.finfo(np.float64).tiny
    told = tuple(index[lead] for index in unsure)
    margins[told] = np.where(np.arange(exact.shape[-1]) == exact[lead].argmax(axis=-1)[:, None], least, -least)
