"""What is drawn of Gaussian process regression: functions drawn at random, how sure they are, and their covariance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.kernels.gp.model import SEEN, SEEN_IN_MOTION, GaussianProcessModel
from mlviz.algorithms.kernels.gp.settings import GaussianProcessSettings
from mlviz.algorithms.traits import always
from mlviz.draw.contours import curves, numbered_lines
from mlviz.draw.layer import Context, OnLine, OnNodes, chart, overlay
from mlviz.draw.marks import Field, Lines, Mark
from mlviz.draw.numbers import format_number
from mlviz.draw.overlays import bands, gram
from mlviz.draw.overlays.regions import in_sight
from mlviz.draw.plot import Plot
from mlviz.draw.ticks import round_levels
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.gaussian_process import Prior, symmetric_root

CURVES = 5
"""So many functions are drawn at random."""
CURVE_NODES = 201
"""Places along a line at which they are."""
_COVARIANCE_NODES = 81
_DARKEST = 180
"""How much of a place is covered where nothing is known of it, of 255: its colour is still guessed."""
_ROUNDING = 1e-9
_TICKS = 4.0
"""About so many numbers there are along a covariance."""
_LINES = 5.0
"""About so many lines of equal standard deviation there are."""
_WORK = {False: 3e8, True: 4e9}
"""So many products, about, are added up for a field that does not follow from few of its values: coarse, or fine."""


@dataclass(frozen=True)
class PriorModel:
    """What is predicted before anything was seen."""

    prior: Prior
    noise: float
    degrees_of_freedom = np.inf

    def predict(self, X: Array) -> Array:
        """The mean of the prior (n,), 0."""
        return np.zeros(len(X))

    def predict_std(self, X: Array) -> tuple[Array, Array]:
        """The standard deviations (n,) of the function and of a new target."""
        variance = self.prior.variance(X)
        return np.sqrt(variance), np.sqrt(variance + self.noise)


def prior_of(settings: GaussianProcessSettings, places: Array) -> Prior | None:
    """What is known before the samples; None where the kernel is refused at the places (m, d)."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            prior = Prior(settings.kernel_for(places), settings.signal_variance)
            return prior if np.isfinite(prior.covariance(places)).all() else None
    except CannotFit:
        return None


@overlay(
    "functions",
    "functions drawn at random",
    "functions drawn at random among those that the samples leave possible; before the first sample, from the prior",
    tasks=("regression",),
    needs_model=False,
    random=always,
)
def functions(model: object, context: OnLine) -> Sequence[Mark]:
    x = np.linspace(float(context.line[0]), float(context.line[-1]), CURVE_NODES)
    places = x[:, None]
    if isinstance(model, GaussianProcessModel):
        middle, covariance = model.predict(places), model.covariance(places)
        return in_sight((_drawn(x, middle, covariance, context.seed, "posterior"),), context)
    prior = prior_of(context.algorithm, places) if model is None else None
    if prior is None:
        return ()
    before = PriorModel(prior, context.algorithm.noise_variance)
    return (
        *bands.bands.draw(before, context),
        _drawn(x, np.zeros(len(x)), prior.covariance(places), context.seed, "prior"),
        Lines("curve", np.column_stack((context.line[[0, -1]], (0.0, 0.0))), label="mean of the prior"),
    )


def _drawn(x: Array, middle: Array, covariance: Array, seed: int, of: str) -> Lines:
    """Functions with that mean (m,) and covariance (m, m), made of the same random numbers at the same places."""
    normal = np.random.default_rng(seed).standard_normal((CURVE_NODES, CURVES))
    columns = middle[:, None] + symmetric_root(covariance) @ normal
    return Lines("drawn function", curves(x, columns), label=f"{CURVES} functions drawn from the {of}")


@overlay(
    "standard deviation",
    "standard deviation",
    "the more a place is covered, the less sure the function is there; lines join places where it is equally sure",
    shown=False,
    tasks=("regression",),
)
def standard_deviation(model: GaussianProcessModel, context: OnNodes) -> Sequence[Mark]:
    nodes, std = std_field(model, context.nodes, context.fine)
    before = model.settings.signal_variance * model.expansion.kernel.diagonal(context.X - model.expansion.origin)
    top = max(float(np.sqrt(before.max())), float(std.max()))
    strength = np.clip(_DARKEST * std / (top or 1.0), 0, 255).astype(np.uint8)
    levels = round_levels(float(std.min()), float(std.max()), _LINES)
    label = f"standard deviation of the function, 0 to {format_number(top, 3)}"
    return (
        Field("uncertainty", nodes.x, nodes.y, strength, cover=True, label=label),
        *numbered_lines("uncertainty line", "equal standard deviation", nodes, std, levels, context.fine),
    )


def std_field(model: GaussianProcessModel, nodes: Grid, fine: bool) -> tuple[Grid, AnyArray]:
    """The standard deviation of the function at nodes (ny, nx), and these: fewer ones where that takes long."""
    tolerance = SEEN if fine else SEEN_IN_MOTION
    if type(nodes) is Grid and (found := model.smooth_std(nodes, tolerance)) is not None:
        return nodes, found
    most = _WORK[fine] / len(model.expansion.coef) ** 2
    coarse = nodes.every(max(1, int(np.ceil(np.sqrt(nodes.x.size * nodes.y.size / most)))))
    return coarse, model.predict_std(coarse.points())[0].reshape(coarse.shape)


@chart("posterior covariance", "posterior covariance")
def posterior_chart(model: GaussianProcessModel, context: Context) -> Plot | None:
    """How values of the function go together once the samples were seen."""
    return _covariance_chart("posterior", model, context)


@chart("prior covariance", "prior covariance")
def prior_chart(model: GaussianProcessModel, context: Context) -> Plot | None:
    """The same before."""
    return _covariance_chart("prior", model, context)


def _covariance_chart(which: str, model: GaussianProcessModel, context: Context) -> Plot | None:
    way = _way(context)
    if way is None:
        return None
    axis, places, label = way
    prior = Prior(model.expansion.kernel, model.settings.signal_variance).covariance(places - model.expansion.origin)
    C, most = prior if which == "prior" else model.covariance(places), float(np.abs(prior).max())
    if not 1e-100 < most < 1e100:
        return None
    # Less than rounding leaves of the prior's values is nothing.
    size = max(float(np.abs(C).max()), _ROUNDING * most)
    marks = (Field("similarity", axis, axis, gram.strength(C, size)), *gram.scale_beside(C, size, axis))
    title, limits = f"{which.capitalize()} covariance", gram.limits_with_scale(axis)
    # Numbers stand beside the matrix alone, not below its scale.
    shown = round_levels(float(axis[0]), float(axis[-1]), _TICKS)
    named = tuple((value, format_number(value, 3)) for value in shown)
    return Plot(f"{which} covariance", title, label, label, marks, limits, equal=True, x_ticks=named, y_ticks=named)


def _way(context: Context) -> tuple[Array, Array, str] | None:
    """Numbers (m,) along a line through the inputs, the places (m, d) on it, and what it is called."""
    if context.line is not None:
        axis = np.linspace(float(context.line[0]), float(context.line[-1]), _COVARIANCE_NODES)
        return axis, axis[:, None], context.axis_label(0)
    line = context.slice
    if line is None or not (line[0] != line[1]).any():
        return None
    share = np.linspace(0.0, 1.0, _COVARIANCE_NODES)
    return share, line[0] + share[:, None] * (line[1] - line[0]), "along the slice"
