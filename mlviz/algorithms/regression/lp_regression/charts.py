"""Beside regression by other losses: the losses with the samples on them, and the weights."""

from __future__ import annotations

import numpy as np

from mlviz.algorithms.basis_pictures import term_axis
from mlviz.algorithms.regression.lp_regression.model import LpModel
from mlviz.algorithms.regression.lp_regression.pictures import named, others
from mlviz.draw.layer import Context, chart
from mlviz.draw.marks import Lines, Mark, Points
from mlviz.draw.overlays.charts import MOST_BARS, bar_ticks, weight_bars
from mlviz.draw.plot import Handle, Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.residuals.losses import Power
from mlviz.numerics.sampling import subsample

_PLACES = 241
_ROOM = 1.15
_HANDLE_PLACES = 120
_MOST_POINTS = 2000
_LEAST, _MOST = 0.7, 1.4
"""A power of a number between these says little about the power: its handle stands elsewhere."""


@chart("loss", "loss")
def loss_chart(model: LpModel, context: Context) -> Plot | None:
    """The losses over the residual, each sample on that of the model, with p or δ as a handle."""
    residuals = model.residuals
    far = _ROOM * (float(np.abs(residuals).max()) or 1.0)
    if isinstance(model.loss, Power) and _LEAST < 0.8 * far < 1.25 * _MOST:
        far = 1.25 * _MOST
    x = np.linspace(-far, far, _PLACES)
    with np.errstate(over="ignore"):
        top = float(model.loss.values(np.array([far]))[0])
        if not np.isfinite(top) or not top > 0:
            return None
        curves = [(role, label, loss.values(x)) for role, label, loss in others(model)]
    marks: list[Mark] = [Lines(role, _below(x, values, 3 * top), label=label) for role, label, values in curves]
    marks.append(Lines("curve", np.column_stack((x, model.loss.values(x))), label=named(model.loss)))
    shown = residuals[subsample(np.argsort(residuals, kind="stable"), _MOST_POINTS)]
    label = "samples" if len(shown) == len(residuals) else f"samples, {len(shown)} of {len(residuals)}"
    marks.append(Points("bin", np.column_stack((shown, model.loss.values(shown))), label=label))
    limits = (-far, far, -0.04 * top, top)
    handle = _handle(model, context, far, top)
    at = handle.points[handle.at]
    seen = limits[0] <= at[0] <= limits[1] and limits[2] <= at[1] <= limits[3]
    return Plot("loss", "Loss", "residual", "loss", tuple(marks), limits, handles=(handle,) if seen else ())


def _below(x: Array, values: Array, top: float) -> Array:
    """The curve, where it is far above the view level there."""
    return np.column_stack((x, np.minimum(values, top)))


def _handle(model: LpModel, context: Context, far: float, top: float) -> Handle:
    """What changes δ, along the axis, or p, by the height of the loss at one residual."""
    if not isinstance(model.loss, Power):
        low, high = context.algorithm.parameter("delta").valid
        now = model.loss.delta
        values = np.unique(
            np.append(np.geomspace(max(low, min(1e-3 * far, now)), min(high, max(far, now)), _HANDLE_PLACES), now)
        )
        at = int(np.searchsorted(values, now))
        return Handle("algorithm.delta", np.column_stack((values, 0 * values)), values, at, label="δ", kind="upright")
    p = model.loss.p
    soft, valid = context.algorithm.parameter("power").soft, context.algorithm.parameter("power").valid
    place = 0.8 * far
    values = np.unique(np.append(np.geomspace(min(soft[0], p), max(soft[1], p), _HANDLE_PLACES), p).clip(*valid))
    with np.errstate(over="ignore", under="ignore"):
        heights = np.minimum(place**values, 1e6 * top)
    points = np.column_stack((np.full(len(values), place), heights))
    return Handle("algorithm.power", points, values, int(np.searchsorted(values, p)), label="p")


@chart("weights", "weights")
def weights_chart(model: LpModel, context: Context) -> Plot | None:
    """The weights as bars."""
    if len(model.coef) > MOST_BARS:
        return None
    names, term, what = term_axis(model.problem.terms.basis, context)
    marks = tuple(weight_bars(model.coef[None], zeros=False))
    return Plot("weights", "Weights", term, what, marks, x_ticks=bar_ticks(names))
