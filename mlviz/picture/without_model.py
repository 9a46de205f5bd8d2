"""What can still be shown of samples that can't be fitted: the charts that need no model."""

from __future__ import annotations

from mlviz.algorithms.base import CannotFit
from mlviz.draw.layer import Context, Names
from mlviz.draw.plot import Plot
from mlviz.scene.scene import Scene
from mlviz.scene.trace import Fit


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
