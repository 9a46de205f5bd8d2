"""Beside Bayesian linear regression: prior, likelihood and posterior over two weights, all weights, the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mlviz.algorithms.basis_pictures import term_axis
from mlviz.algorithms.regression.bayesian_linear.model import BayesianLinearModel
from mlviz.algorithms.traits import where
from mlviz.draw.contours import join_lines, some_lines
from mlviz.draw.layer import Context, chart
from mlviz.draw.marks import Ellipses, Lines, Mark, Points, Polygons, Segments
from mlviz.draw.numbers import number
from mlviz.draw.overlays.charts import MOST_BARS, bar_ticks, ends_of_bars, weight_bars
from mlviz.draw.plot import Handle, Limits, Plot
from mlviz.numerics.arrays import Array

_STANDARD_DEVIATIONS = 2.0
"""An ellipse holds the places no farther from its middle than that: 86 per cent of a normal distribution."""
_PRIOR_SEEN, _POSTERIOR_SEEN = 2.6, 60.0
"""The axes hold so many standard deviations of the prior, but no more than so many of the posterior at the end."""
_POSTERIOR_ALONE = 12.0
"""So many of it where the prior is so much wider that it has no place beside it."""
_LEVEL = 1e-9
"""A likelihood that tells so much less along one direction than along the other tells nothing along it."""
_PLACES = 80


class _Gaussian(NamedTuple):
    """A Gaussian function of two weights: exp(-(v - middle)' precision (v - middle) / 2)."""

    precision: Array
    """(2, 2)."""
    middle: Array
    """(2,)."""


def _quotient(after: _Gaussian, before: _Gaussian) -> _Gaussian:
    """What led from one to the other: the likelihood between a prior and its posterior."""
    told = after.precision @ after.middle - before.precision @ before.middle
    return _with_precision(after.precision - before.precision, told)


def _with_precision(precision: Array, told: Array) -> _Gaussian:
    """That whose middle solves precision . middle = told (2,), the nearest to 0 where there are several."""
    return _Gaussian(precision, np.asarray(np.linalg.lstsq(precision, told, rcond=_LEVEL)[0], dtype=np.float64))


def _likelihood(model: BayesianLinearModel, first: int) -> _Gaussian:
    """Of offset and slope, by the samples from number `first` on to the last that has come."""
    samples, seen = model.samples, slice(first, model.count)
    design = np.column_stack((np.ones(model.count - first), samples.design[seen]))
    weighted = design.T * (samples.weights[seen] / samples.noise**2)
    return _with_precision(weighted @ design, weighted @ samples.y[seen])


def _of_two(model: BayesianLinearModel, pair: Sequence[int]) -> _Gaussian:
    """What is known of two of the p + 1 weights, whatever the others are."""
    posterior = model.posterior
    root = posterior.root[list(pair)]
    inverse = np.linalg.pinv(root)
    return _Gaussian(inverse.T @ inverse, posterior.mean[list(pair)])


def _shown(model: BayesianLinearModel) -> tuple[int, int] | None:
    """Which two of the weights are shown: offset and slope, or those of the first two inputs; None for monomials."""
    if not model.samples.terms.straight:
        return None
    return (0, 1) if len(model.samples.terms) == 1 else (1, 2)


@chart("weight plane", "prior to posterior", random=where("basis", "linear"))
def weight_plane(model: BayesianLinearModel, context: Context) -> Plot | None:
    """Prior, likelihood and posterior over two weights of a straight function, with those of the functions drawn."""
    pair, samples = _shown(model), model.samples
    if pair is None:
        return None
    end = _limits(model, pair)
    now = _of_two(model, pair)
    proper = not samples.flat or pair[0] > 0  # of two weights without the offset the prior is normal, in any case
    start = _Gaussian(np.eye(2) / samples.prior**2 if proper else np.diag([0.0, samples.prior**-2]), np.zeros(2))
    marks: list[Mark] = list(_level_set("prior", start, end, f"prior at {_STANDARD_DEVIATIONS:g} standard deviations"))
    if model.count:
        if model.count < len(samples.y):
            marks += _level_set("last likelihood", _last(model, pair, now), end, "likelihood of the last sample")
        whole = _likelihood(model, 0) if pair[0] == 0 else _quotient(now, start)
        marks += _level_set("likelihood", whole, end, "likelihood of all samples so far")
        marks += _level_set("posterior", now, end, "posterior")
    if not model.nowhere or pair[0] > 0:
        drawn = _inside(model.drawn[:, list(pair)], end)
        marks.append(Points("drawn function", drawn, np.full(len(drawn), 0.5), label="functions drawn"))
        label = "most probable" if model.count else "mean of the prior"
        marks.append(Points("now", now.middle[None], np.full(1, 0.5), label=label))  # small beside small ellipses
    names = ["b", *(f"w of {context.axis_label(j)}" for j in range(len(samples.terms)))]
    return Plot("weight plane", "Prior to posterior", names[pair[0]], names[pair[1]], tuple(marks), end)


def _last(model: BayesianLinearModel, pair: tuple[int, int], now: _Gaussian) -> _Gaussian:
    """What the last sample says of two weights, where the others are what they are known to be."""
    if pair[0] == 0:
        return _likelihood(model, model.count - 1)
    if model.count == 1:
        return _quotient(now, _Gaussian(np.eye(2) / model.samples.prior**2, np.zeros(2)))
    return _quotient(now, _of_two(BayesianLinearModel(model.samples, model.count - 1), pair))


def _inside(places: Array, limits: Limits) -> Array:
    """Those of the places (m, 2) that are seen."""
    x0, x1, y0, y1 = limits
    return places[(places >= (x0, y0)).all(axis=1) & (places <= (x1, y1)).all(axis=1)]


def _limits(model: BayesianLinearModel, pair: tuple[int, int]) -> Limits:
    """Axes that stay while the steps are played."""
    samples = model.samples
    final = BayesianLinearModel(samples, len(samples.y)).posterior
    middle, spread = final.mean[list(pair)], np.sqrt(final.covariance.diagonal()[list(pair)])
    half = np.minimum(_PRIOR_SEEN * samples.prior, _POSTERIOR_SEEN * spread)
    reach = np.maximum(3 * spread, 1e-9 * np.abs(middle))
    low, high = np.minimum(-half, middle - reach), np.maximum(half, middle + reach)
    # Where the prior is far off the whole of it would leave the posterior a dot.
    far = high - low > 4 * half + 2 * reach
    low, high = np.where(far, middle - half - reach, low), np.where(far, middle + half + reach, high)
    if (_STANDARD_DEVIATIONS * samples.prior > _POSTERIOR_SEEN * spread).any():
        around = np.maximum(_POSTERIOR_ALONE * spread, reach)
        low, high = middle - around, middle + around
    return float(low[0]), float(high[0]), float(low[1]), float(high[1])


def _level_set(role: str, gaussian: _Gaussian, limits: Limits, label: str) -> tuple[Mark, ...]:
    """An ellipse, or where it is open a stripe across the view; nothing where it tells nothing."""
    x0, x1, y0, y1 = limits
    out_of_sight = 1e3 * max(x1 - x0, y1 - y0)
    values, directions = np.linalg.eigh(gaussian.precision)
    if not values[1] > out_of_sight**-2:
        return ()
    if values[0] > _LEVEL * values[1]:
        axes = directions * (_STANDARD_DEVIATIONS / np.sqrt(values))
        if np.abs(axes).max() > out_of_sight:
            return ()
        return (Ellipses(role, gaussian.middle[None], axes[None], label=label),)
    half, across = float(_STANDARD_DEVIATIONS / np.sqrt(values[1])), directions[:, 1]
    middle = float(across @ gaussian.middle)
    if role != "last likelihood":
        return some_lines(role, _sides(limits, across, middle, half), label)
    stripe = _clipped(_rectangle(limits), across, middle, half)
    return (Polygons(role, (stripe,), label=label),) if len(stripe) > 2 else ()


def _sides(limits: Limits, across: Array, middle: float, half: float) -> Array:
    """The two lines across . v = middle +- half, as far as they are in sight, parted by a row of NaN."""
    corners, found = _rectangle(limits), []
    for level in (middle - half, middle + half):
        value = corners @ across - level
        ends = [
            a + u / (u - v) * (b - a)
            for a, b, u, v in zip(corners, np.roll(corners, -1, axis=0), value, np.roll(value, -1), strict=True)
            if (u >= 0) != (v >= 0)
        ]
        if len(ends) == 2:
            found.append(np.array(ends))
    return join_lines(found)


def _rectangle(limits: Limits) -> Array:
    x0, x1, y0, y1 = limits
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def _clipped(corners: Array, across: Array, middle: float, half: float) -> Array:
    """What of a polygon (m, 2) is no farther than `half` from the line across . v = middle."""
    for sign in (1.0, -1.0):
        inside = half - sign * (corners @ across - middle)
        kept: list[Array] = []
        for j, (here, there) in enumerate(zip(inside, np.roll(inside, -1), strict=True)):
            if here >= 0:
                kept.append(corners[j])
            if (here >= 0) != (there >= 0):
                kept.append(corners[j] + here / (here - there) * (corners[(j + 1) % len(corners)] - corners[j]))
        corners = np.array(kept).reshape(-1, 2)
        if not len(corners):
            break
    return corners


@chart("weights", "weights")
def weights(model: BayesianLinearModel, context: Context) -> Plot | None:
    """The weights as bars, with two standard deviations on either side."""
    terms, posterior = model.samples.terms, model.posterior
    if len(terms) > MOST_BARS:
        return None
    names, term, what = term_axis(terms.basis, context)
    at, mean = np.arange(float(len(names))), model.coef
    reach = 2 * np.sqrt(posterior.covariance.diagonal()[1:])
    label = "mean" if model.count else "mean of the prior"
    marks: tuple[Mark, ...] = (
        *weight_bars(mean[None], (label,), zeros=False),
        Segments(
            "whisker",
            np.column_stack((at, mean - reach)),
            np.column_stack((at, mean + reach)),
            label="±2 standard deviations",
        ),
    )
    low, high = min(0.0, float((mean - reach).min())), max(0.0, float((mean + reach).max()))
    room = (high - low) or 1.0  # above there is some for the legend
    limits = (*ends_of_bars(len(names)), low - 0.06 * room, high + 0.3 * room)
    return Plot("weights", "Weights", term, what, marks, limits, x_ticks=bar_ticks(names))


@chart("evidence of tau", "evidence over τ")
def evidence_of_tau(model: BayesianLinearModel, context: Context) -> Plot | None:
    """The log evidence over the prior's standard deviation, which can be dragged unless it is chosen by evidence."""
    return _evidence(model, context, "tau", model.samples.prior)


@chart("evidence of sigma", "evidence over σ")
def evidence_of_noise(model: BayesianLinearModel, context: Context) -> Plot | None:
    """The log evidence over the standard deviation of the noise."""
    return _evidence(model, context, "noise", model.samples.noise)


def _evidence(model: BayesianLinearModel, context: Context, name: str, now: float) -> Plot | None:
    if not model.count > model.samples.flat:
        return None
    samples, parameter = model.samples, context.algorithm.parameter(name)
    label = "noise σ" if name == "noise" else "prior τ"
    (low, high), (least, most) = parameter.soft, parameter.valid
    ends = max(min(low, now / 3), min(least, now)), min(max(high, 3 * now), max(most, now))
    places = np.unique(np.append(np.geomspace(*ends, _PLACES), now))
    noise, prior = (places, samples.prior) if name == "noise" else (samples.noise, places)
    line = np.column_stack((places, model.spectrum.log_evidence(noise, prior)))
    at, best = int(np.searchsorted(places, now)), int(np.argmax(line[:, 1]))
    other = f"prior τ = {number(samples.prior)}" if name == "noise" else f"noise σ = {number(samples.noise)}"
    marks: list[Mark] = [Lines("path", line, label=f"log evidence, {other}")]
    if 0 < best < len(places) - 1:
        marks.append(Points("largest evidence", line[best : best + 1], label="largest"))
    free = context.algorithm.matters(parameter)
    marks.append(Points("now", line[at : at + 1], label="the fit shown" if free else "chosen from all samples"))
    values = np.clip(places, least, most)
    handles = (Handle(f"algorithm.{name}", line, values, at, label=label),) if free else ()
    # Far off the evidence falls without end: what is near the largest is what can be read.
    top = float(line[best, 1])
    floor = max(float(line[:, 1].min()), min(float(line[at, 1]), top - 3 * float(samples.whole.count) - 10))
    room = 0.06 * (top - floor) or 1.0
    limits = (float(places[0]), float(places[-1]), floor - room, top + room)
    id = "evidence of sigma" if name == "noise" else "evidence of tau"
    title = f"Evidence over {label}"
    return Plot(id, title, label, "log evidence", tuple(marks), limits, x_scale="log", handles=handles)


ALL = (weight_plane, weights, evidence_of_tau, evidence_of_noise)
