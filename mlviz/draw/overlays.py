"""Overlays shared by several methods: regions, decision boundary, curve, residuals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import contourpy
import numpy as np
from numpy.typing import NDArray

from mlviz.draw.context import Context, Overlay
from mlviz.draw.marks import Array, Field, Lines, Mark, Points, Polygons, Segments
from mlviz.numerics.grid import Grid

LINES_FROM = 200
"""Contours are traced on at most this many nodes a side: their cost grows with the grid, their look does not."""


def contour(grid: Grid, values: NDArray[Any], level: float) -> Array:
    """The level set as polylines parted by rows of NaN, (m, 2); empty where there is none."""
    step = max(1, -(-max(grid.shape) // LINES_FROM))
    # The last node is kept whatever the stride, so that lines reach the rim of the view.
    columns = np.unique(np.r_[0 : len(grid.x) : step, len(grid.x) - 1])
    rows = np.unique(np.r_[0 : len(grid.y) : step, len(grid.y) - 1])
    generator = contourpy.contour_generator(
        grid.x[columns], grid.y[rows], values[np.ix_(rows, columns)], line_type=contourpy.LineType.ChunkCombinedNan
    )
    points = generator.lines(level)[0][0]
    return np.empty((0, 2)) if points is None else np.asarray(points, dtype=np.float64)


def class_scores(model: Any, context: Context) -> NDArray[Any] | None:
    """The field as one score a class, (ny, nx, k), the largest of which is the prediction."""
    scores = context.field
    if scores is None or context.task != "classification":
        return None
    return np.stack((-scores, scores), axis=-1) if scores.ndim == 2 else scores


def _regions(model: Any, context: Context) -> Sequence[Mark]:
    scores = class_scores(model, context)
    if scores is None or context.grid is None:
        return ()
    order = np.argmax(scores, axis=-1)
    top = np.partition(scores, -2, axis=-1) if scores.shape[-1] > 1 else np.concatenate((scores * 0, scores), axis=-1)
    lead = top[..., -1] - top[..., -2]
    # A lead of 2 is the width of an SVM's street, one of 1 a unanimous vote: both count as sure.
    sure = 2.0 if context.field is not None and context.field.ndim == 2 else 1.0
    strength = 70 + 110 * np.clip(lead / sure, 0, 1)
    classes = np.asarray(model.classes)[order].astype(np.uint8)
    return (Field("region", context.grid.x, context.grid.y, strength.astype(np.uint8), classes),)


def _boundary(model: Any, context: Context) -> Sequence[Mark]:
    scores = class_scores(model, context)
    if scores is None or context.grid is None or scores.shape[-1] < 2:
        return ()
    if scores.shape[-1] == 2:
        lines = [contour(context.grid, scores[..., 1] - scores[..., 0], 0.0)]
    else:
        lines = []
        for k in range(scores.shape[-1]):
            others = np.delete(scores, k, axis=-1).max(axis=-1)
            lines.append(contour(context.grid, scores[..., k] - others, 0.0))
    lines = [line for line in lines if len(line)]
    if not lines:
        return ()
    gap = np.full((1, 2), np.nan)
    joined = np.concatenate([part for line in lines for part in (line, gap)][:-1])
    return (Lines("boundary", joined, label="decision boundary"),)


def _value_field(model: Any, context: Context) -> Sequence[Mark]:
    if context.task != "regression" or context.grid is None or context.field is None:
        return ()
    low, high = float(context.field.min()), float(context.field.max())
    middle, half = (low + high) / 2, (high - low) / 2
    # A field that is constant but for rounding is neutral, not noise at full contrast.
    share = context.field * 0 if half <= 1e-6 * abs(middle) else (context.field - middle) / half
    strength = np.clip(128 + 127 * share, 0, 255).astype(np.uint8)
    return (Field("value", context.grid.x, context.grid.y, strength),)


def _misclassified(model: Any, context: Context) -> Sequence[Mark]:
    if context.task != "classification" or context.y is None or not len(context.X):
        return ()
    wrong = np.flatnonzero(model.predict(context.X) != context.y)
    if not len(wrong):
        return ()
    places = context.X[wrong][:, :2] if context.grid is not None else np.full((len(wrong), 2), np.nan)
    return (Points("misclassified", places, rows=context.rows[wrong], label="misclassified"),)


def _curve(model: Any, context: Context) -> Sequence[Mark]:
    if context.line is None:
        return ()
    xy = np.column_stack((context.line, model.predict(context.line[:, None])))
    return (Lines("curve", xy, label="prediction"),)


def _residuals(model: Any, context: Context) -> Sequence[Mark]:
    if context.line is None or context.y is None or not len(context.X):
        return ()
    x = context.X[:, 0]
    start = np.column_stack((x, context.y))
    end = np.column_stack((x, model.predict(context.X)))
    return (Segments("residual", start, end, context.rows, label="residuals"),)


def _squared_residuals(model: Any, context: Context) -> Sequence[Mark]:
    if context.line is None or context.y is None or not len(context.X):
        return ()
    x, fitted = context.X[:, 0], model.predict(context.X)
    squares = []
    for left, low, high in zip(x, context.y, fitted, strict=True):
        side = high - low
        squares.append(np.array([(left, low), (left, high), (left + side, high), (left + side, low)]))
    return (Polygons("square", tuple(squares), label="squared residuals"),)


regions = Overlay("regions", "regions", _regions, "where each class is predicted; paler where the method is less sure")
boundary = Overlay("boundary", "decision boundary", _boundary, "where the prediction changes")
misclassified = Overlay("misclassified", "misclassified", _misclassified, "samples whose class is predicted wrongly")
value_field = Overlay(
    "value field", "predicted values", _value_field, "the prediction as a shade, neutral in the middle"
)
curve = Overlay("curve", "curve", _curve, "the prediction over the input")
residuals = Overlay("residuals", "residuals", _residuals, "from each sample to its prediction")
squared_residuals = Overlay(
    "squared residuals", "squared residuals", _squared_residuals, "squares whose areas the fit adds up", shown=False
)
