"""The exact picture of a scene, fitted to the end: what files and tests are made of."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from mlviz.picture.hidden import hidden_picture
from mlviz.picture.panel import Drawing, PanelPicture, empty_picture, failed_picture
from mlviz.picture.study_pictures import StudiesOfPanel, field_of_result
from mlviz.picture.viewport import FINEST_NODES, Size, Viewport, sample_field, viewport_of
from mlviz.scene.scene import Scene
from mlviz.scene.study_run import StudyRun, asked_studies
from mlviz.scene.trace import Fit, Trace, fit_of


def draw(scene: Scene, sizes: Sequence[Size], resolution: int = FINEST_NODES) -> list[PanelPicture]:
    """The exact picture of every panel, fitted to the end; the same scene gives the same pictures. Never raises."""
    return [_picture(scene, index, size, resolution) for index, size in enumerate(sizes)]


def _picture(scene: Scene, index: int, size: Size, resolution: int) -> PanelPicture:
    try:
        return _exact(scene, index, size, resolution)
    except Exception as error:
        return failed_picture(scene, index, size, error)


def _exact(scene: Scene, index: int, size: Size, resolution: int) -> PanelPicture:
    if scene.hides_answer:
        return hidden_picture(scene, index, size)
    fit = fit_of(scene, index)
    trace = _fitted(fit)
    state = trace.state(scene.view.step)
    if state is None:
        return empty_picture(scene, index, fit, size, trace.error or "")
    viewport = viewport_of(scene, fit, size, resolution)
    studies = _studied(scene, index, fit, viewport)
    drawing = Drawing(scene, index, fit, state, viewport, sample_field(state.model, viewport), studies)
    return dataclasses.replace(drawing.whole(), fit_ms=1e3 * trace.seconds)


def _fitted(fit: Fit) -> Trace:
    """The fit, to the end."""
    trace = Trace(fit)
    trace.advance(math.inf)
    return trace


def _studied(scene: Scene, index: int, fit: Fit, viewport: Viewport) -> StudiesOfPanel | None:
    """The studies of the panel, each to its end."""
    asked = asked_studies(scene, index, fit)
    if not asked:
        return None
    runs = [StudyRun(study) for study in asked if not study.study.immediate]
    for run in runs:
        run.advance(math.inf)
    return StudiesOfPanel(asked, [(run, field_of_result(run.result, viewport)) for run in runs])
