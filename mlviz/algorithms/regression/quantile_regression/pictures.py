"""The fan of quantiles, the samples on the curve, and the pinball loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mlviz.algorithms.regression.quantile_regression.model import QuantileModel
from mlviz.draw.contours import curves
from mlviz.draw.layer import Chart, Context, OnLine, chart, overlay
from mlviz.draw.marks import Lines, Mark, Points, Polygons, Text
from mlviz.draw.numbers import format_number
from mlviz.draw.overlays import charts, gram
from mlviz.draw.overlays.regions import in_sight
from mlviz.draw.plot import Handle, Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.residuals.losses import pinball
from mlviz.numerics.sampling import subsample

_MOST_POINTS = 1000
"""More samples than that are not told apart on the curve of the loss."""
_MOST_RINGS = 200
"""More samples than that on the curve are its shape, and no news."""
_LEVELS = 99
_WORDS_AT = 0.97
"""Where along a curve its quantile is written."""
_RIM = 0.06
"""So near to the rims of the canvas, as a share of its height, nothing is."""


@overlay(
    "fan",
    "fan of quantiles",
    "the curves of other quantiles, each fitted by itself: where samples are few they may cross",
    tasks=("regression",),
    idle=lambda algorithm, classes: "" if algorithm.fan else "No other quantiles are fitted.",
)
def fan(model: QuantileModel, context: OnLine) -> Sequence[Mark]:
    if not model.fan:
        return ()
    x = context.line
    heights = np.array([one.curve.at(x[:, None]) for one in model.fan])
    taus = [format_number(one.tau) for one in model.fan]
    ends = np.array([_end(x, curve, context.height) for curve in heights])
    outline = np.column_stack((np.append(x, x[::-1]), np.append(heights[0], heights[-1][::-1])))
    marks = (
        Polygons("band", (outline,), label=f"between the quantiles {taus[0]} and {taus[-1]}"),
        Lines("quantile", curves(x, heights.T), label=f"quantiles {', '.join(taus)}"),
        Text("quantile", ends, tuple(taus), centered=True),
    )
    return in_sight(marks, context)


def _end(x: Array, curve: Array, height: tuple[float, float] | None) -> Array:
    """The place on a curve near its right end that is in sight, else near its end."""
    low, high = (-np.inf, np.inf) if height is None else height
    rim = _RIM * (high - low) if height is not None else 0.0
    seen = np.flatnonzero((curve > low + rim) & (curve < high - rim))
    last = int(_WORDS_AT * (len(x) - 1))
    at = min(last, int(seen[-1])) if len(seen) else last
    return np.array([x[at], curve[at]])


@overlay("on the curve", "samples on the curve", "a ring about each sample through which the curve goes")
def on_curve(model: QuantileModel, context: Context) -> Sequence[Mark]:
    rows = np.flatnonzero(model.on_curve)
    label = "predicted exactly" if context.line is None else "samples on the curve"
    return () if len(rows) > _MOST_RINGS else context.symbols("support vector", rows, label)


@chart("pinball", "pinball loss")
def loss_chart(model: QuantileModel, context: Context) -> Plot:
    """The loss over the residual with the samples on it; its slope above 0, which is tau, can be dragged."""
    used = np.flatnonzero(model.share)
    used = used[np.sort(subsample(np.argsort(model.residual[used], kind="stable"), _MOST_POINTS))]
    residual, tau = model.residual[used], model.tau
    far = 1.15 * float(np.abs(residual).max()) or 1.0
    r = np.array([-far, 0.0, far])
    low, high = context.algorithm.parameter("tau").soft
    values = np.unique(np.append(np.linspace(low, high, _LEVELS), tau))
    at = int(np.searchsorted(values, tau))
    places = np.column_stack((np.full(len(values), 0.8 * far), 0.8 * far * values))
    marks: tuple[Mark, ...] = (
        Lines("reference", np.array([(-far, far / 2), (0.0, 0.0), (far, far / 2)]), label="that of the median"),
        Lines("curve", np.column_stack((r, pinball(r, tau))), label=f"pinball loss, τ = {format_number(tau)}"),
        Points("foot", np.column_stack((residual, pinball(residual, tau))), label="samples"),
    )
    limits = (-far, far, -0.06 * far, 1.03 * far)
    handle = Handle("algorithm.tau", places, values, at, "τ")
    return Plot("pinball", "Pinball loss", "residual y − f(x)", "loss", marks, limits, handles=(handle,))


def _of_kernel(one: Chart) -> Chart:
    """The chart, where there is a kernel."""

    def drawn(model: object, context: Context) -> Plot | None:
        bent = context.algorithm.basis == "kernel"
        found: Plot | None = one.function(model, context) if bent else None
        return found

    return replace(one, function=drawn)


def _weights(models: Sequence[QuantileModel], context: Context) -> Plot | None:
    """The weights of several inputs: a single one is the slope that is seen."""
    found: Plot | None = charts.weights_chart.function(models, context) if context.X.shape[1] > 1 else None
    return found


weights_chart = replace(charts.weights_chart, function=_weights)
kernel_charts = tuple(map(_of_kernel, gram.charts))
"""Those of every kernel method."""
