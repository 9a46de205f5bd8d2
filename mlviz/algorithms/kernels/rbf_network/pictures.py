"""How a network of radial functions is drawn: its centres, their reach, bumps, weights and the function of distance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlviz.algorithms.kernels.rbf_network.model import RBFNetworkModel, RBFNetworkScores
from mlviz.draw.contours import curves
from mlviz.draw.inks import BAR_INKS, CANVAS, FAINT, TEXT, RoleInk, Tone
from mlviz.draw.layer import Context, OnCurve, OnGrid, chart, overlay
from mlviz.draw.marks import Ellipses, Lines, Mark, Points
from mlviz.draw.numbers import number
from mlviz.draw.overlays.charts import MOST_BARS, ends_of_bars, weight_bars
from mlviz.draw.plot import Handle, Plot
from mlviz.numerics.arrays import Array
from mlviz.numerics.kernels.radial import NormalizedExpansion, shares

MOST_MARKED = 60
"""More centres are not marked: they would cover the samples."""
MOST_BUMPS = 60
"""Of more bumps the largest ones are drawn."""
_NODES = 300
_OUT_OF_SIGHT = 1000
"""So many times as far from the offset as the samples are, bumps end: large ones may cancel."""
_WIDEST = 3.0
"""Circles so many times as wide as the view are out of sight."""
_WIDTHS = 60
"""So many widths can be dragged to."""
_REACH = 3.0
"""The function of distance is drawn up to so many widths."""
INKS = {
    "basis center": RoleInk(TEXT, FAINT, width=1.2, symbol="cross", size=13.0, halo=CANVAS),
    "reach of a centre": RoleInk(Tone(pale=0.35), Tone(opacity=0.0), width=1.0, dash="dashed"),
}

Network = RBFNetworkModel | RBFNetworkScores


@overlay(
    "bumps",
    "bumps",
    "each basis function times its weight, on the offset: the curve is their sum",
    tasks=("regression",),
)
def bumps(model: RBFNetworkModel, context: OnCurve) -> Sequence[Mark]:
    x = np.linspace(float(context.line[0]), float(context.line[-1]), _NODES)
    heights, m = model.expansion.terms(x[:, None]), len(model.coef)
    largest = np.sort(np.argsort(-np.abs(heights).max(axis=0), kind="stable")[:MOST_BUMPS])
    reach = _OUT_OF_SIGHT * max(float(np.abs(context.y - model.intercept).max()), 1e-300)
    heights = model.intercept + np.clip(heights[:, largest], -reach, reach)
    label = "weights times basis functions" if m == len(largest) else f"the {MOST_BUMPS} largest of {m} bumps"
    return (Lines("basis", curves(x, heights), label=label),)


@overlay("centers", "centres", "where the basis functions stand; with one input at the height of the offset")
def crosses(model: Network, context: Context) -> Sequence[Mark]:
    places = model.network.places
    if len(places) > MOST_MARKED:
        return ()
    if context.grid is not None and places.shape[1] == 2:
        return (Points("basis center", places, label="centres"),)
    if context.line is None or not isinstance(model, RBFNetworkModel):
        return ()
    return (Points("basis center", np.column_stack((places, np.full(len(places), model.intercept))), label="centres"),)


@overlay("circles", "width", f"a circle with the radius σ about each centre, for up to {MOST_MARKED} centres")
def circles(model: Network, context: OnGrid) -> Sequence[Mark]:
    places = model.network.places
    if len(places) > MOST_MARKED or places.shape[1] != 2 or model.width > _WIDEST * float(context.grid.size.max()):
        return ()
    axes = np.broadcast_to(model.width * np.eye(2), (len(places), 2, 2))
    return (Ellipses("reach of a centre", places, axes, label="σ about each centre"),)


@chart("basis", "basis functions")
def basis_chart(model: RBFNetworkModel, context: OnCurve) -> Plot | None:
    """The basis functions over the input, without their weights, and where they stand."""
    x, expansion = context.line, model.expansion
    drawn = np.unique(np.linspace(0, len(model.coef) - 1, min(len(model.coef), MOST_BUMPS)).astype(int))
    places = x[:, None] - expansion.origin
    if isinstance(expansion, NormalizedExpansion):
        values, name = shares(expansion.kernel, places, expansion.centers), "share of the sum"
    else:
        values, name = expansion.kernel.matrix(places, expansion.centers), "φ"
    label = "basis functions" if len(drawn) == len(model.coef) else f"{len(drawn)} of {len(model.coef)} basis functions"
    marks: list[Mark] = [Lines("path", curves(x, values[:, drawn]), label=label)]
    middles = model.centers[drawn, 0]
    inside = middles[(middles >= x[0]) & (middles <= x[-1])]
    if len(inside) and len(drawn) <= MOST_MARKED // 2:
        marks.append(Points("basis center", np.column_stack((inside, np.zeros(len(inside)))), label="centres"))
    return Plot("basis", "Basis functions", context.axis_label(0), name, tuple(marks))


@chart("weights", "weights")
def weights_chart(model: Network, context: Context) -> Plot | None:
    """The weight of each centre; of several classes, side by side."""
    functions: tuple[RBFNetworkModel, ...] = (model,) if isinstance(model, RBFNetworkModel) else model.functions
    names = [""]
    if isinstance(model, RBFNetworkScores) and len(functions) > 1:
        names = [context.names.of_class(code) for code in model.classes]
    if len(functions[0].coef) * len(functions) > MOST_BARS or len(functions) > BAR_INKS:
        return None
    heights = np.array([one.coef for one in functions])
    low, high = ends_of_bars(heights.shape[1])
    ends = low + 1, high + 1  # the first centre is number 1
    marks = weight_bars(heights, names, first=1.0, zeros=False)
    low, high = min(0.0, float(heights.min())), max(0.0, float(heights.max()))
    room = 0.08 * (high - low) or 1.0
    limits = (*ends, low - room, high + room)
    return Plot("weights", "Weights", "centre, from left to right", "weight", tuple(marks), limits, x_whole=True)


@chart("profile", "radial function")
def profile_chart(model: Network, context: Context) -> Plot | None:
    """The function of the distance from a centre, with its width, and how far centres are from each other."""
    kernel, near, sigma = model.expansion.kernel, model.network.to_nearest, model.width
    r = np.linspace(0.0, _REACH * sigma, _NODES)
    values = kernel.matrix(r[:, None], np.zeros((1, 1)))[:, 0]
    marks: list[Mark] = [Lines("curve", np.column_stack((r, values)), label="φ")]
    low, high = min(0.0, float(values.min())), float(values.max())
    inside = near[near <= r[-1]]
    if len(inside):
        label = "distance of a centre to the nearest other"
        marks.append(Points("foot", np.column_stack((inside, np.zeros(len(inside)))), label=label))
        if (mean := float(near.mean())) <= r[-1]:
            label = f"their mean, {number(mean)}"
            marks.append(Lines("threshold", np.array([(mean, low), (mean, high)]), label=label))
    handles = _width_handle(context, sigma, low)
    at_width = kernel.matrix(np.array([[sigma]]), np.zeros((1, 1)))[0]
    marks.append(Points("now", np.array([(sigma, float(at_width[0]))]), label=f"σ = {number(sigma)}"))
    room = 0.06 * (high - low)
    limits = (0.0, float(r[-1]), low - room, high + room)
    return Plot(
        "profile",
        "Radial function",
        context.measured("distance from a centre"),
        "φ",
        tuple(marks),
        limits,
        handles=handles,
    )


def _width_handle(context: Context, sigma: float, level: float) -> tuple[Handle, ...]:
    """The width, which can be dragged where it is given by hand."""
    algorithm = context.algorithm
    if not algorithm.matters(algorithm.parameter("sigma")):
        return ()
    low, high = algorithm.parameter("sigma").valid
    factors = np.geomspace(1 / _REACH**2, _REACH, _WIDTHS)
    values: Array = np.unique(np.append(np.clip(sigma * factors, low, high), sigma))
    places = np.column_stack((values, np.full(len(values), level)))
    at = int(np.searchsorted(values, sigma))
    return (Handle("algorithm.sigma", places, values, at, "σ", "upright"),)
