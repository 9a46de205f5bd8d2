"""Overlays shared by several methods: regions, decision boundary, curve, residuals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.contours import beside, contour, contour_lines, join_lines, numbered_lines, some_lines
from mlviz.draw.layer import Context, OnCurve, OnField, OnLine, OnNodes, OnTargets, overlay
from mlviz.draw.marks import Field, Lines, Mark, Polygons, Segments
from mlviz.draw.protocols import Classifies, Predicts
from mlviz.draw.tasks import Task
from mlviz.draw.ticks import round_levels
from mlviz.draw.value_scale import ValueScale
from mlviz.numerics.arrays import AnyArray, Array, Labels, Mask, largest, leading
from mlviz.numerics.sampling import subsample

_CLASSES: tuple[Task, ...] = ("classification",)
_VALUES: tuple[Task, ...] = ("regression",)
_VALUE_LINES = 7.0
"""About so many lines of equal value there are."""
_TIE = 1e-5
"""By how much a class that is predicted leads where it leads by nothing, as a share of the largest lead."""
OUT_OF_SIGHT = 1000.0
"""So many heights of the canvas above or below it, curves, bands and residuals end."""
MOST_SQUARES = 500
"""More squares would be one area."""


def class_margins(context: Context) -> AnyArray | None:
    """By how much each class leads at each node, (ny, nx, k): positive where it is predicted, 1 where that is sure."""
    scores = context.field
    if scores is None or context.task != "classification":
        return None
    if context.class_margins is not None:
        return context.class_margins
    if scores.ndim == 2:
        above = scores - context.threshold
        return np.stack((-above, above), axis=-1)
    if scores.shape[-1] == 1:
        return scores
    planes = [scores[..., code] for code in range(scores.shape[-1])]
    if len(planes) == 2:
        return np.moveaxis(np.stack((planes[0] - planes[1], planes[1] - planes[0])), 0, -1)
    return leads(planes, *ranked(planes))


def leads(planes: Sequence[AnyArray], top: AnyArray, second: AnyArray, first: Labels) -> AnyArray:
    """By how much each of the scores in planes (k, ny, nx), which are ranked so, leads: (ny, nx, k)."""
    led = [plane - np.where(first == code, second, top) for code, plane in enumerate(planes)]
    return np.moveaxis(np.stack(led), 0, -1)


def ranked(planes: Sequence[AnyArray] | AnyArray) -> tuple[AnyArray, AnyArray, Labels]:
    """The largest and second largest of planes (k, ny, nx), place by place, and which one is the largest."""
    top, second = planes[0].copy(), np.full_like(planes[0], -np.inf)
    first = np.zeros(top.shape, dtype=np.intp)
    for code, plane in enumerate(planes[1:], start=1):
        np.maximum(second, np.minimum(top, plane), out=second)
        np.copyto(first, code, where=plane > top)
        np.maximum(top, plane, out=top)
    return top, second, first


def shade(lead: AnyArray) -> NDArray[np.uint8]:
    """How strong the tint of a class is where it leads by so much, from 0 to 1: of every method alike.

    Otherwise one method would look surer than another beside it.
    """
    return np.asarray(50 + 140 * np.clip(lead, 0, 1)).astype(np.uint8)


@overlay(
    "regions",
    "regions",
    "where each class is predicted; paler where the method is less sure",
    tasks=_CLASSES,
)
def regions(model: Classifies, context: OnNodes) -> Sequence[Mark]:
    lead = class_margins(context)
    if lead is None:
        return ()
    most, winner = largest(lead), leading(lead)
    return shaded(model, context, most, winner, untold(model, most, winner))


def shaded(model: Classifies, context: OnNodes, lead: Array, winner: Labels, nowhere: Mask | None) -> Sequence[Mark]:
    """The class that leads at each node (ny, nx), the paler the less; none where none is told."""
    strength = shade(lead)
    if nowhere is not None:
        strength[nowhere] = 0
    classes = np.asarray(model.classes)[winner].astype(np.uint8)
    return (Field("region", context.nodes.x, context.nodes.y, strength, classes),)


@overlay("boundary", "decision boundary", "where the prediction changes", tasks=_CLASSES)
def boundary(model: Classifies, context: OnNodes) -> Sequence[Mark]:
    lead = class_margins(context)
    if lead is None or lead.shape[-1] < 2:
        return ()
    if context.reject_band is not None:
        return _rims_of_reject_band(model, context, context.reject_band)
    # Of two classes the boundary of one is that of the other; of more, each one's own is needed.
    drawn = range(1, 2) if lead.shape[-1] == 2 else range(lead.shape[-1])
    if (nowhere := untold(model, largest(lead), leading(lead))) is not None:
        lead = np.where(nowhere[..., None], np.nan, lead)
    elif context.fine and model.jumps:
        lead = _settled(lead)
    lines = [contour(context.nodes, lead[..., k], 0.0, _inside(model, context, k), context.fine) for k in drawn]
    return some_lines("boundary", join_lines(lines), "decision boundary")


def untold(model: Classifies, lead: AnyArray, winner: Labels) -> Mask | None:
    """Where (ny, nx) a continuous score leads by nothing, and not because one class ends and another begins there.

    No class is told there; None where there is no such node. `winner` (ny, nx) is the number of the class that leads.
    """
    nothing = lead <= np.finfo(np.float32).tiny
    if model.jumps or not nothing.any():
        return None
    near = [beside(~nothing & (winner == code)) for code in np.unique(winner[~nothing])]
    return np.asarray(nothing & (np.sum(near, axis=0) < 2))


def _settled(lead: AnyArray) -> AnyArray:
    """Margins (ny, nx, k) that are nowhere 0: where several classes lead alike, the one predicted leads a little.

    A line traced through a node itself does not say on which side of it the prediction changes.
    """
    least = _TIE * (float(np.abs(lead[np.isfinite(lead)]).max(initial=0.0)) or 1.0)
    predicted = np.argmax(lead, axis=-1)[..., None] == np.arange(lead.shape[-1])
    return np.asarray(np.where(predicted, np.maximum(lead, least), np.minimum(lead, -least)))


def _inside(model: Classifies, context: Context, k: int) -> Callable[[Array], Mask] | None:
    """Whether places belong to the model's class number k; None where tracing alone is good enough."""
    if not (context.fine and model.jumps):
        return None
    decide = context.decide or model.predict
    return lambda places: np.asarray(decide(places) == model.classes[k])


def score_field(context: Context) -> AnyArray | None:
    """The score (ny, nx) by which two classes are told apart: the field, or the second one's probability in it."""
    field = context.field
    return field[..., 1] if field is not None and field.ndim == 3 and field.shape[-1] == 2 else field


def _rims_of_reject_band(model: Classifies, context: OnNodes, band: tuple[float, float]) -> Sequence[Mark]:
    """Where the prediction changes from a class to none: at either end of the reject band."""
    scores = np.asarray(score_field(context))
    lines = [
        contour(context.nodes, scores, level, _inside(model, context, k), context.fine) for k, level in enumerate(band)
    ]
    return some_lines("boundary", join_lines(lines), "decision boundary")


@overlay(
    "value field",
    "predicted values",
    "the prediction as a shade with lines of equal value, on the scale by which the samples are coloured",
    tasks=_VALUES,
)
def value_field(model: object, context: OnField) -> Sequence[Mark]:
    if context.task != "regression" or context.y is None or not len(context.y):
        return ()
    # The scale is that of all targets: it stays while the view moves.
    scale = ValueScale.of(context.y) if context.values is None else context.values
    return shaded_values(context, scale.low, scale.high, f"prediction and targets, {scale}", "equal prediction")


def shaded_values(
    context: OnField, low: float, high: float, label: str, equal: str, role: str = "value"
) -> Sequence[Mark]:
    """The field as a shade from low to high in the ink of the role, with lines of `equal` value and their numbers."""
    levels = round_levels(low, high, _VALUE_LINES)
    shades, extremes = (
        ValueScale(low, high).shades(context.field),
        (int(context.field.argmin()), int(context.field.argmax())),
    )
    return [
        Field(role, context.nodes.x, context.nodes.y, shades, label=label, extremes=extremes),
        *numbered_lines("value line", equal, context.nodes, context.field, levels, context.fine),
    ]


def predicted(model: Predicts, context: Context) -> tuple[Labels, AnyArray]:
    """The samples that are predicted, by their rows in the context, and the predictions."""
    rows = np.arange(len(context.X)) if context.evaluated_rows is None else context.evaluated_rows
    if context.predicted is not None:
        return rows, context.predicted() if callable(context.predicted) else context.predicted
    return rows, np.asarray((context.decide or model.predict)(context.X[rows]))


@overlay("misclassified", "misclassified", "samples whose class is predicted wrongly", tasks=_CLASSES, held_out=True)
def misclassified(model: Classifies, context: OnTargets) -> Sequence[Mark]:
    rows, fitted = predicted(model, context)
    # What is put into no class is not put into a wrong one.
    wrong = rows[(fitted != context.y[rows]) & np.isin(fitted, model.classes)]
    return context.symbols("misclassified", wrong, "misclassified")


def in_sight(marks: Sequence[Mark], context: Context) -> Sequence[Mark]:
    """The lines and areas; what is far above or below the canvas ends where it is out of sight."""
    if context.height is None:
        return marks
    low, high = context.height
    reach = OUT_OF_SIGHT * (high - low)
    ends = np.array([-np.inf, low - reach]), np.array([np.inf, high + reach])
    clipped: list[Mark] = []
    for mark in marks:
        match mark:
            case Lines():
                clipped.append(replace(mark, xy=np.clip(mark.xy, *ends)))
            case Segments():
                clipped.append(replace(mark, start=np.clip(mark.start, *ends), end=np.clip(mark.end, *ends)))
            case Polygons():
                clipped.append(replace(mark, vertices=tuple(np.clip(corners, *ends) for corners in mark.vertices)))
            case _:
                clipped.append(mark)
    return tuple(clipped)


@overlay("curve", "curve", "the prediction over the input", tasks=_VALUES)
def curve(model: Predicts, context: OnLine) -> Sequence[Mark]:
    xy = np.column_stack((context.line, model.predict(context.line[:, None])))
    return in_sight((Lines("curve", xy, label="prediction"),), context)


@overlay("residuals", "residuals", "from each sample to its prediction", tasks=_VALUES, held_out=True)
def residuals(model: Predicts, context: OnCurve) -> Sequence[Mark]:
    rows, fitted = predicted(model, context)
    x = context.X[rows, 0]
    start, end = np.column_stack((x, context.y[rows])), np.column_stack((x, fitted))
    return in_sight((Segments("residual", start, end, rows=context.rows[rows], label="residuals"),), context)


@overlay(
    "squared residuals",
    "squared residuals",
    "squares whose areas the fit adds up",
    shown=False,
    tasks=_VALUES,
)
def squared_residuals(model: Predicts, context: OnCurve) -> Sequence[Mark]:
    rows, fitted = predicted(model, context)
    x, y = context.X[rows, 0], context.y[rows]
    drawn = subsample(np.argsort(x, kind="stable"), MOST_SQUARES)
    left, low, high = x[drawn], y[drawn], fitted[drawn]
    right = left + (high - low) * context.line_scale
    squares = np.array([(left, low), (left, high), (right, high), (right, low)]).transpose(2, 0, 1)
    label = "squared residuals" if len(drawn) == len(x) else f"squared residuals, {len(drawn)} of {len(x)}"
    return (Polygons("square", tuple(squares), label=label),)


@overlay(
    "targets",
    "targets",
    "where f = −1 and f = +1, which is wanted at the samples: beyond these lines being right is penalised too",
    shown=False,
    parts="probe",
    tasks=("classification",),
)
def targets(model: object, context: OnField) -> Sequence[Mark]:
    if context.field.ndim != 2:
        return ()
    lines = contour_lines(context.nodes, context.field, (-1.0, 1.0), context.fine)
    return some_lines("margin", join_lines(lines), "targets f = ±1")
