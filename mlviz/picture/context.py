"""What the overlays of a panel are given: the arrays of the fit, and which of its models they are drawn for."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mlviz.draw.components import Components
from mlviz.draw.layer import Chart, Context, Drawn, Names
from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.picture.viewport import Viewport
from mlviz.pipeline.binary_tasks import BinaryModel
from mlviz.pipeline.field_sample import FieldSample
from mlviz.pipeline.model import PipelineModel
from mlviz.scene.canvas_axes import axes_of_view
from mlviz.scene.scene import Scene
from mlviz.scene.trace import Fit, TraceStep
from mlviz.scene.values import scale_of_target

_LEAST_PROBABILITY = 1e-9
"""No threshold is nearer to a probability of 0 or 1."""

_AT_SAMPLE = 0.01
"""A probe that is no farther away, as a share of the axes, is at a sample."""


def context_of(scene: Scene, fit: Fit, state: TraceStep, viewport: Viewport, field_sample: FieldSample) -> Context:
    """The arrays of the fit, in the coordinates of its model."""
    model, transform = state.model, state.model.training.transform
    place = probe_of(scene, viewport)
    if place is None:
        place = _sample_at_probe(scene, fit)
    grid, line = viewport.grid, viewport.line
    inner = None if line is None else transform.to_model(line[:, None])[:, 0]
    X, y, _ = model.training.given
    rows = fit.rows[model.training.rows]
    axes, lifts = transform.components, transform.lifts
    asked = None if grid is None else transform.grid(grid)
    context = Context(
        X=X,
        y=y,
        rows=rows,
        algorithm=fit.pipeline.algorithm,
        task=fit.roles.task,
        seed=fit.seed,
        labels=scene.dataset.labels[rows],
        grid=None if lifts else asked,
        lifted=asked if lifts else None,
        line=inner,
        height=None if line is None else viewport.limits[2:],
        line_scale=1.0 if line is None or inner is None else float((inner[-1] - inner[0]) / (line[-1] - line[0])),
        field=field_sample.field,
        fine=viewport.fine,
        class_margins=field_sample.class_margins,
        predicted=None if model.rating.y is None else partial(_predicted, model),
        evaluated_rows=model.evaluated_rows,
        names=Names(scene.dataset.names(), transform.names(fit.roles.inputs)),
        scaled=transform.caption if transform.names(fit.roles.inputs) == fit.roles.inputs else "",
        probe=None if place is None else transform.to_model(place[None])[0],
        slice=None if grid is None or lifts else transform.from_canvas(_slice(scene, viewport)),
        vote_counts=field_sample.vote_counts,
        left_out=_left_out(fit, model),
        history=state.history,
        step=state.step,
        plane=None if lifts else viewport.plane,
        values=scale_of_target(scene, fit.roles.target) if fit.roles.task == "regression" else None,
        components=None if axes is None else Components(fit.roles.inputs, *axes),
        level=model.decision.level,
        value_cost=model.value_cost,
    )
    return _decided(_with_repeats(context, model), model)


def context_of_held_out(context: Context, fit: Fit, model: PipelineModel) -> Context | None:
    """The same of the samples that were held out, in place of the fitted ones; None where there are none to judge."""
    rating = model.test_rating
    if rating is None or rating.y is None or fit.test is None:
        return None
    rows = fit.test.rows if rating.rows is None else fit.test.rows[rating.rows]
    X, y, predicted = rating.inputs, rating.y, rating.predicted
    return dataclasses.replace(context, X=X, y=y, rows=rows, labels=None, predicted=predicted, evaluated_rows=None)


def _left_out(fit: Fit, model: PipelineModel) -> Labels | None:
    if not model.training.weighed or fit.pipeline.weights.balance != "subsample":
        return None
    return np.asarray(fit.rows[model.training.rows[model.training.effective_weights == 0]])


def _with_repeats(context: Context, model: PipelineModel) -> Context:
    """Told of the samples as often as the algorithm was given them."""
    drawn = model.training.resampled_rows
    if drawn is None:
        return context
    predicted, asked = context.predicted, context.evaluated_rows
    if predicted is not None:
        at = drawn
        if asked is not None:
            known = np.flatnonzero(np.isin(drawn, asked))
            at, asked = np.searchsorted(asked, drawn[known]), known
        predicted = partial(_predicted, model, at)
    labels = None if context.labels is None else context.labels[drawn]
    return dataclasses.replace(
        context, rows=context.rows[drawn], labels=labels, predicted=predicted, evaluated_rows=asked
    )


def _predicted(model: PipelineModel, at: Labels | slice = slice(None)) -> AnyArray:
    """What is predicted for the fitted samples, computed only when it is asked: a field is shown without it."""
    return np.asarray(model.rating.predicted[at])


def _decided(context: Context, model: PipelineModel) -> Context:
    """Told of the pipeline's decision, where the method does not decide by itself."""
    rule, field = model.score_threshold, context.field
    if rule is None:
        return context
    class_margins = context.class_margins
    if rule.unit == "probability" and field is not None and field.ndim == 3:
        over = field[..., 1] - rule.threshold
        # From 0 where the classes part to 1 where the probability is 0 or 1.
        over = over / np.where(
            over > 0, max(1 - rule.threshold, _LEAST_PROBABILITY), max(rule.threshold, _LEAST_PROBABILITY)
        )
        class_margins = np.stack((-over, over), axis=-1)
    return dataclasses.replace(
        context,
        threshold=rule.threshold,
        reject_band=rule.reject_band,
        decide=model.decide,
        class_margins=class_margins,
    )


def probe_of(scene: Scene, viewport: Viewport) -> Array | None:
    """The probe as a place (d,) in the inputs, in the user's coordinates."""
    if scene.view.probe is None or not viewport.axes.shared:
        return None
    if viewport.section is not None:
        shown = np.array([scene.view.probe[: len(viewport.section.shown)]])
        return np.asarray(viewport.section.places(shown)[0])
    if viewport.grid is None and viewport.line is None:
        return None
    place = np.array(scene.view.probe[: 1 if viewport.grid is None else 2])
    projection = viewport.axes.projection
    return place if projection is None else projection.to_user(place[None])[0]


def _sample_at_probe(scene: Scene, fit: Fit) -> Array | None:
    """The inputs (d,) of the sample at the probe, where the canvas has a place for samples and none for all inputs."""
    data = scene.dataset
    if scene.view.probe is None or not len(data) or not set(fit.roles.inputs) <= set(data.columns):
        return None
    x0, x1, y0, y1 = scene.view.limits
    scale = np.array([1 / (x1 - x0), 1 / (y1 - y0)])
    row, distance = axes_of_view(scene).nearest(data, np.array(scene.view.probe), scale)
    columns = [data.column(name) for name in fit.roles.inputs]
    return data.X[row, columns] if distance <= _AT_SAMPLE else None


def _slice(scene: Scene, viewport: Viewport) -> Array:
    """The ends (2, 2) of the line along which the field is cut, on the canvas."""
    if scene.view.slice is not None and viewport.axes.shared:
        return np.reshape(scene.view.slice, (2, 2))
    x0, x1, y0, y1 = viewport.limits
    return np.array([[x0, y0 / 2 + y1 / 2], [x1, y0 / 2 + y1 / 2]])


def drawn_for(
    overlay: Drawn, model: PipelineModel, context: Context, scene: Scene, viewport: Viewport
) -> Iterator[tuple[Any, Context]]:
    """The models that the overlay is drawn for: the whole one, or binary ones out of which it is made.

    A chart that tells of each of them is drawn once, for all together.
    """
    if not model.parts or overlay.parts == "whole" or (overlay.parts == "each" and isinstance(overlay, Chart)):
        yield model.inner, context
    elif overlay.parts == "each":
        # Without fields: what is drawn for every pair stands on samples, and a field for every pair costs too much.
        for part in model.parts:
            yield part.model, _restricted(context, part)
    elif overlay.parts == "probe" and (place := probe_of(scene, viewport)) is not None:
        for part in leading_parts(model, place):
            field_sample = None
            if context.nodes is not None and part.model.field is not None:
                field_sample = context.nodes.field_of(part.model, np.float32)
            yield part.model, dataclasses.replace(_restricted(context, part), field=field_sample)


def leading_parts(model: PipelineModel, place: ArrayLike) -> list[BinaryModel]:
    """The binary model of the two classes with the largest scores at a place (d,) in the user's coordinates."""
    (place,) = model.training.transform.to_model(np.asarray(place, dtype=np.float64)[None])
    part = model.inner.leading(place)
    return [] if part is None else [part]


def _restricted(context: Context, part: BinaryModel) -> Context:
    return dataclasses.replace(
        context,
        X=context.X[part.rows],
        y=part.y,
        rows=context.rows[part.rows],
        labels=None if context.labels is None else context.labels[part.rows],
        field=None,
        class_margins=None,
        predicted=None,
        evaluated_rows=None,
        vote_counts=None,
        left_out=None,
        between=(int(part.positive), None if part.negative is None else int(part.negative)),
    )
