"""The exact picture of a scene, fitted to the end: what files and tests are made of."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Literal

from mlviz.picture.hidden import hidden_picture
from mlviz.picture.panel import Drawing, PanelPicture, empty_picture, failed_picture
from mlviz.picture.study_pictures import StudiesOfPanel, field_of_result
from mlviz.picture.viewport import FINEST_NODES, Size, Viewport, sample_field, viewport_of
from mlviz.scene.scene import Scene
from mlviz.scene.study_run import AskedStudy, StudyRun, asked_studies
from mlviz.scene.trace import FitKey, Trace, fit_of

Parts = Literal["all", "canvas", "facts"]
"""What is wanted of a picture: all; what the canvas shows; what the canvas shows without studies, and the facts."""
Fits = dict[FitKey, Trace]
"""Fits that are done, by the keys that name them."""
Watch = Callable[[str], None]
"""Is told now and then how far the work has come, in some words."""
_PAUSE = 0.5
"""Seconds of work between two looks at how far it has come."""


def draw(
    scene: Scene,
    sizes: Sequence[Size],
    resolution: int = FINEST_NODES,
    parts: Parts = "all",
    watch: Watch = lambda words: None,
    fits: Fits | None = None,
) -> list[PanelPicture]:
    """The exact picture of every panel, fitted to the end; the same scene gives the same pictures. Never raises.

    What is among `fits` is not fitted again, and what is fitted is among them then.
    """
    fits = {} if fits is None else fits
    return [_picture(scene, index, size, resolution, parts, watch, fits) for index, size in enumerate(sizes)]


def _picture(
    scene: Scene, index: int, size: Size, resolution: int, parts: Parts, watch: Watch, fits: Fits
) -> PanelPicture:
    try:
        return _exact(scene, index, size, resolution, parts, watch, fits)
    except Exception as error:
        return failed_picture(scene, index, size, error)


def _exact(
    scene: Scene, index: int, size: Size, resolution: int, parts: Parts, watch: Watch, fits: Fits
) -> PanelPicture:
    if scene.hides_answer:
        return hidden_picture(scene, index, size)
    fit = fit_of(scene, index)
    trace = fits.setdefault(fit.key, Trace(fit))
    _finish(trace, watch)
    state = trace.state(scene.view.step)
    if state is None:
        return empty_picture(scene, index, fit, size, trace.error or "")
    viewport = viewport_of(scene, fit, size, resolution)
    asked = [] if parts == "facts" else asked_studies(scene, index, fit)
    studies = _studied([one for one in asked if parts == "all" or one.study.overlays], viewport, watch)
    drawing = Drawing(scene, index, fit, state, viewport, sample_field(state.model, viewport), studies)
    picture = drawing.whole() if parts == "all" else drawing.canvas()
    if parts == "facts":
        picture = dataclasses.replace(picture, facts=drawing.facts())
    return dataclasses.replace(picture, fit_ms=1e3 * trace.seconds)


def _finish(work: Trace | StudyRun, watch: Watch) -> None:
    """Do the work to its end."""
    while not work.finished:
        work.advance(time.perf_counter() + _PAUSE)
        watch(work.progress)


def _studied(asked: Sequence[AskedStudy], viewport: Viewport, watch: Watch) -> StudiesOfPanel | None:
    """The studies that are asked, each to its end."""
    if not asked:
        return None
    runs = [StudyRun(study) for study in asked if not study.study.immediate]
    for run in runs:
        _finish(run, watch)
    return StudiesOfPanel(asked, [(run, field_of_result(run.result, viewport)) for run in runs])
