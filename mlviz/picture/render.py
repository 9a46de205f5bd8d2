"""The exact picture of a scene, fitted to the end: what files and tests are made of."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from mlviz.picture.panel import PanelPicture, empty_picture, panel_picture
from mlviz.picture.viewport import FINEST_NODES, Size, sample_field, viewport_of
from mlviz.pipeline.model import PipelineModel
from mlviz.scene.scene import Scene
from mlviz.scene.study_fits import study_fits
from mlviz.scene.trace import Fit, Trace, fit_of


def draw(scene: Scene, sizes: Sequence[Size], resolution: int = FINEST_NODES) -> list[PanelPicture]:
    """The exact picture of every panel, fitted to the end; the same scene gives the same pictures."""
    return [_drawn(scene, index, size, resolution) for index, size in enumerate(sizes)]


def _drawn(scene: Scene, index: int, size: Size, resolution: int) -> PanelPicture:
    fit = fit_of(scene, index)
    trace = Trace(fit)
    trace.advance(math.inf)
    state = None if trace.error is not None else trace.state(scene.view.step)
    if state is None:
        return empty_picture(scene, index, fit, size, trace.error or "")
    viewport = viewport_of(scene, fit, size, resolution)
    picture = panel_picture(
        scene, index, fit, state, viewport, sample_field(state.model, viewport), _studied(scene, index)
    )
    return dataclasses.replace(picture, fit_ms=1e3 * trace.seconds)


def _studied(scene: Scene, index: int) -> list[tuple[Fit, PipelineModel]]:
    """The studies of the panel that have a model, with their last one."""
    found = []
    for fit in study_fits(scene, index):
        trace = Trace(fit)
        trace.advance(math.inf)
        state = None if trace.error is not None else trace.state(None)
        if state is not None:
            found.append((fit, state.model))
    return found
