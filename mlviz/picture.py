"""(Scene, models) -> pictures: which overlays and charts, in paint order, with caption, facts and explanation."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlviz.draw.context import Context, Explanation, Overlay
from mlviz.draw.marks import Mark, Points, affine
from mlviz.draw.numbers import signed
from mlviz.draw.plot import Limits, Plot, visible_limits
from mlviz.draw.thinning import thinned
from mlviz.numerics.grid import Array, Grid
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.multiclass import OneVsOne, Part
from mlviz.state.code import python_code
from mlviz.state.scene import Scene
from mlviz.state.trace import Fit, State

Size = tuple[int, int]


FINEST = 400
"""Nodes along the longer side of the finest field: more are not seen."""
SLOPES = 3
"""A linear function of at most so many inputs has its slopes among the facts."""


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
    facts: dict[str, Any] = field(default_factory=dict)
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


@dataclass(frozen=True, eq=False)
class Ground:
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


def ground_of(scene: Scene, fit: Fit, size: Size, resolution: int) -> Ground:
    """The ground of a plot area of `size` pixels, with `resolution` nodes along its longer side."""
    width, height = max(1, size[0]), max(1, size[1])
    limits = visible_limits(scene.view.limits, width, height, scene.view.equal)
    x, y = scene.axes
    if fit.roles.inputs == (x, y):
        longer = max(width, height)
        nx, ny = (max(2, round(resolution * side / longer)) for side in (width, height))
        return Ground(limits, grid=Grid.over(limits, nx, ny), fine=resolution >= min(FINEST, longer), plane=(0, 1))
    if fit.roles.inputs == (x,) and fit.roles.target == y:
        # A curve costs little, and steps in it show unless the nodes are dense.
        return Ground(limits, line=np.linspace(limits[0], limits[1], 2 * resolution))
    if fit.roles.task == "decomposition" and {x, y} <= set(fit.roles.inputs):
        # Directions can be seen along further inputs; regions can't.
        return Ground(limits, plane=(fit.roles.inputs.index(x), fit.roles.inputs.index(y)))
    return Ground(limits)


@dataclass(frozen=True, eq=False)
class Shades:
    """A model's field on a ground's grid, for pixels, and the `leads` of `Context`; None where there are none."""

    field: NDArray[Any] | None = None
    leads: NDArray[Any] | None = None


def shades_of(model: PipelineModel, ground: Ground) -> Shades:
    """What is shaded on the ground's grid."""
    if ground.grid is None or model.field is None:
        return Shades()
    if isinstance(model.inner, OneVsOne):
        votes = model.inner.signed_on_grid(ground.grid.scaled(model.scale, model.shift), np.float32)
        scores = model.inner.scores(votes)
        return Shades(scores, model.inner.leads(votes, scores))
    return Shades(model.on_grid(ground.grid, np.float32))


def empty_picture(scene: Scene, index: int, fit: Fit, size: Size, message: str) -> PanelPicture:
    """The picture of a panel that has no model, and why."""
    limits = visible_limits(scene.view.limits, size[0], size[1], scene.view.equal)
    caption = signed(f"{fit.pipeline.algorithm.caption()}; n = {len(fit.rows)}")
    plot = _plot(scene, index, limits, ())
    return PanelPicture(0, index, scene.dataset.key, plot, caption=caption, message=signed(message))


def panel_picture(scene: Scene, index: int, fit: Fit, state: State, ground: Ground, shades: Shades) -> PanelPicture:
    """The picture of a panel; `shades` is `shades_of` the model on the ground."""
    panel, model = scene.panels[index], state.model
    context = _context(scene, fit, state, ground, shades)
    marks: list[Mark] = []
    for overlay in fit.pipeline.algorithm.overlays:
        if not panel.hides(overlay.id):
            for part, part_context in _drawn_for(overlay, model, context, scene, ground):
                marks.extend(overlay.draw(part, part_context))
    charts = (chart.draw(model.inner, context) for chart in fit.pipeline.algorithm.charts)
    facts = {**model.facts(), **_slopes(fit, model)}
    shown, remark = thinned(_in_users_axes(marks, model, ground))
    return PanelPicture(
        0,
        index,
        scene.dataset.key,
        _plot(scene, index, ground.limits, shown),
        sides=tuple(chart for chart in charts if chart is not None),
        caption=_caption(fit, state, ground, facts, remark),
        facts=facts,
        explanation=_explanation(scene, fit, model, ground),
        step=state.step,
        n_steps=state.n_steps,
        stage=model.stage,
        finished=state.finished,
        code=python_code(scene, index, model),
    )


def _plot(scene: Scene, index: int, limits: Limits, marks: tuple[Mark, ...]) -> Plot:
    x, y = scene.axes
    label = scene.panels[index].pipeline.algorithm.label
    return Plot("data", label, x, y, marks, limits=limits, equal=scene.view.equal)


def _context(scene: Scene, fit: Fit, state: State, ground: Ground, shades: Shades) -> Context:
    model = state.model
    place = _probe(scene, ground)
    grid, line = ground.grid, ground.line
    return Context(
        X=model.training.inputs,
        y=model.training.y,
        rows=fit.rows[model.training.rows],
        algorithm=fit.pipeline.algorithm,
        task=fit.roles.task,
        grid=None if grid is None else grid.scaled(model.scale, model.shift),
        line=None if line is None else model.scale[0] * line + model.shift[0],
        field=shades.field,
        fine=ground.fine,
        leads=shades.leads,
        predicted=model.fitted,
        asked=model.asked,
        names=fit.roles.inputs,
        class_names=scene.dataset.names(),
        probe=None if place is None else model.scale * place + model.shift,
        slice=None if grid is None else model.scale * _slice(scene, ground) + model.shift,
        history=state.history,
        step=state.step,
        plane=ground.plane,
    )


def _probe(scene: Scene, ground: Ground) -> Array | None:
    """The probe as a place in the inputs, in the user's coordinates."""
    if scene.view.probe is None or (ground.grid is None and ground.line is None):
        return None
    return np.array(scene.view.probe[: 1 if ground.grid is None else 2])


def _slice(scene: Scene, ground: Ground) -> Array:
    """The ends (2, 2) of the line along which the field is cut, in the user's coordinates."""
    if scene.view.slice is not None:
        return np.reshape(scene.view.slice, (2, 2))
    x0, x1, y0, y1 = ground.limits
    return np.array([[x0, y0 / 2 + y1 / 2], [x1, y0 / 2 + y1 / 2]])


def _drawn_for(
    overlay: Overlay, model: PipelineModel, context: Context, scene: Scene, ground: Ground
) -> Iterator[tuple[Any, Context]]:
    """The models that the overlay is drawn for: the whole one, or binary ones out of which it is made."""
    if not model.parts or overlay.parts == "whole":
        yield model.inner, context
    elif overlay.parts == "each":
        # Without fields: what is drawn for every pair stands on samples, and a field for every pair costs too much.
        for part in model.parts:
            yield part.model, _restricted(context, part)
    elif overlay.parts == "probe" and (place := _probe(scene, ground)) is not None:
        for part in leading_parts(model, place):
            shades = None
            if context.grid is not None and part.model.field is not None:
                shades = part.model.on_grid(context.grid, np.float32)
            yield part.model, dataclasses.replace(_restricted(context, part), field=shades)


def leading_parts(model: PipelineModel, place: ArrayLike) -> list[Part]:
    """The binary model of the two classes with the largest scores at a place (d,) in the user's coordinates."""
    scores = model.decision_function(np.asarray(place)[None])[0]
    first, second = model.classes[np.argsort(-scores, kind="stable")[:2]].tolist()
    pairs = ({first, second}, {first, None})
    return [part for part in model.parts if {part.positive, part.negative} in pairs]


def _restricted(context: Context, part: Part) -> Context:
    return dataclasses.replace(
        context,
        X=context.X[part.rows],
        y=part.y,
        rows=context.rows[part.rows],
        field=None,
        leads=None,
        predicted=None,
        asked=None,
    )


def _in_users_axes(marks: Sequence[Mark], model: PipelineModel, ground: Ground) -> tuple[Mark, ...]:
    if ground.plane is None and ground.line is None:
        # The axes are not the model's inputs: only what is tied to samples has a place on them.
        return tuple(mark for mark in marks if isinstance(mark, Points) and mark.rows is not None)
    seen = slice(None) if ground.plane is None else list(ground.plane)
    scale, shift = 1 / model.scale[seen], -(model.shift / model.scale)[seen]
    if ground.line is not None:  # the vertical axis is the target, which is never scaled
        scale, shift = np.append(scale, 1.0), np.append(shift, 0.0)
    if (scale == 1).all() and (shift == 0).all():
        return tuple(marks)
    return tuple(affine(mark, scale, shift) for mark in marks)


def _explanation(scene: Scene, fit: Fit, model: PipelineModel, ground: Ground) -> Explanation | None:
    place = _probe(scene, ground)
    told = None if place is None else model.explain(place)
    if told is None:
        return None

    def name(found: re.Match[str]) -> str:
        return scene.dataset.class_name(int(found[1])) if found[1] else fit.roles.inputs[int(found[2]) - 1]

    # A model knows the codes of its classes, not their names; it writes "class 0", as roles of marks do, and "x1" for
    # its first input.
    return dataclasses.replace(told, sentence=re.sub(r"\bclass (\d+)\b|\bx([1-9][0-9]*)", name, signed(told.sentence)))


def _slopes(fit: Fit, model: PipelineModel) -> dict[str, float]:
    """How steep a linear function of few inputs is along each of them, in the units of the axes."""
    coef = getattr(model.inner, "coef", None)
    if coef is None or coef.shape != (len(fit.roles.inputs),) or len(coef) > SLOPES:
        return {}
    slopes = zip(fit.roles.inputs, (coef * model.scale).tolist(), strict=True)
    return {f"slope along {name}": slope for name, slope in slopes}


def _caption(fit: Fit, state: State, ground: Ground, facts: dict[str, Any], remark: str) -> str:
    words = [fit.pipeline.algorithm.caption()]
    if fit.pipeline.preprocessing == "standardize":
        words.append("standardized")
    if state.model.parts:
        words.append(str(state.model.training.scheme))
    words.append(f"n = {len(fit.rows)}")
    part = "" if state.model.asked is None else f" of {len(state.model.asked):,} samples"
    if "training error" in facts:
        words.append(f"training error {100 * facts['training error']:.3g} %{part}")
    if "training RMSE" in facts:
        words.append(f"training RMSE {facts['training RMSE']:.3g}{part}")
    if state.step < state.n_steps - 1:
        words.append(f"step {state.step} of {state.n_steps - 1}")
    if state.model.caveat:
        words.append(state.model.caveat)
    if ground.grid is None and ground.line is None:
        inputs = ", ".join(fit.roles.inputs)
        how = "which are not the two axes, so its regions or curve are not drawn"
        if ground.plane is not None:
            how = "seen along the other inputs"
        words.append(f"fitted on {inputs}, {how}")
    if remark:
        words.append(remark)
    return signed("; ".join(words))
