"""What can be shown without a model: charts of samples that can't be fitted, and what is drawn before the first one."""

from __future__ import annotations

from mlviz.algorithms.base import CannotFit
from mlviz.draw.layer import Context, Names
from mlviz.draw.marks import Mark
from mlviz.draw.plot import Plot
from mlviz.numerics.grid import far_away
from mlviz.picture.viewport import Size, viewport_of
from mlviz.scene.scene import Scene
from mlviz.scene.trace import Fit

_RESOLUTION = 100
"""Nodes along the longer side of the canvas, and twice as many along a line."""


@far_away
def marks_without_model(scene: Scene, index: int, fit: Fit, size: Size) -> tuple[Mark, ...]:
    """What a method has to show on the canvas before the first sample."""
    panel = scene.panels[index]
    overlays = panel.overlays_without_model
    if not overlays or len(fit.X) or fit.problem:
        return ()
    viewport = viewport_of(scene, fit, size, _RESOLUTION)
    context = Context(
        X=fit.X,
        y=fit.y,
        rows=fit.rows,
        algorithm=fit.pipeline.algorithm,
        task=fit.roles.task,
        grid=viewport.grid,
        line=viewport.line,
        height=None if viewport.line is None else viewport.limits[2:],
        names=Names(scene.dataset.names(), fit.roles.inputs),
        seed=fit.seed,
        level=fit.pipeline.decision.level,
    )
    mine = (overlay for overlay in overlays if context.task in overlay.tasks)
    return tuple(mark for overlay in mine for mark in overlay.draw(None, context))


def charts_without_model(scene: Scene, fit: Fit) -> tuple[Plot, ...]:
    """They look at the samples as the method would have been given them."""
    algorithm = fit.pipeline.algorithm
    charts = [chart for chart in algorithm.charts if not chart.needs_model]
    if not charts or fit.problem:
        return ()
    try:
        training = fit.pipeline.prepare(fit.X, fit.y, seed=fit.seed)
    except CannotFit:
        return ()
    X, y, _ = training.given
    rows = fit.rows[training.rows]
    context = Context(
        X=X,
        y=y,
        rows=rows if training.resampled_rows is None else rows[training.resampled_rows],
        algorithm=algorithm,
        task=fit.roles.task,
        names=Names(scene.dataset.names(), training.transform.names(fit.roles.inputs)),
    )
    drawn = (chart.draw(None, context) for chart in charts)
    return tuple(chart for chart in drawn if chart is not None)
