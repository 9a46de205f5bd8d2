"""The part of a panel that is seen, and the field of a model on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.draw.plot import Limits, visible_limits
from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import Grid, far_away
from mlviz.pipeline.field_sample import FieldSample, field_on
from mlviz.pipeline.model import PipelineModel
from mlviz.scene.attempts.edits import has_directions
from mlviz.scene.canvas_axes import CanvasAxes
from mlviz.scene.scene import Scene
from mlviz.scene.trace import Fit
from mlviz.spec.brief import Brief

Size = tuple[int, int]

FINEST_NODES = 400
"""Nodes along the longer side of the finest field: more are not seen."""


@dataclass(frozen=True, eq=False)
class Section(Brief):
    """Which of a regression's d inputs the axes show, by their numbers, and where all others stay: `at` (d,)."""

    shown: tuple[int, ...]
    at: Array

    def places(self, X: Array) -> Array:
        """Places (m, 1) or (m, 2) on the canvas as inputs, (m, d)."""
        found = np.tile(self.at, (len(X), 1))
        found[:, list(self.shown)] = X
        return found


@dataclass(frozen=True, eq=False)
class Viewport(Brief):
    """The part of a panel that is seen, and the places in it where a model can be asked, on the canvas.

    `grid` where the two inputs are the two axes, or the axes are made of the inputs; `line` (m,) where the one input is
    the horizontal axis and the target, if there is to be one, the vertical one; neither where the model can't be drawn
    on the samples. `plane`
    says which of the inputs the two axes are: with a grid, and where a dimensionality reduction has further inputs.
    """

    limits: Limits
    axes: CanvasAxes
    grid: Grid | None = None
    line: Array | None = None
    fine: bool = False
    """Whether it is as fine as it gets: the picture is meant to stay."""
    plane: tuple[int, int] | None = None
    section: Section | None = None
    """Where a regression has further inputs than the axes show."""


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
    if fit.roles.inputs == (x,) and (fit.roles.target == y or fit.roles.task == "density estimation"):
        # A curve costs little, and steps in it show unless the nodes are dense.
        return Viewport(limits, axes, line=np.linspace(limits[0], limits[1], 2 * resolution))
    directed = fit.pipeline.preprocessor.aligned and has_directions(fit.pipeline.algorithm)
    if fit.roles.task == "decomposition" and directed and {x, y} <= set(fit.roles.inputs):
        # Directions can be seen along further inputs; regions can't.
        return Viewport(limits, axes, plane=(fit.roles.inputs.index(x), fit.roles.inputs.index(y)))
    section = _section_of(scene, fit)
    fine = section is not None and resolution >= min(FINEST_NODES, max(width, height))
    return Viewport(limits, axes, fine=fine, section=section)


def _section_of(scene: Scene, fit: Fit) -> Section | None:
    """The section along the horizontal axis where the vertical one is the target, or along both axes."""
    (x, y), inputs = scene.axes, fit.roles.inputs
    if fit.roles.task != "regression" or not len(fit.X):
        return None
    shown = (x,) if y == fit.roles.target else (x, y)
    if len(inputs) <= len(shown) or not set(shown) <= set(inputs):
        return None
    # Divided first: the sum of large numbers may be none.
    at = np.clip((fit.X / len(fit.X)).sum(axis=0), fit.X.min(axis=0), fit.X.max(axis=0))
    return Section(tuple(inputs.index(name) for name in shown), at)


@far_away
def sample_field(model: PipelineModel, viewport: Viewport) -> FieldSample:
    """What is shaded on the viewport's grid."""
    return FieldSample() if viewport.grid is None else field_on(model, viewport.grid)
