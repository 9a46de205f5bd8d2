"""The picture of one panel: the marks on the data in paint order, the charts, and what is said about them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from mlviz.draw.facts import Fact
from mlviz.draw.layer import Explanation
from mlviz.draw.marks import Mark, Points, affine
from mlviz.draw.numbers import typographic_minus
from mlviz.draw.overlays import decisions
from mlviz.draw.plot import Limits, Plot, visible_limits
from mlviz.draw.thinning import thin_marks
from mlviz.picture.context import context_of, drawn_for, with_unstandardized
from mlviz.picture.sklearn_code import python_code
from mlviz.picture.texts import caption_of, explanation_of, facts_of, stage_of
from mlviz.picture.viewport import FieldSample, Size, Viewport
from mlviz.picture.without_model import charts_without_model
from mlviz.pipeline.model import PipelineModel
from mlviz.scene.scene import Scene
from mlviz.scene.trace import Fit, TraceStep, fit_of


@dataclass(frozen=True, eq=False)
class PanelPicture:
    """Everything one panel shows, but the samples themselves."""

    request: int
    """Id of the request it answers."""
    panel: int
    """Index of the panel in the scene."""
    key: str
    """Key of the data set that its marks' rows belong to."""
    plot: Plot
    """The marks on the data, in paint order, in the user's axes; `limits` is the visible part it was made for."""
    sides: tuple[Plot, ...] = ()
    """The charts."""
    caption: str = ""
    facts: dict[str, Fact] = field(default_factory=dict)
    message: str | None = None
    """Why there is no model, in one sentence."""
    explanation: Explanation | None = None
    """Why the model says what it says at the probe, in the user's axes."""
    step: int = 0
    n_steps: int = 1
    """How many steps there are so far; the last is n_steps - 1."""
    stage: str = ""
    """What the step does ("assignment")."""
    finished: bool = True
    """False while the fit is still going on."""
    draft: bool = False
    """Made while a gesture is under way: coarse, from a follower."""
    fit_ms: float = 0.0
    """How long the fit took, milliseconds."""
    code: str = ""
    """Python lines that come to the same with scikit-learn; "" where it does not know the method."""


def unstandardized_fit(scene: Scene, index: int) -> Fit | None:
    """The same fit on the inputs as they are, where it is to be seen beside the panel's own."""
    panel = scene.panels[index]
    if panel.pipeline.preprocessing != "standardize" or panel.hides(decisions.unstandardized.id):
        return None
    pipeline = panel.pipeline.replace(preprocessing="none")
    return fit_of(scene.with_panel(index, dataclasses.replace(panel, pipeline=pipeline)), index)


def empty_picture(scene: Scene, index: int, fit: Fit, size: Size, message: str) -> PanelPicture:
    """The picture of a panel that has no model, and why."""
    limits = visible_limits(scene.view.limits, size[0], size[1], scene.view.equal)
    caption = typographic_minus(f"{fit.pipeline.algorithm.caption()}; n = {len(fit.rows)}")
    plot = _plot(scene, index, limits, ())
    sides = charts_without_model(scene, fit)
    return PanelPicture(0, index, scene.dataset.key, plot, sides, caption, message=typographic_minus(message))


def panel_picture(
    scene: Scene,
    index: int,
    fit: Fit,
    state: TraceStep,
    viewport: Viewport,
    field_sample: FieldSample,
    unstandardized: PipelineModel | None = None,
) -> PanelPicture:
    """The picture of a panel; `field_sample` is `shades_of` the model on the ground.

    `unstandardized` is the model of `unstandardized_fit`, to be seen beside the panel's own.
    """
    panel, model = scene.panels[index], state.model.deciding(fit.pipeline.decision)
    state = dataclasses.replace(state, model=model)
    context = context_of(scene, fit, state, viewport, field_sample)
    if unstandardized is not None:
        context = with_unstandardized(context, unstandardized.deciding(fit.pipeline.decision), viewport)
    marks: list[Mark] = []
    for overlay in fit.pipeline.overlays:
        if not panel.hides(overlay.id):
            for part, part_context in drawn_for(overlay, model, context, scene, viewport):
                marks.extend(overlay.draw(part, part_context))
    charts = (
        chart.draw(part, part_context)
        for chart in fit.pipeline.algorithm.charts
        for part, part_context in drawn_for(chart, model, context, scene, viewport)
    )
    facts = facts_of(scene, fit, model)
    shown, remark = thin_marks(_in_users_axes(marks, model, viewport))
    return PanelPicture(
        0,
        index,
        scene.dataset.key,
        _plot(scene, index, viewport.limits, shown),
        sides=tuple(chart for chart in charts if chart is not None),
        caption=caption_of(fit, state, viewport, facts, remark),
        facts=facts,
        explanation=explanation_of(scene, fit, model, viewport),
        step=state.step,
        n_steps=state.n_steps,
        stage=stage_of(scene, model),
        finished=state.finished,
        code=python_code(scene, index, model),
    )


def _plot(scene: Scene, index: int, limits: Limits, marks: tuple[Mark, ...]) -> Plot:
    x, y = scene.axes
    label = scene.panels[index].pipeline.algorithm.label
    return Plot("data", label, x, y, marks, limits=limits, equal=scene.view.equal)


def _in_users_axes(marks: Sequence[Mark], model: PipelineModel, viewport: Viewport) -> tuple[Mark, ...]:
    if viewport.plane is None and viewport.line is None:
        # The axes are not the model's inputs: only what is tied to samples has a place on them.
        return tuple(mark for mark in marks if isinstance(mark, Points) and mark.rows is not None)
    seen = slice(None) if viewport.plane is None else list(viewport.plane)
    scale, shift = 1 / model.scale[seen], -(model.shift / model.scale)[seen]
    if viewport.line is not None:  # the vertical axis is the target, which is never scaled
        scale, shift = np.append(scale, 1.0), np.append(shift, 0.0)
    if (scale == 1).all() and (shift == 0).all():
        return tuple(marks)
    return tuple(affine(mark, scale, shift) for mark in marks)
