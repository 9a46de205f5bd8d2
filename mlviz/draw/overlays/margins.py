"""Overlays of machines with a street: margin lines, support vectors, slack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from mlviz.draw.contours import contour, join_lines, some_lines
from mlviz.draw.layer import Context, OnGrid, OnNodes, overlay
from mlviz.draw.marks import Mark, Segments
from mlviz.draw.protocols import HasField, HasMargin, HasMarginPairs, HasSupport, IsExpanded
from mlviz.numerics.arrays import AnyArray, Array, Mask
from mlviz.numerics.grid import Grid

_SLACK_TOLERANCE = 1e-3
"""A slack segment ends where f is as near as this to the margin's value."""
_LEAST_SLOPE = 1e-150
"""A gradient of f that is shorter shows no way."""
Drawn = TypeVar("Drawn", HasField, HasMargin)


def _field(model: HasField, context: Context, grid: Grid) -> AnyArray:
    field = context.field  # that of several classes is not this model's
    return np.asarray(field if field is not None and field.ndim == 2 else grid.field_of(model, np.float32))


def _binary(model: Drawn | HasMarginPairs, context: Context) -> Drawn | HasMargin | None:
    """The model, or of one that meets several classes at once what it says of the two that lead at the probe."""
    if not isinstance(model, HasMarginPairs):
        return model
    return None if context.probe is None else model.pair_at(context.probe)


@overlay("margins", "margins", "where f = −1 and f = +1: the edges of the street", parts="probe")
def margin_lines(model: HasField | HasMarginPairs, context: OnNodes) -> Sequence[Mark]:
    binary = _binary(model, context)
    if binary is None:
        return ()
    field = _field(binary, context, context.nodes)
    terms = float(np.abs(binary.expansion.coef).sum()) if isinstance(binary, IsExpanded) else 0.0
    xy = join_lines(contour(context.nodes, field, level, fine=context.fine, terms=terms) for level in (-1.0, 1.0))
    return some_lines("margin", xy, "margins f = ±1")


@overlay(
    "support vectors",
    "support vectors",
    "the samples with α > 0, of which f is made: at the solution free ones are on their margin, those at the bound "
    "within or beyond it",
    parts="each",
)
def support_vectors(model: HasSupport, context: Context) -> Sequence[Mark]:
    bound, name = model.at_bound[model.support], model.bound_name
    return (
        *context.symbols("support vector", model.support[~bound], f"support vector, α < {name}"),
        *context.symbols("bound support vector", model.support[bound], f"support vector, α = {name}"),
    )


@overlay("slack", "slack", "from each sample that violates its margin to that margin", parts="probe")
def slack(model: HasMargin | HasMarginPairs, context: OnGrid) -> Sequence[Mark]:
    binary, grid = _binary(model, context), context.grid
    if binary is None:
        return ()
    rows = np.flatnonzero(binary.slack > _SLACK_TOLERANCE)
    end, reached = project(binary, context.X[rows], binary.signs[rows])
    for level in (-1.0, 1.0):
        # From a hollow or a crease of f no way leads up: then the nearest place on the margin line that is in view.
        lost = np.flatnonzero(~reached & (binary.signs[rows] == level))
        line = contour(grid, _field(binary, context, grid), level) if len(lost) else np.empty((0, 2))
        line = line[np.isfinite(line).all(axis=1)]
        if len(line):
            offset = context.X[rows[lost], None, :] - line
            nearest = line[np.einsum("ijk,ijk->ij", offset, offset).argmin(axis=1)]
            end[lost], reached[lost] = project(binary, nearest, binary.signs[rows[lost]])
    if not reached.any():
        return ()
    rows, end = rows[reached], end[reached]
    return (Segments("slack", context.X[rows][:, :2], end, rows=context.rows[rows], label="slack ξ"),)


def project(model: HasMargin, X: Array, level: Array) -> tuple[Array, Mask]:
    """From the rows of X (m, d) along the gradient of f to where f = level (m,), and whether that was reached.

    Newton's step along the gradient, halved while it does not bring f nearer to the level. A place in a hollow of f
    from which no way leads up to the level is not reached.
    """
    x = X.astype(np.float64)
    if not len(x):
        return x, np.zeros(0, dtype=bool)
    f, gradient = model.with_gradient(x)
    reach = 0.1 * float(np.linalg.norm(np.ptp(model.X, axis=0)))
    share = np.ones(len(x))
    going = np.abs(level - f) > _SLACK_TOLERANCE
    for _ in range(12):
        active = np.flatnonzero(going)
        if not len(active):
            break
        slope = np.maximum(np.linalg.norm(gradient[active], axis=1), _LEAST_SLOPE)
        length = np.clip((level[active] - f[active]) / slope, -reach, reach) * share[active]
        there = x[active] + length[:, None] * (gradient[active] / slope[:, None])
        f_there, gradient_there = model.with_gradient(there)
        better = np.abs(level[active] - f_there) < np.abs(level[active] - f[active])
        won = active[better]
        x[won], f[won], gradient[won] = there[better], f_there[better], gradient_there[better]
        share[active] = np.where(better, np.minimum(1.0, 2 * share[active]), share[active] / 2)
        going = (np.abs(level - f) > _SLACK_TOLERANCE) & (share > 1e-3)
    return x, np.abs(level - f) <= _SLACK_TOLERANCE
